#include "tensor/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace regard {

std::string join_words(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (&word != &words.front()) text += separator;
    text += word;
  }
  return text;
}

namespace {

// A letter of UTF-8 takes up to four bytes. All but the first have the bits 10 in front.
bool begins_letter(char byte) { return (byte & 0xC0) != 0x80; }

}  // namespace

std::size_t letter_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
}

std::string cut_short(std::string_view text, std::size_t letters) {
  if (letter_count(text) <= letters) return std::string(text);
  if (letters == 0) return "";
  std::size_t end = 0;
  for (std::size_t seen = 0; seen < letters; ++end) seen += begins_letter(text[end]);
  return std::string(text.substr(0, end - 1)) + "…";
}

void PlainFormatter::refuse() { throw fmt::format_error("nothing but {} will do for this type"); }

fmt::format_context::iterator PlainFormatter::write(std::string_view text, fmt::format_context& context) {
  return std::copy(text.begin(), text.end(), context.out());
}

}  // namespace regard
