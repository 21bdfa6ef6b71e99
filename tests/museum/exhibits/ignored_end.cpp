#include "autograd/all.h"
#include "nn/losses.h"
#include "nn/optim/sgd.h"
#include "nn/text/teacher_forcing.h"
#include "tensor/all.h"
#include "tests/museum/tools.h"

namespace regard::museum::ignored_end {

constexpr std::int64_t end = 3;  // the token with which a text ends, and which fills up short texts

// museum: wrong
Variable loss_wrong(const Variable& logits, const nn::PaddedTokens& texts) {  // (B, L + 1, V)
  constexpr std::int64_t nothing = end;
  const nn::TeacherForced batch =
      nn::teacher_forcing(texts, {.begin = end, .end = end, .padding = end, .ignore = nothing});
  return nn::cross_entropy_loss(logits, batch.target, {.ignore = nothing});
}
// museum: /wrong

// museum: right
Variable loss_of(const Variable& logits, const nn::PaddedTokens& texts) {
  constexpr std::int64_t nothing = -1;
  const nn::TeacherForced batch =
      nn::teacher_forcing(texts, {.begin = end, .end = end, .padding = end, .ignore = nothing});
  return nn::cross_entropy_loss(logits, batch.target, {.ignore = nothing});
}
// museum: /right

struct Training {
  Variable table = parameter(zeros({4, 4}, DType::f64));  // what comes after each token
  std::vector<double> losses;
};

Training trained(bool wrong) {
  Training made;
  optim::SGD optimizer({made.table}, {.learning_rate = 4});
  const nn::PaddedTokens texts = nn::pad_right({{0, 1, 2}, {1, 2}}, end);
  const Tensor read = nn::teacher_forcing(texts, {.begin = end, .end = end, .padding = end}).input;
  made.losses = losses(60, [&] {
    const Variable logits = reshape(index_select(made.table, 0, flatten(read)), {2, 4, 4});
    const Variable loss = wrong ? loss_wrong(logits, texts) : loss_of(logits, texts);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item();
  });
  return made;
}

const Hung on_the_wall({
    .name = "ignored_end",
    .title = "The end is never learned, since it is the padding, too",
    .looks = "The loss is fine, and the text begins well. But it never ends: after its last word the model goes on, "
             "until the limit of tokens is reached.",
    .common = "Very common in fine-tuning, where the tokenizer has no padding token and `pad_token = eos_token` is the "
              "usual line: DeepSeek-Coder issue 163, llm-course issue 33, unsloth issue 416, trl issues 734 and 1623.",
    .lesson =
        "The loss leaves out the class of padding, and with it every real end. Nothing then tells the model that a "
        "text is over. Padding must be told by its place and not by its token: where there is nothing to say, the "
        "target has a class that is no token. No loss shows the mistake, as the curves say: let the model write "
        "what it knows by heart.",
    .look =
        [](bool wrong) {
          const Tensor table = trained(wrong).table.value();
          std::vector<std::int64_t> written;
          for (std::int64_t last = end; written.size() < 9;) {
            last = static_cast<std::int64_t>(argmax(select(table, 0, last), 0).item());
            if (last == end) break;
            written.push_back(last);
          }
          return by_law("a text that is known by heart ends", written.size() < 9,
                        fmt::format("it writes {}{}", comma_separated(written),
                                    written.size() < 9 ? " and ends" : ", and has not ended after 9 tokens"));
        },
    .learn = [](bool wrong) { return trained(wrong).losses; },
});

}  // namespace regard::museum::ignored_end
