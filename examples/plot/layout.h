#pragma once

#include "examples/plot/axes.h"
#include "examples/plot/canvas.h"

namespace regard::plot {

inline constexpr double tick_size = 11, label_size = 11.5, title_size = 12.5;  // of text, in points
inline constexpr double tick_length = 3.5, tick_gap = 3, text_gap = 5;

// How the axes are divided, and what is written beside them.
struct Division {
  Scale x, y;
  std::vector<Tick> x_ticks, y_ticks;
  bool upwards = false;  // the words below stand upright: they are too long to lie
};

// The room that labels need around the box in which the data is drawn.
struct Margins {
  double left = 0, top = 0, right = 0, bottom = 0;
};

double widest_label(const std::vector<Tick>& ticks);
Division division_of(const Content& content, double width, double height);  // for a box of that size
Margins margins(const Content& content, double width, double height);
Box data_box(const Content& content, const Box& box);  // a heatmap with square cells does not fill all of it

void draw_axes(Canvas& canvas, const Content& content, const Box& box);
void draw_series(Canvas& canvas, const Series& series, const Division& division, const Box& box);

// The names of lines at their right ends: of all lines that end there, if there is room beside the frame.
struct EndLabel {
  const Series* series;
  Point end;  // of the line
  double y;   // where the name stands
};
std::vector<EndLabel> end_labels(const Content& content, const Division& division, const Box& box);
double end_label_room(const std::vector<EndLabel>& labels);
void draw_end_labels(Canvas& canvas, const std::vector<EndLabel>& labels, const Box& box);

// Puts the legend where it hides least. Returns how much of it lies over data, 0 … 1.
double draw_legend(Canvas& canvas, const Content& content, const Box& box, bool only_try);
// For where it would hide data: its entries side by side, in as many rows as they need, from the top left of a box on.
// Returns how high they are.
double draw_legend_in_rows(Canvas& canvas, const Content& content, const Box& box, bool only_try);

}  // namespace regard::plot
