#include "nn/data.h"

#include "autograd/all.h"
#include "tests/catch.h"

#include <algorithm>

namespace regard::nn {

namespace {

// Row i of both tensors is known by its number.
const std::array examples{reshape(arange(22), {11, 2}), arange(11)};

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("batches: every row comes once, and rows of one example stay together") {
  Generator g(1);
  std::vector<double> seen;
  std::vector<std::int64_t> sizes;
  for (const auto& [pairs, numbers] : batches(examples, {.size = 4}, g)) {
    sizes.push_back(numbers.size(0));
    CHECK(identical(select(pairs, 1, 0), multiply(numbers, 2)));
    for (const double number : to_vector(numbers)) seen.push_back(number);
  }
  CHECK(sizes == std::vector<std::int64_t>{4, 4, 3});
  CHECK(seen != to_vector(arange(11)));
  CHECK(sorted(seen) == to_vector(arange(11)));
}

TEST_CASE("batches: the seed fixes the orders of all passes, and each pass has its own") {
  Generator g(1), same(1);
  const auto order = [](Generator& generator) { return batches(examples, {.size = 11}, generator)[0][1]; };
  const Tensor first = order(g), second = order(g);
  CHECK_FALSE(identical(first, second));
  CHECK(identical(order(same), first));
  CHECK(identical(order(same), second));
}

TEST_CASE("batches: in order, and the last one has the rest") {
  Generator g(1);
  const auto parts = batches(examples, {.size = 4, .shuffle = false}, g);
  CHECK(parts.count() == 3);
  CHECK(identical(parts[1][1], tensor({4, 5, 6, 7}, DType::i64)));
  CHECK(parts[1][0].shares_buffer_with(examples[0]));
  CHECK(g.position() == 0);
  std::int64_t count = 0;
  for (const auto& [x] : batches(std::array{arange(3)}, {.size = 100}, g)) count += x.numel();
  CHECK(count == 3);
  CHECK(batches(std::array{zeros({0, 2})}, {.size = 4}, g).count() == 0);
}

TEST_CASE("batches: rows of views") {
  Generator g(1);
  const Tensor columns = transpose(reshape(arange(6), {2, 3}));
  for (const auto& [row, number] : batches(std::array{columns, arange(3)}, {.size = 1}, g))
    CHECK(row.at({0, 1}) == number.item() + 3);
}

TEST_CASE("train_test_split: each row is in one part, and examples stay whole") {
  Generator g(1);
  const auto [train, test] = train_test_split(examples, {.test = 0.25}, g);  // 2.75 rows
  CHECK(train[1].numel() == 8);
  CHECK(test[1].numel() == 3);
  CHECK(identical(select(test[0], 1, 1), add(multiply(test[1], 2), 1)));
  CHECK(sorted(to_vector(cat({train[1], test[1]}, 0))) == to_vector(arange(11)));
  CHECK(train_test_split(examples, {.test = 0}, g).test[0].shape() == Shape{0, 2});
  CHECK(train_test_split(examples, {.test = 1}, g).train[1].shape() == Shape{0});
}

}  // namespace regard::nn
