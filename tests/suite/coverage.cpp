#include "tests/cases/coverage.h"
#include "tests/catch.h"

#include <algorithm>
#include <set>

using namespace regard;
using cases::Case;

namespace {

std::vector<Case> without(const std::function<bool(const Case&)>& unwanted) {
  std::vector<Case> table = cases::all_cases();
  std::erase_if(table, unwanted);
  return table;
}

using Gaps = std::vector<std::string>;

}  // namespace

TEST_CASE("every operation is checked: each input, broadcast, non-contiguous") {
  CHECK(cases::gaps_in(cases::all_cases()) == Gaps{});
}

TEST_CASE("names of operations and of cases are unique") {
  std::set<std::string> names;
  for (const OpInfo& op : op_list) CHECK(names.insert(op.name).second);
  for (const Case& row : cases::all_cases()) CHECK(names.insert(row.id).second);
}

TEST_CASE("an operation without a case is a gap") {
  const auto table = without([](const Case& row) { return std::string(row.op->name) == "tanh"; });
  CHECK(cases::gaps_in(table) == Gaps{"tanh: has no case"});
}

TEST_CASE("a broadcasting operation without a broadcast case is a gap") {
  const auto table = without([](const Case& row) { return row.id == "subtract/broadcast"; });
  CHECK(cases::gaps_in(table) == Gaps{"subtract: has no case with operands of different shapes"});
}

TEST_CASE("a case that does not use its operation is a gap") {
  auto table = without([](const Case& row) { return std::string(row.op->name) == "exp"; });
  table.push_back({"exp/not-really", &op("exp"), {Variable(tensor({1, 2}, DType::f64))}, [](const cases::In& in) {
                     return square(in[0]);
                   }});
  CHECK(cases::gaps_in(table) == Gaps{"exp: is not recorded by its own cases"});
}

TEST_CASE("an input that no case gives a gradient to is a gap") {
  auto table = without([](const Case& row) { return std::string(row.op->name) == "divide"; });
  const Variable two_by_one(tensor({{1}, {2}}, DType::f64)), three(tensor({1, 2, 3}, DType::f64));
  table.push_back({"divide/by-a-constant", &op("divide"), {two_by_one, three}, [](const cases::In& in) {
                     return in[0] / detach(in[1]);
                   }});
  CHECK(cases::gaps_in(table) == Gaps{"divide: has an input that never requires a gradient"});
}

TEST_CASE("an operation with contiguous inputs only is a gap") {
  auto table = without([](const Case& row) { return std::string(row.op->name) == "log"; });
  table.push_back(
      {"log/scalar", &op("log"), {Variable(tensor(2, DType::f64))}, [](const cases::In& in) { return log(in[0]); }});
  CHECK(cases::gaps_in(table) == Gaps{"log: has no case with a non-contiguous input"});
}
