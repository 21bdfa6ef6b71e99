#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <system_error>

namespace regard::site {

// A small project in a folder of its own, also if these tests run twice at a time. It is removed in the end.
class ToyProject {
 public:
  explicit ToyProject(const std::string& name)
      : root_(std::filesystem::temp_directory_path() / ("regard_" + name + std::to_string(::getpid()))) {
    std::filesystem::remove_all(root_);
    write("examples/book/README.md",
          "# Toy\n\n## Contents\n\n| | chapter |\n|---|---|\n| 0 | [Zero](00_zero.md) |\n\n"
          "## More\n\n| no page |\n|---|\n| [Zero](00_zero.md) |\n");
    write("examples/book/00_zero.md", "# 0. Zero\n");
    for (const char* file : {"style.css", "theme.js", "page.js", "search.js", "hand.js", "icon.svg"})
      write(std::string("examples/book/site/") + file, "");
  }
  ~ToyProject() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  ToyProject(const ToyProject&) = delete;
  ToyProject& operator=(const ToyProject&) = delete;

  void write(const std::string& file, const std::string& content) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file, std::ios::binary) << content;
  }
  std::string root() const { return root_.string(); }
  std::string out() const { return (root_ / "out").string(); }

 private:
  std::filesystem::path root_;
};

}  // namespace regard::site
