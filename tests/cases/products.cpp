#include "tests/cases/case.h"

namespace regard::cases {

void add_products(Table& t) {
  const auto product = [](const In& in) { return matmul(in[0], in[1]); };
  t.add("matmul", "matrices", {real({2, 3}), real({3, 4})}, product);
  t.add("matmul", "batch", {real({2, 2, 3}), real({2, 3, 2})}, product);
  t.add("matmul", "broadcast-batch", {real({2, 1, 2, 3}), real({3, 3, 2})}, product);
  t.add("matmul", "broadcast-left", {real({2, 3}), real({2, 3, 2})}, product);
  t.add("matmul", "broadcast-right", {real({2, 2, 3}), real({3, 4})}, product);
  t.add("matmul", "row-times-matrix", {real({3}), real({3, 2})}, product);
  t.add("matmul", "row-times-batch", {real({3}), real({2, 3, 2})}, product);
  t.add("matmul", "matrix-times-column", {real({2, 3}), real({3})}, product);
  t.add("matmul", "row-times-column", {real({3}), real({3})}, product);
  t.add("matmul", "with-transposed", {real({2, 3}), real({4, 3})},
        [](const In& in) { return matmul(in[0], transpose(in[1])); });
  t.add("matmul", "with-itself", {real({3, 3})}, [](const In& in) { return matmul(in[0], in[0]); });
  t.add("bmm", "batch", {real({2, 2, 3}), real({2, 3, 2})}, [](const In& in) { return bmm(in[0], in[1]); });
  t.add("outer", "vectors", {real({3}), real({2})}, [](const In& in) { return outer(in[0], in[1]); });
  const auto by_letters = [](const char* formula) { return [=](const In& in) { return einsum(formula, in); }; };
  t.add("einsum", "scores", {real({2, 3, 2}), real({2, 4, 2})}, by_letters("bqd,bkd->bqk"));
  t.add("einsum", "outputs", {real({2, 3, 4}), real({4, 2, 3})}, by_letters("hqk,khd->qhd"));
  t.add("einsum", "outer", {real({2}), real({3})}, by_letters("i,j"));
  t.add("einsum", "trace", {real({3, 3})}, by_letters("ii"));
  t.add("einsum", "diagonals", {real({3, 2, 3}), real({3, 2})}, by_letters("ibi,ib->bi"));
  t.add("einsum", "three-operands", {real({2}), real({2, 3}), real({3, 2})}, by_letters("i,ij,jb->b"));
  t.add("einsum", "sums", {real({2, 3, 2}), real({3, 4})}, by_letters("ijk,jl->j"));
  const auto layer = [](const In& in) { return linear(in[0], in[1], in[2]); };
  t.add("linear", "rows", {real({2, 3}), real({4, 3}), real({4})}, layer);
  t.add("linear", "batch", {real({2, 2, 3}), real({4, 3}), real({4})}, layer);
  t.add("linear", "vector", {real({3}), real({2, 3}), real({2})}, layer);
  t.add("linear", "no-bias", {real({2, 2, 3}), real({4, 3})}, [](const In& in) { return linear(in[0], in[1]); });
}

}  // namespace regard::cases
