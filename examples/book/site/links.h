#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/contents.h"
#include "examples/book/site/text.h"

namespace regard::site {

// Whether a link goes to something that is not of this project.
bool leads_out(std::string_view url);

// Where everything is in the site. Files of the project get a page under source/ as soon as something links to them.
class Links {
 public:
  Links(std::string root, const Contents& contents, Problems& problems);

  // The page of the site that a file of the project becomes; of a picture or of data, its copy.
  std::string out_of(const std::string& file) const;

  // The target of a link on a page, as it must be written in the site. What is not there is a problem.
  std::string rewritten(const std::string& page, std::string_view url, int line);

  // The link to a line of a file.
  std::string to_line(const std::string& page, const std::string& file, int line);

  // The link to a file that a page names in `code`, if it is one.
  std::optional<std::string> to_named_file(const std::string& page, std::string_view name);

  // Whether there is a file of the project, or one that is made for a page; and its content.
  bool has(const std::string& file) const;
  std::string content(const std::string& file) const;

  // Headings must be told, so that links to them can be checked at the end.
  void has_anchor(const std::string& page, const std::string& anchor) { anchors_[page].insert(anchor); }
  void check_anchors();

  // The next file that something links to and that has not been asked for yet; empty if there is none.
  std::string next_file();
  const std::set<std::string>& copies() const { return copies_; }
  const std::string& root() const { return root_; }

 private:
  bool is_page(const std::string& file) const { return pages_.contains(file); }
  bool is_copied(const std::string& file) const;
  std::string found(const std::string& path) const;
  std::string link(const std::string& page, const std::string& file);

  struct Use {
    std::string page, file, anchor;
    int line;
  };

  std::string root_;
  Problems& problems_;
  std::map<std::string, std::string> made_;   // pictures, as Contents has them
  std::map<std::string, std::string> pages_;  // file of the project: page of the site
  std::map<std::string, std::set<std::string>> anchors_;
  std::vector<Use> uses_;
  std::set<std::string> copies_, asked_for_, waiting_;
};

// From one file of the site to another: ("source/nn/a.h.html", "02_x.html") becomes "../../02_x.html".
std::string relative(std::string_view from, std::string_view to);

}  // namespace regard::site
