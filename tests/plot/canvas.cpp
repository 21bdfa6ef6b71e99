// Shapes cover as much of each pixel as geometry says.
#include "examples/plot/canvas.h"

#include "tests/catch.h"
#include "tests/plot/picture.h"

#include <numbers>

using namespace regard;
using namespace regard::plot;

namespace {

// How much black there is, in whole pixels.
double blackness(const Image& image) {
  double sum = 0;
  for (const std::uint8_t byte : image.bytes) sum += (255 - byte) / (3 * 255.0);
  return sum;
}

}  // namespace

TEST_CASE("A rectangle colours each pixel by the share it covers") {
  Canvas canvas(8, 4, 1);
  canvas.fill({1, 1, 3.5, 2.25}, black);
  CHECK(canvas.image().rgb(1, 1) == Rgb{0, 0, 0});
  CHECK(canvas.image().rgb(3, 1) == Rgb{128, 128, 128});  // half of it
  CHECK(canvas.image().rgb(1, 2) == Rgb{191, 191, 191});  // a quarter
  CHECK(canvas.image().rgb(3, 2) == Rgb{223, 223, 223});  // an eighth
  CHECK(canvas.image().rgb(4, 1) == Rgb{255, 255, 255});
  CHECK(blackness(canvas.image()) == Approx(2.5 * 1.25).margin(0.02));
}

TEST_CASE("Colours that let through mix with what is below, and at scale 2 a point is two pixels") {
  Canvas canvas(4, 4, 2);
  REQUIRE(canvas.image().width == 8);
  canvas.fill({0, 0, 4, 4}, hex(0xff0000));
  canvas.fill({1, 1, 2, 2}, hex(0x0000ff).with_alpha(0.25));
  CHECK(canvas.image().rgb(2, 2) == Rgb{191, 0, 64});
  CHECK(canvas.image().rgb(3, 3) == Rgb{191, 0, 64});
  CHECK(canvas.image().rgb(4, 4) == Rgb{255, 0, 0});
}

TEST_CASE("A disc has the area πr², a line that of its length times its width, with round ends") {
  Canvas disc(40, 40, 1);
  disc.disc({20.3, 19.6}, 10, black);
  CHECK(blackness(disc.image()) == Approx(std::numbers::pi * 100).epsilon(0.01));

  Canvas line(100, 60, 1);
  line.line({{10, 10}, {82, 40}}, {black, 4, false});
  CHECK(blackness(line.image()) == Approx(4 * std::hypot(72, 30) + std::numbers::pi * 4).epsilon(0.02));
}

TEST_CASE("A line that lets through is equally dark at its joints, and dashed it has gaps") {
  Canvas canvas(60, 20, 1);
  canvas.line({{5, 10}, {20, 10}, {20, 10}, {40, 10}, {30, 10}}, {black.with_alpha(0.5), 4, false});
  for (int x = 6; x < 40; ++x) CHECK(canvas.image().rgb(x, 10) == Rgb{128, 128, 128});

  Canvas hairline(1000, 20, 1);  // is not cut into a million dashes
  hairline.line({{0, 10}, {1000, 10}}, {black, 1e-9, true});
  CHECK(hairline.image().rgb(500, 10)[0] > 200);
  Canvas dashed(100, 20, 1);
  dashed.line({{0, 10}, {100, 10}}, {black, 2, true});
  int dark = 0, light = 0;
  for (int x = 0; x < 100; ++x) {
    dark += dashed.image().rgb(x, 10)[0] == 0;
    light += dashed.image().rgb(x, 10)[0] == 255;
  }
  CHECK(dark > 50);
  CHECK(light > 10);
}

TEST_CASE("A line has a gap where a number is missing, and may go far beyond the picture") {
  Canvas canvas(60, 20, 1);
  canvas.line({{5, 10}, {20, 10}, {NAN, 10}, {40, 10}, {55, 10}}, {black, 2, false});
  CHECK(canvas.image().rgb(15, 10) == Rgb{0, 0, 0});
  CHECK(canvas.image().rgb(30, 10) == Rgb{255, 255, 255});
  CHECK(canvas.image().rgb(50, 10) == Rgb{0, 0, 0});
  Canvas endless(60, 20, 1);
  endless.line({{5, 10}, {20, 10}, {INFINITY, 10}, {40, 10}, {55, 10}}, {black, 2, false});
  CHECK(endless.image().rgb(30, 10) == Rgb{255, 255, 255});
  Canvas far(60, 20, 1);
  far.line({{-1e30, 10}, {1e30, 10}}, {black, 2, false});
  CHECK(far.image().rgb(30, 10) == Rgb{0, 0, 0});
}

