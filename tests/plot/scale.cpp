// Ticks are numbers that are easy to read, and say what they are.
#include "examples/plot/scale.h"

#include "tests/catch.h"

using namespace regard::plot;

namespace {

std::string labels(const std::vector<Tick>& ticks) {
  std::string text;
  for (const Tick& tick : ticks)
    if (!tick.label.empty()) text += (text.empty() ? "" : " ") + tick.label;
  return text;
}

}  // namespace

TEST_CASE("Linear ticks are steps of 1, 2 or 5 times a power of ten") {
  CHECK(labels(linear_ticks({0, 10}, 5)) == "0 2 4 6 8 10");
  CHECK(labels(linear_ticks({0, 1}, 5)) == "0.0 0.2 0.4 0.6 0.8 1.0");
  CHECK(labels(linear_ticks({-1.1, 1.1}, 5)) == "−1.0 −0.5 0.0 0.5 1.0");
  CHECK(labels(linear_ticks({3.2, 98}, 4)) == "50");
  CHECK(labels(linear_ticks({3.2, 98}, 5)) == "20 40 60 80");
  CHECK(labels(linear_ticks({0.0123, 0.0187}, 4)) == "0.014 0.016 0.018");
  CHECK(linear_ticks({-7, 7}, 3)[1].value == 0);
}

TEST_CASE("Very large and very small numbers are written with a power of ten") {
  CHECK(labels(linear_ticks({0, 4e6}, 4)) == "0 1×10⁶ 2×10⁶ 3×10⁶ 4×10⁶");
  CHECK(labels(linear_ticks({0, 2.5e-7}, 5)) == "0 0.5×10⁻⁷ 1.0×10⁻⁷ 1.5×10⁻⁷ 2.0×10⁻⁷ 2.5×10⁻⁷");
  CHECK(power_of_ten(-12) == "10⁻¹²");
}

TEST_CASE("Zero has no minus sign") {
  CHECK(number(-0.001, 2) == "0.00");
  CHECK(number(-0.5, 1) == "−0.5");
}

TEST_CASE("Logarithmic ticks are powers of ten, fewer where there are many, more where there are few") {
  CHECK(labels(logarithmic_ticks({1, 1000}, 5)) == "1 10 100 1000");
  CHECK(logarithmic_ticks({1, 1000}, 5).size() == 4 + 3 * 8);  // with the marks of 2 … 9 between them
  CHECK(labels(logarithmic_ticks({1e-12, 1}, 4)) == "10⁻¹² 10⁻⁹ 10⁻⁶ 10⁻³ 10⁰");
  CHECK(labels(logarithmic_ticks({0.001, 10000}, 8)) == "0.001 0.01 0.1 1 10 100 1000 10000");
  CHECK(labels(logarithmic_ticks({0.001, 100000}, 9)).starts_with("10⁻³ 10⁻² 10⁻¹ 10⁰"));  // all alike
  CHECK(labels(logarithmic_ticks({0.15, 0.7}, 5)) == "0.2 0.3 0.5");
  CHECK(labels(logarithmic_ticks({1.2, 6}, 5)) == "2 3 5");
  CHECK(logarithmic_ticks({1.2, 6}, 5).size() == 5);  // with the marks of 4 and 6
  CHECK(labels(logarithmic_ticks({31, 49}, 4)) == "35 40 45");
}

TEST_CASE("A scale puts the ends of its range at 0 and 1, and what has no place nowhere") {
  const Scale linear{{2, 6}}, logarithmic{{0.01, 100}, true};
  CHECK(linear(2) == 0);
  CHECK(linear(5) == 0.75);
  CHECK(logarithmic(1) == Approx(0.5));
  CHECK(logarithmic(100) == Approx(1));
  CHECK(std::isnan(logarithmic(0)));
  CHECK(std::isnan(logarithmic(-3)));
}

TEST_CASE("Ticks end, also where the next number is more than a step away or there is none") {
  CHECK(linear_ticks({1e18, 1e18 + 256}, 5).size() <= 7);
  CHECK(linear_ticks({-1e18 - 256, -1e18}, 5).size() <= 7);
  CHECK(linear_ticks({5e-324, 1e-323}, 5).size() <= 7);
  CHECK(linear_ticks({-1e308, 1e308}, 5).empty());
  CHECK(linear_ticks({5, 5}, 5).empty());
  CHECK(linear_ticks({NAN, 1}, 5).empty());
  for (const Range& range : {Range{-1, 10}, {0, 10}, {NAN, 1}, {1, INFINITY}})
    CHECK(logarithmic_ticks(range, 5).empty());
}

TEST_CASE("The ends of what a double can hold have a range as well, and a place on it") {
  const double most = 1.7e308, least = 5e-324;
  for (const Range& range : {Range{-most, most},
                             {most, most},
                             {-most, -most},
                             {0, most},
                             {least, 2 * least},
                             {-least, least},
                             {1e18, 1e18 + 256},
                             {least, most},
                             {most / 2, most}})
    for (const bool logarithmic : {false, true})
      for (const double margin : {0.0, 0.05}) {
        CAPTURE(range.low, range.high, logarithmic);
        const Range drawn = drawable(range, logarithmic, margin);
        const Scale scale{drawn, logarithmic};
        CHECK(std::isfinite(drawn.span()));
        CHECK(drawn.span() > 0);
        CHECK((!logarithmic || drawn.low > 0));
        CHECK(scale(drawn.low) == Approx(0).margin(1e-9));
        CHECK(scale(drawn.high) == Approx(1));
        CHECK(std::isfinite(scale(most)));
        const auto found = ticks(scale, 5);
        CHECK(found.size() >= 1);
        CHECK(found.size() <= 60);
        for (const Tick& tick : found) CHECK(tick.label.size() < 40);
      }
}

TEST_CASE("Any data has a range that can be drawn") {
  Range range;
  CHECK(range.empty());
  for (const double x : std::vector<double>{3, NAN, INFINITY, -INFINITY, 5}) range.include(x);
  CHECK(range.low == 3);
  CHECK(range.high == 5);

  const Range nothing = drawable({}, false, 0.05), zero = drawable({0, 0}, false, 0.05),
              constant = drawable({7, 7}, false, 0);
  CHECK((nothing.low == Approx(-0.05) && nothing.high == Approx(1.05)));
  CHECK((zero.low == -1 && zero.high == 1));
  CHECK((constant.low < 7 && constant.high > 7));
  const Range positive = drawable({-1, 100}, true, 0), none = drawable({-5, -1}, true, 0),
              one = drawable({4, 4}, true, 0);
  CHECK((positive.low == Approx(0.1) && positive.high == 100));
  CHECK((none.low == 1 && none.high == 10));
  CHECK((one.low == 2 && one.high == 8));
}
