#include "examples/plot/image.h"

#include "examples/plot/indexed.h"
#include "tensor/error.h"
#include "tensor/io/file.h"

#include <stb_image.h>

#include <cstdlib>
#include <string_view>

// By stb, in the file that holds its bodies; its header does not tell of it.
extern "C" unsigned char* stbi_zlib_compress(unsigned char* bytes, int size, int* compressed_size, int quality);

namespace regard::plot {

namespace {

std::string four_bytes(std::uint32_t x) {  // the most significant one first
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(x >> shift & 255);
  return bytes;
}

// The check sum of a piece of a PNG file: the remainder of its bits, as a polynomial, by that of CRC-32.
std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

std::string piece(const std::string& name, const std::string& bytes) {
  return four_bytes(static_cast<std::uint32_t>(bytes.size())) + name + bytes + four_bytes(crc32(name + bytes));
}

std::string compressed(std::string bytes) {
  int size = 0;
  unsigned char* const packed =
      stbi_zlib_compress(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size()), &size, 64);
  if (!packed) fail<IoError>("plot: a picture could not be compressed");
  std::string result(reinterpret_cast<const char*>(packed), static_cast<std::size_t>(size));
  std::free(packed);
  return result;
}

}  // namespace

// The header says how large and that there is a palette (8 bits a pixel, kind 3); each row begins with a 0: no filter.
std::string encode_png(const Image& image) {
  const Indexed numbers = indexed(image);
  std::string palette, rows;
  for (const auto& colour : numbers.colours) palette.append(colour.begin(), colour.end());
  const std::size_t width = static_cast<std::size_t>(image.width);
  for (std::size_t start = 0; start < numbers.pixels.size(); start += width) {
    rows += '\0';
    rows.append(&numbers.pixels[start], &numbers.pixels[start] + width);
  }
  const std::string size =
      four_bytes(static_cast<std::uint32_t>(image.width)) + four_bytes(static_cast<std::uint32_t>(image.height));
  return "\x89PNG\r\n\x1a\n" + piece("IHDR", size + std::string("\x08\x03\0\0\0", 5)) + piece("PLTE", palette) +
         piece("IDAT", compressed(rows)) + piece("IEND", "");
}

void write_picture(const std::string& bytes, const std::filesystem::path& path) {
  if (path.has_parent_path()) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error)
      fail<IoError>("plot: the folder {} for {} could not be made: {}", path.parent_path().string(),
                    path.filename().string(), error.message());
  }
  write_file(path, bytes);
}

void write_png(const Image& image, const std::filesystem::path& path) { write_picture(encode_png(image), path); }

Image read_png(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  int width = 0, height = 0, channels = 0;
  stbi_uc* pixels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                                          static_cast<int>(bytes.size()), &width, &height, &channels, 3);
  if (!pixels) fail<IoError>("{}: this is not a PNG file that can be read ({})", path.string(), stbi_failure_reason());
  Image image(width, height);
  image.bytes.assign(pixels, pixels + image.bytes.size());
  stbi_image_free(pixels);
  return image;
}

}  // namespace regard::plot
