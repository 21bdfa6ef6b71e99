#pragma once

#include "examples/plot/axes.h"

#include <filesystem>
#include <string>
#include <vector>

namespace regard::plot {

struct FigureOptions {
  int rows = 1, columns = 1;
  double width = 0, height = 0;  // in points; 0: as much as the axes need
  std::string title = {};
  bool shared_colors = false;  // all heatmaps have one range and, at the right, one colour bar
  double scale = 2;            // pixels in a point
};

// A picture of one or more diagrams, side by side in a grid:
//
//   plot::Figure figure({.columns = 2});
//   figure.axes(0, 0).line(x, y, {.label = "truth"}).x_label("x");
//   figure.axes(0, 1).heatmap(weights, {.x = "keys", .y = "queries"});
//   figure.save("fits.png");
class Figure {
 public:
  explicit Figure(const FigureOptions& options = {});

  Axes& axes(int row = 0, int column = 0);
  Image draw() const;
  std::string svg() const;
  void save(const std::filesystem::path& path) const;  // NAME.svg, of lines and words, or a PNG file, of pixels

 private:
  double width() const;  // in points
  double height() const;
  void draw_on(Canvas& canvas) const;

  FigureOptions options_;
  std::vector<Axes> axes_;  // row by row
};

// The two that are wanted most, in one line. Of a matrix:
//   plot::heatmap(weights, {.x = "keys", .y = "queries"}).save("weights.png");
Figure heatmap(const Tensor& matrix, const HeatmapOptions& options = {});
Figure heatmap(const Variable& matrix, const HeatmapOptions& options = {});

struct GridOptions {
  std::string title = {};
  std::vector<std::string> titles = {};  // one for each matrix, or none
  double cell = 150;                     // width of each matrix, in points
};
// … and of many (rows, columns, Lq, Lk), such as layers × heads, in one scale with one colour bar.
Figure heatmap_grid(const Tensor& matrices, const HeatmapOptions& options = {}, const GridOptions& grid = {});

}  // namespace regard::plot
