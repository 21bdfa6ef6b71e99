#include "examples/book/site/alphabetical_index.h"

#include "examples/book/site/contents.h"
#include "tests/catch.h"

using namespace regard::site;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string chapter = R"(# 4. Masks

A mask hides.

## Padding on paper

What fills a row is *padding*.

## Four wrong masks

## Exercises

A *window*.
)";
const std::string glossary = R"(# Glossary

| word | usual name | 中文 | what it means | |
|---|---|---|---|---|
| padding | | 填充 | what fills | [4](04_masks.md) |
| mask | attention mask | 掩码 | a rule | [4](04_masks.md) |
| window | | 窗口 | a mask | [4](04_masks.md) |
| 8 bits | int8 | 8 位 | few | [9](09_none.md) |
)";

}  // namespace

TEST_CASE("The index leads from each name to where a chapter explains it, and to titles that have it") {
  Contents contents{{}, {{"Chapters", {{"examples/book/04_masks.md", "4", "Masks", chapter}}}, {"More", {}}}, {}};
  add_alphabetical_index(contents);
  CHECK(contents.in_order().size() == 2);  // without a glossary nothing is added
  contents.groups[1].pages = {{"examples/book/glossary.md", "", "Glossary", glossary},
                              {"examples/book/use.md", "", "Use", ""}};
  add_alphabetical_index(contents);
  CHECK(contents.groups[1].pages.at(1).out() == "alphabetical_index.html");
  CHECK(contents.groups[1].pages.size() == 3);
  const std::string masks = "[4: Masks](04_masks.md#4-masks) · [4: Four wrong masks](04_masks.md#four-wrong-masks)\n";
  CHECK_THAT(contents.groups[1].pages[1].text,
             ContainsSubstring("## 8\n\n- 8 bits: \n\n## A\n\n- attention mask (here: mask): " + masks) &&
                 ContainsSubstring("## M\n\n- mask: " + masks) &&
                 ContainsSubstring("- padding: [4: Padding on paper](04_masks.md#padding-on-paper)\n") &&
                 ContainsSubstring("- window: [4: Masks](04_masks.md#4-masks)\n"));  // exercises explain nothing
}
