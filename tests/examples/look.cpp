#include "examples/trainers/look.h"

#include "autograd/all.h"
#include "tensor/io/file.h"
#include "tests/catch.h"
#include "tests/tensor/folder.h"

#include <filesystem>

namespace regard {

using Catch::Matchers::ContainsSubstring;

namespace {

// What --look writes of a loss, and its explain.html.
std::string explained(const std::vector<NamedParameter>& parameters, const std::function<Variable()>& loss) {
  const Folder folder;
  looking().folder = folder / "look";
  CHECK_THROWS_AS(look_at(parameters, loss), Looked);
  looking().folder.clear();
  for (const char* name : {"graph.html", "cost.html", "time.html"})
    CHECK(std::filesystem::file_size(folder.path() / "look" / name) > 0);
  const std::filesystem::path page = folder.path() / "look" / "explain.html";
  return std::filesystem::exists(page) ? read_file(page) : "";
}

}  // namespace

TEST_CASE("Look: the largest of all derivatives is explained, and of those that are NaN the first") {
  const Variable w = parameter(tensor({1, -3})), b = parameter(tensor({0, 1}));
  const std::vector<NamedParameter> names{{"m.w", w}, {"m.b", b}};
  CHECK_THAT(explained(names, [&] { return sum(square(w)) + sum(b); }), ContainsSubstring("∂loss/∂(m.w[1]) = -6<"));
  // √x² at 0: ∞·0
  CHECK_THAT(explained(names, [&] { return sum(square(w)) + sum(sqrt(square(b))); }),
             ContainsSubstring("∂loss/∂(m.b[0]) = "));
}

TEST_CASE("Look: a model of which nothing is trained has nothing to explain") {
  const Variable w = parameter(tensor({1, 2}));
  CHECK(explained({{"m.c", Variable(tensor({1, 2}))}}, [&] { return sum(square(w)); }).empty());
}

}  // namespace regard
