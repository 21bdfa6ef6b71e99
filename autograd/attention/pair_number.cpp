#include "autograd/attention/pair_number.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/join.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "tensor/create.h"

#include <algorithm>

namespace regard {
namespace {

Tensor indexes(const std::vector<double>& values) {
  return tensor(values, {static_cast<std::int64_t>(values.size())}, DType::i64);
}

void require_heads_of(const char* name, const char* what, const Variable& x, std::int64_t given, std::int64_t heads) {
  if (given != heads)
    fail<ShapeError>("{}: {} {} is for {} heads, and the scores have {}", name, what, x.shape(), given, heads);
}

// Numbers of queries, or of keys, and as many zeros as there are of the others.
PairNumber of_tokens(const char* what, const Variable& numbers, bool of_queries) {
  require_defined(what, numbers);
  return {[=](const char* name, const PairGrid& grid) {
            const std::int64_t tokens = of_queries ? grid.queries : grid.keys,
                               others = grid.queries + grid.keys - tokens;
            if (numbers.rank() < 1 || numbers.size(-1) != tokens)
              fail<ShapeError>("{}: {} {}: its last axis must be {} long, one number for each", name, what,
                               numbers.shape(), tokens);
            const Variable none = zeros(numbers.shape().with(-1, others), numbers.dtype());
            return of_queries ? cat({numbers, none}, -1) : cat({none, numbers}, -1);
          },
          true};
}

}  // namespace

PairNumber per_head(const Variable& numbers) {
  require_defined("per_head", numbers);
  if (numbers.rank() > 1)
    fail<ShapeError>("per_head: {}: it must be one number, (), or one for each head, (H)", numbers.shape());
  return {[numbers](const char* name, const PairGrid& grid) {
    if (numbers.rank() == 1) require_heads_of(name, "per_head", numbers, numbers.size(0), grid.heads);
    if (numbers.rank() == 0 || grid.heads == 1) return expand(numbers, {grid.distances()});
    return expand(unsqueeze(numbers, 1), {grid.heads, grid.distances()});
  }};
}

PairNumber by_distance(const Variable& table, const EntryOfDistance& entry) {
  require_defined("by_distance", table);
  if (table.rank() < 1 || table.rank() > 2 || table.size(0) < 1)
    fail<ShapeError>("by_distance: the table is {}: it must be (entries), or (entries, H)", table.shape());
  return {[table, entry](const char* name, const PairGrid& grid) {
    const std::int64_t entries = table.size(0);
    if (table.rank() == 2) require_heads_of(name, "the table by distance", table, table.size(1), grid.heads);
    std::vector<double> rows;
    for (std::int64_t n = 0; n < grid.distances(); ++n) {
      const std::int64_t ahead = grid.least_ahead() + n;
      const std::int64_t row = entry ? entry(ahead) : std::min(std::abs(ahead), entries - 1);
      if (row < 0 || row >= entries)
        fail<ValueError>("{}: the entry of distance {} is {}, and the table has {} entries", name, ahead, row, entries);
      rows.push_back(static_cast<double>(row));
    }
    const Variable line = index_select(table, 0, indexes(rows));  // (distances), or (distances, H)
    if (grid.heads == 1) return reshape(line, {grid.distances()});
    return table.rank() == 2 ? transpose(line) : line;
  }};
}

PairNumber per_query(const Variable& numbers) { return of_tokens("per_query", numbers, true); }
PairNumber per_key(const Variable& numbers) { return of_tokens("per_key", numbers, false); }

PairNumber operator-(const PairNumber& a, const PairNumber& b) {
  if (!a.of_tokens || !b.of_tokens)
    fail<ValueError>(
        "operator-: numbers per_query and per_key can be subtracted, and not those per_head or by_distance");
  return {[a, b](const char* name, const PairGrid& grid) { return a.line(name, grid) - b.line(name, grid); }, true};
}

// Pair (i, j) has the number j − i + Lq − 1 of the line.
Variable pairs_of_line(const Variable& line, std::int64_t queries, std::int64_t keys) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < queries; ++i)
    for (std::int64_t j = 0; j < keys; ++j) numbers.push_back(static_cast<double>(j - i + queries - 1));
  Shape shape = line.shape().with(-1, queries);
  shape.push_back(keys);
  return reshape(index_select(line, -1, indexes(numbers)), shape);
}

Variable pairs_of_tokens(const Variable& numbers, std::int64_t queries, DType dtype) {
  return to(unsqueeze(slice(numbers, -1, 0, queries), -1) + unsqueeze(slice(numbers, -1, queries), -2), dtype);
}

}  // namespace regard
