#include "nn/save/safetensors.h"

#include "nn/save/header.h"
#include "tensor/io/file.h"

#include <algorithm>
#include <bit>
#include <cstring>

static_assert(std::endian::native == std::endian::little, "numbers are written to files as they stand in memory");

namespace regard::nn {
namespace {

constexpr std::size_t length_bytes = 8;
constexpr std::size_t longest_header = 100'000'000;  // the format's limit

std::uint64_t bytes_of(const Shape& shape, DType dtype) {
  return static_cast<std::uint64_t>(shape.numel()) * size_of(dtype);
}

// Every byte of the data belongs to exactly one tensor.
void check_layout(const Header& header, std::uint64_t data_bytes, const std::string& file) {
  std::uint64_t covered = 0;
  for (const auto& [name, dtype, shape, begin, end] : header.entries) {
    const std::uint64_t wanted = bytes_of(shape, dtype);
    if (end - begin != wanted)
      malformed(file, "the tensor {} has {} bytes of data, where {} of {} takes {}", in_quotes(name), end - begin,
                dtype, shape, wanted);
    if (begin != covered)
      malformed(file, "the data of the tensor {} begin at byte {}, and those before it end at {}: there is {}",
                in_quotes(name), begin, covered, begin < covered ? "an overlap" : "a gap");
    covered = end;
  }
  if (covered > data_bytes)
    malformed(file, "the tensors take {} bytes, and the file holds {} of them: it is cut off", covered, data_bytes);
  if (covered < data_bytes)
    malformed(file, "the tensors take {} bytes, and {} more follow that belong to none", covered, data_bytes - covered);
}

}  // namespace

TensorFile load_safetensors(const std::filesystem::path& path) {
  return parse_safetensors(read_file(path), path.string());
}

TensorFile parse_safetensors(std::string_view bytes, const std::string& file) {
  if (bytes.size() < length_bytes)
    malformed(file, "a safetensors file starts with the {} bytes of a length; this one ends after {}", length_bytes,
              bytes.size());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  bytes.remove_prefix(length_bytes);
  if (length > bytes.size())
    malformed(file, "the header should have {} bytes, and the file has {}: it is cut off, or no safetensors file",
              length, bytes.size());
  if (length > longest_header)
    malformed(file, "the header has {} bytes, more than the {} that the format allows", length, longest_header);
  const std::string_view text = bytes.substr(0, length), data = bytes.substr(length);
  if (!text.starts_with('{')) malformed(file, "the header does not start with {{: this is no safetensors file");

  const Header header = parse_header(text, file);
  check_layout(header, data.size(), file);
  TensorFile result{{}, header.metadata};
  for (const auto& entry : header.entries) {
    Tensor x = empty(entry.shape, entry.dtype);
    dispatch(entry.dtype, [&](auto zero) {
      std::memcpy(x.writable<decltype(zero)>(), data.data() + entry.begin, entry.end - entry.begin);
    });
    result.tensors.emplace(entry.name, std::move(x));
  }
  return result;
}

void save_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const auto& [name, x] : file.tensors) {
    if (!x.defined()) fail<ValueError>("save: the tensor {} has no value yet", in_quotes(name));
    tensors.emplace_back(name, contiguous(x));
  }
  // Larger elements first, so that all of them are aligned; the public implementation puts i64 before f64.
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const auto& a, const auto& b) { return a.second.dtype() > b.second.dtype(); });

  Header header{{}, file.metadata};
  std::vector<std::string_view> pieces(2);
  std::uint64_t place = 0;
  for (const auto& [name, x] : tensors) {
    const std::uint64_t size = bytes_of(x.shape(), x.dtype());
    header.entries.push_back({name, x.dtype(), x.shape(), place, place + size});
    place += size;
    dispatch(x.dtype(), [&, &data = x](auto zero) {
      pieces.emplace_back(reinterpret_cast<const char*>(data.template data<decltype(zero)>()), size);
    });
  }
  std::string text = to_json(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  pieces[0] = {reinterpret_cast<const char*>(&length), length_bytes};
  pieces[1] = text;
  write_file(path, pieces);
}

}  // namespace regard::nn
