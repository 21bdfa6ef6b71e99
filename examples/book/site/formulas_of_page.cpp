// Finds the formulas of a page, by GitHub's rules: $…$ and $$…$$ outside of code. An opening dollar has no blank behind
// it, a closing one none in front.

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "examples/book/site/markdown.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

class Finder {
 public:
  Finder(std::string_view page, std::string_view file, Problems& problems)
      : page_(page), file_(file), problems_(problems) {}

  WithoutFormulas result() {
    found_.lines.push_back(1);
    while (at_ < page_.size()) {
      if (line_begins_ && fence_here()) {
        block_of_code();
      } else if (page_[at_] == '`') {
        code();
      } else if (page_[at_] == '\\' && at_ + 1 < page_.size() && page_[at_ + 1] != '\n') {
        copy(2);
      } else if (page_[at_] == '$') {
        formula();
      } else {
        copy(1);
      }
    }
    return found_;
  }

 private:
  void copy(std::size_t count) {
    for (; count > 0; --count, ++at_) {
      const char c = page_[at_];
      found_.text += c;
      line_begins_ = c == '\n' || (line_begins_ && c == ' ');
      if (c != '\n') continue;
      ++line_;
      found_.lines.push_back(line_);
    }
  }

  bool fence_here() const { return page_.substr(at_).starts_with("```"); }

  // Up to the line that is closed by as many marks as it was opened with.
  void block_of_code() {
    std::size_t marks = 0;
    while (at_ + marks < page_.size() && page_[at_ + marks] == '`') ++marks;
    do {
      copy(page_.find('\n', at_) == std::string_view::npos ? page_.size() - at_ : page_.find('\n', at_) - at_ + 1);
      const std::size_t begin = page_.find_first_not_of(' ', at_);
      if (begin == std::string_view::npos) break;
      if (page_.substr(begin).starts_with(std::string(marks, '`'))) {
        copy(begin + marks - at_);
        return;
      }
    } while (at_ < page_.size());
  }

  std::size_t end_of_paragraph() const {
    for (std::size_t i = page_.find('\n', at_); i != std::string_view::npos; i = page_.find('\n', i + 1)) {
      const std::size_t next = page_.find_first_not_of(' ', i + 1);
      if (next == std::string_view::npos || page_[next] == '\n') return i;
    }
    return page_.size();
  }

  void code() {
    std::size_t marks = 1;
    while (at_ + marks < page_.size() && page_[at_ + marks] == '`') ++marks;
    const std::size_t end = end_of_paragraph();
    for (std::size_t i = at_ + marks; i < end;) {
      if (page_[i] != '`') {
        ++i;
        continue;
      }
      std::size_t closing = 1;
      while (i + closing < end && page_[i + closing] == '`') ++closing;
      i += closing;
      if (closing == marks) return copy(i - at_);
    }
    copy(marks);
  }

  void formula() {
    const bool display = page_.substr(at_).starts_with("$$");
    const std::size_t begin = at_ + (display ? 2 : 1);
    const std::size_t end = display ? page_.substr(0, end_of_paragraph()).find("$$", begin) : closing_dollar(begin);
    if (end == std::string_view::npos) {
      problems_.add(file_, line_, "a formula has no end, or this dollar begins none: then write \\$");
      return copy(1);
    }
    found_.text += mark_begins;
    found_.text += std::to_string(found_.formulas.size());
    found_.text += mark_ends;
    found_.formulas.push_back({std::string(page_.substr(begin, end - begin)), display, line_});
    for (; at_ < end + (display ? 2 : 1); ++at_)
      if (page_[at_] == '\n') ++line_;
    line_begins_ = false;
  }

  std::size_t closing_dollar(std::size_t begin) const {
    const std::size_t end = end_of_paragraph();
    if (begin >= end || std::isspace(static_cast<unsigned char>(page_[begin]))) return std::string_view::npos;
    for (std::size_t i = begin; i < end; ++i) {
      if (page_[i] == '\\') {
        ++i;
      } else if (page_[i] == '$') {
        return std::isspace(static_cast<unsigned char>(page_[i - 1])) ? std::string_view::npos : i;
      }
    }
    return std::string_view::npos;
  }

  std::string_view page_, file_;
  Problems& problems_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_begins_ = true;
  WithoutFormulas found_;
};

}  // namespace

WithoutFormulas take_formulas(std::string_view page, std::string_view file, Problems& problems) {
  return Finder(page, file, problems).result();
}

}  // namespace regard::site
