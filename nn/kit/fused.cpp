// The law about both methods.
#include "autograd/all.h"
#include "nn/kit/trial.h"

namespace regard::nn::kit {
namespace {

// Outputs and gradients by both methods, of instances that are the same.
std::string compare(const Variant& variant, const Mask& mask, double dropout) {
  const Trial t = trial(variant.sizes);
  const auto run = [&](bool is_fused) {
    const Subject subject = build(variant, dropout);
    std::vector<Variable> leaves{t.q, t.k, t.v};
    for (const Variable& one : parameters_of(subject)) leaves.push_back(one);
    const Variable output = is_fused ? subject.fused(t.q, t.k, t.v, mask) : subject.call(t.q, t.k, t.v, mask).output;
    std::vector<Variable> found{output};
    for (const Variable& one : grad({sum(output * random_like(output, 5))}, leaves, {.allow_unused = true}))
      found.push_back(one);
    return found;
  };
  const auto fused = run(true), composed = run(false);
  std::string found = differ("output", fused[0].value(), composed[0].value());
  for (std::size_t i = 1; found.empty() && i < fused.size(); ++i)
    found = differ("a gradient", fused[i].value(), composed[i].value());
  return found.empty() ? "" : fmt::format("{} under {}, dropout {}", found, mask, dropout);
}

}  // namespace

std::string check_fused(const Variant& variant) {
  const auto& [batch, heads, queries, keys, query_size, key_size, value_size] = variant.sizes;
  std::vector<double> lengths, table;
  for (std::int64_t b = 0; b < batch; ++b) lengths.push_back(static_cast<double>(b));
  for (std::int64_t i = 0; i < queries * keys; ++i) table.push_back(static_cast<double>(i % 3 != 0));
  const Variable numbers = random_like(Variable(zeros({queries, keys}, DType::f64)), 2);
  for (const Mask& mask : {Mask(), Mask::causal(), Mask::valid_lengths(tensor(lengths, {batch}, DType::i64)),
                           Mask::keep(tensor(table, {queries, keys}, DType::i64)) & Mask::bias(numbers)})
    for (const double dropout : {0.0, 0.4})
      if (std::string found = compare(variant, mask, dropout); !found.empty()) return found;
  return "";
}

}  // namespace regard::nn::kit
