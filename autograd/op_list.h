#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace regard {

// What a gradient check may expect of an operation.
enum class OpKind {
  smooth,              // has derivatives of every order where it is defined
  kinked,              // has them except on a thin set of points, where a convention rules
  not_differentiable,  // takes Variables and returns a Tensor; `rule` gives the reason
};

// One row of the table of operations. In formulas y is the result, g the gradient that arrives at it, and ∂x the
// gradient that the rule returns for x. "= …" in place of a rule: the operation is composed of others.
struct OpInfo {
  enum class Operands { any, stretched };  // stretched: operands of different shapes are broadcast to a common one

  const char* name;
  const char* formula;
  const char* rule;
  OpKind kind = OpKind::smooth;
  Operands operands = Operands::any;
};

namespace op_table {

using enum OpKind;
using enum OpInfo::Operands;

// The one table of operations. The gradient checks, the reference cases and the documentation are driven by it: a row
// without a case fails the suite.
inline constexpr auto rows = std::to_array<OpInfo>({
    // arithmetic
    {"add", "a + b", "∂a = g, ∂b = g", smooth, stretched},
    {"subtract", "a − b", "∂a = g, ∂b = −g", smooth, stretched},
    {"multiply", "a · b", "∂a = g·b, ∂b = g·a", smooth, stretched},
    {"divide", "a / b", "∂a = g/b, ∂b = −g·y/b", smooth, stretched},
    {"affine", "c·x + d", "∂x = c·g"},
    {"pow", "aᵇ", "∂a = g·b·aᵇ⁻¹, ∂b = g·y·log a", smooth, stretched},
    {"maximum", "max(a, b)", "∂a = g where a > b, ½g where a = b", kinked, stretched},
    {"minimum", "min(a, b)", "∂a = g where a < b, ½g where a = b", kinked, stretched},
    {"remainder", "a − b·⌊a/b⌋", "∂a = g, ∂b = −g·⌊a/b⌋", kinked, stretched},
    {"where", "a where c, else b", "∂a = g where c, ∂b = g elsewhere", smooth, stretched},
    {"equal", "a = b", "its steps have slope 0", not_differentiable, stretched},
    {"not_equal", "a ≠ b", "its steps have slope 0", not_differentiable, stretched},
    {"less", "a < b", "its steps have slope 0", not_differentiable, stretched},
    {"less_equal", "a ≤ b", "its steps have slope 0", not_differentiable, stretched},
    {"greater", "a > b", "its steps have slope 0", not_differentiable, stretched},
    {"greater_equal", "a ≥ b", "its steps have slope 0", not_differentiable, stretched},
    // pointwise
    {"exp", "eˣ", "∂x = g·y"},
    {"log", "log x", "∂x = g/x"},
    {"sqrt", "√x", "∂x = g/(2y)"},
    {"rsqrt", "1/√x", "∂x = −½·g·y³"},
    {"square", "x²", "∂x = 2·g·x"},
    // book: rows
    {"sin", "sin x", "∂x = g·cos x"},
    {"cos", "cos x", "∂x = −g·sin x"},
    {"tanh", "tanh x", "∂x = g·(1 − y²)"},
    // book: /rows
    {"erf", "2/√π ∫₀ˣ e^(−t²) dt", "∂x = g·2/√π·e^(−x²)"},
    {"sigmoid", "1/(1 + e⁻ˣ)", "∂x = g·y·(1 − y)"},
    {"softplus", "log(1 + eˣ)", "∂x = g·σ(x)"},
    {"silu", "x·σ(x)", "∂x = g·σ(x)·(1 + x·(1 − σ(x)))"},
    {"gelu", "x·Φ(x)", "∂x = g·(Φ(x) + x·φ(x))"},
    {"gelu_tanh", "½x·(1 + tanh u), u = √(2/π)·(x + 0.044715x³)", "∂x = g·(s + 2x·s·(1 − s)·u′), s = σ(2u)"},
    {"relu", "max(x, 0)", "∂x = g where x > 0", kinked},
    {"leaky_relu", "x where x > 0, else c·x", "∂x = g where x > 0, c·g elsewhere", kinked},
    {"abs", "|x|", "∂x = g·sign x", kinked},
    {"clamp", "min(max(x, low), high)", "∂x = g where low ≤ x ≤ high", kinked},
    {"is_nan", "x is NaN", "its steps have slope 0", not_differentiable},
    {"to", "x as another dtype", "∂x = g as the dtype of x"},
    // reductions
    {"sum", "Σ x", "∂x = g, expanded"},
    {"sum_to", "Σ x over broadcast axes", "= sum, reshape"},
    {"mean", "Σ x / n", "= sum, affine"},
    {"var", "Σ (x − mean x)² / (n − c)", "= subtract, mean, square, sum, affine"},
    {"max", "largest x", "∂x = g/ties where x = y", kinked},
    {"min", "smallest x", "∂x = g/ties where x = y", kinked},
    {"logsumexp", "log Σ eˣ", "∂x = g·e^(x − y)"},
    {"argmax", "index of the largest x", "its values are indexes", not_differentiable},
    {"argmin", "index of the smallest x", "its values are indexes", not_differentiable},
    {"all", "no x is 0", "its steps have slope 0", not_differentiable},
    {"any", "some x is not 0", "its steps have slope 0", not_differentiable},
    {"softmax", "eˣ / Σ eˣ", "∂x = y·(g − Σ g·y)"},
    {"log_softmax", "x − log Σ eˣ", "∂x = g − eʸ·Σ g"},
    // order
    {"cumsum", "yᵢ = x₀ + … + xᵢ", "∂xᵢ = gᵢ + gᵢ₊₁ + …"},
    {"sort", "x in order", "= argsort, gather", kinked},
    {"argsort", "indexes that sort x", "its values are indexes", not_differentiable},
    {"topk", "the k largest", "= gather", kinked},
    // views
    {"identity", "x", "∂x = g"},
    {"reshape", "x in another shape", "∂x = g in the shape of x"},
    {"flatten", "axes made one", "∂x = g in the shape of x"},
    {"permute", "axes reordered", "∂x = g, ordered back"},
    {"transpose", "two axes swapped", "∂x = g, swapped back"},
    {"squeeze", "axes of size 1 dropped", "∂x = g in the shape of x"},
    {"unsqueeze", "an axis of size 1 added", "∂x = g in the shape of x"},
    {"expand", "axes of size 1 repeated", "∂x = g, summed over the repeats"},
    {"slice", "x[begin : end : step]", "∂x = g placed into zeros"},
    {"place", "zeros, but x at begin : : step", "∂x = slice of g"},
    {"select", "x[i]", "= slice, reshape"},
    {"flip", "x back to front", "∂x = g, flipped"},
    {"repeat_interleave", "each element several times", "= unsqueeze, expand, reshape"},
    // joining
    {"cat", "parts end to end", "∂partᵢ = slice of g"},
    {"stack", "parts side by side", "= unsqueeze, cat"},
    {"split", "x cut into parts", "= slice"},
    {"pad", "x with a margin", "∂x = slice of g"},
    // picking by index
    {"gather", "yⱼ = x[iⱼ]", "∂x = scatter_add(0, i, g)"},
    {"index_select", "whole slices x[iⱼ]", "= gather"},
    {"scatter_add", "y = x, y[iⱼ] += sⱼ", "∂x = g, ∂s = gather(g, i)"},
    {"masked_fill", "c where m, else x", "= where"},
    {"tril", "x on and below the diagonal", "= where"},
    {"triu", "x on and above the diagonal", "= where"},
    {"one_hot", "1 at the index", "its argument is an index", not_differentiable},
    // products
    {"matmul", "A·B", "∂A = g·Bᵀ, ∂B = Aᵀ·g", smooth, stretched},
    {"bmm", "A·B for each of a batch", "= matmul"},
    {"outer", "aᵢ·bⱼ", "= matmul"},
    {"dot", "Σ aᵢ·bᵢ", "= matmul"},
    {"linear", "x·Wᵀ + b", "∂x = g·W, ∂W = gᵀ·x, ∂b = Σ g over the rows"},
    // several steps in one pass
    {"layer_norm", "(x − μ)/√(σ² + ε)·w + b", "∂x = r·(h − mean(h) − x̂·mean(h·x̂)), h = g·w, r = 1/√(σ² + ε)"},
    {"rms_norm", "x/√(mean(x²) + ε)·w", "∂x = r·(h − x̂·mean(h·x̂)), h = g·w, r = 1/√(mean(x²) + ε)"},
    {"rotate_pairs", "a·cos − b·sin, b·cos + a·sin", "∂x = g, turned back"},
    {"cross_entropy", "−Σ t·log softmax(x)", "∂x = g·(softmax(x) − t)"},
    {"masked_softmax", "softmax(s·x) where kept, else 0", "∂x = s·y·(g − Σ g·y)"},
    {"bias_activation", "f(x + b)", "∂x = g·f′(x + b), ∂b = its sum"},
    {"fused_attention", "softmax(Σ f(q, k, θ) + b)·v", "∂v = wᵀ·g, ∂s = w·(g·v − g·y), ∂b = ∂s, ∂q = Σ ∂s·∂f/∂q, …"},
    {"regression_loss", "Σ (softmax(−((x − xᵀ)·w)²/2)·y − y)²/n", "∂w = −w·Σ g·2(ŷ − y)/n·α·(y − ŷ)·(x − xᵀ)²"},
    // sequences, step by step; a = W·h + b
    {"rnn", "h′ = f(p + a), for each step", "∂p = ∂a = d·f′, d = g + ∂a·W of the step after; ∂W = Σ ∂aᵀ·h, ∂b = Σ ∂a"},
    {"gru", "h′ = n + z·(h − n), n = tanh(p + r·a), r, z = σ(p + a)", "∂p = (∂r, ∂z, ∂n), ∂a = (∂r, ∂z, ∂n·r), …"},
    {"lstm", "c′ = f·c + i·g, h′ = o·tanh c′, i, f, o = σ(p + a), g = tanh(p + a)", "∂p = ∂a = (∂i, ∂f, ∂g, ∂o), …"},
    {"additive_decoder", "h′ = gru(p + W·c, h), c = α·v, α = softmax(w·tanh(W·h + k))",
     "∂c = ∂p·W, ∂k = ∂s·w·(1 − u²), …"},
});

}  // namespace op_table

inline constexpr const auto& op_list = op_table::rows;

// Whether each element of the result is made from one element of each operand: so it is in the rows down to "to".
constexpr bool is_elementwise(const OpInfo& op) {
  for (const OpInfo& row : op_list) {
    if (&row == &op) return true;
    if (std::string_view(row.name) == "to") break;
  }
  return false;
}

constexpr const OpInfo* find_op(std::string_view name) {
  for (const OpInfo& row : op_list)
    if (name == row.name) return &row;
  return nullptr;
}

// op("tanh") is the row of that name. It is looked up by the compiler: a name that is not in the table does not
// compile.
consteval const OpInfo& op(std::string_view name) {
  for (const OpInfo& row : op_list)
    if (name == row.name) return row;
  throw "this operation is not in op_list";
}

}  // namespace regard
