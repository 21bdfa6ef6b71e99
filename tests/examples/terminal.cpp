#include "examples/trainers/terminal.h"
#include "tests/catch.h"

#include <unistd.h>

using namespace regard;
using Lines = std::vector<std::string>;

TEST_CASE("terminal: a character is a column, whatever bytes it takes") {
  CHECK(terminal::columns_of("") == 0);
  CHECK(terminal::columns_of("loss 1.5") == 8);
  CHECK(terminal::columns_of("≤ ½·√π−") == 7);  // 2 or 3 bytes each
  CHECK(terminal::columns_of("██░") == 3);
  CHECK(terminal::columns_of("注意 attention") == 14);  // characters of East Asia are two columns wide
  CHECK(terminal::columns_of("e\u0301te\u0301") == 3);  // an accent stands on the letter before
  CHECK(terminal::columns_of("a\xffz") == 3);           // a byte that is no character is shown as one
}

TEST_CASE("terminal: a text is cut between characters") {
  CHECK(terminal::begin_of("████", 3) == "███");
  CHECK(terminal::begin_of("████", 9) == "████");
  CHECK(terminal::begin_of("注意", 3) == "注");  // half a character cannot be drawn
  CHECK(terminal::begin_of("any", 0).empty());
  CHECK(terminal::begin_of("e\u0301te\u0301", 1) == "e\u0301");  // with its accent
}

TEST_CASE("terminal: lines break between words") {
  CHECK(terminal::lines_of("mean squared error", 18) == Lines{"mean squared error"});
  CHECK(terminal::lines_of("mean squared error", 17) == Lines{"mean squared", "error"});
  CHECK(terminal::lines_of("mean squared error", 12) == Lines{"mean squared", "error"});
  CHECK(terminal::lines_of("mean squared error", 7) == Lines{"mean", "squared", "error"});
  CHECK(terminal::lines_of("mean squared error", 5) == Lines{"mean", "squar", "ed", "error"});
  CHECK(terminal::lines_of("注意", 1) == Lines{"注", "意"});  // there is no better way
  CHECK(terminal::lines_of("", 9).empty());
}

TEST_CASE("terminal: what is padded counts columns") {
  CHECK(terminal::padded("≤ 1", 5) == "≤ 1  ");
  CHECK(terminal::padded("≤ 1", 2) == "≤ 1");
}

TEST_CASE("terminal: what is no terminal has no columns") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  CHECK(terminal::columns(ends[1]) == 0);
  ::close(ends[0]), ::close(ends[1]);
  CHECK(terminal::columns(-1) == 0);
}
