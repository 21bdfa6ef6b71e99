#pragma once

#include "autograd/variable.h"

// What attention written with Variables needs beside the verbs: functions of all pairs of a query and a key,
// (…, Lq, Lk), of which some are hidden. `keep` is 1 where a pair is visible and 0 where it is hidden, and broadcasts
// to the pairs.
namespace regard::pairs {

// (…, Lq, Lk) for q (…, Lq, Dq), k (…, Lk, Dk), v (…, Lk, Dv); throws unless they fit each other. Heads may share keys
// and values: (B, G, Lk, Dk) beside (B, H, Lq, Dq), where G divides H. So may all along another axis.
Shape shape_of(const Variable& q, const Variable& k, const Variable& v);

// Keys or values that several heads share, with a copy for each head.
Variable for_all_queries(const Variable& q, const Variable& keys);

// x where its pair is visible, else 0: what is hidden is replaced, not multiplied by 0, since 0·NaN is NaN.
Variable kept(const Variable& x, const Tensor& keep);

// x/Σx in each row, over the visible pairs: for scores that are weights already, and not negative. A row in which
// nothing is left is 0.
Variable shares(const Variable& x, const Tensor& keep);

// How many keys each query sees, and 1 where there is none: (…, Lq, 1).
Tensor visible_keys(const Shape& scores, const Tensor& keep);

// weights · values, but a value behind the mask is skipped, so that NaN there reaches nothing.
Variable mix(const Variable& weights, const Variable& values, const Tensor& keep);

// Keys that no query sees, and queries that see no key, take no part. They are replaced by zeros, so that NaN there
// spoils no gradient either. `seen` is (…, 1, Lk) and `seeing` (…, Lq, 1), from tensor/attention/visible.h; undefined:
// all of them.
Variable without_unseen_keys(const Variable& keys, const Tensor& seen);
Variable without_blind_queries(const Variable& queries, const Tensor& seeing);

}  // namespace regard::pairs
