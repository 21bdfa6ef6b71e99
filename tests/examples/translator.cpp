// The translator: the same numbers on any number of threads, texts side by side or alone, and where it looks.
#include "examples/trainers/translator.h"

#include "autograd/ops/reduce.h"
#include "examples/trainers/translation_exam.h"
#include "tensor/ops/reduce.h"
#include "tests/catch.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/threads.h"

#include <algorithm>

namespace regard {

namespace {

constexpr TranslatorOptions tiny{.longest = 30, .width = 32, .heads = 2, .layers = 2, .dropout = 0.1};

struct Trained {
  Translator translator;
  std::vector<double> losses;
};

// A few steps with many words each, so that there is work for several threads.
Trained trained(const TranslationTask& task, int steps) {
  Generator generator(1);
  Trained result{Translator(task.source, task.target, tiny, generator), {}};
  Lessons lessons(task.lessons, {.size = 64, .padding = task.source.padding}, 1);
  for (int step = 0; step < steps; ++step) result.losses.push_back(result.translator.learn(lessons.at(step), 1e-2));
  return result;
}

}  // namespace

TEST_CASE("translator: learns the same on any number of threads, to the last bit") {
  const TranslationTask task = number_task(999, 100);
  const auto run = [&](int threads) {
    const Threads count(threads);
    Trained result = trained(task, 6);
    result.losses.push_back(sum(result.translator.model.target.tokens.weight).item());
    return std::pair(result.losses, examine(result.translator, task.held_out).said);
  };
  const auto one = run(1);
  CHECK(one.first[5] < one.first[0]);
  CHECK(one == run(2));
  CHECK(one == run(3));
}

TEST_CASE("translator: a text is translated alike alone, among others, and by a beam of one") {
  const TranslationTask task = number_task(999, 100);
  const Trained model = trained(task, 10);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 12; ++i) texts.push_back(task.held_out[i].source);
  const std::vector<std::string> together = model.translator.translate(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    CHECK(model.translator.translate({texts[i]}) == std::vector{together[i]});
    CHECK(task.target.decode(model.translator.candidates(texts[i], 1)[0].tokens) == together[i]);
  }
  const std::vector<nn::Hypothesis> four = model.translator.candidates(texts[0], 4);
  CHECK(four.size() == 4);
  CHECK(std::ranges::is_sorted(four, std::greater{}, &nn::Hypothesis::score));
  CHECK(model.translator.translate({}).empty());
}

TEST_CASE("translator: where it looks, a column for each token and for the end") {
  const TranslationTask task = number_task(999, 100);
  const Trained model = trained(task, 1);
  const Looks looks = model.translator.looks("four hundred twenty-one", "vier");
  CHECK(looks.source == std::vector<std::string>{"four", "hundred", "twenty", "one"});
  CHECK(looks.target == std::vector<std::string>{"v", "i", "e", "r", "<eos>"});
  REQUIRE(looks.weights.shape() == Shape{2, 2, 4, 5});
  for (const double whole : to_vector(sum(looks.weights, 2))) CHECK(whole == Approx(1));
  CHECK(model.translator.looks("four", "v").source.size() == 1);
}

TEST_CASE("translator: the head that crosses most is one of those there are") {
  CHECK(numbers_that_cross(419, 433) ==
        std::vector<std::int64_t>{421, 422, 423, 424, 425, 426, 427, 428, 429, 431, 432, 433});
  const TranslationTask task = number_task(999, 100);
  const Trained model = trained(task, 1);
  const Crossing found = clearest_crossing(model.translator, {421});
  const Looks looks = model.translator.looks("four hundred twenty-one", "vierhunderteinundzwanzig");
  // e of "ein" stands behind "vierhundert", z of "zwanzig" behind "vierhunderteinund"
  CHECK(found.ones == looks.weights.at({found.layer, found.head, 3, 11}));
  CHECK(found.tens == looks.weights.at({found.layer, found.head, 2, 17}));
  for (std::int64_t layer = 0; layer < 2; ++layer)
    for (std::int64_t head = 0; head < 2; ++head)
      CHECK(std::min(looks.weights.at({layer, head, 3, 11}), looks.weights.at({layer, head, 2, 17})) <=
            std::min(found.ones, found.tens));
  CHECK(error_of([&] { clearest_crossing(model.translator, {}); }).second == "clearest_crossing: there are no numbers");
}

// Four translations by hand. Each has the four words that BLEU needs; the third is wrong in its last word.
TEST_CASE("exam: exact, BLEU, and BLEU of translations of other texts") {
  const std::vector<Example> examples{
      {"one", {"a b c d"}}, {"two", {"x", "e f g h"}}, {"three", {"i j k l"}}, {"four", {"m n o p"}}};
  const Exam exam = graded({"a b c d", "e f g h", "i j k z", "m n o p"}, examples);
  CHECK(exam.is_right == std::vector<bool>{true, true, false, true});
  CHECK(exam.exact == 0.75);
  // 15 of 16 words, 11 of 12 pairs, 7 of 8 triples and 3 of 4 fours are right, and no text is too short.
  CHECK(exam.bleu == Approx(std::pow(15.0 / 16 * 11 / 12 * 7 / 8 * 3 / 4, 0.25)));
  CHECK(exam.bleu_of_others == 0);  // no word stands in another translation
  CHECK(graded({"e f g h", "a b c d"}, {examples[0], examples[1]}).bleu_of_others == 1);  // each said the other's
}

TEST_CASE("exam: a model is asked for all texts") {
  const TranslationTask task = number_task(999, 100);
  const Trained model = trained(task, 1);
  const Exam exam = examine(model.translator, task.held_out);
  CHECK(exam.said.size() == 100);
  CHECK(exam.exact == 0);

  // Held against what it says itself, it is always right.
  std::vector<Example> own;
  for (std::size_t i = 0; i < exam.said.size(); ++i) own.push_back({task.held_out[i].source, {exam.said[i]}});
  const Exam perfect = examine(model.translator, own);
  CHECK(perfect.exact == 1);
  CHECK(std::ranges::count(perfect.is_right, true) == 100);
  CHECK(examine(model.translator, {}).exact == 0);
}

}  // namespace regard
