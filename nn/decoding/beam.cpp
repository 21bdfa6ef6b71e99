#include "nn/decoding/beam.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/order.h"
#include "tensor/ops/softmax.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {
namespace {

// A beginning and the token that follows: the beginning's number, the token, and the log-probability of both.
struct BeamStep {
  std::int64_t from, token;
  double log_probability;
};

class Beam {
 public:
  Beam(const Writer& writer, const Tokens& prompt, const BeamOptions& o) : writer_(writer), prompt_(prompt), o_(o) {}

  std::vector<Hypothesis> run() {
    open_.push_back({});
    writer_.begin();
    Tensor logits = writer_.read(unsqueeze(token_tensor(prompt_), 0));
    for (std::int64_t n = 0; n < most(); ++n) {
      const std::vector<BeamStep> steps = best_steps(logits);
      Tensor next = go_on(steps);
      if (open_.empty()) break;
      if (n + 1 < most()) logits = writer_.read(next);
    }
    for (Hypothesis& one : open_) finish(std::move(one), 0);
    std::stable_sort(finished_.begin(), finished_.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    return finished_;
  }

 private:
  std::int64_t most() const {
    return writer_.longest > 0 ? std::min(o_.tokens, writer_.longest - std::ssize(prompt_) + 1) : o_.tokens;
  }

  // The most likely of all ways to go on, as many as the width leaves room for.
  std::vector<BeamStep> best_steps(const Tensor& logits) const {
    require_choice("beam_search", logits);
    std::vector<double> so_far;
    for (const Hypothesis& one : open_) so_far.push_back(one.log_probability);
    const Tensor all = log_softmax(to(logits, DType::f64), -1) + tensor(so_far, {std::ssize(open_), 1}, DType::f64);
    const std::int64_t room = o_.width - std::ssize(finished_), vocabulary = logits.size(1);
    const auto [values, indexes] = topk(flatten(all), std::min(room, all.numel()), 0);
    std::vector<BeamStep> steps;
    for (std::int64_t i = 0; i < values.numel(); ++i) {
      const auto at = static_cast<std::int64_t>(indexes.at({i}));
      if (std::isinf(values.at({i}))) break;  // what cannot come
      steps.push_back({at / vocabulary, at % vocabulary, values.at({i})});
    }
    return steps;
  }

  // Takes these steps; returns the tokens of those that have not ended, (B, 1).
  Tensor go_on(const std::vector<BeamStep>& steps) {
    std::vector<Hypothesis> longer;
    std::vector<std::int64_t> from, tokens;
    for (const BeamStep& step : steps) {
      Hypothesis one = open_[static_cast<std::size_t>(step.from)];
      one.log_probability = step.log_probability;
      if (step.token == o_.end) {
        finish(std::move(one), 1);
        continue;
      }
      one.tokens.push_back(step.token);
      longer.push_back(std::move(one));
      from.push_back(step.from);
      tokens.push_back(step.token);
    }
    open_ = std::move(longer);
    if (!from.empty()) writer_.select(token_tensor(from));
    return unsqueeze(token_tensor(tokens), 1);
  }

  void finish(Hypothesis one, std::int64_t ends) {
    const auto length = static_cast<double>(std::ssize(one.tokens) + ends);
    one.score = one.log_probability / std::pow((5 + length) / 6, o_.length_penalty);
    finished_.push_back(std::move(one));
  }

  const Writer& writer_;
  const Tokens& prompt_;
  const BeamOptions& o_;
  std::vector<Hypothesis> open_, finished_;
};

}  // namespace

std::vector<Hypothesis> beam_search(const Writer& writer, const Tokens& prompt, const BeamOptions& o) {
  if (o.width < 1) fail<ValueError>("beam_search: width = {}: it must be 1 or more", o.width);
  if (!std::isfinite(o.length_penalty)) fail<ValueError>("beam_search: length_penalty = {}", o.length_penalty);
  require_prompts("beam_search", writer, {prompt}, o.tokens, o.end);
  return Beam(writer, prompt, o).run();
}

}  // namespace regard::nn
