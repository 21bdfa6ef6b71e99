// Formulas become MathML. What is expected was written from the meaning of TeX, as the TeXbook and the MathML
// specification say it.
#include "examples/book/site/formula.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/text.h"
#include "tests/catch.h"

using namespace regard::site;

namespace {

// A formula without the attributes of its elements, and without the outermost two: what it consists of.
std::string outline(std::string_view tex, bool display = false) {
  const std::string html = mathml(tex, display);
  std::string bare;
  bool in_tag = false, in_name = false;
  for (const char c : html) {
    if (c == '<') in_tag = in_name = true;
    if (in_tag && (c == ' ' || c == '/') && bare.back() != '<') in_name = false;
    if (!in_tag || in_name || c == '>') bare += c;
    if (c == '>') in_tag = in_name = false;
  }
  const std::string begins = "<math><mrow>", ends = "</mrow></math>";
  REQUIRE(bare.substr(0, begins.size()) == begins);
  return bare.substr(begins.size(), bare.size() - begins.size() - ends.size());
}

bool shows(std::string_view tex, std::string_view part) { return mathml(tex, false).find(part) != std::string::npos; }

std::string error_of(std::string_view tex) {
  try {
    mathml(tex, true);
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Letters, numbers and signs") {
  CHECK(outline("x") == "<mi>x</mi>");
  CHECK(outline("2x = 6.5") == "<mn>2</mn><mi>x</mi><mo>=</mo><mn>6.5</mn>");
  CHECK(outline("a - b") == "<mi>a</mi><mo>−</mo><mi>b</mi>");
  CHECK(outline("a < b") == "<mi>a</mi><mo>&lt;</mo><mi>b</mi>");
  CHECK(outline("\\alpha \\cdot \\Omega") == "<mi>α</mi><mo>⋅</mo><mi>Ω</mi>");
}

TEST_CASE("An index and an exponent take one token or a group") {
  CHECK(outline("x_i") == "<msub><mi>x</mi><mi>i</mi></msub>");
  CHECK(outline("x^2_i") == "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>");
  CHECK(outline("x_{right} y_{up}") == "<msub><mi>x</mi><mi>right</mi></msub><msub><mi>y</mi><mi>up</mi></msub>");
  CHECK(outline("x_{ij}") == "<msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>");
  CHECK(outline("e^23") == "<msup><mi>e</mi><mn>2</mn></msup><mn>3</mn>");
  CHECK(outline("10000^{-1}") == "<msup><mn>10000</mn><mrow><mo>−</mo><mn>1</mn></mrow></msup>");
  CHECK(outline("{W_q^h}^T") == "<msup><msubsup><mi>W</mi><mi>q</mi><mi>h</mi></msubsup><mi>T</mi></msup>");
  CHECK(outline("f'''_i") == "<msub><mrow><mi>f</mi><mo>‴</mo></mrow><mi>i</mi></msub>");
}

TEST_CASE("Fractions and roots take what TeX takes") {
  CHECK(outline("\\frac12") == "<mfrac><mn>1</mn><mn>2</mn></mfrac>");
  CHECK(outline("\\frac h2 L") == "<mfrac><mi>h</mi><mn>2</mn></mfrac><mi>L</mi>");
  CHECK(outline("\\tfrac1{16}") == "<mfrac><mn>1</mn><mn>16</mn></mfrac>");
  CHECK(outline("\\tfrac12", true) == "<mstyle><mfrac><mn>1</mn><mn>2</mn></mfrac></mstyle>");
  CHECK(outline("\\sqrt2^{24}") == "<msup><msqrt><mn>2</mn></msqrt><mn>24</mn></msup>");
  CHECK(outline("\\sqrt\\alpha") == "<msqrt><mi>α</mi></msqrt>");
  CHECK(outline("\\sqrt[3]{a}") == "<mroot><mi>a</mi><mn>3</mn></mroot>");
}

TEST_CASE("The bounds of a sum stand below and above it") {
  // Between a sum and what it adds there is a thin space, but not before a bracket.
  CHECK(outline("\\sum_i x") == "<munder><mo>∑</mo><mi>i</mi></munder><mspace><mi>x</mi>");
  CHECK(outline("\\sum_{i}^n (x)") ==
        "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mo>(</mo><mi>x</mi><mo>)</mo>");
}

TEST_CASE("A minus in front of a thing has no space around it, one between two things has") {
  const std::string before = R"(form="prefix" stretchy="false" lspace="0em" rspace="0em">−)";
  const std::string between = R"(form="infix" stretchy="false" lspace="0.2222em" rspace="0.2222em">−)";
  for (const char* tex : {"-x", "(-x)", "a = -x", "a \\cdot -x", "(0, -x)"}) CHECK(shows(tex, before));
  for (const char* tex : {"a - x", "f(x) - y", "|a| - x", "a_i - x"}) CHECK(shows(tex, between));
  CHECK(shows("e^{a - b}", R"(lspace="0em" rspace="0em">−)"));  // signs stand close in an exponent
}

TEST_CASE("A function has a thin space to what it stands beside, but not to a bracket") {
  CHECK(outline("2 \\ln x") == "<mn>2</mn><mspace><mi>ln</mi><mspace><mi>x</mi>");
  CHECK(outline("\\ln(x)") == "<mi>ln</mi><mo>(</mo><mi>x</mi><mo>)</mo>");
}

TEST_CASE("Brackets, accents, braces, words, matrices") {
  CHECK(outline("\\|q\\|") == "<mo>‖</mo><mi>q</mi><mo>‖</mo>");
  CHECK(shows("\\Big( x \\Big)", R"(minsize="1.8em" maxsize="1.8em")"));
  CHECK(outline("\\left( x \\right.") == "<mrow><mo>(</mo><mi>x</mi></mrow>");
  CHECK(outline("\\hat x_j") == "<msub><mover><mi>x</mi><mo>^</mo></mover><mi>j</mi></msub>");
  CHECK(outline("\\underbrace{x}_n") == "<munder><munder><mi>x</mi><mo>⏟</mo></munder><mi>n</mi></munder>");
  CHECK(outline("\\text{for all } j") == "<mtext>for\u00A0all\u00A0</mtext><mi>j</mi>");
  CHECK(outline("\\begin{pmatrix} a & b \\\\ c & 1 \\end{pmatrix}") ==
        "<mrow><mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd>"
        "<mtd><mn>1</mn></mtd></mtr></mtable><mo>)</mo></mrow>");
}

TEST_CASE("Dots stand low between commas, in the middle beside a sign") {
  CHECK(shows("x_1, \\dots, x_n", "…"));
  CHECK(shows("a + \\dots", "⋯"));
}

TEST_CASE("What is not understood is an error that says what it is") {
  CHECK(error_of("\\nonesuch x") == "the command \\nonesuch is not known");
  CHECK(error_of("\\frac{a}") == "something is missing behind a command");
  CHECK(error_of("{a") == "a '}' is missing");
  CHECK(error_of("a}") == "'}' closes nothing");
  CHECK(error_of("x^a^b") == "a second exponent: braces are missing");
  CHECK(error_of("x_a_b") == "a second index: braces are missing");
  CHECK(error_of("\\left( x") == "\\left has no \\right");
  CHECK(error_of("\\begin{align} x \\end{align}") == "\\begin{align} is not known");
  CHECK(error_of("\\begin{matrix} x") == "\\begin{matrix} has no \\end{matrix}");
  CHECK(error_of("√2") == "letters that are not ASCII are written as commands, √ as \\sqrt");
  CHECK(error_of("\\text{\\alpha}") == "only plain words can stand in these braces");
  CHECK(error_of("  ") == "it is empty");
  CHECK(error_of("a \\") == "it ends with a backslash");
}

TEST_CASE("A long formula in a line may be broken behind its signs, but not within brackets") {
  const auto pieces = [](std::string_view tex) {
    std::string text = mathml(tex, false);
    for (std::size_t at; (at = text.find("<wbr>")) != std::string::npos;) text.replace(at, 5, " | ");
    return without_tags(text);
  };
  CHECK(pieces("a = b + c") == "a=b+c");
  CHECK(pieces("f(x_1 + x_2) + f(x_3 + x_4) = y") == "f(x1+x2)+ | f(x3+x4)=y");
  CHECK(pieces("a_{111111} = b_{222222} = c_{333333}") == "a111111=b222222= | c333333");
  CHECK(mathml("a_{111111} = b_{222222} = c_{333333}", true).find("<wbr>") == std::string::npos);
}

TEST_CASE("A displayed formula is cut at its wide gaps, but not inside of brackets") {
  CHECK(parts_of_display("a \\qquad b\\qquad{c \\qquad d}") == std::vector<std::string>{"a ", " b", "{c \\qquad d}"});
  CHECK(parts_of_display("{a} \\qquad \\left( b \\right) \\qquad c").size() == 3);
  CHECK(parts_of_display("\\begin{cases} a \\qquad b \\end{cases}").size() == 1);
}
