#include "nn/text/vocabulary.h"

#include "nn/save/json.h"
#include "nn/save/malformed.h"
#include "tensor/io/file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace regard::nn {
namespace {

// The special tokens by the names of their roles, which are also those in a file.
struct Role {
  const char* name;
  std::string SpecialTokens::*token;
};
constexpr std::array<Role, 4> roles{{{"padding", &SpecialTokens::padding},
                                     {"begin", &SpecialTokens::begin},
                                     {"end", &SpecialTokens::end},
                                     {"unknown", &SpecialTokens::unknown}}};

std::string escaped(const std::string& word) {
  std::string text;
  for (const char c : word)
    if (c == '\n')
      text += "\\n";
    else if (c == '\r')
      text += "\\r";
    else if (c == '\\')
      text += "\\\\";
    else
      text += c;
  return text;
}

// The lines of a file, of which each is a key, a blank and a word.
class VocabularyReader {
 public:
  VocabularyReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  std::int64_t read_count() {
    const std::string_view line = next_line();
    constexpr std::string_view title = "vocabulary of ";
    std::int64_t count = -1;
    if (line.starts_with(title)) {
      const auto [end, error] = std::from_chars(line.data() + title.size(), line.data() + line.size(), count);
      if (error != std::errc{} || end != line.data() + line.size()) count = -1;
    }
    if (count < 0) malformed(file_, "it does not start with a line such as \"vocabulary of 100\"");
    return count;
  }

  bool is_done() const { return rest_.empty(); }

  std::pair<std::string, std::string> read_word() {
    const std::string_view line = next_line();
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) malformed(file_, "line {} is not a key, a blank and a word", line_);
    return {std::string(line.substr(0, blank)), unescaped(line.substr(blank + 1))};
  }

  int line() const { return line_; }

 private:
  std::string_view next_line() {
    ++line_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) malformed(file_, "line {} has no end: it is cut off", line_);
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

  std::string unescaped(std::string_view text) const {
    std::string word;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        word += text[i];
        continue;
      }
      const char next = ++i < text.size() ? text[i] : '\0';
      if (next != 'n' && next != 'r' && next != '\\')
        malformed(file_, "line {} has a backslash before something else than n, r or a backslash", line_);
      word += next == 'n' ? '\n' : next == 'r' ? '\r' : '\\';
    }
    return word;
  }

  std::string_view rest_;
  const std::string& file_;
  int line_ = 0;
};

}  // namespace

Vocabulary::Vocabulary(const std::vector<std::string>& words, const SpecialTokens& special) : special_(special) {
  for (const Role& role : roles)
    if (!(special.*role.token).empty()) add(special.*role.token);
  for (const std::string& word : words) add(word);
}

void Vocabulary::add(const std::string& word) {
  if (!numbers_.emplace(word, size()).second) fail<ValueError>("vocabulary: it has the word {} twice", in_quotes(word));
  words_.push_back(word);
}

Vocabulary Vocabulary::of_text(const std::vector<std::string>& text, const VocabularyOptions& options) {
  std::unordered_map<std::string, std::int64_t> counts;
  for (const std::string& word : text) ++counts[word];
  for (const Role& role : roles) counts.erase(options.special.*role.token);
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
                     [&](const Role& role) { return !one.empty() && special_.*role.token == one; });
}

std::int64_t Vocabulary::special_number(const char* role, const std::string& name) const {
  if (name.empty()) fail<ValueError>("vocabulary: it has no {0} token (SpecialTokens{{.{0} = …}} gives it one)", role);
  return numbers_.at(name);
}

void Vocabulary::save(const std::string& path) const {
  std::string text = fmt::format("vocabulary of {}\n", size());
  for (const Role& role : roles)
    if (!(special_.*role.token).empty()) text += fmt::format("{} {}\n", role.name, escaped(special_.*role.token));
  for (const std::string& word : words_) text += "word " + escaped(word) + "\n";
  write_file(path, text);
}

Vocabulary Vocabulary::load(const std::string& path) { return parse(read_file(path), path); }

Vocabulary Vocabulary::parse(const std::string& text, const std::string& file) {
  VocabularyReader reader(text, file);
  const std::int64_t count = reader.read_count();
  Vocabulary vocabulary;
  while (!reader.is_done()) {
    const auto [key, word] = reader.read_word();
    const auto role =
        std::find_if(roles.begin(), roles.end(), [&, &name = key](const Role& r) { return r.name == name; });
    if (role != roles.end() && !word.empty() && (vocabulary.special_.*role->token).empty())
      vocabulary.special_.*role->token = word;
    else if (key == "word" && !vocabulary.find(word))
      vocabulary.add(word);
    else
      malformed(file, "line {}, {} {}, is of an unknown kind, or there for a second time", reader.line(),
                in_quotes(key), in_quotes(word));
  }
  if (vocabulary.size() != count)
    malformed(file, "it is a vocabulary of {} and has {} words: it is cut off, or not whole", count, vocabulary.size());
  for (const Role& role : roles)
    if (const std::string& name = vocabulary.special_.*role.token; !name.empty() && !vocabulary.find(name))
      malformed(file, "the {} token {} is not among the words", role.name, in_quotes(name));
  return vocabulary;
}

}  // namespace regard::nn
