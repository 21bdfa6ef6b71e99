#include "examples/plot/text.h"

#include <stb_truetype.h>

#include <algorithm>
#include <cmath>

extern const unsigned char* const regard_font;  // made of font/DejaVuSans-subset.ttf when the project is configured

namespace regard::plot {

namespace {

const stbtt_fontinfo& font() {
  static const stbtt_fontinfo info = [] {
    stbtt_fontinfo loaded;
    stbtt_InitFont(&loaded, regard_font, 0);
    return loaded;
  }();
  return info;
}

// The next letter of UTF-8 text, which is taken off it. Bytes that are no UTF-8 stand for themselves.
int next_letter(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  int letter = first;
  if (length > 1 && length <= text.size()) {
    letter = first & (0xff >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) letter = letter << 6 | (byte(i) & 0x3f);
  }
  text.remove_prefix(std::min(length, text.size()));
  return letter;
}

// Calls place(glyph, x) for each letter, x being where it starts; returns where the last one ends.
template <class Place>
double walk(std::string_view text, double scale, const Place& place) {
  double x = 0;
  int before = 0;
  while (!text.empty()) {
    const int glyph = stbtt_FindGlyphIndex(&font(), next_letter(text));
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&font(), glyph, &advance, &bearing);
    if (before) x += scale * stbtt_GetGlyphKernAdvance(&font(), before, glyph);
    place(glyph, x);
    x += scale * advance;
    before = glyph;
  }
  return x;
}

double scale_of(double size) { return stbtt_ScaleForMappingEmToPixels(&font(), static_cast<float>(size)); }

}  // namespace

TextSize measure(std::string_view text, double size) {
  const double width = walk(text, scale_of(size), [](int, double) {});
  return {width, 0.76 * size, 0.24 * size};  // of this font: accents reach higher, but not into the line above
}

TextMask render(std::string_view text, double size) {
  const float scale = static_cast<float>(scale_of(size));
  TextMask mask;
  mask.baseline = static_cast<int>(std::ceil(size));
  mask.width = static_cast<int>(std::ceil(measure(text, size).width)) + 2;
  mask.height = mask.baseline + static_cast<int>(std::ceil(0.4 * size));
  mask.coverage.assign(static_cast<std::size_t>(mask.width) * mask.height, 0);

  std::vector<std::uint8_t> letter;
  walk(text, scale, [&](int glyph, double x) {
    const float shift = static_cast<float>(x - std::floor(x));
    int left = 0, top = 0, right = 0, bottom = 0;
    stbtt_GetGlyphBitmapBoxSubpixel(&font(), glyph, scale, scale, shift, 0, &left, &top, &right, &bottom);
    const int width = right - left, height = bottom - top;
    if (width <= 0 || height <= 0) return;
    letter.assign(static_cast<std::size_t>(width) * height, 0);
    stbtt_MakeGlyphBitmapSubpixel(&font(), letter.data(), width, height, width, scale, scale, shift, 0, glyph);
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) {
        const int to_x = static_cast<int>(std::floor(x)) + left + column, to_y = mask.baseline + top + row;
        if (to_x < 0 || to_x >= mask.width || to_y < 0 || to_y >= mask.height) continue;
        std::uint8_t& there = mask.coverage[static_cast<std::size_t>(to_y) * mask.width + to_x];
        there = std::max(there, letter[static_cast<std::size_t>(row) * width + column]);
      }
  });
  return mask;
}

}  // namespace regard::plot
