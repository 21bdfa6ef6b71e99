#pragma once

#include <array>
#include <string_view>

namespace regard {

// What a gradient check may expect of an operation.
enum class OpKind {
  smooth,              // has derivatives of every order where it is defined
  kinked,              // has them except on a thin set of points, where a convention rules
  not_differentiable,  // takes Variables and returns a Tensor; `rule` gives the reason
};

// What an element of the result is made of.
enum class MadeOf {
  other,      // none of these
  element,    // of each operand one element, at the same index
  row,        // a row of the first operand, along some axis
  last_row,   // along the last one
  reduction,  // all that fell onto it
  product,    // a row and a column
};

// How the tools that watch a training, or search for a NaN, treat the operation.
enum class OpRole {
  plain,
  activation,  // what it returns is looked at …
  saturating,  // … and how much of it is near its ends, where it is flat
  layer,       // it is looked at if it uses a parameter
  constants,   // an infinity in its result may be one that the program gave it
};

// What tools know of an operation without computing it.
struct OpFacts {
  MadeOf made_of = MadeOf::other;
  OpRole role = OpRole::plain;
  double low = 0, high = 0;  // where it is flat, if it is saturating

  constexpr OpFacts() = default;
  constexpr OpFacts(MadeOf from, OpRole as = OpRole::plain, double flat_low = 0, double flat_high = 0)
      : made_of(from), role(as), low(flat_low), high(flat_high) {}
};

// One row of the table of operations. In formulas y is the result, g the gradient that arrives at it, and ∂x the
// gradient that the rule returns for x. "= …" instead of a rule: the operation is composed of others.
struct OpInfo {
  enum class Operands { any, stretched };  // stretched: operands of different shapes are broadcast to a common one

