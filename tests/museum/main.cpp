// Shows every exhibit to the tool that must catch it, in the wrong version and in the right one, and prints a table.
#include "examples/plot/figure.h"
#include "examples/program.h"
#include "tests/museum/page.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace regard::museum {
namespace {

struct Settings {
  std::string only, pages, compare;
};

bool is_wanted(const Exhibit& exhibit, const Settings& settings) {
  return exhibit.name.find(settings.only) != std::string::npos;
}

// A row of the table; true if the mistake is caught and the right version is not blamed.
bool show(const Exhibit& exhibit, bool with_words) {
  const Finding wrong = exhibit.look(true), right = exhibit.look(false);
  fmt::print("{:<28} {:<10} {:<10} {}\n", exhibit.name, wrong.caught ? "caught" : "MISSED",
             right.caught ? "BLAMED" : "passes", wrong.tool);
  if (with_words || !wrong.caught) fmt::print("  wrong: {}\n", wrong.output);
  if (with_words || right.caught) fmt::print("  right: {}\n", right.output);
  return wrong.caught && !right.caught;
}

void draw(const Exhibit& exhibit, const std::filesystem::path& file) {
  plot::Figure figure({.title = exhibit.finding});
  const auto curve = [&](bool wrong) {
    const std::vector<double> y = exhibit.learn(wrong);
    std::vector<double> x;
    for (std::size_t i = 0; i < y.size(); ++i) x.push_back(static_cast<double>(i));
    figure.axes().line(
        x, y,
        {.label = wrong ? "with the mistake" : "right", .color = plot::series_color(wrong ? 1 : 0), .dashed = wrong});
  };
  curve(false);
  curve(true);  // on top: where both lines are one, both are seen
  figure.axes().x_label("steps").y_label(exhibit.curve);
  if (exhibit.logarithmic) figure.axes().y_logarithmic();
  figure.save(file);
}

void write(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const std::filesystem::path sources = REGARD_MUSEUM_EXHIBITS;

void write_pages(const Settings& settings) {
  const std::filesystem::path folder = settings.pages;
  std::filesystem::create_directories(folder / "pictures");
  write(folder / "README.md", index_of(wall()));
  for (const Exhibit& exhibit : wall()) {
    if (!is_wanted(exhibit, settings)) continue;
    write(folder / (exhibit.name + ".md"), page_of(exhibit, sources));
    if (exhibit.learn) draw(exhibit, folder / "pictures" / (exhibit.name + ".svg"));
  }
}

bool same_as(const std::filesystem::path& file, const std::string& text) {
  if (read(file) == text) return true;
  fmt::print("{}: is not what museum --pages writes\n", file.string());
  return false;
}

bool compare_pages(const Settings& settings) {
  const std::filesystem::path folder = settings.compare;
  bool same = same_as(folder / "README.md", index_of(wall()));
  for (const Exhibit& exhibit : wall())
    same = same_as(folder / (exhibit.name + ".md"), page_of(exhibit, sources)) && same;
  return same;
}

int show_all(const Settings& settings, bool with_words) {
  int shown = 0, good = 0;
  for (const Exhibit& exhibit : wall())
    if (is_wanted(exhibit, settings)) ++shown, good += show(exhibit, with_words);
  fmt::print("{} of {} mistakes are caught, and their right versions pass\n", good, shown);
  return shown > 0 && good == shown ? 0 : 1;
}

}  // namespace
}  // namespace regard::museum

using namespace regard;

int main(int argc, char** argv) {
  Program program("Shows mistakes that people make to the tools that must catch them, and the right versions as well.");
  museum::Settings settings;
  std::vector<std::string> only;
  bool with_words = false;
  program.words("exhibit", only, "Only exhibits whose name contains this, such as: softmax (default: all)");
  program.flag("--verbose", with_words, "Print what the tools say");
  program.text("--pages", settings.pages, "Write the pages, and draw the curves, into this folder", "DIR");
  program.text("--compare", settings.compare, "Compare the pages in this folder with what would be written", "DIR");
  if (!program.parse(argc, argv)) return program.exit_code();
  try {
    if (!only.empty()) settings.only = only[0];
    if (!settings.compare.empty()) return museum::compare_pages(settings) ? 0 : 1;
    if (!settings.pages.empty()) museum::write_pages(settings);
    return museum::show_all(settings, with_words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "museum: {}\n", error.what());
    return 2;
  }
}
