#include "nn/save/safetensors.h"

#include "nn/save/header.h"
#include "nn/save/json.h"
#include "nn/save/malformed.h"
#include "tensor/io/file.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <bit>
#include <cstring>

static_assert(std::endian::native == std::endian::little, "numbers are written to files as they stand in memory");

namespace regard::nn {
namespace {

constexpr std::size_t length_bytes = 8;
constexpr std::size_t longest_header = 100'000'000;  // the format's limit

std::uint64_t bytes_of(const Shape& shape, StoredType type) {
  return static_cast<std::uint64_t>(shape.numel()) * size_of(type);
}

// Every byte of the data belongs to exactly one tensor.
void check_layout(const Header& header, std::uint64_t data_bytes, const std::string& file) {
  std::uint64_t covered = 0;
  for (const auto& [name, type, shape, begin, end] : header.entries) {
    const std::uint64_t wanted = bytes_of(shape, type);
    if (end - begin != wanted)
      malformed(file, "the tensor {} has {} bytes of data, where {} of {} takes {}", in_quotes(name), end - begin,
                name_in_header(type), shape, wanted);
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

void require_booleans(const Tensor& x, const std::string& name, const std::string& file) {
  if (x.numel() > 0 && max(x).item() > 1)
    malformed(file, "the tensor {} has the dtype BOOL, and holds the byte {}", in_quotes(name), max(x).item());
}

}  // namespace

TensorFile load_safetensors(const std::string& path, StoredBf16 bf16) {
  return parse_safetensors(read_file(path), path, bf16);
}

TensorFile parse_safetensors(std::string_view bytes, const std::string& file, StoredBf16 bf16) {
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
    const Tensor x = widen(data.substr(entry.begin, entry.end - entry.begin), entry.type, entry.shape);
    if (entry.type == StoredType::boolean) require_booleans(x, entry.name, file);
    const bool is_wider = entry.type == StoredType::bf16 && bf16 == StoredBf16::widened;
    result.tensors.emplace(entry.name, is_wider ? to(x, DType::f32) : x);
  }
  return result;
}

void save_safetensors(const std::string& path, const TensorFile& file) {
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
  std::uint64_t offset = 0;
  for (const auto& [name, x] : tensors) {
    const StoredType type = stored_as(x.dtype());
    const std::uint64_t size = bytes_of(x.shape(), type);
    header.entries.push_back({name, type, x.shape(), offset, offset + size});
    offset += size;
    dispatch_stored(x.dtype(), [&, &data = x](auto zero) {
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
