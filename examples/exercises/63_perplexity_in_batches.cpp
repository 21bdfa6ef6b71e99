// 63. Perplexity in batches · grade 1 · chapter 13_a_text_model
//
// How well does a model know a text that was held out? The text is too long for one batch, so it is read in several,
// and what is left at the end makes a small one. Each batch has a loss. What remains is arithmetic. Often it is
// done in a way in which the result depends on how the text was cut.
//
// Hint: cross_entropy_loss gives the mean over the tokens of its batch: how do you get their sum from it? The
// perplexity is a power of one mean, that over all tokens: so when is the power taken?
#include "autograd/all.h"
#include "examples/exercises/exercise.h"
#include "nn/losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

using namespace regard;

// Tokens (B, L) → the logits of those that come next (B, L, V).
using Model = std::function<Variable(const Tensor& read)>;

// What is read, and at each place what comes next: (B, L). B may be another one in each batch, and so may L.
struct Batch {
  Tensor read, next;
};

// TODO: return the perplexity of the model on all batches together.
double perplexity(const Model& model, const std::vector<Batch>& batches) {
  double total = 0;
  for (const auto& [read, next] : batches) total += std::exp(nn::cross_entropy_loss(model(read), next).item());
  return total / static_cast<double>(batches.size());
}

// ---- This is what checks it. ----

namespace {

// A model that looks at one token: row i of the table has the logits of what comes after token i.
Model bigrams(const Tensor& table) {
  return [table](const Tensor& read) {
    const Tensor rows = index_select(table, 0, flatten(read));
    return Variable(reshape(rows, {read.size(0), read.size(1), table.size(1)}));
  };
}

Tensor tokens(const Nested& rows) { return tensor(rows, DType::i64); }

// Four tokens that had the probability ½, and one that had ⅛.
void check_on_paper() {
  const Model model = bigrams(log(tensor({{0.5, 0.5}, {0.125, 0.875}}, DType::f64)));
  const std::vector<Batch> batches{{tokens({{0, 0}, {0, 0}}), tokens({{0, 1}, {1, 0}})},
                                   {tokens({{1}}), tokens({{0}})}};
  exercises::expect(
      "four tokens of probability ½ in two rows, and one of ⅛ in a batch of its own", perplexity(model, batches),
      std::pow(2, 7.0 / 5),
      {{5, "This is the mean of the two perplexities, 2 and 8. The power comes last."},
       {4,
        "This is the power of the mean of the two losses. So the one token of the small batch counts as much as the "
        "four of the other."},
       {std::pow(2, 5.0 / 3), "You have counted rows. A row of two tokens counts twice as much as a row of one."},
       {3.2, "This is the mean of 1/p. The mean is taken of the losses, and the power of that."},
       {1.4 * std::log(2), "This is the loss of a token. The perplexity is its power."},
       {std::pow(2, 1.4 * std::log(2)), "The loss is in nats, so it is a power of e."},
       {128, "This is the power of the sum. Divide by the number of tokens first."}});
}

// However a text is cut, it has the perplexity that it has in one piece.
void check_other_cuts() {
  Generator random(63);
  const Tensor read = randint({10, 6}, random, 0, 5), next = randint({10, 6}, random, 0, 5);
  const Model model = bigrams(normal({5, 5}, random, 0, 2, DType::f64));
  const double whole = std::exp(nn::cross_entropy_loss(model(read), next).item());
  for (const std::int64_t rows : {10, 4, 3}) {
    std::vector<Batch> batches;
    for (std::int64_t begin = 0; begin < 10; begin += rows) {
      const std::int64_t end = std::min<std::int64_t>(begin + rows, 10);
      batches.push_back({slice(read, 0, begin, end), slice(next, 0, begin, end)});
    }
    exercises::expect(fmt::format("ten rows, at most {} in a batch", rows), perplexity(model, batches), whole);
  }
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_on_paper();
    check_other_cuts();
  });
}
