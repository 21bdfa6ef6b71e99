#include "tensor/error.h"

#include <algorithm>

namespace regard {

template void fail_with<ShapeError>(fmt::string_view, fmt::format_args);
template void fail_with<DTypeError>(fmt::string_view, fmt::format_args);
template void fail_with<ValueError>(fmt::string_view, fmt::format_args);
template void fail_with<IoError>(fmt::string_view, fmt::format_args);

std::string join_words(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (&word != &words.front()) text += separator;
    text += word;
  }
  return text;
}

fmt::format_context::iterator PlainFormatter::write(std::string_view text, fmt::format_context& context) {
  return std::copy(text.begin(), text.end(), context.out());
}

}  // namespace regard
