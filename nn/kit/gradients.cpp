// Laws about gradients.
#include "autograd/all.h"
#include "nn/kit/trial.h"

namespace regard::nn::kit {
namespace {

// Some pairs hidden, and the second query sees nothing.
Mask some_hidden(const Sizes& sizes) {
  std::vector<double> keep;
  for (std::int64_t i = 0; i < sizes.queries; ++i)
    for (std::int64_t j = 0; j < sizes.keys; ++j) keep.push_back(i != 1 && (i + 2 * j) % 5 != 3);
  return Mask::keep(tensor(keep, {sizes.queries, sizes.keys}, DType::i64));
}

// Some single parameters have no gradient by nature (what a bias of the keys adds to all scores of a query, softmax
// takes away again), so not every one must show one.
std::string measure(const Sizes& sizes, const Subject& subject, const Trial& t, int order) {
  const Mask mask = some_hidden(sizes);
  std::vector<Variable> inputs{t.q, t.k, t.v};
  std::vector<std::string> names{"q", "k", "v"};
  for (const auto& [name, parameter] : named_parameters(subject.visit)) {
    inputs.push_back(parameter);
    names.push_back(name);
  }
  const auto f = [&](const std::vector<Variable>& in) {
    set_parameters(subject, {in.begin() + 3, in.end()});
    return subject.call(in[0], in[1], in[2], mask).output;
  };
  return gradcheck(f, inputs, {.order = order, .required = 3, .names = names}).reason;
}

}  // namespace

std::string check_gradcheck(const Variant& variant, const Subject& subject, const Trial& t) {
  return measure(variant.sizes, subject, t, 1);
}
std::string check_second_order(const Variant& variant, const Subject& subject, const Trial& t) {
  return measure(variant.sizes, subject, t, 2);
}

// Row by row of the output, with random cotangents: what belongs to later keys and values is exactly 0.
std::string check_causal(const Variant& variant, const Subject& subject, const Trial&) {
  const auto [q, k, v] = as_long_as_keys(variant);
  bool any = false;
  for (std::int64_t i = 0; i < variant.sizes.keys; ++i) {
    const Variable row = select(subject.call(q, k, v, Mask::causal()).output, -2, i);
    const auto found = slopes(row, {k, v}, 3);
    for (const Variable& gradient : found) {
      any = any || max(abs(gradient.value())).item() > 0;
      for (std::int64_t j = i + 1; j < variant.sizes.keys; ++j)
        if (!(max(abs(select(gradient.value(), -2, j))).item() == 0))
          return fmt::format("output {} depends on {} {}", i, gradient.same_as(found[0]) ? "key" : "value", j);
    }
  }
  return any ? "" : "no output depends on any key or value";
}

}  // namespace regard::nn::kit
