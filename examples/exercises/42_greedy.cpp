// 42. Greedy, until the end · grade 1 · chapter 14_generation
//
// A model that was trained says how likely each token is to come next, and nothing else. A text is made by a loop
// around it: ask, take the likeliest token, put it behind the text, ask again. The loop is short, and it is the place
// where the first texts of many people go wrong: they are cut off, or never end, or say the same word again and again.
//
// Hint: The model is asked with all that stands there so far. Two things end the loop, and which of them comes first is
// not known before.
#include "examples/exercises/exercise.h"
#include "nn/text/tokens.h"
#include "tensor/create.h"
#include "tensor/ops/reduce.h"

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace regard;

// A text (the numbers of its tokens) → the logits of the token that comes next, (V).
using Model = std::function<Tensor(const nn::Tokens& text)>;

// TODO: write on from the prompt, greedily, until the model says `end` or until `longest` tokens are written. Return
// what is written, without the prompt and without `end`. You may use argmax.
nn::Tokens greedy(const Model& model, const nn::Tokens& prompt, std::int64_t end, std::size_t longest) { return {}; }

// ---- This is what checks it. ----

namespace {

constexpr std::int64_t birds = 0, love = 1, singing = 2, end = 3;

// What comes next depends on the last word; and the longer the text is, the likelier is its end.
Tensor logits_after(const nn::Tokens& text) {
  const std::array<std::array<double, 4>, 4> table{{{0, 3.5, 1, 0}, {0, 1, 3, 0}, {3.5, 0, 0, 0}, {0, 0, 0, 9}}};
  std::array<double, 4> row = table.at(static_cast<std::size_t>(text.back()));
  row[end] += static_cast<double>(text.size());
  return tensor(std::vector<double>(row.begin(), row.end()), {4}, DType::f64);
}

void expect_text(const std::string& what, const nn::Tokens& got, const nn::Tokens& expected,
                 const std::vector<std::pair<nn::Tokens, std::string>>& mistakes) {
  std::vector<exercises::Mistake> list;
  for (const auto& [tokens, sentence] : mistakes) list.push_back({nn::token_tensor(tokens), sentence});
  exercises::expect(what + " (birds = 0, love = 1, singing = 2, the end = 3)", nn::token_tensor(got),
                    nn::token_tensor(expected), list);
}

}  // namespace

int main() {
  return exercises::exercise([] {
    expect_text("greedy, after birds, 8 tokens at most", greedy(logits_after, {birds}, end, 8), {love, singing, birds},
                {{{}, "Nothing is written."},
                 {{love}, "One word is written. Put it behind the text, and ask again."},
                 {{birds, love, singing, birds}, "The prompt is not part of what is written."},
                 {{birds, love, singing, birds, end}, "Neither the prompt nor the end is part of what is written."},
                 {{love, singing, birds, end}, "The end is a sign to stop, and not part of the text."},
                 {{love, singing, birds, end, end, end, end, end}, "The model has said that it is done. Stop there."},
                 {{love, singing, birds, love, singing, birds, love, singing},
                  "Your model never comes to an end. Is it asked with the whole text, or with the last word only?"},
                 {{love, love, love, love, love, love, love, love},
                  "The model is asked the same question each time. What it says has to be put behind the text."}});
    expect_text("greedy, after birds, 2 tokens at most", greedy(logits_after, {birds}, end, 2), {love, singing},
                {{{love, singing, birds}, "No more than 2 tokens may be written."},
                 {{love}, "Do not count the prompt: 2 tokens may be written."}});
    expect_text("greedy, after birds love singing birds love", greedy(logits_after, {0, 1, 2, 0, 1}, end, 8), {},
                {{{end}, "The end is a sign to stop, and not part of the text, even if it comes at once."}});
  });
}
