#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace regard::plot {

// Pixels, row by row from the top left: red, green, blue, 0 … 255.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> bytes;

  Image() = default;
  Image(int w, int h) : width(w), height(h), bytes(static_cast<std::size_t>(w) * h * 3, 255) {}

  std::uint8_t* at(int x, int y) { return &bytes[(static_cast<std::size_t>(y) * width + x) * 3]; }
  std::array<int, 3> rgb(int x, int y) const {
    const std::uint8_t* p = &bytes[(static_cast<std::size_t>(y) * width + x) * 3];
    return {p[0], p[1], p[2]};
  }
};

// The bytes of a PNG file with a palette of 256 colours (indexed.h), which is about 40 % of them: what has no more
// colours is read back as it was.
std::string encode_png(const Image& image);
Image read_png(const std::filesystem::path& path);

// The folder is made if need be. The file is complete or not there at all: see tensor/io/file.h.
void write_picture(const std::string& bytes, const std::filesystem::path& path);
void write_png(const Image& image, const std::filesystem::path& path);

}  // namespace regard::plot
