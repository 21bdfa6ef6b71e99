#include "examples/book/figures.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace regard::book {
namespace {

// Which number of B is read in each step of C = A·B, row by row of C.
std::vector<double> addresses(std::int64_t n, bool k_inside) {
  std::vector<double> all;
  for (std::int64_t outer = 0; outer < n; ++outer)
    for (std::int64_t inner = 0; inner < n; ++inner)
      all.push_back(static_cast<double>(k_inside ? inner * n + outer : outer * n + inner));
  return all;
}

plot::Figure walk() {
  const std::int64_t n = 8;
  std::vector<double> step;
  for (std::int64_t i = 0; i < n * n; ++i) step.push_back(static_cast<double>(i));
  plot::Figure figure({.columns = 2, .width = 800, .height = 300});
  const std::array<const char*, 2> titles{"k inside: down a column", "j inside: along a row"};
  for (int i = 0; i < 2; ++i)
    figure.axes(0, i)
        .title(titles[i])
        .line(step, addresses(n, i == 0), {.color = plot::legend_edge, .width = 1})
        .scatter(step, addresses(n, i == 0), {.color = plot::series_color(i == 0 ? 1 : 0), .size = 2.2})
        .x_label("step")
        .y_label("place in memory");
  return figure;
}

// A cache of 64 lines of 64 bytes, the last used first. The one that was not used for the longest time makes room.
class Cache {
 public:
  Cache() { lines_.fill(-1); }
  void read(std::int64_t address) {
    const std::int64_t line = address / 64;
    const auto found = std::find(lines_.begin(), lines_.end(), line);
    if (found == lines_.end()) ++fetched_;
    const auto last = found == lines_.end() ? found - 1 : found;
    std::copy_backward(lines_.begin(), last, last + 1);
    lines_.front() = line;
  }
  double fetched() const { return static_cast<double>(fetched_); }

 private:
  std::array<std::int64_t, 64> lines_;
  std::int64_t fetched_ = 0;
};

// An n × n product that only reads: rows of A, B and C are n numbers of 4 bytes, one matrix behind the other.
class Product {
 public:
  explicit Product(std::int64_t n) : n_(n) {}

  double definition() {
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t j = 0; j < n_; ++j) {
        for (std::int64_t k = 0; k < n_; ++k) a(i, k), b(k, j);
        c(i, j);
      }
    return share();
  }
  double blocks(std::int64_t depth, std::int64_t width) {
    for (std::int64_t k0 = 0; k0 < n_; k0 += depth)
      for (std::int64_t j0 = 0; j0 < n_; j0 += width)
        for (std::int64_t i = 0; i < n_; ++i)
          for (std::int64_t k = k0; k < std::min(n_, k0 + depth); ++k) {
            a(i, k);
            for (std::int64_t j = j0; j < std::min(n_, j0 + width); ++j) b(k, j), c(i, j);
          }
    return share();
  }

 private:
  void a(std::int64_t i, std::int64_t j) { cache_.read(4 * (i * n_ + j)); }
  void b(std::int64_t i, std::int64_t j) { cache_.read(4 * (n_ * n_ + i * n_ + j)); }
  void c(std::int64_t i, std::int64_t j) { cache_.read(4 * (2 * n_ * n_ + i * n_ + j)); }
  double share() const { return cache_.fetched() / static_cast<double>(n_ * n_ * n_); }

  std::int64_t n_;
  Cache cache_;
};

plot::Figure lines() {
  std::vector<double> at, definition, loop_order, blocks;
  for (std::int64_t n = 8; n <= 96; n += n < 48 || n >= 72 ? 8 : 2) {  // finer where a column no longer fits
    at.push_back(static_cast<double>(n));
    definition.push_back(Product(n).definition());
    loop_order.push_back(Product(n).blocks(n, n));
    blocks.push_back(Product(n).blocks(16, 32));
  }
  plot::Figure figure({.width = 560, .height = 330});
  figure.axes()
      .line(at, definition, {.label = "the definition", .color = plot::series_color(1), .width = 2})
      .line(at, loop_order, {.label = "j inside", .color = plot::series_color(0), .width = 2})
      .line(at, blocks, {.label = "j inside, in blocks", .color = plot::series_color(2), .width = 2})
      .title("a column of B no longer fits: the definition pays")
      .x_label("n, side of the matrices")
      .y_label("lines for a multiply-add");
  return figure;
}

}  // namespace

std::vector<Picture> figures_17() { return {{"walk.svg", walk}, {"lines.svg", lines}}; }

}  // namespace regard::book
