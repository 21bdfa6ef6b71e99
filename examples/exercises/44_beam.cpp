// 44. A beam search · grade 3 · chapter 14_generation
//
// After "birds" the model of the chapter says "singing" with 0.5 and "love" with 0.4. If you take the likelier one, you
// end in a loop, and its text has the probability 0.008. But "birds love ." has 0.4·0.8 = 0.32: a worse first step
// leads to a text that is 40 times as likely. A beam finds it, since it keeps the `width` likeliest beginnings, and not
// one. In each step every beginning that has not ended goes on in all ways. Of all these ways together the likeliest
// are kept, as many as there are places. A text that has ended keeps its place to the last, and does not go on. So the
// beam of those that go on becomes narrower.
//
// Hint: Two lists, what has ended and what goes on. A step makes a third list, of all ways to go on, sorts it, and cuts
// it at width − (number of ended texts). Only then look at which of them ends.
#include "examples/exercises/exercise.h"
#include "nn/decoding/beam.h"
#include "tensor/create.h"
#include "tensor/ops/index.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/softmax.h"
#include "tensor/random/random.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

using namespace regard;

// What is written (without the prompt) → ln of the probability of each token that may come next; −∞ for one that may
// not.
using Model = std::function<std::vector<double>(const nn::Tokens& written)>;

struct Found {
  nn::Tokens tokens;       // what is written; if the text has ended, `end` is the last of them
  double log_probability;  // of all of them together
};

// TODO: the texts that a beam finds, the likeliest first: those that have ended, and those that have `longest` tokens.
// A way to go on with −∞ is none. You may not use nn::beam_search.
std::vector<Found> beam(const Model& model, std::size_t width, std::size_t longest, std::int64_t end) {
  Found greedy{{}, 0};
  while (greedy.tokens.size() < longest && (greedy.tokens.empty() || greedy.tokens.back() != end)) {
    const std::vector<double> next = model(greedy.tokens);
    const auto best = std::max_element(next.begin(), next.end());
    greedy.tokens.push_back(best - next.begin());
    greedy.log_probability += *best;
  }
  return {greedy};
}

// ---- This is what checks it. ----

namespace {

Tensor numbers(const std::vector<double>& list) { return tensor(list, {std::ssize(list)}, DType::f64); }

Model chain(const Tensor& table, std::int64_t first) {  // a row of probabilities for each last token
  return [=](const nn::Tokens& written) {
    const std::int64_t last = written.empty() ? first : written.back();
    std::vector<double> row;
    for (std::int64_t token = 0; token < table.size(1); ++token) row.push_back(std::log(table.at({last, token})));
    return row;
  };
}

Tensor probabilities(const std::vector<Found>& texts) {
  std::vector<double> list;
  for (const Found& one : texts) list.push_back(std::exp(one.log_probability));
  return numbers(list);
}

void check_on_paper() {
  const Tensor follows =  // birds = 0, love = 1, singing = 2, the end = 3
      tensor({{0, 0.4, 0.5, 0.1}, {0.1, 0, 0.1, 0.8}, {0.4, 0.3, 0, 0.3}, {0, 0, 0, 1}}, DType::f64);
  const auto run = [&](std::size_t width) { return beam(chain(follows, 0), width, 6, 3); };
  exercises::expect("how likely the texts are, width 1, 6 tokens", probabilities(run(1)), numbers({0.008}),
                    {{numbers({0.1}), "This keeps the least likely way, and not the likeliest."},
                     {numbers({}), "Texts that have not ended after `longest` tokens are wanted, too."}});
  const std::vector<Found> two = run(2);
  exercises::expect(
      "how likely the texts are, width 2, 6 tokens", probabilities(two), numbers({0.32, 0.008}),
      {{numbers({0.008}),
        "There is only the text of the greedy choice. Either one step for each beginning was kept, or \"love .\" was "
        "forgotten when it ended."},
       {numbers({0.32}), "Here the search ended with the first text that ended. The other one can still go on."},
       {numbers({0.32, 0.2}), "Here the search ended with the first text that ended. The other one can still go on."},
       {numbers({0.32, 0.064}),
        "A text that has ended keeps its place: after \"love .\" one beginning goes on, not two."},
       {numbers({0.32, 0.064, 0.0128, 0.008}),
        "These are more texts than places: a text that has ended has a place, too."},
       {numbers({0.008, 0.32}), "The likeliest comes first."}});
  exercises::expect("the tokens of the first text, width 2", nn::token_tensor(two[0].tokens), nn::token_tensor({1, 3}),
                    {{nn::token_tensor({1, 3, 3, 3, 3, 3}), "A text that has ended does not go on."},
                     {nn::token_tensor({1}), "The end is the last token of a text that has ended."}});
  exercises::expect("how likely the texts are, width 3", probabilities(run(3)), numbers({0.32, 0.1, 0.008}),
                    {{numbers({0.1, 0.32, 0.008}), "The likeliest comes first."},
                     {numbers({0.32, 0.1}), "Where is the text that has not ended after six tokens?"}});
}

// Six words, of which the last is the end, in a random table.
void check_against_library() {
  Generator generator(1);
  const Tensor table = softmax(normal({6, 6}, generator, 0, 2, DType::f64), 1);
  const auto last = std::make_shared<Tensor>();
  const nn::Writer writer{
      .read = [=](const Tensor& tokens) { return log(index_select(table, 0, *last = select(tokens, 1, -1))); },
      .select = [=](const Tensor& texts) { *last = index_select(*last, 0, texts); },
      .vocabulary = 6};
  for (const std::int64_t width : {1, 2, 4, 8, 40}) {
    std::vector<double> right;
    for (const auto& one : nn::beam_search(writer, {0}, {.width = width, .tokens = 5, .end = 5}))
      right.push_back(std::exp(one.log_probability));
    const auto mine = beam(chain(table, 0), static_cast<std::size_t>(width), 5, 5);
    exercises::expect(fmt::format("how likely the texts of another model are, width {}", width), probabilities(mine),
                      numbers(right));
  }
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_on_paper();
    check_against_library();
  });
}
