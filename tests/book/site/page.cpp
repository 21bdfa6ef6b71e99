// A page of Markdown becomes HTML: links, formulas, code, pictures, tables; and what is wrong is told with its place.
#include "examples/book/site/page.h"

#include <set>
#include <string>
#include <vector>

#include "examples/book/site/contents.h"
#include "examples/book/site/links.h"
#include "examples/book/site/text.h"
#include "tests/book/site/toy_project.h"
#include "tests/catch.h"

using namespace regard::site;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Rendering {
  ToyProject project{"page"};
  Problems problems;
  RenderedPage page;

  explicit Rendering(const std::string& text, const std::string& file = "examples/book/00_zero.md") {
    project.write("nn/a.h", "int a;\n  // book: part\n  int b;\n  // book: /part\n");
    project.write("nn/README.md", "# Models\n\n## All of them\n");
    project.write("examples/book/pictures/wide.svg", R"(<svg width="700" height="90" viewBox="0 0 700 90"></svg>)");
    project.write("examples/book/pictures/chart.svg",
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"300\" height=\"90\" viewBox=\"0 0 300 90\" "
                  "role=\"img\">\n<title>told twice</title>\n<text x=\"0.5\">first &lt; last</text>\n"
                  "<text y=\"9\">0.5</text>\n</svg>\n");
    project.write("examples/book/pictures/styled.svg",
                  "<svg width=\"30\" height=\"9\" viewBox=\"0 0 30 9\"><style>text { fill: red; }</style>"
                  "<text>far</text></svg>");
    project.write("examples/book/pictures/named.svg",
                  R"(<svg width="30" height="9" viewBox="0 0 30 9"><path id="part"/></svg>)");
    project.write("examples/book/pictures/p.png", std::string("\x89PNG\r\n\x1a\n....IHDR\0\0\x03\x20\0\0\0\x64", 24));
    project.write(file, text);
    const Contents contents = contents_of_book(project.root());
    Links links(project.root(), contents, problems);
    page = render_page(file, text, links, problems);
    for (std::string next; !(next = links.next_file()).empty();)
      if (next.ends_with(".md")) render_page(next, content_of(project.root() + "/" + next), links, problems);
    links.check_anchors();
  }
};

std::string html_of(const std::string& text) {
  const Rendering rendering(text);
  CHECK(rendering.problems.found == std::vector<std::string>{});
  return rendering.page.html;
}

std::vector<std::string> problems_of(const std::string& text) { return Rendering(text).problems.found; }

}  // namespace

