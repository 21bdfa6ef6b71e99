// Laws about what belongs together: rows, the order of keys and queries, padding, batches.
#include "autograd/all.h"
#include "nn/attention/variants/sliding_window.h"
#include "nn/kit/trial.h"

namespace regard::nn::kit {
namespace {

Tensor reversed(std::int64_t n) { return flip(arange(n), 0); }

Variable reorder(const Variable& x, int axis) { return index_select(x, axis, reversed(x.size(axis))); }

// Decoding where the mask hides what was long ago. A module may refuse to decode with such a mask, but not forget it.
std::string in_a_window(const Subject& subject, const Trial& t) {
  const Mask window = sliding_window(3) & Mask::causal();
  try {
    return differ("decoded, where each sees the last three", subject.decode(t.q, t.k, t.v, window),
                  subject.call(t.q, t.k, t.v, window).output);
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

std::string check_not_negative(const Variant&, const Subject& subject, const Trial& t) {
  const double least = min(subject.call(t.q, t.k, t.v, {}).weights.value()).item();
  return least >= 0 ? "" : fmt::format("a weight is {:.3g}", least);
}

std::string check_row_sums(const Variant&, const Subject& subject, const Trial& t) {
  const Tensor weights = subject.call(t.q, t.k, t.v, {}).weights.value();
  if (weights.shape().back() != t.k.size(-2))
    return fmt::format("weights {} for {} keys", weights.shape(), t.k.size(-2));
  const Tensor sums = sum(weights, -1);
  return differ("row sums", sums, ones_like(sums));
}

std::string check_keys_as_set(const Variant&, const Subject& subject, const Trial& t) {
  const AttentionOutput one = subject.call(t.q, t.k, t.v, {});
  const AttentionOutput other = subject.call(t.q, reorder(t.k, -2), reorder(t.v, -2), {});
  return first_of(
      {differ("output", other.output, one.output), differ("weights", reorder(other.weights, -1), one.weights)});
}

std::string check_queries_apart(const Variant&, const Subject& subject, const Trial& t) {
  const Variable one = subject.call(t.q, t.k, t.v, {}).output;
  const Variable other = subject.call(reorder(t.q, -2), t.k, t.v, {}).output;
  return differ("output", reorder(other, -2), one);
}

// Keys and values go on behind their valid lengths, which differ within the batch, with other numbers.
std::string check_padding(const Variant& variant, const Subject& subject, const Trial& t) {
  const std::int64_t keys = variant.sizes.keys, batch = variant.sizes.batch;
  const auto longer = [](const Variable& x) { return cat({x, 3.0 * slice(x, -2, 0, 2)}, -2); };
  std::vector<double> lengths;
  for (std::int64_t b = 0; b < batch; ++b) lengths.push_back(static_cast<double>(std::max<std::int64_t>(1, keys - b)));
  const Mask mask = Mask::valid_lengths(tensor(lengths, {batch}, DType::i64));
  const AttentionOutput padded = subject.call(t.q, longer(t.k), longer(t.v), mask);
  for (std::int64_t b = 0; b < batch; ++b) {
    const auto one = [b](const Variable& x) { return slice(x, 0, b, b + 1); };
    const auto length = static_cast<std::int64_t>(lengths[static_cast<std::size_t>(b)]);
    const auto real = [&](const Variable& x) { return slice(one(x), -2, 0, length); };
    const AttentionOutput alone = subject.call(one(t.q), real(t.k), real(t.v), {});
    const Variable weights = one(padded.weights);
    const std::string found = first_of({differ("output", one(padded.output), alone.output),
                                        differ("weights", slice(weights, -1, 0, length), alone.weights)});
    if (!found.empty()) return found;
    if (max(abs(slice(weights, -1, length).value())).item() != 0) return "a padded key has a weight";
  }
  return "";
}

std::string check_batch(const Variant& variant, const Subject& subject, const Trial& t) {
  const AttentionOutput together = subject.call(t.q, t.k, t.v, {});
  for (std::int64_t b = 0; b < variant.sizes.batch; ++b) {
    const auto one = [b](const Variable& x) { return slice(x, 0, b, b + 1); };
    const AttentionOutput alone = subject.call(one(t.q), one(t.k), one(t.v), {});
    const std::string found = first_of({differ("output", one(together.output), alone.output),
                                        differ("weights", one(together.weights), alone.weights)});
    if (!found.empty()) return found;
  }
  return "";
}

// Heads that share keys and values, beside a copy for each of them; with gradients. Where the variant is made for some
// heads, they all share one.
std::string check_shared_keys(const Variant& variant, const Subject& subject, const Trial&) {
  Sizes sizes = variant.sizes;
  if (sizes.heads == 0) sizes.heads = 4;
  const std::int64_t groups = sizes.heads == 4 ? 2 : 1;
  const Trial all = trial(sizes);
  const Variable k = parameter(slice(all.k.value(), 1, 0, groups)), v = parameter(slice(all.v.value(), 1, 0, groups));
  const auto run = [&](const Variable& keys, const Variable& values) {
    const Variable output = subject.call(all.q, keys, values, Mask::causal(1)).output;
    return std::pair(output, slopes(output, {all.q, k, v}));
  };
  const auto copies = [&](const Variable& x) { return repeat_interleave(x, sizes.heads / groups, 1); };
  const auto shared = run(k, v), copied = run(copies(k), copies(v));
  return first_of({differ("output", shared.first, copied.first), differ("a gradient", shared.second, copied.second)});
}

// Every prefix: decoded, and as a full pass of its own. A step that cuts the graph gives the right numbers, and trains
// nothing: so gradients are compared, too.
std::string check_cached(const Variant& variant, const Subject& subject, const Trial&) {
  const auto [q, k, v] = as_long_as_keys(variant);
  const Mask causal = Mask::causal();
  const Variable full = subject.call(q, k, v, causal).output;
  for (std::int64_t length = 1; length <= variant.sizes.keys; ++length) {
    const auto prefix = [length](const Variable& x) { return slice(x, -2, 0, length); };
    const Variable decoded = subject.decode(prefix(q), prefix(k), prefix(v), causal);
    const Variable passed = subject.call(prefix(q), prefix(k), prefix(v), causal).output;
    const std::string found =
        first_of({differ("decoded", decoded, prefix(full)), differ("a pass over a prefix", passed, prefix(full))});
    if (!found.empty()) return fmt::format("{} at length {}", found, length);
  }
  if (const std::string found = in_a_window(subject, {q, k, v}); !found.empty()) return found;
  std::vector<std::string> names{"q", "k", "v"};
  std::vector<Variable> leaves{q, k, v};
  for (const auto& [name, one] : named_parameters(subject.visit)) names.push_back(name), leaves.push_back(one);
  const auto decoded = slopes(subject.decode(q, k, v, causal), leaves);
  const auto passed = slopes(subject.call(q, k, v, causal).output, leaves);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (const std::string found = differ("decoded", decoded[i], passed[i]); !found.empty())
      return fmt::format("the gradient of {}, {}", names[i], found);
  return "";
}

}  // namespace regard::nn::kit
