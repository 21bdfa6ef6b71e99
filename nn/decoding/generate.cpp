#include "nn/decoding/generate.h"

#include "tensor/create.h"
#include "tensor/ops/index.h"
#include "tensor/ops/join.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard::nn {
namespace {

// The sequences that are still being written, and everything that goes with each.
class Generation {
 public:
  Generation(const Writer& writer, const std::vector<Tokens>& prompts, const GenerateOptions& o)
      : writer_(writer), prompts_(prompts), o_(o), generators_(o.generators), written_(prompts.size()) {
    for (std::size_t b = 0; b < prompts.size(); ++b) alive_.push_back(static_cast<std::int64_t>(b));
  }

  std::vector<Tokens> run() {
    const auto shorter = [](const Tokens& a, const Tokens& b) { return a.size() < b.size(); };
    const auto first = std::min_element(prompts_.begin(), prompts_.end(), shorter)->size();
    std::vector<Tensor> begins;
    for (const Tokens& one : prompts_) begins.push_back(token_tensor({one.begin(), one.begin() + first}));
    so_far_ = stack(begins, 0);
    writer_.begin();
    Tensor logits = writer_.read(so_far_);
    for (std::size_t length = first; !alive_.empty(); ++length) {
      const Tensor next = unsqueeze(next_tokens(logits, length), 1);
      so_far_ = cat({so_far_, next}, 1);
      if (leave_out_those_that_are_done(length + 1); alive_.empty()) break;
      logits = writer_.read(slice(so_far_, 1, -1));
    }
    return written_;
  }

 private:
  const Tokens& prompt(std::int64_t b) const { return prompts_[static_cast<std::size_t>(b)]; }
  Tokens& written(std::int64_t b) { return written_[static_cast<std::size_t>(b)]; }

  // Of every sequence that is alive, (B): that of the prompt, or one that is chosen.
  Tensor next_tokens(const Tensor& logits, std::size_t length) {
    std::vector<std::int64_t> next(alive_.size()), writing;
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      if (length < prompt(alive_[i]).size())
        next[i] = prompt(alive_[i])[length];
      else
        writing.push_back(static_cast<std::int64_t>(i));
    }
    if (writing.empty()) return token_tensor(next);
    const std::vector<double> chosen = to_vector(choose(logits, writing));
    for (std::size_t n = 0; n < writing.size(); ++n) {
      const auto i = static_cast<std::size_t>(writing[n]);
      next[i] = static_cast<std::int64_t>(chosen[n]);
      take(alive_[i], next[i]);
    }
    return token_tensor(next);
  }

  Tensor choose(const Tensor& all, const std::vector<std::int64_t>& writing) {
    const bool is_all = writing.size() == alive_.size();
    Tensor logits = is_all ? all : index_select(all, 0, token_tensor(writing));
    const Tensor tokens = is_all ? so_far_ : index_select(so_far_, 0, token_tensor(writing));
    if (!o_.rules.empty()) require_choice("generate", logits);
    for (const LogitsRule& rule : o_.rules) logits = rule(logits, tokens);
    if (generators_.empty()) return most_likely(logits);
    std::vector<Generator> own;
    for (const std::int64_t i : writing) own.push_back(generator_of(i));
    const Tensor drawn = draw_tokens(logits, own);
    for (std::size_t n = 0; n < writing.size(); ++n) generator_of(writing[n]) = own[n];
    return drawn;
  }
  Generator& generator_of(std::int64_t i) {
    return generators_[static_cast<std::size_t>(alive_[static_cast<std::size_t>(i)])];
  }

  void take(std::int64_t b, std::int64_t token) {
    if (token == o_.end) {
      ended_.push_back(b);
      return;
    }
    written(b).push_back(token);
    if (o_.on_token) o_.on_token(static_cast<std::size_t>(b), token);
  }

