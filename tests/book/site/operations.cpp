// The pages of operations: made from the table, the sources, and what was measured.
#include "examples/book/site/operations/operation_pages.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "autograd/op_list.h"
#include "examples/book/site/contents.h"
#include "examples/book/site/links.h"
#include "examples/book/site/operations/drawings.h"
#include "examples/book/site/operations/measured.h"
#include "examples/book/site/operations/overview.h"
#include "examples/book/site/operations/rules.h"
#include "examples/book/site/operations/sources.h"
#include "examples/book/site/operations/uses.h"
#include "examples/book/site/operations/words.h"
#include "examples/book/site/page.h"
#include "examples/book/site/text.h"
#include "tests/book/site/toy_project.h"
#include "tests/catch.h"

using namespace regard;
using namespace regard::site;
using Catch::Matchers::ContainsSubstring;

namespace {

Contents contents_with(const std::string& measured) {
  Contents contents{{"examples/book/README.md", "", "Book", "# Book\n"}, {}, {}};
  add_operation_pages(contents, REGARD_ROOT, measured);
  return contents;
}

const Page& page_of(const Contents& contents, const std::string& title) {
  const std::vector<Page>& pages = contents.groups.at(0).pages;
  const auto found = std::find_if(pages.begin(), pages.end(), [&](const Page& page) { return page.title == title; });
  REQUIRE(found != pages.end());
  return *found;
}

// What a reader sees of a page.
std::string seen(const Page& page, const Contents& contents) {
  Problems problems;
  Links links(REGARD_ROOT, contents, problems);
  return without_tags(render_page(page.source, page.text, links, problems).html);
}

}  // namespace

TEST_CASE("Operations: each row of the table has a page with its formula and its rule, and a row in the overview") {
  const Contents contents = contents_with("");
  CHECK(contents.groups.at(0).pages.size() == op_list.size() + 1);
  const std::string overview = seen(page_of(contents, "All operations"), contents);
  for (const OpInfo& op : op_list) {
    INFO(op.name);
    const Page& page = page_of(contents, op.name);
    CHECK(page.out() == fmt::format("operations/{}.html", op.name));
    const std::string words = seen(page, contents);
    CHECK_THAT(words, ContainsSubstring(fmt::format("Formula: {}\n", op.formula)));
    if (op.rule[0] != '=') CHECK_THAT(words, ContainsSubstring(fmt::format("ule: {}\n", op.rule)));
    CHECK_THAT(overview, ContainsSubstring(fmt::format("{}\n{}\n{}\n", op.name, op.formula, op.rule)));
  }
}

// No operation is exempt: even "y = a + b: ∂y/∂a = ∂y/∂b = 1" stands in the source.
TEST_CASE("Operations: each that has a gradient has the derivation of its rule in the sources") {
  const std::vector<SourceFile> autograd = sources_in(REGARD_ROOT, {"autograd"});
  for (const OpInfo& op : op_list) {
    INFO(op.name);
    const std::vector<Passage> rules = rules_of(autograd, op.name);
    if (op.kind == OpKind::not_differentiable) continue;
    REQUIRE_FALSE(rules.empty());
    for (const Passage& rule : rules) {
      INFO(rule.file << ":" << rule.line);
      CHECK_FALSE(rule.comment.empty());
      CHECK(fmt::format("{}", fmt::join(rule.comment, " ")).find("likewise") == std::string::npos);
    }
  }
}

TEST_CASE("Operations: a rule is found where it is recorded, with the comment above") {
  const SourceFile file{"autograd/ops/a.cpp",
                        {"// book: f", "// y = 2x:", "//   dy/dx = 2", "Variable f(const Variable& x,",
                         "           int n) {", "  return record(op(\"f\"), {x}, n);", "}", "// book: /f", "",
                         "Variable g(const Variable& x) { return f(f(x)); }"}};
  const std::vector<Passage> f = rules_of({file}, "f"), g = rules_of({file}, "g");
  REQUIRE(f.size() == 1);
  CHECK(f[0].line == 4);
  CHECK(f[0].comment == std::vector<std::string>{"y = 2x:", "  dy/dx = 2"});
  CHECK(f[0].code.size() == 4);
  REQUIRE(g.size() == 1);
  CHECK(g[0].line == 10);
  CHECK(g[0].comment.empty());
  CHECK(rules_of({file}, "h").empty());
  const SourceFile forms{"autograd/ops/b.cpp",
                         {"// y = x:", "Variable f(int a) { return record(op(\"f\"), a); }",
                          "Variable f(double a) { return record(op(\"f\"), a); }"}};
  const std::vector<Passage> both = rules_of({forms}, "f");
  REQUIRE(both.size() == 1);
  CHECK(both[0].code.size() == 2);
  CHECK(comment_as_markdown(f[0].comment) == "y = 2x:\n\n\n```\ndy/dx = 2\n```\n");
  CHECK(comment_as_markdown({"  a = b      c = d"}) == "\n\n```\na = b\nc = d\n```\n");
}

