#include "examples/book/site/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/contents.h"
#include "examples/book/site/links.h"
#include "examples/book/site/page.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

// The ids of the frame have a capital letter, which no anchor of a heading has.
constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{up}style.css">
<link rel="icon" href="{up}icon.svg">
<script src="{up}theme.js"></script>
<script src="{up}page.js" defer></script>
<script src="{up}search.js" defer></script>
{hand}</head>
<body data-up="{up}">
<a class="skip" href="#sitePage">To the page</a>
<header>
<button id="siteMenu" type="button" aria-controls="siteContents" aria-expanded="false" aria-label="Contents">☰</button>
<a class="home" href="{up}index.html">regard <span>· the book</span></a>
{pictures}<form id="siteSearch" role="search">
<input type="search" placeholder="Search" aria-label="Search the book" autocomplete="off" spellcheck="false">
<div id="siteResults" hidden></div>
</form>
<button id="siteTheme" type="button" aria-label="Light or dark">◐</button>
</header>
)";

// The parts of the page that is shown, below its line in the contents.
std::string parts_of(const RenderedPage& page) {
  std::string parts;
  for (const Heading& heading : page.headings)
    if (heading.level == 2) parts += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", heading.anchor, heading.title);
  return parts.empty() ? "" : "<ul>\n" + parts + "</ul>\n";
}

std::string line_of_contents(const std::string& out, const RenderedPage& page, const Page& other,
                             std::string_view title) {
  const bool here = other.out() == out;
  const std::string number = other.number.empty() ? "" : fmt::format("<span class=\"number\">{}</span>", other.number);
  return fmt::format("<li{}><a href=\"{}\"{}>{}<span>{}</span></a>{}</li>\n", here ? " class=\"here\"" : "",
                     relative(out, other.out()), here ? " aria-current=\"page\"" : "", number, escaped(title),
                     here ? parts_of(page) : "");
}

std::string column_of_contents(const std::string& out, const RenderedPage& page, const Contents& contents) {
  const std::vector<const Page*> pages = contents.in_order();
  const bool in_book = std::any_of(pages.begin(), pages.end(), [&](const Page* other) { return other->out() == out; });
  std::string column = "<nav id=\"siteContents\" aria-label=\"Contents\">\n";
  if (!in_book)  // a file of the project
    column +=
        fmt::format("<ul><li class=\"here\"><a href=\"#\" aria-current=\"page\"><span>{}</span></a>{}</li></ul>\n",
                    escaped(page.title), parts_of(page));
  column += "<ul>" + line_of_contents(out, page, contents.front, "About this book") + "</ul>\n";
  for (const Group& group : contents.groups) {
    // A long group is folded while the reader is elsewhere.
    const bool here =
        std::any_of(group.pages.begin(), group.pages.end(), [&](const Page& other) { return other.out() == out; });
    const bool open = here || group.pages.size() <= 30;
    column += fmt::format("<details{}><summary>{}</summary>\n<ul>\n", open ? " open" : "", escaped(group.title));
    for (const Page& other : group.pages) column += line_of_contents(out, page, other, other.title);
    column += "</ul>\n</details>\n";
  }
  return column + "</nav>\n";
}

std::string neighbours(const std::string& out, const Contents& contents) {
  const std::vector<const Page*> pages = contents.in_order();
  const auto here = std::find_if(pages.begin(), pages.end(), [&](const Page* page) { return page->out() == out; });
  if (here == pages.end()) return "";
  const auto link = [&](const Page& page, std::string_view kind, std::string_view words) {
    return fmt::format("<a rel=\"{}\" class=\"{}\" href=\"{}\"><small>{}</small>{}{}</a>\n", kind, kind,
                       relative(out, page.out()), words, page.number.empty() ? "" : page.number + ". ",
                       escaped(&page == &contents.front ? "About this book" : page.title));
  };
  std::string links = "<nav class=\"neighbours\" aria-label=\"Previous and next page\">\n";
  if (here != pages.begin()) links += link(**(here - 1), "prev", "← Previous");
  if (here + 1 != pages.end()) links += link(**(here + 1), "next", "Next →");
  return links + "</nav>\n";
}

}  // namespace

std::string framed(const std::string& out, const RenderedPage& page, const Contents& contents) {
  const std::string title = page.title == contents.front.title ? page.title : page.title + " · regard";
  const std::string up = relative(out, ""),
                    pictures =
                        fmt::format("<a class=\"home\" href=\"{}../index.html\"><span>Pictures</span></a>\n", up);
  const bool in_hand = contents.has_laboratory && page.html.find("<figure class=\"live\"") != std::string::npos;
  const std::string hand = in_hand ? fmt::format("<script src=\"{}hand.js\" defer></script>\n", up) : "";
  return fmt::format(fmt::runtime(head), fmt::arg("title", escaped(title)), fmt::arg("up", up), fmt::arg("hand", hand),
                     fmt::arg("pictures", contents.has_pictures ? pictures : "")) +
         column_of_contents(out, page, contents) + "<main id=\"sitePage\">\n<article>\n" + page.html + "</article>\n" +
         neighbours(out, contents) + "</main>\n</body>\n</html>\n";
}

}  // namespace regard::site