TEST_CASE("A band fills what is between two lines, once, even where it has many corners") {
  Canvas canvas(40, 40, 1);
  canvas.band({{5.3, 30}, {12.7, 30}, {20.1, 30}, {35, 30}}, {{5.3, 10}, {12.7, 10}, {20.1, 10}, {35, 10}}, black);
  CHECK(blackness(canvas.image()) == Approx((35 - 5.3) * 20).epsilon(0.005));
  for (int x = 6; x < 35; ++x) CHECK(canvas.image().rgb(x, 20) == Rgb{0, 0, 0});
}

TEST_CASE("A band is the same from right to left, and one far outside is not drawn") {
  Canvas forwards(40, 40, 1), backwards(40, 40, 1), outside(40, 40, 1);
  forwards.band({{5, 30}, {20, 25}, {35, 30}}, {{5, 10}, {20, 12}, {35, 10}}, black);
  backwards.band({{35, 30}, {20, 25}, {5, 30}}, {{35, 10}, {20, 12}, {5, 10}}, black);
  CHECK(blackness(backwards.image()) > 400);
  CHECK(backwards.image().bytes == forwards.image().bytes);
  outside.band({{5, 1e30}, {35, 1e30}}, {{5, 2e30}, {35, 2e30}}, black);
  outside.band({{5, -1e30}, {35, -1e30}}, {{5, -2e30}, {35, -2e30}}, black);
  CHECK(blackness(outside.image()) == 0);
}

TEST_CASE("A shape or a text whose place is not a number is not drawn") {
  Canvas canvas(40, 40, 1);
  for (int side = 0; side < 4; ++side) {
    const auto or_nan = [&](int which, double value) { return which == side ? NAN : value; };
    canvas.fill({or_nan(0, 5), or_nan(1, 5), or_nan(2, 20), or_nan(3, 20)}, black);
  }
  canvas.disc({NAN, 20}, 5, black);
  canvas.disc({20, NAN}, 5, black);
  canvas.disc({20, 20}, NAN, black);
  canvas.fill({5, 5, 20, 20}, black.with_alpha(NAN));
  for (const double far : {double{NAN}, 1e30, -1e30}) {
    canvas.text({far, 20}, "text", {});
    canvas.text({20, far}, "text", {});
  }
  CHECK(blackness(canvas.image()) == 0);
}

TEST_CASE("Nothing is drawn outside the clip, and marks tell where data is") {
  Canvas canvas(40, 40, 1);
  canvas.clip(Box{10, 10, 30, 30});
  canvas.mark(true);
  canvas.line({{0, 0}, {40, 40}}, {black, 3, false});
  canvas.disc({10, 30}, 8, black);
  canvas.mark(false);
  canvas.clip(std::nullopt);
  for (int i = 0; i < 40; ++i) CHECK(canvas.image().rgb(i, 9) == Rgb{255, 255, 255});
  for (int i = 0; i < 40; ++i) CHECK(canvas.image().rgb(30, i) == Rgb{255, 255, 255});
  CHECK(canvas.marked_share({18, 18, 22, 22}) > 0.5);
  CHECK(canvas.marked_share({22, 10, 30, 16}) == 0);
}

TEST_CASE("Text stands where it was asked for, and upwards it is the same, turned") {
  const std::string words = "Größe α ω ∂L/∂w Σ √d 10⁻³";
  Canvas flat(220, 60, 2), turned(60, 220, 2);
  flat.text({10, 20}, words, {.size = 10});
  turned.text({20, 210}, words, {.size = 10, .vertical = Align::end, .upwards = true});
  CHECK(blackness(flat.image()) > 300);
  int different = 0;
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 440; ++x) different += flat.image().rgb(x, y) != turned.image().rgb(y, 439 - x);
  CHECK(different == 0);

  // Every letter of it is in the font: what is not would be drawn as one and the same box.
  const auto missing = render("\xe4\xb8\xad", 20).coverage;  // a Chinese letter
  for (const char* letter : {"α", "ω", "∂", "Σ", "√", "⁻", "ö", "ß", "−", "×", "∞", "θ", "λ", "ŷ", "ᵢ", "ⱼ", "ᵀ"}) {
    CAPTURE(letter);
    CHECK(render(letter, 20).coverage != missing);
    CHECK(measure(letter, 20).width > 3);
  }
}

TEST_CASE("Text is aligned by its measured size") {
  const double width = measure("attention", 20).width;
  for (const auto& [align, left] :
       {std::pair{Align::start, 50.0}, {Align::center, 50 - width / 2}, {Align::end, 50 - width}}) {
    Canvas canvas(160, 40, 1);
    canvas.text({50 + width, 10}, "attention", {.size = 20, .horizontal = align});
    int first = 0;
    const auto column_is_white = [&](int x) {
      for (int y = 0; y < 40; ++y)
        if (canvas.image().rgb(x, y)[0] < 200) return false;
      return true;
    };
    while (first < 160 && column_is_white(first)) ++first;
    CHECK(std::abs(first - (left + width)) <= 2);
  }
}