TEST_CASE("Operations: declarations that stand apart stay apart, and a comment is that of its whole block") {
  const SourceFile header{"a.h",
                          {"namespace regard {", "// All of these round.", "Tensor f(int a);", "Tensor g(int a,",
                           "         int b);", "Tensor g(double a);", "", "Tensor g();", "struct G {",
                           "  int g(int a);", "};", "Tensor f(long a);", "// Only this one.", "Tensor f(double a);"}};
  const auto found = [&](const std::string& name) { return declarations_of({header}, name); };
  const std::vector<Passage> f = found("f"), g = found("g");
  REQUIRE(g.size() == 2);
  CHECK(g[0].line == 4);
  CHECK(g[0].comment == std::vector<std::string>{"All of these round."});
  CHECK(g[0].below_comment == 3);
  CHECK(g[0].code == std::vector<std::string>{"Tensor g(int a,", "         int b);", "Tensor g(double a);"});
  CHECK(g[1].line == 8);
  CHECK(g[1].comment.empty());
  REQUIRE(f.size() == 3);
  CHECK(f[0].comment == g[0].comment);
  CHECK(f[0].below_comment == 0);
  CHECK(f[1].line == 12);
  CHECK(f[1].comment.empty());
  CHECK(f[2].comment == std::vector<std::string>{"Only this one."});
  // A comment above a definition is its own.
  const SourceFile defined{"a.h", {"// Shorter.", "inline Tensor g() { return f(0); }", "Tensor f();"}};
  CHECK(declarations_of({defined}, "f").at(0).comment.empty());
  // The comment of a block is said once.
  const SourceFile apart{"a.h", {"// All of these round.", "Tensor f();", "Tensor g();", "Tensor f(int a);"}};
  const std::vector<Passage> twice = declarations_of({apart}, "f");
  REQUIRE(twice.size() == 2);
  CHECK_FALSE(twice[0].comment.empty());
  CHECK(twice[1].comment.empty());
}

TEST_CASE("Operations: each declaration is shown with its own line, and with what is said of its block") {
  const Contents contents = contents_with("");
  const auto markdown = [&](const std::string& name) { return page_of(contents, name).text; };
  CHECK_THAT(markdown("less"), ContainsSubstring("With NaN they are 0"));
  const std::string add = markdown("add");
  CHECK_THAT(add, ContainsSubstring("\nVariable add(const Variable& a, const Variable& b);\n```"));
  CHECK_THAT(add, ContainsSubstring("\nVariable add(const Variable& x, double d);\n```"));
}

TEST_CASE("Operations: calls are found, and declarations, members and functions of others are not") {
  const auto line_of = [](const std::string& line) {
    const std::vector<Use> uses = uses_of({{"nn/a.cpp", {"", line}}}, "exp");
    return uses.empty() ? 0 : uses[0].line;
  };
  for (const char* call :
       {"  return exp(x);", "exp(x)", "  y = a * exp(x);", "  y = a ? b : exp(x);", "  f(exp(x), 1);"})
    CHECK(line_of(call) == 2);
  for (const char* other : {"  x.exp(y);", "  std::exp(x);", "  // exp(x)", "  log_exp(x);",
                            "Variable exp(const T& x);", "  nn::Exp exp(3);", "exp = 3;"})
    CHECK(line_of(other) == 0);
  for (const char* own : {"Number exp(const Number& x) {", "  const auto exp = [](int x) { return x; };",
                          "  Model exp(7);", "int g(const F& exp) {"})
    CHECK(uses_of({{"a.cpp", {own, "  y = exp(x);"}}}, "exp").empty());
  CHECK(uses_of({{"a.cpp", {"  y = exp(x);"}}, {"a.h", {"  void exp(int x);"}}}, "exp").empty());
  CHECK(uses_of({{"a.cpp", {"  y = exp(x);"}}, {"b.h", {"  void exp(int x);"}}}, "exp").size() == 1);
}

