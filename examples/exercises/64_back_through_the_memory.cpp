// 64. Back through the memory · grade 2 · chapter 20_attention_of_today
//
// A memory that corrects itself is a short loop, memories() below. The way back through it goes from the last step to
// the first, since what a step has written is asked by all later ones. Somebody has written that for linear attention,
// where a step writes v itself, whatever the memory knows. With the delta rule it writes u = β·e with e = v − Sᵀ·k. So
// v, β, k and the memory before the step all get a part of ∂u.
//
// Hint: The chapter has the lines of a single step, and memories() gives you the memory before each. A key is used
// twice: it says where u is written, and before that it asks what is there. And the memory before the step gets less
// than G: had there been more in it, u would be smaller.
#include "autograd/all.h"
#include "examples/exercises/exercise.h"

#include <vector>

using namespace regard;

Tensor row(const Tensor& x, std::int64_t t) { return slice(x, 0, t, t + 1); }  // (1, D)

// The memory before each step, and the one at the end: (D, D) each, for keys and values (L, D) and β (L).
std::vector<Tensor> memories(const Tensor& k, const Tensor& v, const Tensor& beta) {
  std::vector<Tensor> all{zeros({k.size(1), v.size(1)}, k.dtype())};
  for (std::int64_t t = 0; t < k.size(0); ++t) {
    const Tensor e = row(v, t) - matmul(row(k, t), all.back());
    all.push_back(all.back() + matmul(transpose(row(k, t)), beta.at({t}) * e));
  }
  return all;
}

struct DeltaGradients {
  Tensor k, v, beta;
};

// TODO: return ∂k and ∂v (L, D) and ∂β (L), if ∂o (L, D) arrives at the outputs o = Sᵀ·q. Do not call delta_rule. What
// stands here is right for linear attention.
DeltaGradients way_back(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& beta, const Tensor& d_o) {
  Tensor g = zeros({k.size(1), v.size(1)}, k.dtype());  // ∂S
  std::vector<Tensor> d_k, d_v, d_beta;                 // from the last step on
  for (std::int64_t t = k.size(0) - 1; t >= 0; --t) {
    g = g + matmul(transpose(row(q, t)), row(d_o, t));
    const Tensor d_u = matmul(row(k, t), g);
    d_v.push_back(d_u);
    d_k.push_back(matmul(row(v, t), transpose(g)));
    d_beta.push_back(zeros({1}, k.dtype()));
  }
  return {flip(cat(d_k, 0), 0), flip(cat(d_v, 0), 0), flip(cat(d_beta, 0), 0)};
}

// ---- This is what checks it. ----

namespace {

Tensor numbers(const Nested& rows) { return tensor(rows, DType::f64); }

// The three words of the book, β = ½, and (1, 1) at the output of the last one.
void check_on_paper() {
  const Tensor q = numbers({{-1, -1}, {1, 0}, {0, -1}}), k = numbers({{1, 0}, {0, 1}, {1, 1}});
  const Tensor v = numbers({{0, 12}, {6, 0}, {6, 12}}), beta = numbers({0.5, 0.5, 0.5});
  const DeltaGradients got = way_back(q, k, v, beta, numbers({{0, 0}, {0, 0}, {1, 1}}));
  exercises::expect(
      "∂v of birds, love and singing, if (1, 1) arrives at the output of singing", got.v,
      numbers({{0.25, 0.25}, {-0.25, -0.25}, {-0.5, -0.5}}),
      {{numbers({{0, 0}, {-1, -1}, {-1, -1}}), "That is linear attention. What is written is β·(v − Sᵀ·k)."},
       {numbers({{0, 0}, {-0.5, -0.5}, {-0.5, -0.5}}),
        "∂v of a single step is right. But u is smaller if the memory knows more: the memory before the step gets less "
        "than G."},
       {numbers({{0.5, 0.5}, {-0.5, -0.5}, {-1, -1}}), "That is ∂u. Of v only the part β is written."},
       {numbers({{0.5, 0.5}, {0, 0}, {-0.5, -0.5}}),
        "∂v of a single step is right. What G loses is too much: of the answer of the memory, too, only the part β "
        "counts."},
       {numbers({{-0.25, -0.25}, {-0.75, -0.75}, {-0.5, -0.5}}),
        "∂v of a single step is right. What G loses is subtracted: the more the memory knows, the less is written."}});
  exercises::expect(
      "∂β", got.beta, numbers({6, -3, -9}),
      {{numbers({0, 0, 0}), "u is β·(v − Sᵀ·k), so β has a slope, too."},
       {numbers({3, -1.5, -4.5}), "You have taken u for e. With β twice as large u is twice as large, and e is not."},
       {numbers({6, -3, -18}), "β multiplies v less what the memory answers already."}});
  exercises::expect(
      "∂k", got.k, numbers({{3, -1.5}, {3, -1.5}, {3, -3}}),
      {{numbers({{6, -3}, {3, -3}, {0, -18}}), "That is linear attention, which writes v. Here u is written."},
       {numbers({{6, -3}, {4.5, -3}, {3, -7.5}}), "That would be right if all of e were written. It is β·e."},
       {numbers({{3, -1.5}, {1.5, -1.5}, {0, -4.5}}),
        "This is what k says about where u is written. It also asks the memory first."},
       {numbers({{0, 0}, {1.5, 0}, {3, 1.5}}), "This is what k asks before. It also says where u is written."},
       {numbers({{3, -1.5}, {0, -1.5}, {-3, -6}}), "The sign: the more the memory answers, the less is written."},
       {numbers({{3, -1.5}, {4.5, -1.5}, {6, -1.5}}), "Where is β? Only a part of the answer is subtracted."},
       {numbers({{1.5, -1.5}, {3, -0.75}, {5.25, -0.75}}),
        "k asks the memory as it was before the step, and this is the one after it."}});
}

// Against the gradients of the library's own delta rule, which are checked by differences.
void check_any_numbers() {
  Generator random(64);
  const auto draw = [&] { return parameter(normal({7, 3}, random, 0, 0.6, DType::f64)); };
  const Variable q = draw(), k = draw(), v = draw(), beta = parameter(uniform({7}, random, 0, 1, DType::f64));
  const Tensor d_o = normal({7, 3}, random, 0, 1, DType::f64);
  const std::vector<Variable> right = grad({sum(delta_rule(q, k, v, {.beta = beta}).output * d_o)}, {k, v, beta});
  const DeltaGradients got = way_back(q.value(), k.value(), v.value(), beta.value(), d_o);
  exercises::expect("∂v of seven steps with random numbers", got.v, right[1].value());
  exercises::expect("∂β of seven steps with random numbers", got.beta, right[2].value());
  exercises::expect("∂k of seven steps with random numbers", got.k, right[0].value());
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_on_paper();
    check_any_numbers();
  });
}
