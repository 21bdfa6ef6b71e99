#pragma once

#include "tensor/create.h"
#include "tensor/ops/index.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace regard::nn {

// The rows of a few tensors: row i of each belongs to example i, so they agree in their first axis.
//   std::array data{inputs, targets};
template <std::size_t N>
using TensorRows = std::array<Tensor, N>;

std::int64_t row_count(const char* operation, const Tensor* tensors, std::size_t count);  // complains if they disagree

// Batches [0], [1], …, each made when it is asked for; or all of them, one after the other:  for (… : batches)
template <class Batch>
class Batches {
 public:
  using Make = std::function<Batch(std::int64_t i)>;
  Batches(std::int64_t count, Make make) : count_(count), make_(std::move(make)) {}

  struct Iterator {
    const Batches* all;
    std::int64_t i;

    Batch operator*() const { return (*all)[i]; }
    Iterator& operator++() {
      ++i;
      return *this;
    }
    bool operator==(const Iterator& other) const { return i == other.i; }
  };
  std::int64_t count() const { return count_; }
  Batch operator[](std::int64_t i) const { return make_(i); }
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, count_}; }

 private:
  std::int64_t count_;
  Make make_;
};

struct BatchOptions {
  std::int64_t size;
  bool shuffle = true;
};

// One pass through data, in batches:
//   for (const auto& [x, y] : batches(data, {.size = 64}, generator)) …
// Each call takes a new order from the generator, so the seed fixes the orders of all passes.
template <std::size_t N>
Batches<TensorRows<N>> batches(const TensorRows<N>& data, const BatchOptions& options, Generator& generator) {
  const std::int64_t rows = row_count("batches", data.data(), N), size = options.size;
  if (size < 1) fail<ValueError>("batches: a size of {} is not 1 or more", size);
  const Tensor order = options.shuffle ? permutation(rows, generator) : Tensor();
  return {(rows + size - 1) / size, [=](std::int64_t i) {
            const std::int64_t begin = i * size, end = std::min(begin + size, rows);
            TensorRows<N> batch;
            for (std::size_t k = 0; k < N; ++k)
              batch[k] = order.defined() ? index_select(data[k], 0, slice(order, 0, begin, end))
                                         : slice(data[k], 0, begin, end);
            return batch;
          }};
}

template <std::size_t N>
struct TrainTest {
  TensorRows<N> train, test;
};

struct TrainTestOptions {
  double test = 0.2;  // the share of rows to test with, rounded to whole rows
};

// Every row goes to one of the two parts, at random:
//   auto [train, test] = train_test_split(data, {.test = 0.25}, generator);
template <std::size_t N>
TrainTest<N> train_test_split(const TensorRows<N>& data, const TrainTestOptions& options, Generator& generator) {
  const std::int64_t rows = row_count("train_test_split", data.data(), N);
  if (!(options.test >= 0 && options.test <= 1))
    fail<ValueError>("train_test_split: a test share of {} is outside [0, 1]", options.test);
  const std::int64_t kept = rows - std::llround(options.test * static_cast<double>(rows));
  const Tensor order = permutation(rows, generator);
  TrainTest<N> parts;
  for (std::size_t k = 0; k < N; ++k) {
    parts.train[k] = index_select(data[k], 0, slice(order, 0, 0, kept));
    parts.test[k] = index_select(data[k], 0, slice(order, 0, kept));
  }
  return parts;
}

}  // namespace regard::nn
