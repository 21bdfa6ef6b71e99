#include "examples/book/site/links.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "examples/book/site/contents.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace fs = std::filesystem;

namespace {

std::string folder_of(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(file.substr(0, slash + 1));
}

// No file that is written to be read is larger.
constexpr std::uintmax_t largest_page = 200'000;

}  // namespace

bool leads_out(std::string_view url) {
  return url.starts_with("http:") || url.starts_with("https:") || url.starts_with("mailto:");
}

std::string relative(std::string_view from, std::string_view to) {
  std::string up;
  for (const char c : from)
    if (c == '/') up += "../";
  return up + std::string(to);
}

Links::Links(std::string root, const Contents& contents, Problems& problems)
    : root_(std::move(root)), problems_(problems), made_(contents.made) {
  for (const Page* page : contents.in_order()) pages_[page->source] = page->out();
}

bool Links::has(const std::string& file) const {
  return made_.contains(file) || fs::is_regular_file(fs::path(root_) / file);
}

std::string Links::content(const std::string& file) const {
  const auto made = made_.find(file);
  return made == made_.end() ? content_of(root_ + "/" + file) : made->second;
}

bool Links::is_copied(const std::string& file) const {
  for (const char* ending : {".png", ".svg", ".ttf", ".bin"})
    if (file.ends_with(ending)) return true;
  std::error_code not_there;
  const std::uintmax_t size = fs::file_size(fs::path(root_) / file, not_there);
  return !not_there && size > largest_page;
}

std::string Links::out_of(const std::string& file) const {
  if (const auto page = pages_.find(file); page != pages_.end()) return page->second;
  if (is_copied(file)) return file.starts_with(book_folder) ? file.substr(book_folder.size()) : "source/" + file;
  if (file.ends_with(".md")) return "source/" + file.substr(0, file.size() - 3) + ".html";
  return "source/" + file + ".html";
}

// The file of a path within the project: itself, the README of a folder, or nothing.
std::string Links::found(const std::string& path) const {
  std::string file = fs::path(path).lexically_normal().generic_string();
  if (is_page(file) || made_.contains(file)) return file;
  if (file.empty() || file.starts_with("..") || file.starts_with("build/") || file.starts_with("out/")) return "";
  if (fs::is_directory(fs::path(root_) / file))
    file = (fs::path(file) / "README.md").lexically_normal().generic_string();
  return is_page(file) || fs::is_regular_file(fs::path(root_) / file) ? file : "";
}

std::string Links::link(const std::string& page, const std::string& file) {
  if (!is_page(file) && is_copied(file)) {
    copies_.insert(file);
  } else if (!is_page(file) && asked_for_.insert(file).second) {
    waiting_.insert(file);
  }
  return relative(out_of(page), out_of(file));
}

std::string Links::rewritten(const std::string& page, std::string_view url, int line) {
  if (leads_out(url)) return std::string(url);
  const std::size_t hash = url.find('#');
  const std::string path(url.substr(0, hash)), anchor(hash == std::string_view::npos ? "" : url.substr(hash + 1));
  const std::string file = path.empty() ? page : found(folder_of(page) + path);
  if (file.empty()) {
    problems_.add(page, line, fmt::format("the link to {} leads nowhere", url));
    return std::string(url);
  }
  if (!anchor.empty()) uses_.push_back({page, file, anchor, line});
  return (path.empty() ? "" : link(page, file)) + (anchor.empty() ? "" : "#" + anchor);
}

std::string Links::to_line(const std::string& page, const std::string& file, int line) {
  return fmt::format("{}#L{}", link(page, file), line);
}

std::optional<std::string> Links::to_named_file(const std::string& page, std::string_view name) {
  const bool could_be = name.find_first_of("/.") != std::string_view::npos &&
                        name.find_first_of(" *<>(){}$=\"") == std::string_view::npos && !name.starts_with("/");
  if (!could_be) return std::nullopt;
  if (name.starts_with("./")) name.remove_prefix(2);
  for (const std::string& folder : {std::string(), folder_of(page)}) {
    const std::string file = found(folder + std::string(name));
    if (!file.empty() && file != page) return link(page, file);
  }
  return std::nullopt;
}

void Links::check_anchors() {
  for (const Use& use : uses_) {
    const auto known = anchors_.find(use.file);
    if (known == anchors_.end() || !known->second.contains(use.anchor))
      problems_.add(use.page, use.line, fmt::format("{} has no heading with the anchor #{}", use.file, use.anchor));
  }
}

std::string Links::next_file() {
  if (waiting_.empty()) return "";
  return waiting_.extract(waiting_.begin()).value();
}

}  // namespace regard::site
