#pragma once

#include "nn/text/length_batches.h"
#include "nn/text/vocabulary.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace regard {

// A word and all ways to say it that the dictionary has.
struct Word {
  std::string letters;
  std::vector<nn::Tokens> spoken;  // phonemes by their numbers
};

// The CMU Pronouncing Dictionary: words of the letters a to z alone. Stress is left out, so that AH0, AH1 and AH2 are
// one phoneme.
struct Dictionary {
  nn::Vocabulary letters, phonemes;  // with the tokens for padding, begin and end
  std::vector<Word> words;
};
Dictionary read_dictionary(const std::filesystem::path& path);

// The longest word has as many letters as phonemes: "antidisestablishmentarianism".
inline constexpr std::int64_t longest_word = 28, longest_pronunciation = 28;

// Words to learn from, and others to be tried with: no way to say one of those is among the pairs.
struct Lexicon {
  std::array<nn::Sequences, 2> pairs;  // letters, phonemes: a row for each way to say a word
  std::vector<Word> unseen;
};
// Always the same words, whatever the seed of the training.
Lexicon hold_out(const Dictionary& dictionary, std::int64_t words);

nn::Tokens spelled(const Dictionary& dictionary, const std::string& word);

// What somebody typed, in small letters. Anything but 1 to 28 letters is an error.
std::string checked_word(const std::string& typed);

// The first way of the dictionary: "F OW N".
std::string right_way(const Dictionary& dictionary, const std::string& letters);

// How many phonemes must be put in, taken out or replaced to make one of the other (Levenshtein 1965).
std::int64_t edit_distance(const nn::Tokens& one, const nn::Tokens& other);

// The way to say a word that is nearest to what a model said: how many phonemes are wrong, of how many.
struct Errors {
  std::int64_t wrong = 0, of = 0;
};
Errors errors_of(const Word& word, const nn::Tokens& said);

// A share, and where it lies in 95 of 100 samples of as many words that are drawn from these again (the bootstrap).
struct Interval {
  double value, low, high;
};
Interval phoneme_error(const std::vector<Errors>& words, std::uint64_t seed);

// The share of words without an error.
double share_right(const std::vector<Errors>& words);

}  // namespace regard
