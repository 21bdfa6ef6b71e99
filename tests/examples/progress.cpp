#include "examples/trainers/progress.h"
#include "examples/trainers/terminal.h"
#include "tests/catch.h"

using namespace regard;

namespace {
const Standing half{.name = "recall", .done = 150, .total = 300, .rate = 12.34, .seconds = 72, .loss = 0.12345};
}

TEST_CASE("progress: a line has what there is room for") {
  CHECK(line_of(half) == "recall  150/300  12.3/s  left 1:12  loss 0.1235");
  CHECK(line_of(half, 100) == "recall  ████████████░░░░░░░░░░░░  150/300  12.3/s  left 1:12  loss 0.1235");
  CHECK(line_of(half, 73) == line_of(half, 100));
  CHECK(line_of(half, 72) == "recall  ███████████░░░░░░░░░░░░  150/300  12.3/s  left 1:12  loss 0.1235");
  Standing of_many = half;
  of_many.samples = 1234;
  CHECK(line_of(of_many) == "recall  150/300  12.3/s  1234 samples/s  left 1:12  loss 0.1235");
  CHECK(line_of(half, 57) == "recall  ████░░░░  150/300  12.3/s  left 1:12  loss 0.1235");
  CHECK(line_of(half, 56) == line_of(half));
  CHECK(line_of(half, 47) == line_of(half));
  CHECK(line_of(half, 46) == "150/300  12.3/s  left 1:12  loss 0.1235");
  CHECK(line_of(half, 38) == "150/300  left 1:12  loss 0.1235");
  CHECK(line_of(half, 20) == "150/300  left 1:12  ");
}

TEST_CASE("progress: no line is longer than it may be") {
  Standing large{
      .name = "a_name_of_注意_that_is_long", .done = 0, .total = 1, .rate = 1e-7, .seconds = 86399, .loss = -1};
  for (const std::int64_t total : {std::int64_t{1}, std::int64_t{300}, std::int64_t{100'000'000}})
    for (const std::int64_t done : {std::int64_t{0}, total / 3, total})
      for (int columns = 0; columns < 130; ++columns) {
        large.total = total, large.done = done;
        INFO(columns << " columns: " << line_of(large, columns));
        CHECK(terminal::columns_of(line_of(large, columns)) <= columns);
        if (columns >= 60) CHECK(line_of(large, columns).find("loss -1") != std::string::npos);
      }
}

TEST_CASE("progress: at the end it says what the training took") {
  Standing all = half;
  all.done = 300;
  CHECK(line_of(all, 57) == "recall  ████████  300/300  12.3/s  took 1:12  loss 0.1235");
}
