// Code gets its colours, and loses none of its characters.
#include "examples/book/site/colours.h"

#include <string>
#include <vector>

#include "examples/book/site/text.h"
#include "tests/catch.h"

using namespace regard::site;

TEST_CASE("C++: keywords, types, numbers, strings, comments, directives") {
  CHECK(coloured("return x1;  // 2", "cpp") == R"(<span class="k">return</span> x1;  <span class="c">// 2</span>)");
  CHECK(coloured("int a = 1'000.5e-3f;", "cpp") ==
        R"(<span class="t">int</span> a = <span class="n">1'000.5e-3f</span>;)");
  CHECK(coloured(R"("a \" // b" + 'c')", "cpp") ==
        R"(<span class="s">&quot;a \&quot; // b&quot;</span> + <span class="s">'c'</span>)");
  CHECK(coloured("R\"(a \" b)\" x", "cpp") == R"(<span class="s">R&quot;(a &quot; b)&quot;</span> x)");
  CHECK(coloured("#include <map>\na # b", "cpp") == "<span class=\"p\">#include &lt;map&gt;</span>\na # b");
  CHECK(coloured("integer returned", "cpp") == "integer returned");
}

TEST_CASE("A shell: a # begins a comment only where a word could begin") {
  CHECK(coloured("echo a#b ${a#b} # c", "sh") ==
        R"(echo a#b <span class="v">${a#b}</span> <span class="c"># c</span>)");
  CHECK(coloured("if true", "sh") == R"(<span class="k">if</span> true)");
}

TEST_CASE("Other languages are shown as they are") {
  CHECK(coloured("if <a> & \"b\"", "text") == "if &lt;a&gt; &amp; &quot;b&quot;");
  CHECK(coloured("for", "nonesuch") == "for");
}

TEST_CASE("Line by line: what goes over several lines has its colour in each") {
  CHECK(coloured_lines("a /* b\nc */ d\n\ne", "cpp") ==
        std::vector<std::string>{R"(a <span class="c">/* b</span>)", R"(<span class="c">c */</span> d)", "", "e"});
  CHECK(coloured_lines("a\n", "cpp").size() == 1);
}

TEST_CASE("The text of code stays what it was, also of code that is cut off in the middle") {
  for (const char* code : {"auto s = \"never ends", "/* nor this", "R\"(nor this", "x = 0x1F'FFu; y = .5 - 1e+9;", "#",
                           "a \\\n b", "$", "${", "\"\\"})
    for (const char* language : {"cpp", "sh", "cmake", "py"}) CHECK(without_tags(coloured(code, language)) == code);
}

TEST_CASE("The language of a file is known by its name or its first line") {
  CHECK(language_of("nn/a.h", "") == "cpp");
  CHECK(language_of("tests/CMakeLists.txt", "") == "cmake");
  CHECK(language_of("examples/run", "#!/usr/bin/env bash\n") == "sh");
  CHECK(language_of("LICENSE", "MIT") == "text");
}
