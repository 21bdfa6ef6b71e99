// The laws about attention that is computed fused.
#include "autograd/all.h"
#include "nn/kit/trial.h"

namespace regard::nn::kit {
namespace {

// Outputs and gradients by both methods, of instances that are the same. `numbers` are the mask's; or nothing else but
// these and the parameters wants a gradient.
std::string compare(const Variant& variant, const Trial& t, const Mask& mask, const Variable& numbers, double dropout) {
  const auto run = [&](bool is_fused) {
    const Subject subject = build(variant, dropout);
    set_method(subject.visit, is_fused ? Method::fused : Method::composed);
    std::vector<Variable> leaves{numbers};
    for (const Variable& one : {t.q, t.k, t.v})
      if (one.requires_grad()) leaves.push_back(one);
    for (const Variable& one : parameters(subject.visit)) leaves.push_back(one);
    const Variable output = subject.call(t.q, t.k, t.v, mask).output;
    return std::pair(output, slopes(output, leaves));
  };
  const auto fused = run(true), composed = run(false);
  const std::string found =
      first_of({differ("output", fused.first, composed.first), differ("a gradient", fused.second, composed.second)});
  return found.empty() ? "" : fmt::format("{} under {}, dropout {}", found, mask, dropout);
}

std::string differ_in_a_bit(const char* what, const Variable& one, const Variable& other) {
  if (identical(one.value(), other.value())) return "";
  return fmt::format("{} to the last bit: off by {:.2g}", what, largest_difference(one.value(), other.value()));
}

// What is off, if anything: the rows of a full pass must be those that are decoded one by one, and those of a pass over
// a longer sequence whose rest is hidden. Lengths go beyond those at which tiles and sums are cut.
std::string compare_rows(const Variant& variant, DType dtype) {
  Sizes sizes = variant.sizes;
  sizes.queries = sizes.keys = 140;
  const auto [q, k, v] = trial(sizes, 1, dtype);
  const Subject subject = build(variant, 0, 7, dtype);
  set_method(subject.visit, Method::fused);
  const Variable full = subject.call(q, k, v, Mask::causal()).output;
  const auto longer = [](const Variable& x) { return cat({x, 3.0 * x, -2.0 * x, x, x}, -2); };
  const Variable followed = subject.call(longer(q), longer(k), longer(v), Mask::causal()).output;
  return first_of({differ_in_a_bit("decoding is not the full pass", subject.decode(q, k, v, Mask::causal()), full),
                   differ_in_a_bit("rows that follow change rows", slice(followed, -2, 0, sizes.queries), full)});
}

// Rows with more keys, of which the queries see those from `first` on that are there without them.
std::string compare_hidden(const Variant& variant, DType dtype, std::int64_t first,
                           const std::function<Variable(const Variable&)>& more) {
  Sizes sizes = variant.sizes;
  sizes.queries = sizes.keys = 140;
  const auto [q, k, v] = trial(sizes, 1, dtype);
  const Subject subject = build(variant, 0, 7, dtype);
  set_method(subject.visit, Method::fused);
  const Mask real = Mask::by_range("real", [&](std::int64_t) { return KeyRange{first, first + sizes.keys}; });
  return differ_in_a_bit("hidden keys change rows", subject.call(q, more(k), more(v), real).output,
                         subject.call(q, k, v, {}).output);
}

std::string in_each_dtype(const std::function<std::string(DType)>& law) {
  for (const DType dtype : {DType::f32, DType::f64})
    if (const std::string found = law(dtype); !found.empty()) return fmt::format("{}, in {}", found, dtype);
  return "";
}

}  // namespace

std::string check_rows_alike(const Variant& variant, const Subject&, const Trial&) {
  const auto followed = [](const Variable& x) { return cat({x, 3.0 * x}, -2); };
  return in_each_dtype([&](DType dtype) {
    return first_of({compare_rows(variant, dtype), compare_hidden(variant, dtype, 0, followed)});
  });
}

std::string check_front(const Variant& variant, const Subject&, const Trial&) {
  const auto later = [](const Variable& x) { return cat({3.0 * slice(x, -2, 0, 77), x}, -2); };
  return in_each_dtype([&](DType dtype) { return compare_hidden(variant, dtype, 77, later); });
}

std::string check_fused(const Variant& variant, const Subject&, const Trial& t) {
  const auto& [batch, heads, queries, keys, query_size, key_size, value_size] = variant.sizes;
  std::vector<double> lengths, table;
  for (std::int64_t b = 0; b < batch; ++b) lengths.push_back(static_cast<double>(b));
  for (std::int64_t i = 0; i < queries * keys; ++i) table.push_back(static_cast<double>(i % 3 != 0));
  const Variable numbers = parameter(random_like(Variable(zeros({queries, keys}, DType::f64)), 2).value());
  const Mask with_numbers = Mask::keep(tensor(table, {queries, keys}, DType::i64)) & Mask::bias(numbers);
  const Trial constants{detach(t.q), detach(t.k), detach(t.v)};
  for (const Mask& mask :
       {Mask(), Mask::causal(), Mask::valid_lengths(tensor(lengths, {batch}, DType::i64)), with_numbers})
    for (const double dropout : {0.0, 0.4})
      if (std::string found = compare(variant, t, mask, numbers, dropout); !found.empty()) return found;
  return compare(variant, constants, with_numbers, numbers, 0);
}

}  // namespace regard::nn::kit
