#pragma once

#include "autograd/variable.h"

#include <functional>

namespace regard {

// How many queries, keys and heads a call has. Query i stands at position i + offset, key j at position j.
struct PairGrid {
  std::int64_t queries, keys, heads, offset;

  std::int64_t distances() const { return std::max<std::int64_t>(queries + keys - 1, 0); }
  std::int64_t least_ahead() const { return 1 - queries - offset; }  // the distance of key 0 from the last query
};

// A number for each pair of a query and a key, made of a Variable that may learn. It does not hold all pairs. Either
// all pairs of a head with the same distance share it: then what is handed on is a line of numbers, (distances) or (H,
// distances), for keys that lie `least_ahead`, `least_ahead` + 1, … ahead of their queries. Or it is *of tokens*, the
// sum of a number of the query and one of the key: then these are handed on side by side, (…, Lq + Lk). `name` is for
// errors.
struct PairNumber {
  std::function<Variable(const char* name, const PairGrid& grid)> line;
  bool of_tokens = false;
};

// One number for all pairs, (), or one for each head, (H).
PairNumber per_head(const Variable& numbers);

// table[entry(j − i)]: one row for each entry, (entries), or for each entry and head, (entries, H). `ahead` is how far
// the key lies ahead of the query, negative for what lies behind. By default the entry is the distance |j − i|, and all
// that is further away than the table is long shares its last row.
using EntryOfDistance = std::function<std::int64_t(std::int64_t ahead)>;
PairNumber by_distance(const Variable& table, const EntryOfDistance& entry = {});

// A number for each query, (…, Lq), or for each key, (…, Lk), with axes in front that broadcast to those of q.
PairNumber per_query(const Variable& numbers);
PairNumber per_key(const Variable& numbers);

// Of numbers of tokens. per_query(c) − per_key(c) is cᵢ − cⱼ, and no digit of it is lost where both are large: numbers
// of tokens may be f64 beside scores in f32, and the difference is taken before it is rounded.
PairNumber operator-(const PairNumber& a, const PairNumber& b);

// The numbers of all pairs, (Lq, Lk) or (…, Lq, Lk), from their line, or from those of tokens.
Variable pairs_of_line(const Variable& line, std::int64_t queries, std::int64_t keys);
Variable pairs_of_tokens(const Variable& numbers, std::int64_t queries, DType dtype);

}  // namespace regard
