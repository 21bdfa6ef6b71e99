// Draws the pictures of the book, or compares those that are there with what it would draw.
#include "examples/book/compare.h"
#include "examples/book/drawings.h"
#include "examples/book/figures.h"
#include "examples/program.h"
#include "tensor/io/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

using namespace regard;

namespace {

// A picture of the book as a file: how it is written, how much of one that is there differs from it, and what pages say
// of it.
struct Drawn {
  std::string name, file;
  std::function<void(const std::filesystem::path&)> save;
  std::function<double(const std::filesystem::path&)> difference;
  std::function<std::vector<std::string>()> says = {};
};

Drawn figure(const book::Picture& picture) {
  const std::filesystem::path file = picture.file;
  const auto from = [picture, is_svg = file.extension() == ".svg"](const std::filesystem::path& other) {
    return is_svg ? book::difference_of_svg(read_file(other), picture.draw().svg())
                  : book::difference(plot::read_png(other), picture.draw().draw());
  };
  return {file.stem().string(), picture.file,
          [picture](const std::filesystem::path& path) { picture.draw().save(path); }, from, picture.says};
}
Drawn drawing(const book::Drawing& picture) {
  return {
      picture.name, picture.name + ".svg",
      [picture](const std::filesystem::path& file) { write_file(file, picture.svg); },
      [picture](const std::filesystem::path& file) { return book::difference_of_svg(read_file(file), picture.svg); }};
}

// Those of these names, or all.
std::vector<Drawn> pictures(const std::vector<std::string>& names) {
  std::vector<Drawn> all;
  for (const auto& chapter :
       {book::figures_00(), book::figures_01(), book::figures_02(), book::figures_03(), book::figures_04(),
        book::figures_05(), book::figures_06(), book::figures_07(), book::figures_08(), book::figures_10(),
        book::figures_11(), book::figures_12(), book::figures_14(), book::figures_15(), book::figures_16(),
        book::figures_17(), book::figures_18(), book::figures_19(), book::figures_20(), book::figures_21(),
        book::figures_22()})
    for (const book::Picture& picture : chapter) all.push_back(figure(picture));
  for (const auto& drawings : {book::recorded_graphs(), book::explaining_drawings()})
    for (const book::Drawing& one : drawings) all.push_back(drawing(one));
  if (names.empty()) return all;
  std::vector<Drawn> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(all, name, &Drawn::name);
    if (found == all.end()) fail<ValueError>("draw_book: there is no picture '{}'", name);
    chosen.push_back(*found);
  }
  return chosen;
}

// All pages of a folder, with one blank where lines end.
std::string words_of_pages(const std::filesystem::path& folder) {
  std::string words;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".md") words += read_file(entry.path());
  std::ranges::replace(words, '\n', ' ');
  return words;
}

// What is wrong with a picture, or with what the pages above its folder say of it; "": nothing.
std::string mistake(const Drawn& picture, const std::filesystem::path& folder) {
  const double most = 0.002;  // less than one element
  if (!std::filesystem::exists(folder / picture.file)) return "it is not there";
  if (const double share = picture.difference(folder / picture.file); share > most)
    return fmt::format("{:.1f} % of it differ from what is drawn", 100 * share);
  if (!picture.says) return "";
  const std::string words = words_of_pages(folder / "..");
  std::string unsaid;
  for (const std::string& text : picture.says())
    if (words.find(text) == std::string::npos) unsaid += fmt::format("\n  no page says '{}'", text);
  return unsaid;
}

bool compare(const Drawn& picture, const std::filesystem::path& folder) {
  const std::string wrong = mistake(picture, folder);
  fmt::print("{:<24} {}\n", picture.name, wrong.empty() ? "PASS" : "FAIL: " + wrong);
  return wrong.empty();
}

// Whether all is as it should be.
bool run(const std::vector<std::string>& names, const std::string& out, const std::string& compared) {
  bool same = true;
  for (const Drawn& picture : pictures(names))
    if (compared.empty()) {
      picture.save(std::filesystem::path(out) / picture.file);
      fmt::print("{}/{}\n", out, picture.file);
    } else {
      same = compare(picture, compared) && same;
    }
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  Program program("The pictures of the book: draws them, or compares them with what it would draw");
  std::string out = "examples/book/pictures", compared;
  std::vector<std::string> names;
  program.text("--out", out, "Where to draw them", "DIR");
  program.text("--compare", compared, "Draws nothing; compares those that are there", "DIR");
  program.words("names", names, "Only these pictures");
  if (!program.parse(argc, argv)) return program.exit_code();
  try {
    return run(names, out, compared) ? 0 : 1;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
