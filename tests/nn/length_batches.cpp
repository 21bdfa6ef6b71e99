// Sequences of different lengths in batches, and the shift by one.
#include "nn/text/length_batches.h"

#include "nn/losses.h"
#include "nn/text/teacher_forcing.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/tensor/error_case.h"

#include <set>

namespace regard::nn {

namespace {

Tensor i64(const Nested& data) { return tensor(data, DType::i64); }

// Sequence i is i, i, i, …, and 1 to 20 long; its mate is longer by up to 3.
std::array<Sequences, 2> pairs(std::int64_t count) {
  std::array<Sequences, 2> kinds;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto length = static_cast<std::size_t>(1 + i * 7 % 20);
    kinds[0].emplace_back(length, i);
    kinds[1].emplace_back(length + static_cast<std::size_t>(i % 4), i + 1000);
  }
  return kinds;
}

constexpr std::int64_t ignored = std::numeric_limits<std::int64_t>::min();

}  // namespace

TEST_CASE("length batches: padded on the right") {
  const PaddedTokens padded = pad_right({{5, 6, 7}, {}, {8}}, -1);
  CHECK(identical(padded.tokens, i64({{5, 6, 7}, {-1, -1, -1}, {8, -1, -1}})));
  CHECK(identical(padded.lengths, i64({3, 0, 1})));
  CHECK(pad_right({{}}, 0).tokens.shape() == Shape{1, 1});
  CHECK(pad_right({}, 0).tokens.shape() == Shape{0, 1});
  CHECK(identical(token_tensor({1, INT64_MAX}) - 1.0, token_tensor({0, INT64_MAX - 1})));
}

TEST_CASE("length batches: each row once, mates together, whatever stands behind the length is padding") {
  Generator generator(1);
  const auto data = pairs(101);
  std::set<std::int64_t> seen;
  const auto batches = length_batches(data, {.size = 8, .padding = -1}, generator);
  CHECK(batches.count() == 13);
  for (const auto& [source, target] : batches) {
    for (std::int64_t b = 0; b < source.tokens.size(0); ++b) {
      const auto row = static_cast<std::int64_t>(source.tokens.at({b, 0}));  // each token is the number of its row
      CHECK(seen.insert(row).second);
      for (std::int64_t j = 0; j < source.tokens.size(1); ++j)
        CHECK(source.tokens.at({b, j}) == (j < source.lengths.at({b}) ? static_cast<double>(row) : -1));
      CHECK(target.tokens.at({b, 0}) == static_cast<double>(row + 1000));
      CHECK(target.lengths.at({b}) == source.lengths.at({b}) + static_cast<double>(row % 4));
    }
  }
  CHECK(seen.size() == 101);
}

TEST_CASE("length batches: little is padded") {
  Generator generator(1);
  double real = 0, all = 0;
  for (const auto& [source] : length_batches(std::array{pairs(1000)[0]}, {.size = 16, .padding = 0}, generator)) {
    all += static_cast<double>(source.tokens.numel());
    for (const double length : to_vector(source.lengths)) real += length;
  }
  CHECK(real == 10500);      // 50 sequences of each length from 1 to 20
  CHECK(all < 1.04 * real);  // in random batches it is nearly twice as much
}

TEST_CASE("length batches: the order is the generator's, or by length") {
  const auto data = pairs(100);
  const auto rows = [&](Generator& g, bool shuffle) {
    std::vector<std::vector<double>> all;
    for (const auto& [source, target] : length_batches(data, {.size = 10, .padding = 0, .shuffle = shuffle}, g))
      all.push_back(to_vector(select(source.tokens, 1, 0)));
    return all;
  };
  Generator a(1), b(1);
  const auto first = rows(a, true), second = rows(a, true);
  CHECK(first == rows(b, true));
  CHECK(first != second);
  const auto sorted = rows(a, false);
  CHECK(sorted == rows(b, false));
  CHECK(sorted[0] ==
        std::vector<double>{0, 20, 40, 60, 80, 3, 23, 43, 63, 83});  // lengths 1 and 2, each in the order of the rows
}

