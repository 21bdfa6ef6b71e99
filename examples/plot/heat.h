#pragma once

#include "examples/plot/canvas.h"
#include "examples/plot/scale.h"
#include "tensor/tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace regard::plot {

struct HeatmapOptions {
  std::string title = {}, x = {}, y = {};
  std::vector<std::string> x_tokens = {}, y_tokens = {};  // a word for each column and each row
  // The numbers at the left and the right edge, and at the top and the bottom. Where they are given, ticks are numbers
  // between them, and not those of columns and rows.
  std::optional<Range> x_edges = {}, y_edges = {};
  Colormap map = Colormap::reds;
  // What the ends of the map stand for; default: the range of the numbers. Those of Colormap::weights are 0 and 1.
  std::optional<double> low = {}, high = {};
  bool values = false;  // writes the numbers into the cells, where they fit; of whole numbers only those that are not 0
  bool bar = true;      // a colour bar
  std::string bar_label = {};
  std::string missing = "NaN";  // what a cell that is NaN is called beside the bar; a name of its own leaves it empty
  bool square = true;           // cells as high as wide, unless the matrix is so long that it would be a thread
};

// A matrix and how it becomes a picture. One that has more cells than a picture has pixels is averaged over blocks, so
// that no cell is skipped; a block with a NaN is NaN, so that none is lost.
class Heat {
 public:
  Heat(const Tensor& matrix, HeatmapOptions options);

  std::int64_t rows() const { return rows_; }  // of the matrix
  std::int64_t columns() const { return columns_; }
  const HeatmapOptions& options() const { return options_; }
  double at(std::int64_t row, std::int64_t column) const;  // of the block that holds this cell
  bool has_nan() const { return has_nan_; }

  Range wanted_range() const;  // of the numbers, or as the options say; symmetric for a diverging map
  Range range() const { return drawable(wanted_range(), false, 0); }  // what the map spans
  void set_range(const Range& range) { options_.low = range.low, options_.high = range.high; }
  void hide_bar() { options_.bar = false; }
  double position(double value) const;  // 0 … 1, in the map
  double aspect() const;                // width/height of the picture; 0: as it comes

  void draw(Canvas& canvas, const Box& box) const;

 private:
  double average(double top, double bottom, double left, double right) const;  // of the cells an area touches
  void write_values(Canvas& canvas, const Box& box) const;

  HeatmapOptions options_;
  std::int64_t rows_, columns_, block_rows_, block_columns_;
  std::int64_t blocks_down_ = 0, blocks_across_ = 0;
  std::vector<double> blocks_;
  Range found_;
  bool has_nan_ = false;
};

// A strip of the map's colours with ticks, in a box of the strip's size; and how much room it takes to the right of its
// left edge.
void draw_color_bar(Canvas& canvas, const Heat& heat, const Box& strip);
double color_bar_room(const Heat& heat, double height);
inline constexpr double color_bar_width = 11, color_bar_gap = 9;

}  // namespace regard::plot
