#include "examples/trainers/translation_exam.h"

#include "examples/trainers/bleu.h"
#include "examples/trainers/number_words.h"
#include "tensor/error.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard {

Exam graded(const std::vector<std::string>& all_said, const std::vector<Example>& examples) {
  Exam exam{.said = all_said};
  std::vector<Translated> own, others;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    std::vector<std::vector<std::string>> right;
    for (const std::string& text : examples[i].right) right.push_back(words_of(text));
    const std::vector<std::string> said = words_of(exam.said[i]);
    exam.is_right.push_back(std::ranges::find(right, said) != right.end());
    own.push_back({said, right});
    // Neighbours are alike, since they are in order.
    others.push_back({words_of(exam.said[(i + examples.size() / 2) % examples.size()]), right});
  }
  exam.exact = static_cast<double>(std::ranges::count(exam.is_right, true)) /
               static_cast<double>(std::max<std::size_t>(examples.size(), 1));
  exam.bleu = bleu(own), exam.bleu_of_others = bleu(others);
  return exam;
}

Exam examine(const Translator& translator, const std::vector<Example>& examples) {
  std::vector<std::string> texts;
  for (const Example& example : examples) texts.push_back(example.source);
  return graded(translator.translate(texts), examples);
}

std::vector<std::int64_t> numbers_that_cross(std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = low; number <= high; ++number)
    if (number % 100 > 20 && number % 10 > 0) numbers.push_back(number);
  return numbers;
}

Crossing clearest_crossing(const Translator& translator, const std::vector<std::int64_t>& numbers) {
  Tensor sum;  // (2, layers, H): of the ones, and of the tens
  for (const std::int64_t number : numbers) {
    const std::string german = in_german(number);
    const Looks looks = translator.looks(in_english(number), german);
    const auto letters_of = [&](const std::string& word) { return std::ssize(translator.target.encode(word)); };
    const std::int64_t all = letters_of(german), words = std::ssize(looks.source);
    const auto weight = [&](std::int64_t word, const std::string& rest) {
      return select(select(looks.weights, 3, all - letters_of(rest)), 2, word);
    };
    const Tensor both = stack(
        {weight(words - 1, in_german(number % 100)), weight(words - 2, in_german(number % 100 - number % 10))}, 0);
    sum = sum.defined() ? sum + both : both;
  }
  if (!sum.defined()) fail<ValueError>("clearest_crossing: there are no numbers");
  const Tensor means = sum / static_cast<double>(numbers.size());
  Crossing best;
  for (std::int64_t layer = 0; layer < means.size(1); ++layer)
    for (std::int64_t head = 0; head < means.size(2); ++head) {
      const Crossing one{layer, head, means.at({0, layer, head}), means.at({1, layer, head})};
      if (std::min(one.ones, one.tens) >= std::min(best.ones, best.tens)) best = one;
    }
  return best;
}

}  // namespace regard
