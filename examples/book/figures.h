#pragma once

#include "examples/plot/figure.h"

#include <functional>
#include <string>
#include <vector>

namespace regard::book {

// The three words of the book.
inline const std::vector<std::string> words{"birds", "love", "singing"};

// A picture of a chapter, a file in pictures/, and how it is drawn: an SVG of lines and words, a PNG of heatmaps. What
// a page says of it in numbers comes from the same run: a test looks for these texts.
struct Picture {
  std::string file;
  std::function<plot::Figure()> draw;
  std::function<std::vector<std::string>()> says = {};
};

// The pictures of each chapter are in a file of its number: figures_00.cpp.
std::vector<Picture> figures_00();
std::vector<Picture> figures_01();
std::vector<Picture> figures_02();
std::vector<Picture> figures_03();
std::vector<Picture> figures_04();
std::vector<Picture> figures_05();
std::vector<Picture> figures_06();
std::vector<Picture> figures_07();
std::vector<Picture> figures_08();
std::vector<Picture> figures_10();
std::vector<Picture> figures_11();
std::vector<Picture> figures_12();
std::vector<Picture> figures_14();
std::vector<Picture> figures_15();
std::vector<Picture> figures_16();
std::vector<Picture> figures_17();
std::vector<Picture> figures_18();
std::vector<Picture> figures_19();
std::vector<Picture> figures_20();
std::vector<Picture> figures_21();
std::vector<Picture> figures_22();

}  // namespace regard::book
