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

// A number for each pair of a query and a key, made of a Variable that may learn. All pairs of a head with the same
// distance share it, so there are few: what is handed on is a line of them, (distances) or (H, distances), for keys
// that lie `least_ahead`, `least_ahead` + 1, … ahead of their queries. `name` is for errors.
using PairNumber = std::function<Variable(const char* name, const PairGrid& grid)>;

// One number for all pairs, (), or one for each head, (H).
PairNumber per_head(const Variable& numbers);

// table[entry(j − i)]: one row for each entry, (entries), or for each entry and head, (entries, H). `ahead` is how far
// the key lies ahead of the query, negative for what lies behind. By default the entry is the distance |j − i|, and all
// that is further away than the table is long shares its last row.
using EntryOfDistance = std::function<std::int64_t(std::int64_t ahead)>;
PairNumber by_distance(const Variable& table, const EntryOfDistance& entry = {});

// The numbers of all pairs, (Lq, Lk) or (…, Lq, Lk), from their line.
Variable pairs_of_line(const Variable& line, std::int64_t queries, std::int64_t keys);

}  // namespace regard
