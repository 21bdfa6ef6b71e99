#include "nn/decoding/logits.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/join.h"
#include "tensor/ops/order.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <limits>

namespace regard::nn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void require_logits(const char* function, const Tensor& logits) {
  if (logits.rank() != 2 || logits.size(1) == 0)
    fail<ShapeError>("{}: logits {}: they must be (B, V)", function, logits.shape());
}

// x where one of these indexes (B, k), with a mark above 0, names the token, and `other` elsewhere.
Tensor where_marked(const Tensor& indexes, const Tensor& marks, const Tensor& x, const Tensor& other) {
  const Tensor sums = scatter_add(zeros(x.shape(), x.dtype()), 1, indexes, to(marks, x.dtype()));
  return where(greater(sums, 0.0), x, other);
}

Tensor minus_infinity(const Tensor& x) { return full({}, -infinity, x.dtype()); }

}  // namespace

void require_choice(const char* function, const Tensor& logits) {
  require_logits(function, logits);
  if (logits.size(0) == 0) return;
  const Tensor has_nan = max(is_nan(logits), 1), largest = max(logits, 1);
  for (std::int64_t b = 0; b < logits.size(0); ++b) {
    if (has_nan.at({b}) != 0) fail<ValueError>("{}: the logits of sequence {} are NaN", function, b);
    if (largest.at({b}) == -infinity) fail<ValueError>("{}: all logits of sequence {} are −∞", function, b);
    if (largest.at({b}) == infinity) fail<ValueError>("{}: a logit of sequence {} is ∞", function, b);
  }
}

Tensor with_temperature(const Tensor& logits, double temperature) {
  require_logits("with_temperature", logits);
  if (!(temperature > 0) || temperature == infinity)
    fail<ValueError>("with_temperature: {}: it must be greater than 0 (most_likely is the choice at 0)", temperature);
  return temperature == 1 ? logits : logits / temperature;
}

Tensor keep_top_k(const Tensor& logits, std::int64_t k) {
  require_logits("keep_top_k", logits);
  if (k < 1) fail<ValueError>("keep_top_k: k = {}: some token must be left to choose", k);
  if (k >= logits.size(1)) return logits;
  const auto [values, indexes] = topk(logits, k, 1);
  return where_marked(indexes, ones_like(values), logits, minus_infinity(logits));
}

// In descending order a token is kept if those before it have less than p together.
Tensor keep_top_p(const Tensor& logits, double p) {
  require_logits("keep_top_p", logits);
  if (!(p > 0 && p <= 1)) fail<ValueError>("keep_top_p: p = {}: it must be greater than 0 and at most 1", p);
  if (p == 1) return logits;
  const Tensor order = argsort(logits, 1, SortOrder::descending);
  const Tensor shares = softmax(to(gather(logits, 1, order), DType::f64), -1);
  return where_marked(order, less(cumsum(shares, 1) - shares, p), logits, minus_infinity(logits));
}

Tensor with_repetition_penalty(const Tensor& logits, const Tensor& tokens, double penalty) {
  require_logits("with_repetition_penalty", logits);
  if (!(penalty > 0)) fail<ValueError>("with_repetition_penalty: {}: it must be greater than 0", penalty);
  if (penalty == 1) return logits;
  const Tensor changed = where(greater(logits, 0.0), logits / penalty, logits * penalty);
  return where_marked(tokens, ones(tokens.shape(), logits.dtype()), changed, logits);
}

Tensor most_likely(const Tensor& logits) {
  require_choice("most_likely", logits);
  return argmax(logits, 1);
}

// The tokens lie side by side on [0, 1), each as wide as it is likely; the one on which a uniform number falls is
// drawn: so many sums of the widths, from the first on, are no larger than the number.
Tensor draw_tokens(const Tensor& logits, std::vector<Generator>& generators) {
  require_choice("draw_tokens", logits);
  if (std::ssize(generators) != logits.size(0))
    fail<ValueError>("draw_tokens: {} generators for logits {}: each sequence needs its own", generators.size(),
                     logits.shape());
  if (generators.empty()) return zeros({0}, DType::i64);
  std::vector<Tensor> numbers;
  for (Generator& generator : generators) numbers.push_back(uniform({1}, generator, 0, 1, DType::f64));
  const Tensor ends = cumsum(softmax(to(logits, DType::f64), -1), 1);
  const Tensor drawn = stack(numbers, 0) * slice(ends, 1, -1);  // the last sum is 1 but for rounding
  return to(sum(to(less_equal(ends, drawn), DType::f64), 1), DType::i64);
}

}  // namespace regard::nn
