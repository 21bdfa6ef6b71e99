// Laws about what a call asks for: of modules that are called as MultiHeadAttention is.
#include "autograd/all.h"
#include "nn/kit/trial.h"

namespace regard::nn::kit {
namespace {

Variable row(const Variable& x, std::int64_t i) { return slice(x, -2, i, i + 1); }
Variable sequence(const Variable& x, std::int64_t b) { return slice(x, 0, b, b + 1); }
Tensor number(std::int64_t b) { return tensor({static_cast<double>(b)}, DType::i64); }

std::string try_memory(const Subject& subject, const Trial& t, const Mask& mask, std::int64_t offset) {
  const std::int64_t keys = t.k.size(-2);
  const auto ask = [&](const Variable& q, const Variable& k, const Variable& v, Cache* memory) {
    return subject.module(q, k, v, mask, {.memory = memory, .offset = offset}).output;
  };
  const Variable right = ask(t.q, t.k, t.v, nullptr);
  Cache memory;
  const Variable first = ask(t.q, t.k, t.v, &memory);
  if (memory.length() != keys) return fmt::format("the memory holds {} of {} keys", memory.length(), keys);
  const Variable later = ask(t.q, 3.0 * t.k, -t.v, &memory);
  if (memory.length() != keys) return "a later call added to the memory";
  const auto slope = [&](const Variable& y) { return slopes(y, {t.k})[0]; };
  return first_of({differ("output of the call that fills a memory", first, right),
                   differ("output of a later call, with other keys that do not count", later, right),
                   differ("gradient of keys in a memory", slope(later), slope(right))});
}

std::string try_one_sequence(const Subject& subject, const Trial& t) {
  const std::int64_t last = t.q.size(0) - 1;
  const Variable right = subject.call(t.q, t.k, t.v, {}).output;
  Cache memory;
  subject.module(t.q, t.k, t.v, {}, {.memory = &memory});
  Cache one = memory;
  one.select(number(last));
  const auto alone = [&](const Variable& x) { return sequence(x, last); };
  const Variable of_one = subject.module(alone(t.q), alone(t.k), alone(t.v), {}, {.memory = &one}).output;
  return first_of({differ("output of one sequence of a memory", of_one, alone(right)),
                   differ("output of a memory of which a copy lost a sequence",
                          subject.module(t.q, t.k, t.v, {}, {.memory = &memory}).output, right)});
}

}  // namespace

// The output is linear in the head mask m: f(m) = f(0) + Σₕ mₕ·(f(eₕ) − f(0)), where eₕ lets head h alone through.
std::string check_head_mask(const Variant&, const Subject& subject, const Trial& t) {
  const Variable weights = subject.call(t.q, t.k, t.v, {}).weights;
  if (!weights.defined() || weights.rank() < 4) return "its weights are not (B, H, Lq, Lk), so its heads are not known";
  const std::int64_t batch = t.q.size(0), heads = weights.size(1);
  const auto with = [&](const Variable& mask, const Variable& v) {
    return subject.module(t.q, t.k, v, {}, {.head_mask = mask}).output;
  };
  const Variable none(zeros({heads}, DType::f64)), all(ones({heads}, DType::f64));
  const Variable mask = parameter(random_like(zeros({batch, heads}, DType::f64), 4).value()), made = with(mask, t.v);
  const Variable cotangent = random_like(made, 5), rest = with(none, t.v);
  Variable expected = rest;
  std::vector<Variable> slopes;
  for (std::int64_t h = 0; h < heads; ++h) {
    const Variable part = with(select(eye(heads, DType::f64), 0, h), t.v) - rest;
    expected = expected + reshape(select(mask, 1, h), {batch, 1, 1}) * part;
    slopes.push_back(sum(flatten(part * cotangent, 1, -1), 1));
  }
  const Variable gradient = grad({sum(made * cotangent)}, {mask}, {.allow_unused = true})[0];
  return first_of({differ("output without any head, for other values", with(none, 3.0 * t.v), rest),
                   differ("output with all heads", with(all, t.v), subject.call(t.q, t.k, t.v, {}).output),
                   differ("output with a head mask (B, H)", made, expected),
                   differ("the gradient of a head mask", gradient, stack(slopes, 1))});
}

std::string check_memory(const Variant& variant, const Subject& subject, const Trial& t) {
  const Tensor lengths = to(full({variant.sizes.batch}, static_cast<double>(variant.sizes.keys - 1)), DType::i64);
  std::string found = try_memory(subject, t, Mask::valid_lengths(lengths), 0);
  if (found.empty()) found = try_memory(subject, t, Mask::causal(), 1);
  return found.empty() ? try_one_sequence(subject, t) : found;
}

std::string check_offset(const Variant& variant, const Subject& subject, const Trial&) {
  const Trial t = as_long_as_keys(variant);
  const Variable full = subject.call(t.q, t.k, t.v, Mask::causal()).output;
  for (std::int64_t i = 1; i < t.q.size(-2); ++i) {
    const auto rest = [i](const Variable& x) { return slice(x, -2, i); };
    const Variable made = subject.module(rest(t.q), t.k, t.v, Mask::causal(), {.offset = i}).output;
    if (std::string found = differ("output", made, rest(full)); !found.empty())
      return fmt::format("{} at offset {}", found, i);
  }
  return "";
}

// Two steps; then a copy reads another token; then the cache itself goes on, and at last one sequence of it alone.
std::string check_remembers(const Variant& variant, const Subject& subject, const Trial&) {
  const Trial t = as_long_as_keys(variant);
  const Variable full = subject.call(t.q, t.k, t.v, Mask::causal()).output;
  const std::int64_t last = t.q.size(0) - 1;
  const auto step = [&](Cache& cache, std::int64_t i, const auto& part) {
    const auto now = [&](const Variable& x) { return row(part(x), i); };
    return subject.module(now(t.q), now(t.k), now(t.v), Mask::causal(), {.cache = &cache}).output;
  };
  const auto all = [](const Variable& x) { return x; };
  const auto one = [last](const Variable& x) { return sequence(x, last); };
  Cache cache;
  for (const std::int64_t i : {0, 1}) step(cache, i, all);
  if (cache.length() != 2 || cache.position() != 2)
    return fmt::format("after 2 tokens a cache has length {} and position {}", cache.length(), cache.position());
  Cache copy = cache;
  step(copy, 3, all);
  const Variable third = step(cache, 2, all);
  Cache alone = cache;
  alone.select(number(last));
  return first_of({differ("output after a copy of the cache went on", third, row(full, 2)),
                   differ("output of one sequence of a cache", step(alone, 3, one), one(row(full, 3))),
                   differ("output after one sequence went on alone", step(cache, 3, all), row(full, 3))});
}

// Each sequence begins some tokens later: in one pass, and where the last token is decoded.
std::string check_left_padding(const Variant& variant, const Subject& subject, const Trial&) {
  const Trial t = as_long_as_keys(variant);
  const std::int64_t length = t.q.size(-2), batch = t.q.size(0);
  const auto begin_of = [length](std::int64_t b) { return b % (length - 1) + 1; };
  std::vector<double> all_begins;
  for (std::int64_t b = 0; b < batch; ++b) all_begins.push_back(static_cast<double>(begin_of(b)));
  const Tensor begins = tensor(all_begins, {batch}, DType::i64);
  const auto ask = [&](std::int64_t from, std::int64_t to, Cache* cache) {
    const auto now = [&](const Variable& x) { return slice(x, -2, from, to); };
    const Mask mask = Mask::causal() & Mask::valid_from(begins);
    return subject.module(now(t.q), now(t.k), now(t.v), mask, {.cache = cache, .begins = begins}).output;
  };
  Cache cache;
  const Variable full = ask(0, length, nullptr), most = ask(0, length - 1, &cache);
  const Variable decoded = cat({most, ask(length - 1, length, &cache)}, -2);
  for (std::int64_t b = 0; b < batch; ++b) {
    const auto alone = [&](const Variable& x) { return slice(sequence(x, b), -2, begin_of(b)); };
    const Variable right = subject.call(alone(t.q), alone(t.k), alone(t.v), Mask::causal()).output;
    const std::string found = first_of({differ("output of a padded sequence", alone(full), right),
                                        differ("decoded output of a padded sequence", alone(decoded), right)});
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace regard::nn::kit
