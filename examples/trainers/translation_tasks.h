#pragma once

#include "examples/trainers/languages.h"
#include "examples/trainers/lessons.h"

#include <filesystem>

namespace regard {

// A text that no lesson has, and all that would be right.
struct Example {
  std::string source;
  std::vector<std::string> right;
  std::string attribution = {};  // who wrote them, where the data says so
};

struct TranslationTask {
  Language source, target;
  Lessons::Pass lessons;
  std::vector<Example> held_out;
  std::int64_t fingerprint;   // of the data: a checkpoint can be used with these only
  std::int64_t left_out = 0;  // pairs of which a text is too long
};

inline constexpr std::int64_t longest_text = 80;  // the longest name of a number has 65 letters

// English number words to German ones by characters, for 0 to `largest`. Of those from 20 on, `held_out` are held out
// at random, and 421 and 99 others below 1000 are among them; the words of smaller numbers would be learned from
// nothing else. Half of what the lessons show are any other numbers, half have 1, 2, … digits equally often: else nine
// of ten would have six, and 7 would never be seen.
TranslationTask number_task(std::int64_t largest, std::int64_t held_out);

struct PairOptions {
  bool byte_pairs = false;  // instead of words
  std::int64_t held_out = 300;
};

// Pairs of sentences: lines of a text, a tab, its translation, and, behind another tab, whatever else. Texts that
// differ in nothing but marks and capitals are held out together, with all their translations. Pairs with more than
// `longest_text` words are left out.
TranslationTask pair_task(const std::filesystem::path& path, const PairOptions& options);

}  // namespace regard
