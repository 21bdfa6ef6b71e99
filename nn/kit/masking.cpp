// Laws about what a mask hides.
#include "autograd/all.h"
#include "nn/kit/trial.h"

#include <cmath>

namespace regard::nn::kit {
namespace {

// x (…, L, D) with rows from `begin` on replaced.
Tensor fill_rows(const Variable& x, std::int64_t begin, double value) {
  const Tensor row = reshape(arange(x.size(-2)), {x.size(-2), 1});
  return where(less(row, static_cast<double>(begin)), x.value(), full({}, value, x.dtype()));
}

struct Pass {
  Tensor output, weights;
  std::vector<Variable> gradients;  // of q, k, v and the parameters
};

Pass run(const Subject& subject, const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask) {
  const Variable in[] = {parameter(q), parameter(k), parameter(v)};
  const AttentionOutput made = subject.call(in[0], in[1], in[2], mask);
  std::vector<Variable> leaves(std::begin(in), std::end(in));
  for (const Variable& one : parameters(subject.visit)) leaves.push_back(one);
  return {made.output.value(), made.weights.value(), slopes(made.output, leaves)};
}

// Only the first query sees the last key, which holds NaN: the outputs of the others are what they were.
std::string poison_for_one_query(const Subject& subject, const Trial& t) {
  const std::int64_t queries = t.q.size(-2), keys = t.k.size(-2);
  const Tensor is_last = equal(arange(keys), static_cast<double>(keys - 1));
  const Tensor not_first = greater(reshape(arange(queries), {queries, 1}), 0.0);
  const Mask mask = Mask::drop(multiply(is_last, not_first));
  const auto others = [&](double value) {
    const Variable made =
        subject.call(t.q, fill_rows(t.k, keys - 1, value), fill_rows(t.v, keys - 1, value), mask).output;
    return slice(made.value(), -2, 1);
  };
  return differ("output of a query that does not see the NaN", others(NAN), others(0));
}

}  // namespace

std::string check_nan_poison(const Variant& variant, const Subject& subject, const Trial& t) {
  const std::int64_t real = variant.sizes.keys - 2;
  const Mask mask = Mask::valid_lengths(to(full({variant.sizes.batch}, static_cast<double>(real)), DType::i64));
  const auto with = [&](double value) {
    return run(subject, t.q.value(), fill_rows(t.k, real, value), fill_rows(t.v, real, value), mask);
  };
  const Pass poisoned = with(NAN), clean = with(0);
  const std::string found =
      first_of({differ("output", poisoned.output, clean.output), differ("weights", poisoned.weights, clean.weights),
                differ("a gradient", poisoned.gradients, clean.gradients)});
  return found.empty() ? poison_for_one_query(subject, t) : found;
}

// The last query is padding: no key is for it.
std::string check_nan_queries(const Variant& variant, const Subject& subject, const Trial& t) {
  const std::int64_t batch = variant.sizes.batch, queries = variant.sizes.queries;
  const Tensor is_real = less(arange(queries), static_cast<double>(queries - 1));
  const Tensor lengths = expand(is_real * static_cast<double>(variant.sizes.keys), {batch, queries});
  const Mask mask = Mask::valid_lengths(to(lengths, DType::i64));
  const auto with = [&](double value) {
    return run(subject, fill_rows(t.q, queries - 1, value), t.k.value(), t.v.value(), mask);
  };
  const Pass poisoned = with(NAN), clean = with(0);
  return first_of(
      {differ("output", poisoned.output, clean.output), differ("a gradient", poisoned.gradients, clean.gradients)});
}

std::string check_masked_row(const Variant& variant, const Subject& subject, const Trial& t) {
  const Tensor seeing = not_equal(reshape(arange(variant.sizes.queries), {variant.sizes.queries, 1}), 1.0);
  const Pass pass = run(subject, t.q.value(), t.k.value(), t.v.value(), Mask::keep(seeing));
  const auto is_zero = [](const Tensor& x) { return max(abs(x)).item() == 0; };
  if (!is_zero(select(pass.weights, -2, 1))) return "the weights are not 0";
  if (!is_zero(select(pass.output, -2, 1))) return "the output is not 0";
  if (!is_zero(select(pass.gradients[0].value(), -2, 1))) return "its query has a gradient";
  for (const Variable& gradient :
       run(subject, t.q.value(), t.k.value(), t.v.value(), Mask::keep(zeros({1, 1}))).gradients)
    if (!is_zero(gradient.value())) return "with nothing to see there is a gradient";
  return "";
}

}  // namespace regard::nn::kit
