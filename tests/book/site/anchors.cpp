// Anchors are those that GitHub makes. The expected ones were taken from links that work there.
#include "examples/book/site/anchors.h"

#include "tests/catch.h"

using regard::site::Anchors;

TEST_CASE("Small letters, a dash for each blank, and no marks") {
  Anchors anchors;
  CHECK(anchors.of("The path: a weekend of reading") == "the-path-a-weekend-of-reading");
  CHECK(anchors.of("I want …") == "i-want-");
  CHECK(anchors.of("Why √D") == "why-d");
  CHECK(anchors.of("snake_case - and (brackets)") == "snake_case---and-brackets");
  CHECK(anchors.of("½ of 10₂ × “Δx”") == "-of-10--δx");
  CHECK(anchors.of("Über 注意力") == "über-注意力");
  CHECK(anchors.of("Łukasz и Язык") == "łukasz-и-язык");
}

TEST_CASE("The same heading again gets a number") {
  Anchors anchors;
  CHECK(anchors.of("Sums") == "sums");
  CHECK(anchors.of("Sums") == "sums-1");
  CHECK(anchors.of("Sums!") == "sums-2");
}