  const char* name;
  const char* formula;
  const char* rule;
  OpFacts facts = {};
  OpKind kind = OpKind::smooth;
  Operands operands = Operands::any;
};

namespace op_table {

using enum OpKind;
using enum MadeOf;
using enum OpRole;
using enum OpInfo::Operands;

// The one table of operations. The gradient checks, the reference cases and the documentation are driven by it: a row
// without a case fails the suite.
inline constexpr auto rows = std::to_array<OpInfo>({
    // arithmetic
    {"add", "a + b", "∂a = g, ∂b = g", {element, layer}, smooth, stretched},
    {"subtract", "a − b", "∂a = g, ∂b = −g", element, smooth, stretched},
    {"multiply", "a · b", "∂a = g·b, ∂b = g·a", {element, layer}, smooth, stretched},
    {"divide", "a / b", "∂a = g/b, ∂b = −g·y/b", element, smooth, stretched},
    {"affine", "c·x + d", "∂x = c·g", element},
    {"pow", "aᵇ", "∂a = g·b·aᵇ⁻¹, ∂b = g·y·log a", element, smooth, stretched},
    {"maximum", "max(a, b)", "∂a = g where a > b, ½g where a = b", element, kinked, stretched},
    {"minimum", "min(a, b)", "∂a = g where a < b, ½g where a = b", element, kinked, stretched},
    {"remainder", "a − b·⌊a/b⌋", "∂a = g, ∂b = −g·⌊a/b⌋", element, kinked, stretched},
    {"where", "a where c, else b", "∂a = g where c, ∂b = g elsewhere", {element, constants}, smooth, stretched},
    {"equal", "a = b", "its steps have slope 0", element, not_differentiable, stretched},
    {"not_equal", "a ≠ b", "its steps have slope 0", element, not_differentiable, stretched},
    {"less", "a < b", "its steps have slope 0", element, not_differentiable, stretched},
    {"less_equal", "a ≤ b", "its steps have slope 0", element, not_differentiable, stretched},
    {"greater", "a > b", "its steps have slope 0", element, not_differentiable, stretched},
    {"greater_equal", "a ≥ b", "its steps have slope 0", element, not_differentiable, stretched},
    // pointwise
    {"exp", "eˣ", "∂x = g·y", element},
    {"log", "log x", "∂x = g/x", element},
    {"sqrt", "√x", "∂x = g/(2y)", element},
    {"rsqrt", "1/√x", "∂x = −½·g·y³", element},
    {"square", "x²", "∂x = 2·g·x", element},
    // book: rows
    {"sin", "sin x", "∂x = g·cos x", element},
    {"cos", "cos x", "∂x = −g·sin x", element},
    {"tanh", "tanh x", "∂x = g·(1 − y²)", {element, saturating, -1, 1}},
    // book: /rows
    {"erf", "2/√π ∫₀ˣ e^(−t²) dt", "∂x = g·2/√π·e^(−x²)", element},
    {"sigmoid", "1/(1 + e⁻ˣ)", "∂x = g·y·(1 − y)", {element, saturating, 0, 1}},
    {"softplus", "log(1 + eˣ)", "∂x = g·σ(x)", {element, activation}},
    {"silu", "x·σ(x)", "∂x = g·σ(x)·(1 + x·(1 − σ(x)))", {element, activation}},
    {"gelu", "x·Φ(x)", "∂x = g·(Φ(x) + x·φ(x))", {element, activation}},
    {"gelu_tanh",
     "½x·(1 + tanh u), u = √(2/π)·(x + 0.044715x³)",
     "∂x = g·(s + 2x·s·(1 − s)·u′), s = σ(2u)",
     {element, activation}},
    {"relu", "max(x, 0)", "∂x = g where x > 0", {element, activation}, kinked},
    {"leaky_relu", "x where x > 0, else c·x", "∂x = g where x > 0, c·g elsewhere", {element, activation}, kinked},
    {"abs", "|x|", "∂x = g·sign x", element, kinked},
    {"clamp", "min(max(x, low), high)", "∂x = g where low ≤ x ≤ high", {element, constants}, kinked},
    {"is_nan", "x is NaN", "its steps have slope 0", element, not_differentiable},
    {"to", "x as another dtype", "∂x = g as the dtype of x", element},
    // reductions
    {"sum", "Σ x", "∂x = g, expanded", reduction},
    {"sum_to", "Σ x over broadcast axes", "= sum, reshape"},
    {"prod", "Π x", "∂xᵢ = g·Π xⱼ, j ≠ i", reduction},
    {"mean", "Σ x / n", "= sum, affine"},
    {"var", "Σ (x − mean x)² / (n − c)", "= subtract, mean, square, sum, affine"},
    {"max", "largest x", "∂x = g/ties where x = y", reduction, kinked},
    {"min", "smallest x", "∂x = g/ties where x = y", reduction, kinked},
    {"logsumexp", "log Σ eˣ", "∂x = g·e^(x − y)", reduction},
    {"argmax", "index of the largest x", "its values are indexes", {}, not_differentiable},
    {"argmin", "index of the smallest x", "its values are indexes", {}, not_differentiable},
    {"all", "no x is 0", "its steps have slope 0", {}, not_differentiable},
    {"any", "some x is not 0", "its steps have slope 0", {}, not_differentiable},
    {"softmax", "eˣ / Σ eˣ", "∂x = y·(g − Σ g·y)", {row, saturating, 0, 1}},
    {"log_softmax", "x − log Σ eˣ", "∂x = g − eʸ·Σ g", row},
    // order
    {"cumsum", "yᵢ = x₀ + … + xᵢ", "∂xᵢ = gᵢ + gᵢ₊₁ + …"},
    {"cumprod", "yᵢ = x₀ · … · xᵢ", "∂xᵢ = Σ gₖ·(x₀ · … · xₖ without xᵢ), k ≥ i"},
    {"sort", "x in order", "= argsort, gather", {}, kinked},
    {"argsort", "indexes that sort x", "its values are indexes", {}, not_differentiable},
    {"topk", "the k largest", "= gather", {}, kinked},
    // views
    {"identity", "x", "∂x = g", element},
    {"reshape", "x in another shape", "∂x = g in the shape of x"},
    {"flatten", "axes made one", "∂x = g in the shape of x"},
    {"permute", "axes reordered", "∂x = g, ordered back"},
    {"transpose", "two axes swapped", "∂x = g, swapped back"},
    {"squeeze", "axes of size 1 dropped", "∂x = g in the shape of x"},
    {"unsqueeze", "an axis of size 1 added", "∂x = g in the shape of x"},
    {"expand", "axes of size 1 repeated", "∂x = g, summed over the repeats", element},
    {"slice", "x[begin : end : step]", "∂x = g placed into zeros"},
    {"place", "zeros, but x at begin : : step", "∂x = slice of g"},
    {"select", "x[i]", "= slice, reshape"},
    {"flip", "x back to front", "∂x = g, flipped"},
    {"repeat_interleave", "each element several times", "= unsqueeze, expand, reshape"},
    // joining
    {"cat", "parts end to end", "∂partᵢ = slice of g"},
    {"stack", "parts side by side", "= unsqueeze, cat"},
    {"split", "x cut into parts", "= slice"},
    {"pad", "x with a margin", "∂x = slice of g", {other, constants}},
    // picking by index
    {"gather", "yⱼ = x[iⱼ]", "∂x = scatter_add(0, i, g)", {other, layer}},
    {"index_select", "whole slices x[iⱼ]", "= gather"},
    {"scatter_add", "y = x, y[iⱼ] += sⱼ", "∂x = g, ∂s = gather(g, i)"},
    {"masked_fill", "c where m, else x", "= where", {other, constants}},
    {"tril", "x on and below the diagonal", "= where"},
    {"triu", "x on and above the diagonal", "= where"},
    {"one_hot", "1 at the index", "its argument is an index", {}, not_differentiable},
    // products
    {"matmul", "A·B", "∂A = g·Bᵀ, ∂B = Aᵀ·g", {product, layer}, smooth, stretched},
    {"bmm", "A·B for each of a batch", "= matmul"},
    {"outer", "aᵢ·bⱼ", "= matmul"},
    {"einsum", "Σ aᵢⱼ·bⱼₖ, or what its letters say", "= permute, sum, reshape, matmul"},
    {"linear", "x·Wᵀ + b", "∂x = g·W, ∂W = gᵀ·x, ∂b = Σ g over the rows", {product, layer}},
    // several steps in one pass
    {"layer_norm",
     "(x − μ)/√(σ² + ε)·w + b",
     "∂x = r·(h − mean(h) − x̂·mean(h·x̂)), h = g·w, r = 1/√(σ² + ε)",
     {last_row, layer}},
    {"rms_norm",
     "x/√(mean(x²) + ε)·w",
     "∂x = r·(h − x̂·mean(h·x̂)), "
     "h = g·w, r = 1/√(mean(x²) + ε)",
     {last_row, layer}},
    {"rotate_pairs", "a·cos − b·sin, b·cos + a·sin", "∂x = g, turned back"},
    {"cross_entropy", "−Σ t·log softmax(x)", "∂x = g·(softmax(x)·Σ t − t)"},
    {"masked_softmax", "softmax(s·x) where kept, else 0", "∂x = s·y·(g − Σ g·y)", {last_row, saturating, 0, 1}},
    {"fused_attention",
     "softmax(Σ f(q, k, θ) + b)·v",
     "∂v = wᵀ·g, ∂s = w·(g·v − g·y), ∂b = ∂s, ∂q = Σ ∂s·∂f/∂q, …",
     {other, activation}},
    {"fused_attention_and_log_sum",
     "softmax(s)·v, and log Σ eˢ, side by side",
     "as of fused_attention, with ∂s = w·(g·v − g·y + h), h of the sum",
     {other, activation}},
    {"regression_loss", "Σ (softmax(−((x − xᵀ)·w)²/2)·y − y)²/n", "∂w = −w·Σ g·2(ŷ − y)/n·α·(y − ŷ)·(x − xᵀ)²"},
    // sequences, step by step; a = W·h + b
    {"rnn",
     "h′ = f(p + a), for each step",
     "∂p = ∂a = d·f′, d = g + ∂a·W of the step after; ∂W = Σ ∂aᵀ·h, ∂b = Σ ∂a",
     {other, layer}},
    {"gru",
     "h′ = n + z·(h − n), n = tanh(p + r·a), r, z = σ(p + a)",
     "∂p = (∂r, ∂z, ∂n), ∂a = (∂r, ∂z, ∂n·r), …",
     {other, layer}},
    {"lstm",
     "c′ = f·c + i·g, h′ = o·tanh c′, i, f, o = σ(p + a), g = tanh(p + a)",
     "∂p = ∂a = (∂i, ∂f, ∂g, ∂o), …",
     {other, layer}},
    {"additive_decoder",
     "h′ = gru(p + W·c, h), c = α·v, α = softmax(w·tanh(W·h + k))",
     "∂c = ∂p·W, ∂k = ∂s·w·(1 − u²), …",
     {other, layer}},
    {"delta_rule",
     "S ← a·S, S ← S + k·uᵀ, u = β·(v − Sᵀ·k), o = Sᵀ·q, for each step",
     "D ← D + q·gᵀ, ∂q = S·g, ∂u = Dᵀ·k, ∂k = D·u − S·∂v, ∂v = β·∂u, …",
     {other, activation}},
});

}  // namespace op_table

inline constexpr const auto& op_list = op_table::rows;

constexpr const OpInfo* find_op(std::string_view name) {
  for (const OpInfo& row : op_list)
    if (name == row.name) return &row;
  return nullptr;
}

// op("tanh") is the row of that name. It is looked up by the compiler: a name that is not in the table does not
// compile.
consteval const OpInfo& op(std::string_view name) {
  for (const OpInfo& row : op_list)  // (a pointer from find_op is no constant for GCC with its sanitizer)
    if (name == row.name) return row;
  throw "this operation is not in op_list";
}

}  // namespace regard
