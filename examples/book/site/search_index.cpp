#include "examples/book/site/search_index.h"

#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "examples/book/site/text.h"

namespace regard::site {

namespace {

enum class Sort { letter, whole_word, gap };

Sort sort_of(char32_t c) {
  if (c < 0x80) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return letter ? Sort::letter : Sort::gap;
  }
  if (c >= 0x4E00 && c <= 0x9FFF) return Sort::whole_word;
  const bool other_letter =
      (c >= 0xC0 && c <= 0x24F) || (c >= 0x370 && c <= 0x52F);  // Latin with accents, Greek, Cyrillic
  return other_letter ? Sort::letter : Sort::gap;
}

// As search.js lowers what is looked for: a browser writes Σ at the end of a word as ς, so both are one letter.
char32_t lowered(char32_t c) { return c == U'ς' ? U'σ' : small(c); }

std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return all + '"';
}

}  // namespace

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  const auto end_of_word = [&] {
    if (!word.empty()) words.insert(word);
    word.clear();
  };
  for (const char32_t point : code_points(text)) {
    const char32_t c = lowered(point);
    const Sort sort = sort_of(c);
    if (sort != Sort::letter) end_of_word();
    if (sort != Sort::gap) word += utf8(c);
    if (sort == Sort::whole_word) end_of_word();
  }
  end_of_word();
  return words;
}

void SearchIndex::add(const std::string& out, const std::string& title, const std::vector<Section>& sections) {
  pages_.emplace_back(out, title);
  for (const Section& section : sections) {
    for (const std::string& word : words_of(section.title + " " + section.words)) words_[word].insert(places_.size());
    places_.push_back({pages_.size() - 1, section});
  }
}

std::string SearchIndex::script() const {
  std::string all = "window.searchIndex = {\npages: [\n";
  for (const auto& [file, title] : pages_) all += fmt::format("[{}, {}],\n", quoted(file), quoted(title));
  all += "],\nplaces: [\n";
  for (const auto& [page, section] : places_)
    all +=
        fmt::format("[{}, {}, {}, {}],\n", page, quoted(section.anchor), quoted(section.title), quoted(section.words));
  all += "],\nwords: [\n";  // in order, so that all words with one beginning stand together
  for (const auto& [word, places] : words_) {
    std::string numbers;
    for (const std::size_t place : places) numbers += fmt::format("{}{}", numbers.empty() ? "" : ",", place);
    all += fmt::format("[{}, [{}]],\n", quoted(word), numbers);
  }
  return all + "]};\n";
}

}  // namespace regard::site