  bool is_done(std::int64_t b, std::size_t length) const {
    if (std::find(ended_.begin(), ended_.end(), b) != ended_.end()) return true;
    const auto known = static_cast<std::int64_t>(length);
    return known - std::ssize(prompt(b)) >= o_.tokens || (writer_.longest > 0 && known > writer_.longest);
  }

  // `length` tokens of each sequence are known.
  void leave_out_those_that_are_done(std::size_t length) {
    std::vector<std::int64_t> stay, left;
    for (std::size_t i = 0; i < alive_.size(); ++i) {
      if (is_done(alive_[i], length)) continue;
      stay.push_back(static_cast<std::int64_t>(i));
      left.push_back(alive_[i]);
    }
    if (left.size() == alive_.size()) return;
    alive_ = std::move(left);
    if (alive_.empty()) return;
    writer_.select(token_tensor(stay));
    so_far_ = index_select(so_far_, 0, token_tensor(stay));
  }

  const Writer& writer_;
  const std::vector<Tokens>& prompts_;
  const GenerateOptions& o_;
  std::vector<Generator> generators_;
  std::vector<Tokens> written_;
  std::vector<std::int64_t> alive_, ended_;
  Tensor so_far_;  // (B, length) of those that are alive
};

}  // namespace

void require_prompts(const char* function, const Writer& writer, const std::vector<Tokens>& prompts,
                     std::int64_t tokens, std::optional<std::int64_t> end) {
  if (tokens < 0) fail<ValueError>("{}: tokens = {}: it must be 0 or more", function, tokens);
  if (end && (*end < 0 || *end >= writer.vocabulary))
    fail<ValueError>("{}: the end is the token {}, and the vocabulary has {}: no text would end with it", function,
                     *end, writer.vocabulary);
  for (std::size_t b = 0; b < prompts.size(); ++b) {
    const std::int64_t length = std::ssize(prompts[b]);
    if (length == 0) fail<ValueError>("{}: prompt {} is empty: it needs a token to begin with", function, b);
    if (writer.longest > 0 && length > writer.longest)
      fail<ValueError>("{}: prompt {} has {} tokens, and the model has positions for {}", function, b, length,
                       writer.longest);
    for (const std::int64_t token : prompts[b])
      if (token < 0 || token >= writer.vocabulary)
        fail<ValueError>("{}: prompt {} holds the token {}, and the vocabulary has {}", function, b, token,
                         writer.vocabulary);
  }
}

std::vector<LogitsRule> sampling_rules(const SamplingOptions& o) {
  std::vector<LogitsRule> rules;
  const auto add = [&](auto rule) {
    rule(zeros({1, 1}), zeros({1, 1}, DType::i64));  // a wrong number is an error now, not after the prompt is read
    rules.emplace_back(std::move(rule));
  };
  if (o.repetition_penalty != 1)
    add([p = o.repetition_penalty](const Tensor& x, const Tensor& tokens) {
      return with_repetition_penalty(x, tokens, p);
    });
  if (o.temperature != 1) add([t = o.temperature](const Tensor& x, const Tensor&) { return with_temperature(x, t); });
  if (o.top_k != 0) add([k = o.top_k](const Tensor& x, const Tensor&) { return keep_top_k(x, k); });
  if (o.top_p != 1) add([p = o.top_p](const Tensor& x, const Tensor&) { return keep_top_p(x, p); });
  return rules;
}

std::vector<Tokens> generate(const Writer& writer, const std::vector<Tokens>& prompts, const GenerateOptions& options) {
  require_prompts("generate", writer, prompts, options.tokens, options.end);
  if (!options.generators.empty() && options.generators.size() != prompts.size())
    fail<ValueError>("generate: {} generators for {} prompts: each needs its own", options.generators.size(),
                     prompts.size());
  if (prompts.empty() || options.tokens == 0) return std::vector<Tokens>(prompts.size());
  return Generation(writer, prompts, options).run();
}

}  // namespace regard::nn
