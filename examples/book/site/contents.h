#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace regard::site {

// A page of the book. Its text need not be a file: a page can be made from anything that can be written as Markdown.
struct Page {
  std::string source;  // where its Markdown stands, or would stand, from the root of the project
  std::string number;  // of a chapter; otherwise empty
  std::string title;
  std::string text;
  std::string out() const;  // from the root of the site: 02_softmax_and_scores.html
};

// Pages that stand together in the column of contents.
struct Group {
  std::string title;
  std::vector<Page> pages;
};

struct Contents {
  Page front;
  std::vector<Group> groups;
  std::map<std::string, std::string> made = {};  // pictures that are made for pages, by where they would stand
  bool has_pictures = false;                     // the page of pictures stands beside the folder of the site
  bool has_laboratory = false;                   // lab.js stands in it: figures can be taken in the hand
  // All pages in the order of reading, the front page first.
  std::vector<const Page*> in_order() const;
};

inline constexpr std::string_view book_folder = "examples/book/";

// The contents as the book's README lists them: each table under "Contents" is a group, each row with a link a page.
// A group of generated pages is one more push_back() to the groups.
Contents contents_of_book(const std::string& root);

}  // namespace regard::site
