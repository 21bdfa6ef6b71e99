#include "examples/plot/image.h"

#include "tensor/error.h"
#include "tensor/io/file.h"

#include <stb_image.h>
#include <stb_image_write.h>

namespace regard::plot {

std::string encode_png(const Image& image) {
  std::string bytes;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.bytes.data(), image.width * 3))
    fail<IoError>("plot: {} × {} pixels could not be encoded as PNG", image.width, image.height);
  return bytes;
}

void write_png(const Image& image, const std::filesystem::path& path) {
  if (path.has_parent_path()) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error)
      fail<IoError>("plot: the folder {} for {} could not be made: {}", path.parent_path().string(),
                    path.filename().string(), error.message());
  }
  write_file(path, encode_png(image));
}

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
