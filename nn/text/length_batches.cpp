#include "nn/text/length_batches.h"

#include "tensor/random/random.h"
#include "tensor/view.h"

#include <algorithm>
#include <numeric>

namespace regard::nn {
namespace {

const Tokens& at(const Sequences& sequences, std::int64_t row) { return sequences[static_cast<std::size_t>(row)]; }

// The numbers 0 … n − 1 in random order, or in their own.
Tokens order_of(std::int64_t n, bool shuffle, Generator& generator) {
  Tokens order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  if (!shuffle) return order;
  const Tensor random = permutation(n, generator);
  std::copy_n(random.data<std::int64_t>(), n, order.begin());
  return order;
}

std::int64_t require_alike(const Sequences* kinds, std::size_t count) {
  for (std::size_t k = 1; k < count; ++k)
    if (kinds[k].size() != kinds[0].size())
      fail<ShapeError>("length_batches: there are {} sequences of the first kind and {} of another", kinds[0].size(),
                       kinds[k].size());
  return static_cast<std::int64_t>(kinds[0].size());
}

}  // namespace

void require_padded(const char* function, const Tensor& tokens, const Tensor& lengths) {
  require_indexes(function, tokens);
  require_indexes(function, lengths);
  if (tokens.rank() != 2 || lengths.shape() != Shape{tokens.size(0)})
    fail<ShapeError>("{}: tokens {} and lengths {}: they must be (B, L) and (B)", function, tokens.shape(),
                     lengths.shape());
  for (const double length : to_vector(lengths))
    if (length < 0 || length > static_cast<double>(tokens.size(1)))
      fail<ValueError>("{}: a length of {} in tokens {}", function, length, tokens.shape());
}

PaddedTokens pad_rows(const Sequences& sequences, const Tokens& rows, std::int64_t padding) {
  std::size_t longest = 1;
  Tokens all, lengths;
  for (const std::int64_t row : rows) longest = std::max(longest, at(sequences, row).size());
  for (const std::int64_t row : rows) {
    const Tokens& one = at(sequences, row);
    all.insert(all.end(), one.begin(), one.end());
    all.insert(all.end(), longest - one.size(), padding);
    lengths.push_back(static_cast<std::int64_t>(one.size()));
  }
  const Shape shape{static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(longest)};
  return {reshape(token_tensor(all), shape), token_tensor(lengths)};
}

PaddedTokens pad_right(const Sequences& sequences, std::int64_t padding) {
  Tokens rows(sequences.size());
  std::iota(rows.begin(), rows.end(), 0);
  return pad_rows(sequences, rows, padding);
}

std::vector<Tokens> rows_of_similar_length(const Sequences* kinds, std::size_t count, const LengthBatchOptions& options,
                                           Generator& generator) {
  const std::int64_t n = require_alike(kinds, count);
  if (options.size < 1) fail<ValueError>("length_batches: a size of {} is not 1 or more", options.size);
  Tokens order = order_of(n, options.shuffle, generator);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    for (std::size_t k = 0; k < count; ++k)
      if (at(kinds[k], a).size() != at(kinds[k], b).size()) return at(kinds[k], a).size() < at(kinds[k], b).size();
    return false;
  });
  const std::int64_t batches = (n + options.size - 1) / options.size;
  std::vector<Tokens> rows;
  for (const std::int64_t batch : order_of(batches, options.shuffle, generator)) {
    const auto begin = order.begin() + batch * options.size;
    rows.emplace_back(begin, begin + std::min(options.size, n - batch * options.size));
  }
  return rows;
}

}  // namespace regard::nn
