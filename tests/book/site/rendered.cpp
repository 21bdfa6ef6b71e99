#include "tests/book/site/rendered.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/text.h"

namespace regard::site {

namespace fs = std::filesystem;

namespace {

struct Attribute {
  std::string value;
  bool of_link = false;  // of an <a>, which may lead out
};

// Where an attribute is in a file of HTML.
std::vector<Attribute> all_of(std::string_view html, const std::string& attribute) {
  const std::string begins = " " + attribute + "=\"";
  std::vector<Attribute> all;
  for (std::size_t at = 0; (at = html.find(begins, at)) != std::string_view::npos;) {
    const bool of_link = html.substr(html.rfind('<', at)).starts_with("<a ");
    at += begins.size();
    all.push_back({without_tags(html.substr(at, html.find('"', at) - at)), of_link});
  }
  return all;
}

std::string decoded(const std::string& url) {
  std::string text;
  for (std::size_t i = 0; i < url.size(); ++i) {
    if (url[i] == '%' && i + 2 < url.size()) {
      text += static_cast<char>(std::stoi(url.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      text += url[i];
    }
  }
  return text;
}

struct Site {
  std::map<std::string, std::string> pages;  // by their normal path
  std::map<std::string, std::set<std::string>> anchors;
  std::vector<std::string> faults;

  void read(const std::string& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string path = entry.path().lexically_normal().string();
      if (path.ends_with(".html")) pages[path] = content_of(path);
    }
    for (const auto& [path, html] : pages)
      for (const Attribute& id : all_of(html, "id"))
        if (!anchors[path].insert(id.value).second) faults.push_back(path + ": two anchors " + id.value);
  }

  void check_target(const std::string& page, const std::string& url, bool is_link) {
    if (url.starts_with("http:") || url.starts_with("https:")) {
      if (!is_link) faults.push_back(page + ": needs the network for " + url);
      return;
    }
    const std::size_t hash = url.find('#');
    const std::string path = decoded(url.substr(0, hash));
    const std::string file = path.empty() ? page : (fs::path(page).parent_path() / path).lexically_normal().string();
    if (!fs::is_regular_file(file)) faults.push_back(page + ": there is no " + url);
    if (hash == std::string::npos || hash + 1 == url.size()) return;
    if (!anchors[file].contains(decoded(url.substr(hash + 1)))) faults.push_back(page + ": there is no anchor " + url);
  }

  void check(const std::string& page, const std::string& html) {
    for (const char* name : {"href", "src"})
      for (const Attribute& url : all_of(html, name)) check_target(page, url.value, url.of_link);
    for (const char* raw : {"$$", "\\frac", "\\sum", "\uE000", "\uE001"})
      if (prose_of(html).find(raw) != std::string::npos) faults.push_back(page + ": shows " + raw);
  }

  // The words of a page outside of code.
  static std::string prose_of(const std::string& html) {
    std::string prose;
    for (std::size_t at = 0; at < html.size();) {
      const std::size_t code = html.find("<code", at);
      prose += html.substr(at, code - at);
      if (code == std::string::npos) break;
      at = html.find("</code>", code);
      if (at == std::string::npos) break;
    }
    return prose;
  }
};

}  // namespace

std::vector<std::string> faults_of_site(const std::string& folder) {
  Site site;
  site.read(folder);
  if (site.pages.empty()) return {folder + ": there are no pages"};
  for (const auto& [page, html] : site.pages) site.check(page, html);
  return site.faults;
}

}  // namespace regard::site
