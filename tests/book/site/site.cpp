// The whole book is rendered, and every link, anchor and picture of the site leads somewhere. What checks this is tried
// on a small site with faults.
#include "examples/book/site/site.h"

#include <filesystem>
#include <string>
#include <vector>

#include "examples/book/site/alphabetical_index.h"
#include "examples/book/site/contents.h"
#include "examples/book/site/operations/operation_pages.h"
#include "examples/book/site/text.h"
#include "tests/book/site/rendered.h"
#include "tests/book/site/toy_project.h"
#include "tests/catch.h"

using namespace regard::site;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::vector<std::string> nothing;

// The faults of a small site after something in one of its files is exchanged.
std::vector<std::string> faults_with(const std::string& file, const std::string& text, const std::string& instead) {
  const ToyProject project("faults");
  project.write("examples/book/00_zero.md", "# Zero\n\n## Part\n\n[a](README.md#contents) [b](#part)\n");
  Problems problems;
  write_site(project.root(), contents_of_book(project.root()), project.out(), problems);
  std::string content = content_of(project.out() + "/" + file);
  const std::size_t at = content.find(text);
  REQUIRE(at != std::string::npos);
  project.write("out/" + file, content.replace(at, text.size(), instead));
  std::vector<std::string> faults = faults_of_site(project.out());
  for (std::string& fault : faults) fault.erase(0, fault.find(": "));
  return faults;
}

}  // namespace

TEST_CASE("Pages lead to the pictures only where there are some") {
  const ToyProject project("pictures");
  project.write("examples/book/00_zero.md", "# Zero\n");
  Problems problems;
  Contents contents = contents_of_book(project.root());
  for (const bool there : {false, true}) {
    contents.has_pictures = there;
    write_site(project.root(), contents, project.out(), problems);
    CHECK((content_of(project.out() + "/00_zero.html").find("href=\"../index.html\"") != std::string::npos) == there);
  }
}

TEST_CASE("Only pages with a figure load what it takes, and only where there is a laboratory") {
  const ToyProject project("laboratory");
  project.write("examples/book/p.svg", "<svg width=\"1\" height=\"1\" viewBox=\"0 0 1 1\"></svg>");
  project.write("examples/book/00_zero.md", "# Zero\n\n![p](p.svg)\n\nIn your hand: *Grow*.\n");
  Problems problems;
  Contents contents = contents_of_book(project.root());
  for (const bool there : {false, true}) {
    contents.has_laboratory = there;
    write_site(project.root(), contents, project.out(), problems);
    CHECK((content_of(project.out() + "/00_zero.html").find("hand.js") != std::string::npos) == there);
    CHECK(content_of(project.out() + "/index.html").find("hand.js") == std::string::npos);
  }
  CHECK(problems.found == nothing);
}

TEST_CASE("The book: all links, anchors and pictures are there") {
  const ToyProject place("book");  // only its folder
  Problems problems;
  Contents contents = contents_of_book(REGARD_ROOT);
  place.write("measured/operations.json", R"({"processor": "none", "threads": 1, "speed": {},
      "curves": {"tanh": {"case": "tanh/matrix", "x": [-1, 0, 1], "y": [-0.76, 0, 0.76], "slope": [0.42, 1, 0.42]}},
      "influences": {"flip": {"case": "flip/first-axis", "rows": [[0, 1], [1, 0]]}}})");
  add_alphabetical_index(contents);
  add_operation_pages(contents, REGARD_ROOT, place.root() + "/measured");
  const Counts counts = write_site(REGARD_ROOT, contents, place.out(), problems);
  CHECK(problems.found == nothing);
  CHECK(contents.groups.at(0).title == "Chapters");
  CHECK(contents.groups.at(0).pages.size() == 23);
  CHECK(counts.formulas > 400);
  CHECK(faults_of_site(place.out()) == nothing);
  for (const char* file : {"alphabetical_index.html", "operations.html", "operations/tanh.html", "operations/tanh.svg",
                           "operations/flip.svg"})
    CHECK(std::filesystem::exists(place.out() + "/" + file));
  for (const char* file :
       {"index.html", "22_tools_that_explain.html", "style.css", "search-index.js", "pictures/slope.svg"})
    CHECK(std::filesystem::exists(place.out() + "/" + file));
}

TEST_CASE("The check of a site finds what is planted") {
  using All = std::vector<std::string>;
  CHECK(faults_with("00_zero.html", "#part", "#part") == nothing);
  CHECK(faults_with("00_zero.html", "href=\"index.html#contents\"", "href=\"none.html#contents\"") ==
        All{": there is no none.html#contents", ": there is no anchor none.html#contents"});
  CHECK(faults_with("00_zero.html", "index.html#contents", "index.html#none") ==
        All{": there is no anchor index.html#none"});
  CHECK(faults_with("00_zero.html", "src=\"page.js\"", "src=\"https://example.org/page.js\"") ==
        All{": needs the network for https://example.org/page.js"});
  CHECK(faults_with("00_zero.html", "id=\"zero\"", "id=\"part\"") == All{": two anchors part"});
  CHECK(faults_with("00_zero.html", "</article>", "$$x$$</article>") == All{": shows $$"});
}

TEST_CASE("Nothing is written while something is wrong") {
  const ToyProject project("wrong");
  project.write("examples/book/00_zero.md", "# Zero\n\n[a](none.md)\n");
  Problems problems;
  write_site(project.root(), contents_of_book(project.root()), project.out(), problems);
  CHECK(problems.found.size() == 1);
  CHECK_FALSE(std::filesystem::exists(project.out()));
}

TEST_CASE("A group of pages that are no files is one more group of the contents") {
  const ToyProject project("generated");
  Contents contents = contents_of_book(project.root());
  contents.groups.push_back({"Operations",
                             {{"examples/book/operations/exp.md", "", "exp", "# exp\n\n[up](../README.md)\n"},
                              {"examples/book/operations/tanh.md", "", "tanh", "# tanh\n\n[exp](exp.md)\n"}}});
  Problems problems;
  const Counts counts = write_site(project.root(), contents, project.out(), problems);
  CHECK(problems.found == nothing);
  CHECK(counts.pages == 4);
  CHECK(faults_of_site(project.out()) == nothing);
  const std::string tanh = content_of(project.out() + "/operations/tanh.html");
  CHECK_THAT(tanh, ContainsSubstring(R"(<a href="exp.html">exp</a>)") ||
                       ContainsSubstring(R"(<a href="../operations/exp.html">exp</a>)"));
  CHECK_THAT(tanh, ContainsSubstring("<summary>Operations</summary>"));
  CHECK_THAT(content_of(project.out() + "/search-index.js"), ContainsSubstring("operations/tanh.html"));
}

TEST_CASE("The contents are read from the README: chapters with numbers, and titles") {
  const ToyProject project("contents");
  const Contents contents = contents_of_book(project.root());
  REQUIRE(contents.groups.size() == 1);
  CHECK(contents.front.title == "Toy");
  CHECK(contents.groups[0].pages.at(0).number == "0");
  CHECK(contents.groups[0].pages.at(0).title == "Zero");
  CHECK(contents.groups[0].pages.at(0).out() == "00_zero.html");
}
