#include "autograd/ops/matmul.h"

#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "autograd/record.h"
#include "tensor/ops/matmul.h"

namespace regard {
namespace {

// book: product
// C = A·B, c(i, j) = Σₖ a(i, k)·b(k, j), for batches of the same shape:
//   ∂L/∂a(i, k) = Σⱼ g(i, j)·b(k, j), so ∂A = g·Bᵀ;   ∂L/∂b(k, j) = Σᵢ a(i, k)·g(i, j), so ∂B = Aᵀ·g.
Variable product(const Variable& a, const Variable& b) {
  return record(op("matmul"), {a, b}, matmul(a.value(), b.value()), [](const Variable& grad, const Saved& saved) {
    const Variable &left = saved.inputs[0], &right = saved.inputs[1];
    return gradients(saved.wants(0) ? product(grad, transpose(right)) : Variable(),
                     saved.wants(1) ? product(transpose(left), grad) : Variable());
  });
}
// book: /product

// The matrix axes of `matrix` behind the batch axes of `batch`.
Shape with_batch(const Shape& batch, const Shape& matrix) {
  Shape shape = batch;
  shape.push_back(matrix.back(2));
  shape.push_back(matrix.back(1));
  return shape;
}

// Both operands have two axes or more.
Variable batched(const Variable& a, const Variable& b) {
  if (a.rank() > 2 && b.rank() == 2) {  // one matrix for the whole batch: all rows of A are rows of one product
    return reshape(product(flatten(a, 0, -2), b), a.shape().with(-1, b.size(-1)));
  }
  const Shape batch = broadcast("matmul", a.shape().without(-1).without(-1), b.shape().without(-1).without(-1));
  return product(expand(a, with_batch(batch, a.shape())), expand(b, with_batch(batch, b.shape())));
}

}  // namespace

Variable matmul(const Variable& a, const Variable& b) {
  if (a.rank() == 2 && b.rank() == 2) return product(a, b);  // that of tensors checks the shapes
  require_same_dtype("matmul", a.value(), b.value());
  require_matmul(a.shape(), b.shape());
  const bool row = a.rank() == 1, column = b.rank() == 1;
  Variable c = batched(row ? unsqueeze(a, 0) : a, column ? unsqueeze(b, 1) : b);
  if (row) c = squeeze(c, -2);
  if (column) c = squeeze(c, -1);
  return c;
}

// C = A·B for each pair of matrices of a batch:  the product of matmul, with its rule.
Variable bmm(const Variable& a, const Variable& b) {
  require_bmm(a.shape(), b.shape());
  return matmul(a, b);
}

// c(i, j) = aᵢ·bⱼ:  the product of a column and a row, so ∂aᵢ = Σⱼ g(i, j)·bⱼ and ∂bⱼ = Σᵢ g(i, j)·aᵢ.
Variable outer(const Variable& a, const Variable& b) {
  require_outer(a.shape(), b.shape());
  return matmul(unsqueeze(a, 1), unsqueeze(b, 0));
}

// y(i, j) = Σₖ x(i, k)·w(j, k) + b(j), where i counts the rows of all axes but the last:
//   ∂x(i, k) = Σⱼ g(i, j)·w(j, k), so ∂x = g·W;   ∂w(j, k) = Σᵢ g(i, j)·x(i, k), so ∂W = gᵀ·x;   ∂b(j) = Σᵢ g(i, j).
Variable linear(const Variable& x, const Variable& weight, const Variable& bias) {
  const auto rule = [](const Variable& grad, const Saved& saved) {
    const auto rows = [](const Variable& v) { return v.rank() == 1 ? unsqueeze(v, 0) : flatten(v, 0, -2); };
    const Variable &input = saved.inputs[0], &w = saved.inputs[1], g = rows(grad);
    const Variable wide = w.dtype() == DType::bf16 ? to(w, g.dtype()) : w;
    graph::Gradients list = gradients(saved.wants(0) ? reshape(product(g, wide), input.shape()) : Variable(),
                                      saved.wants(1) ? product(transpose(g), rows(input)) : Variable());
    if (saved.inputs.size() > 2) list.push_back(saved.wants(2) ? sum(g, 0) : Variable());
    return list;
  };
  if (!bias.defined()) return record(op("linear"), {x, weight}, linear(x.value(), weight.value()), rule);
  return record(op("linear"), {x, weight, bias}, linear(x.value(), weight.value(), bias.value()), rule);
}

}  // namespace regard
