#pragma once

#include <string>
#include <vector>

namespace regard::site {

struct SourceFile {
  std::string path;  // from the root of the project
  std::vector<std::string> lines;
};

// All C++ files in some folders of a project, each folder in the order of its paths.
std::vector<SourceFile> sources_in(const std::string& root, const std::vector<std::string>& folders);

// Some lines of a file, and the comment right above them.
struct Passage {
  std::string file;
  int line = 0;                      // of the first line of code, from 1
  std::vector<std::string> comment;  // without the //
  std::vector<std::string> code;
};

// The comment that ends above a line, without marks such as "// book: tanh". `above` counts from 0.
std::vector<std::string> comment_above(const SourceFile& file, std::size_t above);

// Whether a line of code calls, declares or defines `name`: the word with a parenthesis behind it. Gives the place of
// the word, or npos.
std::size_t find_word_before_parenthesis(const std::string& line, const std::string& name, std::size_t from = 0);

}  // namespace regard::site
