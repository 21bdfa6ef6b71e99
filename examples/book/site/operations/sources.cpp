#include "examples/book/site/operations/sources.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "examples/book/site/text.h"

namespace regard::site {

namespace fs = std::filesystem;

std::vector<SourceFile> sources_in(const std::string& root, const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    std::vector<std::string> paths;
    if (!fs::is_directory(fs::path(root) / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(root) / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending == ".h" || ending == ".cpp") paths.push_back(fs::relative(entry.path(), root).generic_string());
    }
    std::sort(paths.begin(), paths.end());
    for (std::string& path : paths) {
      std::vector<std::string> lines = lines_of(content_of(root + "/" + path));
      files.push_back({std::move(path), std::move(lines)});
    }
  }
  return files;
}

std::vector<std::string> comment_above(const SourceFile& file, std::size_t above) {
  std::vector<std::string> comment;
  for (std::size_t i = above; i-- > 0;) {
    const std::string& line = file.lines[i];
    if (!line.starts_with("//")) break;
    if (line.starts_with("// book: ")) continue;
    comment.push_back(line.substr(line.starts_with("// ") ? 3 : 2));
  }
  std::reverse(comment.begin(), comment.end());
  return comment;
}

std::size_t find_word_before_parenthesis(const std::string& line, const std::string& name, std::size_t from) {
  const auto is_part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  const std::string searched = name + "(";
  for (std::size_t at = from; (at = line.find(searched, at)) != std::string::npos; ++at)
    if (at == 0 || !is_part_of_word(line[at - 1])) return at;
  return std::string::npos;
}

}  // namespace regard::site
