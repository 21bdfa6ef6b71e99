#include "examples/book/site/site.h"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "examples/book/site/contents.h"
#include "examples/book/site/frame.h"
#include "examples/book/site/links.h"
#include "examples/book/site/page.h"
#include "examples/book/site/search_index.h"
#include "examples/book/site/source_page.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace fs = std::filesystem;

namespace {

// What a page needs besides itself, as it stands beside this file.
constexpr const char* shared_files[] = {"style.css", "theme.js", "page.js", "search.js", "hand.js", "icon.svg"};

void write(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) throw std::runtime_error(fmt::format("{} cannot be written", path.string()));
}

}  // namespace

Counts write_site(const std::string& root, const Contents& contents, const std::string& out, Problems& problems) {
  Links links(root, contents, problems);
  std::map<std::string, std::string> files;  // everything, before anything is written
  SearchIndex index;
  Counts counts;
  const auto keep = [&](const std::string& file, const RenderedPage& page) {
    const std::string path = links.out_of(file);
    counts.formulas += page.formulas;
    files[path] = framed(path, page, contents);
  };

  for (const Page* page : contents.in_order()) {
    const RenderedPage rendered = render_page(page->source, page->text, links, problems);
    index.add(page->out(), rendered.title, rendered.sections);
    keep(page->source, rendered);
    ++counts.pages;
  }
  for (std::string file; !(file = links.next_file()).empty(); ++counts.sources) {
    const std::string content = content_of(root + "/" + file);
    const bool is_page = file.ends_with(".md");
    const std::size_t lines = is_page ? 0 : lines_of(content).size();
    for (std::size_t line = 1; line <= lines; ++line) links.has_anchor(file, fmt::format("L{}", line));
    keep(file, is_page ? render_page(file, content, links, problems) : render_source(file, content));
  }
  links.check_anchors();
  if (!problems.found.empty()) return counts;

  files["search-index.js"] = index.script();
  for (const char* name : shared_files) files[name] = content_of(fmt::format("{}/{}site/{}", root, book_folder, name));
  for (const std::string& copy : links.copies()) files[links.out_of(copy)] = links.content(copy);
  for (const auto& [path, content] : files) write(fs::path(out) / path, content);
  return counts;
}

}  // namespace regard::site
