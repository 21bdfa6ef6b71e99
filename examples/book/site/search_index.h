#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "examples/book/site/page.h"

namespace regard::site {

// Which word stands in which part of which page. A script in the browser looks words up in it.
class SearchIndex {
 public:
  void add(const std::string& out, const std::string& title, const std::vector<Section>& sections);
  std::string script() const;  // a file of JavaScript: pages opened from a disk may not read any other kind

 private:
  struct Place {
    std::size_t page;
    Section section;
  };
  std::vector<std::pair<std::string, std::string>> pages_;  // file and title
  std::vector<Place> places_;
  std::map<std::string, std::set<std::size_t>> words_;
};

// The words of a text in small letters. Of Chinese each character is a word.
std::set<std::string> words_of(const std::string& text);

}  // namespace regard::site
