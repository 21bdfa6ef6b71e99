#include "tensor/print.h"

#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard {
namespace {

// What the columns look like: decided once from all numbers that will be shown, so that they align.
struct NumberStyle {
  enum { integer, fixed, scientific } form = integer;
  int precision = 0;
  std::size_t width = 0;

  std::string operator()(double value) const {
    if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    if (form == integer) return fmt::format("{:.0f}", value);
    return form == fixed ? fmt::format("{:.{}f}", value, precision) : fmt::format("{:.{}e}", value, precision);
  }
};

NumberStyle style_for(const std::vector<double>& shown, int precision, bool is_integer) {
  NumberStyle style;
  double largest = 0, smallest = INFINITY;
  for (double value : shown) {
    if (!std::isfinite(value)) continue;
    if (value != std::trunc(value)) style.form = NumberStyle::fixed;
    largest = std::max(largest, std::abs(value));
    if (value != 0) smallest = std::min(smallest, std::abs(value));
  }
  const bool invisible = style.form == NumberStyle::fixed && smallest < std::pow(10.0, -precision);
  if (!is_integer && (largest >= 1e8 || invisible)) style.form = NumberStyle::scientific;
  style.precision = precision;
  for (double value : shown) style.width = std::max(style.width, style(value).size());
  return style;
}

class Printer {
 public:
  Printer(const Tensor& x, const PrintOptions& options) : options_(options), is_cut_(x.numel() > options.threshold) {
    options_.edge = std::max<std::int64_t>(options.edge, 1);
    options_.precision = std::max(options.precision, 0);
    collect(x);
    style_ = style_for(shown_, options_.precision, x.dtype() == DType::i64);
  }

  std::string print(const Tensor& x) {
    print_axis(x, 1);
    return std::move(text_);
  }

 private:
  // Calls visit(i) for the positions of an axis that are shown and gap() where some are left out.
  template <class Visit, class Gap>
  void for_shown(std::int64_t size, Visit visit, Gap gap) const {
    const bool cut = is_cut_ && size > 2 * options_.edge;
    for (std::int64_t i = 0; i < size; ++i) {
      if (cut && i == options_.edge) {
        gap();
        i = size - options_.edge;
      }
      visit(i);
    }
  }

  void collect(const Tensor& x) {
    if (x.rank() == 0) return shown_.push_back(x.item());
    for_shown(
        x.shape()[0], [&](std::int64_t i) { collect(select(x, 0, i)); }, [] {});
  }

  void print_axis(const Tensor& x, std::size_t depth) {
    if (x.rank() == 0) {
      const bool exact = x.dtype() == DType::i64;  // f64 would round what is beyond 2⁵³
      text_ +=
          fmt::format("{:>{}}", exact ? fmt::format("{}", *x.data<std::int64_t>()) : style_(x.item()), style_.width);
      return;
    }
    const bool innermost = x.rank() == 1;
    text_ += '[';
    bool first = true;
    const auto separate = [&](std::size_t next_width) {
      if (std::exchange(first, false)) return;
      if (innermost) {
        const std::size_t column = text_.size() - (text_.rfind('\n') + 1);
        const bool full = column + next_width + 3 > static_cast<std::size_t>(options_.line_width);
        text_ += full ? ",\n" + std::string(depth, ' ') : ", ";
      } else {
        text_ += ',' + std::string(static_cast<std::size_t>(x.rank() - 1), '\n') + std::string(depth, ' ');
      }
    };
    for_shown(
        x.shape()[0],
        [&](std::int64_t i) {
          separate(style_.width);
          print_axis(select(x, 0, i), depth + 1);
        },
        [&] {
          separate(3);
          text_ += "…";
        });
    text_ += ']';
  }

  PrintOptions options_;
  bool is_cut_;
  std::vector<double> shown_;
  NumberStyle style_;
  std::string text_;
};

}  // namespace

std::string to_string(const Tensor& x, const PrintOptions& options) {
  if (!x.defined()) return "undefined";
  if (x.numel() == 0) return fmt::format("[] of shape {}", x.shape());
  return Printer(x, options).print(x);
}

}  // namespace regard

fmt::format_context::iterator fmt::formatter<regard::Tensor>::format(const regard::Tensor& x,
                                                                     fmt::format_context& context) const {
  return write(regard::to_string(x, options), context);
}
