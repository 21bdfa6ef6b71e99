#include "tests/plot/picture.h"

#include "tests/tensor/folder.h"

#include <algorithm>

namespace regard::plot {

Image saved_and_read(const Figure& figure) {
  const Folder folder;
  figure.save(folder / "picture.png");
  return read_png(folder / "picture.png");
}

namespace {

bool is_ink(const Rgb& c) { return c == rgb_of(ink); }

// The longest run of ink in a row or column.
int longest_run(const Image& image, int line, bool vertical) {
  int longest = 0, run = 0;
  for (int i = 0; i < (vertical ? image.height : image.width); ++i) {
    run = is_ink(vertical ? image.rgb(line, i) : image.rgb(i, line)) ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

Frame frame_of(const Image& image) {
  Frame frame{};
  const int wide = image.width / 3, high = image.height / 3;
  while (frame.left < image.width && longest_run(image, frame.left, true) < high) ++frame.left;
  while (frame.top < image.height && longest_run(image, frame.top, false) < wide) ++frame.top;
  while (frame.left < image.width && longest_run(image, frame.left, true) >= high) ++frame.left;
  while (frame.top < image.height && longest_run(image, frame.top, false) >= wide) ++frame.top;
  frame.right = frame.left;
  frame.bottom = frame.top;
  while (frame.right < image.width && longest_run(image, frame.right, true) < high) ++frame.right;
  while (frame.bottom < image.height && longest_run(image, frame.bottom, false) < wide) ++frame.bottom;
  return frame;
}

Rgb Frame::at(const Image& image, double x, double y) const {
  return image.rgb(static_cast<int>(left + x * (right - left)), static_cast<int>(top + y * (bottom - top)));
}

bool shows(const Image& image, const std::string& text, double points, bool upwards) {
  // Letters start at whole pixels, so a copy of the text is the same to the pixel: dark where the mask is, light
  // between. Around it other things may stand.
  const TextMask mask = render(text, points * 2);
  std::vector<int> dark, light;  // steps from the pixel where the text starts
  for (int v = 0; v < mask.height; ++v)
    for (int u = 0; u < mask.width; ++u) {
      const int coverage = mask.coverage[static_cast<std::size_t>(v) * mask.width + u];
      const int step = upwards ? (mask.width - 1 - u) * image.width + v : v * image.width + u;
      const bool within = v > mask.baseline - points && v < mask.baseline && u > 1 && u + 4 < mask.width;
      if (coverage >= 235) dark.push_back(step);
      if (coverage == 0 && within) light.push_back(step);
    }
  std::vector<char> is_dark(static_cast<std::size_t>(image.width) * image.height);
  for (std::size_t i = 0; i < is_dark.size(); ++i) is_dark[i] = image.bytes[3 * i] < 100;

  const int width = upwards ? mask.height : mask.width, height = upwards ? mask.width : mask.height;
  const char* const pixels = is_dark.data();
  for (int y = 0; y + height <= image.height; ++y)
    for (int x = 0; x + width <= image.width; ++x) {
      const char* const start = pixels + y * image.width + x;
      if (start[dark.front()] && start[dark.back()] &&
          std::all_of(dark.begin(), dark.end(), [&](int step) { return start[step]; }) &&
          std::none_of(light.begin(), light.end(), [&](int step) { return start[step]; }))
        return true;
    }
  return false;
}

double empty_share(const Image& image, const Frame& frame) {
  double empty = 0;
  for (int y = frame.top; y < frame.bottom; ++y)
    for (int x = frame.left; x < frame.right; ++x) {
      const Rgb c = image.rgb(x, y);
      empty += c[0] >= 0xee && c[1] >= 0xee && c[2] >= 0xee;
    }
  return empty / std::max(1, (frame.right - frame.left) * (frame.bottom - frame.top));
}

int count_pixels(const Image& image, const Rgb& color) {
  int count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) count += image.rgb(x, y) == color;
  return count;
}

}  // namespace regard::plot