TEST_CASE("Operations: the errors and the speed shown are those that were measured") {
  const ToyProject place("operations");
  place.write("m/gradcheck.json", R"([
      {"case": "tanh/a", "operation": "tanh", "verdict": "PASS", "elements": 6, "worst_first_order": 1.5e-11,
       "worst_second_order": 2e-12},
      {"case": "tanh/b", "operation": "tanh", "verdict": "PASS", "elements": 12, "worst_first_order": 1e-12,
       "worst_second_order": 3.24e-10}])");
  place.write("m/pytorch.json", R"({"tanh": {"cases": 3, "numbers": 1234, "output": 2.2e-16, "output_f32": 1.1e-7,
      "output_f32_pytorch": 1.2e-7, "gradients": 4.4e-16, "second": 0, "gradients_f32": 2.1e-7,
      "gradients_f32_pytorch": 2.3e-7}, "argmax": {"cases": 1, "numbers": 4, "output": 0, "output_f32": 0,
      "output_f32_pytorch": 0}})");
  place.write("m/operations.json", R"json({"processor": "A processor", "threads": 2, "curves": {}, "influences": {},
      "speed": {"tanh": {"shapes": "(1000, 1000)", "forward": 1.5e9, "both": 2.5e8}}})json");
  place.write("m/commit", "abc123\n");
  const Contents contents = contents_with(place.root() + "/m");
  const std::string tanh = seen(page_of(contents, "tanh"), contents);
  for (const char* shown : {"outputs\n2.2·10⁻¹⁶\n1.1·10⁻⁷\n1.2·10⁻⁷\n", "gradients\n4.4·10⁻¹⁶\n2.1·10⁻⁷\n2.3·10⁻⁷\n",
                            "second derivatives\n0\n", "1,234 numbers in 3 cases", "gradients\n1.5·10⁻¹¹\n",
                            "gradients of gradients\n3.2·10⁻¹⁰\n", "18 elements in 2 cases", "abc123", "1,500 million",
                            "250 million", "A processor with 2 threads"})
    CHECK_THAT(tanh, ContainsSubstring(shown));
  CHECK_THAT(seen(page_of(contents, "argmax"), contents), ContainsSubstring("There is no gradient to check."));
  CHECK_THAT(seen(page_of(contents, "All operations"), contents),
             ContainsSubstring("smooth\n4.4·10⁻¹⁶\n3.2·10⁻¹⁰\n1,500\n"));
  const Contents nothing = contents_with("");
  CHECK_THAT(seen(page_of(nothing, "tanh"), nothing),
             ContainsSubstring("This was not measured here. ./examples/run book --measure"));
}

TEST_CASE("Operations: a check that does not pass is shown as such") {
  const ToyProject place("operations");
  place.write("m/gradcheck.json", R"([{"case": "tanh/a", "operation": "tanh", "verdict": "FAIL", "elements": 1,
      "worst_first_order": 0.5, "worst_second_order": null}])");
  const Contents contents = contents_with(place.root() + "/m");
  const std::string tanh = seen(page_of(contents, "tanh"), contents);
  CHECK_THAT(tanh, ContainsSubstring("The check does not pass."));
  CHECK_THAT(tanh, ContainsSubstring("gradients of gradients\n∞\n"));
}

TEST_CASE("Operations: parts are named as in the table") {
  const std::vector<SourceFile> autograd = sources_in(REGARD_ROOT, {"autograd"});
  const auto list = std::find_if(autograd.begin(), autograd.end(),
                                 [](const SourceFile& file) { return file.path == "autograd/op_list.h"; });
  REQUIRE(list != autograd.end());
  const auto parts = parts_of_op_list(*list);
  CHECK(parts.at("add") == "arithmetic");
  CHECK(parts.at("tanh") == "pointwise");
  CHECK(parts.at("gather") == "picking by index");
}

TEST_CASE("Operations: numbers are written as people write them") {
  CHECK(power_of_ten(1.26e-16) == "1.3·10⁻¹⁶");
  CHECK(power_of_ten(0.25) == "2.5·10⁻¹");
  CHECK(power_of_ten(12) == "1.2·10¹");
  CHECK(power_of_ten(0) == "0");
  CHECK(with_commas(1234567) == "1,234,567");
  CHECK(with_commas(999) == "999");
  CHECK(per_second(1.5e9) == "1,500 million");
  CHECK(per_second(2.5e6) == "2.5 million");
  CHECK(counted(1, "case") == "1 case");
  CHECK(counted(2000, "case") == "2,000 cases");
  CHECK(as_markdown("a*b|c_d") == "a\\*b\\|c\\_d");
}

TEST_CASE("Operations: drawings are broken where a function jumps, and leave out what is not there") {
  const std::string jump = draw_curve({"", {0, 1, 2, 3}, {0, 0, 5, 5}, {0, 0, 0, 0}});
  const std::string smooth = draw_curve({"", {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, {1, 1, 1, 1, 1, 1}});
  const auto strokes = [](const std::string& svg) {  // of the function, which is drawn last but for the legend
    const std::size_t begin = svg.rfind("<path d=\"M", svg.find("stroke=\"#1f77b4\""));
    const std::string path = svg.substr(begin, svg.find("fill=", begin) - begin);
    return std::count(path.begin(), path.end(), 'M');
  };
  CHECK(strokes(jump) == 2);
  CHECK(strokes(smooth) == 1);
  const std::string squares = draw_influence({"", {{1, 0}, {-0.5, 1}}});
  CHECK_THAT(squares, ContainsSubstring("fill-opacity=\"0.500\""));
  CHECK_THAT(squares, ContainsSubstring("width=\"100\""));
}
