#include "nn/text/vocabulary.h"

#include "nn/save/json.h"

#include <algorithm>
#include <array>

namespace regard::nn {
namespace {

// The special tokens, in the order in which they are numbered.
constexpr std::array roles{&SpecialTokens::padding, &SpecialTokens::begin, &SpecialTokens::end,
                           &SpecialTokens::unknown};

}  // namespace

Vocabulary::Vocabulary(const std::vector<std::string>& words, const SpecialTokens& special) : special_(special) {
  for (const auto role : roles)
    if (!(special.*role).empty()) add(special.*role);
  for (const std::string& word : words) add(word);
}

void Vocabulary::add(const std::string& word) {
  if (!numbers_.emplace(word, size()).second) fail<ValueError>("vocabulary: it has the word {} twice", in_quotes(word));
  words_.push_back(word);
}

Vocabulary Vocabulary::of_text(const std::vector<std::string>& text, const VocabularyOptions& options) {
  std::unordered_map<std::string, std::int64_t> counts;
  for (const std::string& word : text) ++counts[word];
  for (const auto role : roles) counts.erase(options.special.*role);
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [word, count] : counts)
    if (count >= options.min_count) order.emplace_back(-count, word);
  std::sort(order.begin(), order.end());
  std::vector<std::string> words;
  for (const auto& [count, word] : order) words.push_back(word);
  return Vocabulary(words, options.special);
}

std::optional<std::int64_t> Vocabulary::find(const std::string& word) const {
  const auto found = numbers_.find(word);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t Vocabulary::operator[](const std::string& word) const {
  if (const auto number = find(word)) return *number;
  if (special_.unknown.empty())
    fail<ValueError>(
        "vocabulary: the word {} is not among its {} (a vocabulary with an unknown token takes it for that)",
        in_quotes(word), size());
  return unknown();
}

const std::string& Vocabulary::word(std::int64_t token) const {
  if (token < 0 || token >= size()) fail<ValueError>("vocabulary: token {} is outside its {} words", token, size());
  return words_[static_cast<std::size_t>(token)];
}

Tokens Vocabulary::encode(const std::vector<std::string>& words) const {
  Tokens tokens;
  for (const std::string& word : words) tokens.push_back((*this)[word]);
  return tokens;
}

std::vector<std::string> Vocabulary::decode(const Tokens& tokens) const {
  std::vector<std::string> words;
  for (const std::int64_t token : tokens) {
    const std::string& one = word(token);
    if (!is_special(token) || one == special_.unknown) words.push_back(one);
  }
  return words;
}

bool Vocabulary::is_special(std::int64_t token) const {
  const std::string& one = word(token);
  return std::any_of(roles.begin(), roles.end(),
                     [&](const auto role) { return !one.empty() && special_.*role == one; });
}

std::int64_t Vocabulary::special_number(const char* role, const std::string& name) const {
  if (name.empty()) fail<ValueError>("vocabulary: it has no {0} token (SpecialTokens{{.{0} = …}} gives it one)", role);
  return numbers_.at(name);
}

}  // namespace regard::nn
