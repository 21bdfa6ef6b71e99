// 53. A null key · grade 3 · chapter 18_own_variant
//
// Softmax gives each query the weight 1 to spend, even if no word has what it looks for. Trained models have found a
// way around this: such queries all look at the first word of the text, whatever it is. There is a cleaner way. Add one
// key that belongs to no word and that every query sees, with a value of its own, and let both be learned. A query that
// needs nothing looks there. It is easy to write and easy to get wrong: a mask counts words, and the null key is no
// word. So the kit of the chapter examines what you have written.
//
// Hint: Put the null key behind all others. Then make a table of who sees whom, for the words alone: that is
// mask.at(offset).table(shape of the scores), which expand() brings to the whole shape. It needs one more column. Then
// nn::Mask::keep makes a mask of it again, and `attention` does the rest. With several texts key and value must be
// expanded, too: cat wants the same axes in front. A Shape is changed like an array: shape[shape.rank() - 1] = 1.
#include "autograd/all.h"
#include "examples/book/example.h"
#include "examples/exercises/exercise.h"
#include "nn/attention/attention.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "nn/kit/subject.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace regard;

struct NullKey {
  nn::Attention attention;
  Variable key, value;  // (1, D), (1, Dv)

  void visit(nn::Visitor& v) {
    v("attention", attention);
    v("key", key);
    v("value", value);
  }
  nn::AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const nn::Mask& mask = {},
                                 std::int64_t offset = 0);
};

// TODO: the output (…, Lq, Dv), and the weights of the words (…, Lq, Lk), without that of the null key. q is
// (…, Lq, D), k (…, Lk, D) and v (…, Lk, Dv), with the same axes in front; the first query stands at position `offset`.
nn::AttentionOutput NullKey::operator()(const Variable& q, const Variable& k, const Variable& v, const nn::Mask& mask,
                                        std::int64_t offset) {
  return attention(q, k, v, mask, offset);
}

// ---- This is what checks it. ----

namespace {

NullKey with(const Tensor& key, const Tensor& value, double dropout = 0) {
  return {nn::Attention(nn::ScaledDotProduct{}, {.dropout = dropout}), parameter(key), parameter(value)};
}

void check_on_paper() {
  const auto numbers = book::numbers;
  const auto [x, q, k, v] = book::three_tokens();
  NullKey silent = with(numbers({{0, 0}}), numbers({{0, 0}})), speaking = with(numbers({{0, 0}}), numbers({{6, 0}}));
  const auto [output, weights] = silent(q, k, v, nn::Mask::causal());
  exercises::expect(
      "the outputs of our words, causal, with a null key and a null value of 0", output.value(),
      numbers({{0, 4}, {1.5, 6}, {2, 6}}),
      {{numbers({{0, 12}, {2, 8}, {3, 9}}),
        "Nobody looks at the null key. (If it is there: does the mask hide it, as it stands behind all?)"},
       {numbers({{2, 4}, {3, 8}, {2, 6}}), "With the null key the mask got lost: birds sees all words."},
       {numbers({{0, 0}, {0, 8}, {1.2, 4.8}}),
        "The mask takes the null key for the first word, and each query sees one word too few."}});
  exercises::expect("the weights of the words", weights.value(),
                    numbers({{1.0 / 3, 0, 0}, {0.5, 0.25, 0}, {1.0 / 3, 1.0 / 6, 1.0 / 6}}),
                    {{numbers({{1.0 / 3, 0, 0, 2.0 / 3}, {0.5, 0.25, 0, 0.25}, {1.0 / 3, 1.0 / 6, 1.0 / 6, 1.0 / 3}}),
                      "The last column is that of the null key. Leave it out."},
                     {numbers({{2.0 / 3, 1.0 / 3, 0, 0}, {0.25, 0.5, 0.25, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 6, 1.0 / 6}}),
                      "The first column is that of the null key. Leave it out."}});
  exercises::expect("the outputs with a null value of (6, 0)", speaking(q, k, v, nn::Mask::causal()).output.value(),
                    numbers({{4, 4}, {3, 6}, {4, 6}}),
                    {{numbers({{0, 4}, {1.5, 6}, {2, 6}}), "The value of the null key does not take part."}});
}

void check_two_texts() {
  const auto [x, q, k, v] = book::three_tokens();
  const auto twice = [](const Variable& table) { return stack({table, table}, 0); };
  const Tensor once = book::numbers({{0, 4}, {1.5, 6}, {2, 6}});
  NullKey silent = with(book::numbers({{0, 0}}), book::numbers({{0, 0}}));
  try {
    exercises::expect("the outputs of our words as two texts of a batch",
                      silent(twice(q), twice(k), twice(v), nn::Mask::causal()).output.value(), stack({once, once}, 0));
  } catch (const Error& error) {
    exercises::expect(
        false,
        fmt::format("One text works. With two texts, q, k and v (2, 3, 2), something does not fit:\n  {}\n"
                    "Key and value are one row, and the table of the mask may be smaller than that of the scores: "
                    "expand() them.",
                    error.what()));
  }
}

void check_laws() {
  using nn::kit::Law;
  nn::kit::Variant row{
      "null key", [](double dropout, Generator& generator) {
        auto one = nn::kit::subject(with(normal({1, 4}, generator), normal({1, 3}, generator), dropout));
        one.can_be_fused = false;  // this is about attention that returns weights
        return one;
      }};
  row.waived = {{Law::row_sums, "the null key has the rest"},
                {Law::masked_row, "the null key is seen all the same"},
                {Law::nan_queries, "the null key is seen all the same"}};
  const std::vector<std::pair<Law, const char*>> sentences{
      {Law::padding, "A mask that hides padding counts words. The null key must stand outside of what it counts."},
      {Law::nan_poison,
       "Padding may hold NaN, and 0·NaN is NaN: a weight of 0 is not enough. `attention` takes care of "
       "that, if it is given the mask."},
      {Law::cached, "In decoding the first query does not stand at position 0. Is the offset in your table?"},
      {Law::listed, "Key and value must take part as Variables: a value() cuts them off."},
      {Law::dropout, "Dropout acts on the weights that take the mean; what you return are those before it."}};
  const nn::kit::Report report = nn::kit::examine(row);
  const std::vector<Law> broken = report.broken();
  for (const auto& [law, sentence] : sentences)
    exercises::expect(std::find(broken.begin(), broken.end(), law) == broken.end(),
                      sentence + ("\n" + report.to_string()));
  exercises::expect(report.passed(),
                    "The kit has found a law that your attention does not obey:\n" + report.to_string());
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_on_paper();
    check_two_texts();
    check_laws();
  });
}
