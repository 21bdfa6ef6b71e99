#pragma once

#include "nn/attention/mask.h"

// What a mask says of rows x (B, L, E) or (L, E) that are queries and keys in one, the first at position `offset`.
namespace regard::nn {

// 0 for a row that some part of the mask knows to be padding, else 1: (B, L, 1), with B = 1 for rows (L, E); undefined
// if all are real. For layers, which compute more of a row than attention.
Tensor real_queries(const Mask& mask, const Variable& x, std::int64_t offset);

// For attention that cannot take every mask: does each row that is not padding see one range of keys, and does `fits`
// accept it? `fits` is asked sequence by sequence, query by query, with the range that the query sees, counted from 0;
// query i stands beside key i + offset. Where the mask has a table, a bias or others(), the answer is no.
using RangeFits = std::function<bool(std::int64_t sequence, std::int64_t query, const KeyRange& sees)>;
bool each_real_query_sees(const Mask& mask, const Variable& x, std::int64_t offset, const RangeFits& fits);

}  // namespace regard::nn