TEST_CASE("length batches: what does not fit is said") {
  Generator g(1);
  check_errors({
      {[&] {
         length_batches(std::array{Sequences{{1}}, Sequences{}}, {.size = 1, .padding = 0}, g);
       },
       "ShapeError", "length_batches: there are 1 sequences of the first kind and 0 of another"},
      {[&] { length_batches(std::array{Sequences{{1}}}, {.size = 0, .padding = 0}, g); }, "ValueError",
       "length_batches: a size of 0 is not 1 or more"},
  });
}

TEST_CASE("teacher forcing: the target is the input one step later, with the end behind it") {
  const auto [input, target, lengths] =
      teacher_forcing(pad_right({{5, 6, 7}, {}, {8}}, 0), {.begin = 1, .end = 2, .padding = 0});
  CHECK(identical(input, i64({{1, 5, 6, 7}, {1, 0, 0, 0}, {1, 8, 0, 0}})));
  CHECK(identical(lengths, i64({4, 1, 2})));
  const Tensor expected =
      reshape(token_tensor({5, 6, 7, 2, 2, ignored, ignored, ignored, 8, 2, ignored, ignored}), {3, 4});
  CHECK(identical(target, expected));
}

TEST_CASE("teacher forcing: padding and end may be one token, and what stands in the padding does not matter") {
  const PaddedTokens messy{i64({{5, 2, 9}, {7, 7, 7}}), i64({2, 0})};
  const auto [input, target, lengths] = teacher_forcing(messy, {.begin = 1, .end = 0, .padding = 0, .ignore = -100});
  CHECK(identical(input, i64({{1, 5, 2, 0}, {1, 0, 0, 0}})));
  CHECK(identical(target, i64({{5, 2, 0, -100}, {0, -100, -100, -100}})));
}

TEST_CASE("teacher forcing: the loss leaves padding out by itself") {
  const auto [input, target, lengths] =
      teacher_forcing(pad_right({{1, 2}, {0}}, 0), {.begin = 0, .end = 3, .padding = 0});
  Tensor logits = noise({2, 3, 4});
  const double all = cross_entropy_loss(logits, target).item();
  double sum = 0;
  for (const auto& [b, t] : {std::pair{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}}) {
    const Tensor row = reshape(slice(slice(logits, 0, b, b + 1), 1, t, t + 1), {1, 4});
    sum += cross_entropy_loss(row, reshape(slice(slice(target, 0, b, b + 1), 1, t, t + 1), {1})).item();
  }
  CHECK(all == Approx(sum / 5).epsilon(1e-12));
}

TEST_CASE("teacher forcing: what does not fit is said") {
  const TeacherForcingOptions options{.begin = 1, .end = 2, .padding = 0};
  check_errors({
      {[&] {
         teacher_forcing({i64({1, 2}), i64({2})}, options);
       },
       "ShapeError", "teacher_forcing: tokens (2) and lengths (1): they must be (B, L) and (B)"},
      {[&] {
         teacher_forcing({i64({{1, 2}}), i64({2, 1})}, options);
       },
       "ShapeError", "teacher_forcing: tokens (1, 2) and lengths (2): they must be (B, L) and (B)"},
      {[&] {
         teacher_forcing({i64({{1, 2}}), i64({3})}, options);
       },
       "ValueError", "teacher_forcing: a length of 3 in tokens (1, 2)"},
      {[&] {
         teacher_forcing({i64({{1, 2}}), i64({-1})}, options);
       },
       "ValueError", "teacher_forcing: a length of -1 in tokens (1, 2)"},
      {[&] {
         teacher_forcing({i64({{1, 2}, {3, 4}}), i64({2, -1})}, options);
       },
       "ValueError", "teacher_forcing: a length of -1 in tokens (2, 2)"},
      {[&] {
         teacher_forcing({f64({{1, 2}}), i64({2})}, options);
       },
       "DTypeError", "teacher_forcing: indexes must be i64, got f64 (1, 2)"},
  });
}

}  // namespace regard::nn