TEST_CASE("Links go to the pages that files become") {
  CHECK_THAT(html_of("[a](README.md)"), ContainsSubstring(R"(<a href="index.html">a</a>)"));
  CHECK_THAT(html_of("## B\n[a](00_zero.md#b) [c](#b)"),
             ContainsSubstring(R"(<a href="00_zero.html#b">a</a> <a href="#b">c</a>)"));
  CHECK_THAT(html_of("[a](../../nn/README.md#all-of-them)"),
             ContainsSubstring(R"(href="source/nn/README.html#all-of-them")"));
  CHECK_THAT(html_of("[a](../../nn/)"), ContainsSubstring(R"(href="source/nn/README.html")"));
  CHECK_THAT(html_of("[a](../../nn/a.h)"), ContainsSubstring(R"(href="source/nn/a.h.html")"));
  CHECK_THAT(html_of("[a](https://example.org/x.md)"), ContainsSubstring(R"(href="https://example.org/x.md")"));
}

TEST_CASE("A file that is named in code is a link to it") {
  CHECK_THAT(html_of("see `nn/a.h`"), ContainsSubstring(R"(<a href="source/nn/a.h.html"><code>nn/a.h</code></a>)"));
  CHECK_THAT(html_of("see `nn/b.h`"), ContainsSubstring("see <code>nn/b.h</code>"));
}

TEST_CASE("From a page in a folder links go up") {
  const Rendering rendering("# M\n\n[a](../examples/book/00_zero.md) `nn/a.h`", "nn/README.md");
  CHECK_THAT(rendering.page.html, ContainsSubstring(R"(href="../../00_zero.html")"));
  CHECK_THAT(rendering.page.html, ContainsSubstring(R"(href="../../source/nn/a.h.html")"));
}

TEST_CASE("Data is copied: nobody reads it as a page") {
  Rendering rendering("text");
  rendering.project.write("data/large.txt", std::string(200'001, 'x'));
  rendering.project.write("data/small.txt", "x");
  const Contents contents = contents_of_book(rendering.project.root());
  Links links(rendering.project.root(), contents, rendering.problems);
  CHECK(links.rewritten("examples/book/00_zero.md", "../../data/large.txt", 1) == "source/data/large.txt");
  CHECK(links.rewritten("examples/book/00_zero.md", "../../data/small.txt", 1) == "source/data/small.txt.html");
  CHECK(links.copies() == std::set<std::string>{"data/large.txt"});
  CHECK(links.next_file() == "data/small.txt");
}

TEST_CASE("Headings have anchors, and are listed") {
  const Rendering rendering("# Zero\n\n## Why $a_i$ and `code`\n");
  REQUIRE(rendering.page.headings.size() == 2);
  CHECK(rendering.page.title == "Zero");
  CHECK(rendering.page.headings[1].anchor == "why-ai-and-code");
  CHECK_THAT(rendering.page.html, ContainsSubstring(R"(<h2 id="why-ai-and-code">Why <math>)"));
}

TEST_CASE("Sections for the search have the anchors of their headings") {
  const Rendering rendering("Above.\n\n# A\n\n## The cost of $x^2$\n\nText.\n\n## A\n");
  const std::vector<Section>& sections = rendering.page.sections;
  REQUIRE(sections.size() == 4);
  CHECK(sections[0].anchor.empty());
  for (std::size_t i = 1; i < 4; ++i) CHECK(sections[i].anchor == rendering.page.headings[i - 1].anchor);
  CHECK(sections[2].words == "Text. ");
  CHECK(sections[3].anchor == "a-1");
}

TEST_CASE("Formulas are found outside of code, and within a line or over two") {
  CHECK_THAT(html_of("so $x\ny$ is"), ContainsSubstring("so <math><mrow><mi>x</mi><mi>y</mi></mrow></math> is"));
  CHECK_THAT(html_of("`$x$` and \\$5"), ContainsSubstring("<code>$x$</code> and $5"));
  CHECK_THAT(html_of("```sh\necho $a $b\n```\n"), ContainsSubstring("<span class=\"v\">$a</span>"));
  CHECK_THAT(html_of("$$x$$"), ContainsSubstring(R"(<span class="display alone" tabindex="0"><math display="block">)"));
  CHECK_THAT(html_of("| a |\n|---|\n| $|q|$ |\n"), ContainsSubstring("<mi>q</mi>"));
}

TEST_CASE("A quote names its file and line; what is printed stands below") {
  CHECK_THAT(html_of("```cpp quote nn/a.h part\nint b;\n```\n"),
             ContainsSubstring(R"(<a class="where" href="source/nn/a.h.html#L3">nn/a.h<span>, line 3</span></a>)"));
  const std::string html =
      html_of("```cpp\nf();\n```\n\n```text\n1\n```\n\n```text 00_toy --n=1\n1\n```\n\n```\n│\n```\n");
  CHECK_THAT(html, ContainsSubstring(R"(<div class="code text printed">)"));
  CHECK_THAT(html, ContainsSubstring(R"(<span class="where">00_toy --n=1</span>)"));
  CHECK_THAT(html, ContainsSubstring(R"(<div class="code drawing">)"));
}

TEST_CASE("A picture has its size, its words, and as caption the line in italics below it") {
  const std::string html = html_of("![one & two](pictures/p.png)\n\n*Below $x$.*\n\nText.\n");
  CHECK_THAT(html, ContainsSubstring(R"(<img src="pictures/p.png" alt="one &amp; two" width="496" height="62")"));
  CHECK_THAT(html, ContainsSubstring(R"(<a class="picture" href)"));
  CHECK_THAT(html_of("![wide](pictures/wide.svg)\n"), ContainsSubstring(R"(<a class="picture wide" href)"));
  CHECK_THAT(html, ContainsSubstring("<figcaption>\n<p><em>Below <math>"));
  CHECK(html.find("</figure>") < html.find("Text."));
}

TEST_CASE("A chart stands in the page, where a browser finds its words; its label is that of the picture") {
  const Rendering rendering("## A\n\n![one & two](pictures/chart.svg)\n\n## B\n\n![three](pictures/styled.svg)\n");
  CHECK_THAT(rendering.page.html,
             ContainsSubstring("<a class=\"picture\" href=\"pictures/chart.svg\">"
                               "<svg role=\"img\" aria-label=\"one &amp; two\" width=\"300\" height=\"90\" "
                               "viewBox=\"0 0 300 90\">\n<text x=\"0.5\">first &lt; last</text>\n"
                               "<text y=\"9\">0.5</text>\n</svg></a>"));
  REQUIRE(rendering.page.sections.size() == 2);
  CHECK(rendering.page.sections[0].words == "one & two first < last ");  // no numbers of axes
  CHECK(rendering.page.sections[1].words == "three far ");
}

TEST_CASE("A chart with names or a style of its own, which would hold for the whole page, stays a file") {
  CHECK_THAT(html_of("![three](pictures/styled.svg)"), ContainsSubstring(R"(<img src="pictures/styled.svg")"));
  CHECK_THAT(html_of("![four](pictures/named.svg)"), ContainsSubstring(R"(<img src="pictures/named.svg")"));
}

TEST_CASE("A line below a picture that names a figure of the laboratory makes it one to be taken in the hand") {
  const std::string line = "In your hand: *How near?*, in the laboratory.\n\n";
  const std::string html = html_of("![one](pictures/p.png)\n\n*Below.*\n\n" + line + "Text.\n");
  CHECK_THAT(html, ContainsSubstring(R"(<figure class="live" data-figure="How near?">)"));
  CHECK_THAT(html, ContainsSubstring("</figcaption>\n<div class=\"hand\">\n<p>In your hand: <em>How near?</em>, in"));
  CHECK(html.find("</figure>") < html.find("Text."));
  CHECK_THAT(html_of("![one](pictures/p.png)\n\n" + line), ContainsSubstring(R"(data-figure="How near?")"));
  CHECK(html_of(line) == "<p>In your hand: <em>How near?</em>, in the laboratory.</p>\n");
}

TEST_CASE("Tables scroll in a box of their own") {
  CHECK_THAT(html_of("| a |\n|---|\n| b |\n"), ContainsSubstring("<div class=\"table\" tabindex=\"0\">\n<table>"));
  CHECK_THAT(html_of("| a |\n|---|\n| at (3.6, 7.2) or so |\n| ½, ½, ¼ |\n| love, birds |\n"),
             ContainsSubstring("at (3.6,\u00A07.2) or so") && ContainsSubstring("½,\u00A0½,\u00A0¼") &&
                 ContainsSubstring("love, birds"));
}

TEST_CASE("The links at the end of a chapter are left to the frame") {
  CHECK(html_of("text\n\n[← a](README.md) · [Contents](README.md)\n") == "<p>text</p>\n");
}

TEST_CASE("What is wrong is told with its file and line") {
  const std::string here = "examples/book/00_zero.md:";
  using All = std::vector<std::string>;
  CHECK(problems_of("a\n\n$x$ and\n$\\nonesuch$\n") ==
        All{here + "4: the formula \\nonesuch: the command \\nonesuch is not known"});
  CHECK(problems_of("$x\ny$\n\n$$\\a$$\n") == All{here + "4: the formula \\a: the command \\a is not known"});
  CHECK(problems_of("a\n$x\n\ny$") ==
        All{here + "2: a formula has no end, or this dollar begins none: then write \\$",
            here + "4: a formula has no end, or this dollar begins none: then write \\$"});
  CHECK(problems_of("$x\ny$ a\n\n[a](none.md)\n") == All{here + "4: the link to none.md leads nowhere"});
  CHECK(problems_of("a\n\n![a](none.png)\n") == All{here + "3: the link to none.png leads nowhere"});
  CHECK(problems_of("a\n\n![a](https://example.org/p.png)\n") ==
        All{here + "3: the picture https://example.org/p.png is no file of the project: a page needs no network"});
  CHECK(problems_of("[a](#none)") == All{here + "1: examples/book/00_zero.md has no heading with the anchor #none"});
  CHECK(problems_of("[a](../../nn/README.md#none)") ==
        All{here + "1: nn/README.md has no heading with the anchor #none"});
  CHECK(problems_of("```cpp quote nn/a.h none\n```\n") == All{here + "1: in nn/a.h there is no region 'none'"});
  CHECK(problems_of("a std::vector<int> b") == All{here + "1: HTML on a page, or `code` without its marks: <int>"});
}
