#include "examples/trainers/terminal.h"

#include "nn/text/unicode.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace regard::terminal {
namespace {

struct Range {
  char32_t first, last;
};
// Marks that stand on the character before, and signs that are not seen.
constexpr std::array no_columns{Range{0x300, 0x36F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
                                Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}};
constexpr std::array two_columns{Range{0x1100, 0x115F}, Range{0x2E80, 0xA4CF},   Range{0xAC00, 0xD7A3},
                                 Range{0xF900, 0xFAFF}, Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
                                 Range{0xFFE0, 0xFFE6}, Range{0x1F300, 0x1FAFF}, Range{0x20000, 0x3FFFD}};

int columns_of(char32_t code) {
  const auto has = [code](const Range& range) { return range.first <= code && code <= range.last; };
  if (code < 0x300) return 1;
  return std::ranges::any_of(no_columns, has) ? 0 : std::ranges::any_of(two_columns, has) ? 2 : 1;
}

// How many bytes of the text fit.
std::size_t bytes_of_begin(std::string_view text, int columns) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const nn::Character next = nn::first_character(text.substr(bytes));
    columns -= columns_of(next.code);
    if (columns < 0) break;
    bytes += next.bytes;
  }
  return bytes;
}

}  // namespace

int columns(int stream) {
  if (::isatty(stream) == 0) return 0;
  struct winsize size {};
  constexpr int usual = 80;  // some terminals do not know
  return ::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

int columns_of(std::string_view text) {
  int columns = 0;
  while (!text.empty()) {
    const nn::Character next = nn::first_character(text);
    columns += columns_of(next.code);
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string begin_of(std::string_view text, int columns) {
  return std::string(text.substr(0, bytes_of_begin(text, columns)));
}

std::vector<std::string> lines_of(std::string_view text, int columns) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = bytes_of_begin(text, columns), next = end;
    if (end < text.size() && text[end] != ' ') {
      const std::size_t blank = text.substr(0, end).rfind(' ');
      if (blank != std::string_view::npos && blank > 0) end = next = blank;
    }
    if (end == 0) end = next = nn::first_character(text).bytes;  // no character fits
    while (next < text.size() && text[next] == ' ') ++next;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(next);
  }
  return lines;
}

std::string padded(const std::string& text, int columns) {
  return text + std::string(static_cast<std::size_t>(std::max(columns - columns_of(text), 0)), ' ');
}

void note(const std::string& text) { std::fputs(text.c_str(), stderr); }

}  // namespace regard::terminal
