#pragma once

#include "tensor/create.h"
#include "tensor/ops/index.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace regard::nn {

// The rows of a few tensors: row i of each belongs to example i, so they agree in their first axis.
//   std::array data{inputs, targets};
template <std::size_t N>
using TensorRows = std::array<Tensor, N>;

std::int64_t row_count(const char* operation, const Tensor* tensors, std::size_t count);  // complains if they disagree

// Goes through what has batches [0], [1], …
template <class All>
struct BatchIterator {
  const All* all;
  std::int64_t i;

  auto operator*() const { return (*all)[i]; }
  BatchIterator& operator++() {
    ++i;
    return *this;
  }
  bool operator!=(const BatchIterator& other) const { return i != other.i; }
};

struct BatchOptions {
  std::int64_t size;
  bool shuffle = true;
};

// One pass through data, in batches:
//   for (const auto& [x, y] : batches(data, {.size = 64}, generator)) …
// Each call takes a new order from the generator, so the seed fixes the orders of all passes.
template <std::size_t N>
class Batches {
 public:
  Batches(TensorRows<N> data, const BatchOptions& options, Generator& generator)
      : data_(std::move(data)), options_(options) {
    rows_ = row_count("batches", data_.data(), N);
    if (options.size < 1) fail<ValueError>("batches: a size of {} is not 1 or more", options.size);
    if (options.shuffle) order_ = permutation(rows_, generator);
  }

  std::int64_t count() const { return (rows_ + options_.size - 1) / options_.size; }

  TensorRows<N> operator[](std::int64_t i) const {
    const std::int64_t begin = i * options_.size, end = std::min(begin + options_.size, rows_);
    TensorRows<N> batch;
    for (std::size_t k = 0; k < N; ++k)
      batch[k] =
          order_.defined() ? index_select(data_[k], 0, slice(order_, 0, begin, end)) : slice(data_[k], 0, begin, end);
    return batch;
  }

  BatchIterator<Batches> begin() const { return {this, 0}; }
  BatchIterator<Batches> end() const { return {this, count()}; }

 private:
  TensorRows<N> data_;
  BatchOptions options_;
  std::int64_t rows_;
  Tensor order_;  // undefined: as they stand
};

template <std::size_t N>
Batches<N> batches(const TensorRows<N>& data, const BatchOptions& options, Generator& generator) {
  return {data, options, generator};
}

template <std::size_t N>
struct TrainTest {
  TensorRows<N> train, test;
};

struct TrainTestOptions {
  double test = 0.2;  // the share of rows to test with, rounded to whole rows
};

// Every row goes to one of the two parts, at random:  auto [train, test] = train_test_split(data, {.test = 0.25},
// generator);
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
