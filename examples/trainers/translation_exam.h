#pragma once

#include "examples/trainers/translation_tasks.h"
#include "examples/trainers/translator.h"

namespace regard {

// How good the translations are of texts that no lesson had.
struct Exam {
  std::vector<std::string> said = {};
  std::vector<bool> is_right = {};  // to the last word and mark
  double exact = 0;                 // the share of these
  double bleu = 0;
  double bleu_of_others = 0;  // what was said of one text, taken for the translation of another
};
Exam graded(const std::vector<std::string>& said, const std::vector<Example>& examples);
Exam examine(const Translator& translator, const std::vector<Example>& examples);  // of what it says of them

// Where a head of the decoder looks while it begins to write German ones and tens: the weight of the English ones while
// the first letter of "einundzwanzig" is written, and that of the tens while the first of "zwanzig" is. English has the
// tens first, so such a head looks back. It is the head in which the smaller of the two is largest, and both are means
// over the numbers.
struct Crossing {
  std::int64_t layer = 0, head = 0;
  double ones = 0, tens = 0;
};
Crossing clearest_crossing(const Translator& translator, const std::vector<std::int64_t>& numbers);

// The numbers among these of which Crossing can be asked: above 20 with ones, in their last two digits.
std::vector<std::int64_t> numbers_that_cross(std::int64_t low, std::int64_t high);

}  // namespace regard
