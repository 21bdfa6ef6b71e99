// Makes a site of the book: render_book PROJECT OUT [MEASURED]. examples/run book calls it.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "examples/book/site/alphabetical_index.h"
#include "examples/book/site/contents.h"
#include "examples/book/site/operations/operation_pages.h"
#include "examples/book/site/site.h"
#include "examples/book/site/text.h"

int main(int count, char** arguments) {
  using namespace regard::site;
  if (count != 3 && count != 4) {
    fmt::print(
        stderr,
        "render_book PROJECT OUT [MEASURED]: makes a site of the book of the project in the folder OUT; what was "
        "measured of operations is read from the folder MEASURED\n");
    return 2;
  }
  try {
    const auto start = std::chrono::steady_clock::now();
    const std::string root = arguments[1], out = arguments[2];
    Problems problems;
    Contents contents = contents_of_book(root);
    add_alphabetical_index(contents);
    add_operation_pages(contents, root, count > 3 ? arguments[3] : "");
    contents.has_pictures = std::filesystem::exists(std::filesystem::path(out).parent_path() / "index.html");
    contents.has_laboratory = std::filesystem::exists(std::filesystem::path(out) / "lab.js");
    const Counts counts = write_site(root, contents, out, problems);
    for (const std::string& problem : problems.found) fmt::print(stderr, "{}\n", problem);
    if (!problems.found.empty()) return 1;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("{} pages with {} formulas, and {} files of the project that they link to, in {:.1f} s\n", counts.pages,
               counts.formulas, counts.sources, seconds.count());
  } catch (const std::exception& error) {
    fmt::print(stderr, "render_book: {}\n", error.what());
    return 1;
  }
}
