#include "examples/trainers/pronunciations.h"

#include "tensor/error.h"
#include "tensor/io/file.h"
#include "tensor/random/random.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace regard {
namespace {

bool is_of_letters(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

// "adaptations(2)" is another way to say "adaptations".
std::string without_number(const std::string& word) { return word.substr(0, word.find('(')); }

std::string without_stress(std::string phoneme) {
  while (!phoneme.empty() && phoneme.back() >= '0' && phoneme.back() <= '2') phoneme.pop_back();
  return phoneme;
}

}  // namespace

Dictionary read_dictionary(const std::filesystem::path& path) {
  std::istringstream lines(read_file(path));
  std::map<std::string, std::vector<std::vector<std::string>>> spoken;
  std::vector<std::string> all_letters, all_phonemes;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream parts(line.substr(0, line.find('#')));  // a remark follows
    std::string word, phoneme;
    parts >> word;
    word = without_number(word);
    if (!is_of_letters(word)) continue;
    std::vector<std::string> phonemes;
    while (parts >> phoneme) phonemes.push_back(without_stress(phoneme));
    if (phonemes.empty()) fail<IoError>("{}: there are no phonemes behind '{}'", path.string(), word);
    all_phonemes.insert(all_phonemes.end(), phonemes.begin(), phonemes.end());
    auto& known = spoken[word];
    if (std::ranges::find(known, phonemes) == known.end()) known.push_back(std::move(phonemes));
  }
  if (spoken.empty()) fail<IoError>("{}: there are no words in it", path.string());
  const auto sorted = [](std::vector<std::string> all) {
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  };
  for (char c = 'a'; c <= 'z'; ++c) all_letters.emplace_back(1, c);
  const nn::SpecialTokens special{.padding = "<pad>", .begin = "<bos>", .end = "<eos>"};
  Dictionary dictionary{nn::Vocabulary(all_letters, special), nn::Vocabulary(sorted(all_phonemes), special), {}};
  for (const auto& [word, ways] : spoken) {
    dictionary.words.push_back({word, {}});
    for (const auto& way : ways) dictionary.words.back().spoken.push_back(dictionary.phonemes.encode(way));
  }
  return dictionary;
}

Lexicon hold_out(const Dictionary& dictionary, std::int64_t words) {
  Generator generator(1);
  const std::vector<double> order = to_vector(permutation(std::ssize(dictionary.words), generator));
  Lexicon lexicon;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Word& word = dictionary.words[static_cast<std::size_t>(order[i])];
    if (static_cast<std::int64_t>(i) < words) {
      lexicon.unseen.push_back(word);
      continue;
    }
    for (const nn::Tokens& way : word.spoken) {
      lexicon.pairs[0].push_back(spelled(dictionary, word.letters));
      lexicon.pairs[1].push_back(way);
    }
  }
  return lexicon;
}

nn::Tokens spelled(const Dictionary& dictionary, const std::string& word) {
  std::vector<std::string> letters;
  for (const char c : word) letters.emplace_back(1, c);
  return dictionary.letters.encode(letters);
}

std::string checked_word(const std::string& typed) {
  std::string word = typed;
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (!is_of_letters(word))
    fail<ValueError>("--word: '{}' is not a word of the letters a to z, which are all that is learned", typed);
  if (std::ssize(word) > longest_word)
    fail<ValueError>("--word: '{}' has {} letters; the longest word of the dictionary has {}", typed, word.size(),
                     longest_word);
  return word;
}

std::string right_way(const Dictionary& dictionary, const std::string& letters) {
  const auto word = std::ranges::find(dictionary.words, letters, &Word::letters);
  if (word == dictionary.words.end()) return "not in the dictionary";
  return fmt::format("{}", fmt::join(dictionary.phonemes.decode(word->spoken[0]), " "));
}

std::int64_t edit_distance(const nn::Tokens& one, const nn::Tokens& other) {
  // row[j]: from the first i tokens of one to the first j of the other
  std::vector<std::int64_t> row(other.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<std::int64_t>(j);
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::int64_t diagonal = row[0]++;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::int64_t replaced = diagonal + (one[i - 1] == other[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

Errors errors_of(const Word& word, const nn::Tokens& said) {
  Errors best;
  for (const nn::Tokens& right : word.spoken) {
    const Errors one{edit_distance(said, right), std::ssize(right)};
    if (best.of == 0 || one.wrong * best.of < best.wrong * one.of) best = one;
  }
  return best;
}

Interval phoneme_error(const std::vector<Errors>& words, std::uint64_t seed) {
  const auto share = [](const std::vector<Errors>& of) {
    Errors sum;
    for (const Errors& one : of) sum.wrong += one.wrong, sum.of += one.of;
    return static_cast<double>(sum.wrong) / static_cast<double>(sum.of);
  };
  if (words.empty()) fail<ValueError>("phoneme_error: there are no words");
  constexpr int samples = 1000;
  Generator generator(seed);
  std::vector<double> shares;
  std::vector<Errors> sample(words.size());
  for (int n = 0; n < samples; ++n) {
    for (Errors& one : sample) one = words[generator.at(generator.take(1)).first % words.size()];
    shares.push_back(share(sample));
  }
  std::ranges::sort(shares);
  return {share(words), shares[samples * 25 / 1000], shares[samples * 975 / 1000]};
}

double share_right(const std::vector<Errors>& words) {
  const auto right = std::ranges::count(words, 0, &Errors::wrong);
  return static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(words.size(), 1));
}

}  // namespace regard
