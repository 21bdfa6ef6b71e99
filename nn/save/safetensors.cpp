#include "nn/save/safetensors.h"

#include "nn/save/json.h"
#include "tensor/io/file.h"
#include "tensor/io/stored.h"
#include "tensor/ops/reduce.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

static_assert(std::endian::native == std::endian::little, "numbers are written to files as they stand in memory");

namespace regard::nn {
namespace {

constexpr std::size_t length_bytes = 8;
constexpr std::size_t longest_header = 100'000'000;  // the format's limit

// What the header says of a tensor.
struct Entry {
  std::string name;
  StoredType type;
  Shape shape;
  std::uint64_t begin, end;  // its bytes among the data
};

constexpr const char* metadata_key = "__metadata__";

// What can be read, under the names that it has in headers; u32 and u16 have none here.
constexpr std::pair<StoredType, std::string_view> readable[] = {
    {StoredType::f64, "F64"}, {StoredType::f32, "F32"},     {StoredType::f16, "F16"}, {StoredType::bf16, "BF16"},
    {StoredType::i64, "I64"}, {StoredType::i32, "I32"},     {StoredType::i16, "I16"}, {StoredType::i8, "I8"},
    {StoredType::u8, "U8"},   {StoredType::boolean, "BOOL"}};

std::string_view name_in_header(StoredType type) {
  const auto found = std::ranges::find_if(readable, [type](const auto& one) { return one.first == type; });
  return found == std::end(readable) ? "" : found->second;
}

bool are_sizes(const JsonList& list) {
  return std::all_of(list.begin(), list.end(), [](const Json& value) { return value.is_size(); });
}

std::map<std::string, std::string> read_metadata(const Json& value, const std::string& file) {
  const auto* object = value.get_if<JsonObject>();
  std::map<std::string, std::string> metadata;
  const auto add = [&](const auto& item) {
    const auto* text = item.second.template get_if<std::string>();
    if (text) metadata.emplace(item.first, *text);
    return text != nullptr;
  };
  if (!object || !std::all_of(object->begin(), object->end(), add))
    malformed(file, "{} has to map strings to strings, and is {}", metadata_key, excerpt(value));
  return metadata;
}

StoredType read_type(const std::string& tensor, const Json& value, const std::string& file) {
  std::vector<std::string> names;
  for (const auto& [type, name] : readable) {
    names.emplace_back(name);
    if (const auto* text = value.get_if<std::string>(); text && *text == name) return type;
  }
  malformed(file, "{} has the dtype {} (these can be read: {})", tensor, excerpt(value), join_words(names, ", "));
}

Shape read_shape(const std::string& tensor, const Json& value, const std::string& file) {
  const auto* sizes = value.get_if<JsonList>();
  if (!sizes || !are_sizes(*sizes))
    malformed(file, "{} has the shape {}, which is not a list of sizes", tensor, excerpt(value));
  if (sizes->size() > Shape::max_rank)
    malformed(file, "{} has {} axes (the most a tensor can have here is {})", tensor, sizes->size(), Shape::max_rank);
  Shape shape;
  for (const Json& size : *sizes) shape.push_back(size.size());
  try {
    require_possible(shape);
  } catch (const ShapeError&) {
    malformed(file, "{} has the shape {}, which has more elements than memory can hold", tensor, shape);
  }
  return shape;
}

// Whether entries fit each other and the data is seen later.
Entry read_entry(const std::string& name, const Json& value, const std::string& file) {
  const std::string tensor = "the tensor " + in_quotes(name);
  for (const char* field : {"dtype", "shape", "data_offsets"})
    if (!value.find(field)) malformed(file, "{} has no {}", tensor, field);
  if (value.get_if<JsonObject>()->size() > 3)
    malformed(file, "{} has fields that are unknown: {}", tensor, excerpt(value));
  const Shape shape = read_shape(tensor, *value.find("shape"), file);
  const Json& place = *value.find("data_offsets");
  const auto* offsets = place.get_if<JsonList>();
  if (!offsets || offsets->size() != 2 || !are_sizes(*offsets) || (*offsets)[0].size() > (*offsets)[1].size())
    malformed(file, "{} has the data_offsets {}, which are not a begin and an end", tensor, excerpt(place));
  const auto at = [&](std::size_t i) { return static_cast<std::uint64_t>((*offsets)[i].size()); };
  return {name, read_type(tensor, *value.find("dtype"), file), shape, at(0), at(1)};
}

std::string item_of(const std::map<std::string, std::string>& metadata) {
  JsonObject texts;
  for (const auto& [key, text] : metadata) texts[key] = {text};
  return fmt::format("\"{}\":{}", metadata_key, to_json({std::move(texts)}));
}

std::uint64_t bytes_of(const Shape& shape, StoredType type) {
  return static_cast<std::uint64_t>(shape.numel()) * size_of(type);
}

// Every byte of the data belongs to exactly one tensor.
void check_layout(const std::vector<Entry>& entries, std::uint64_t data_bytes, const std::string& file) {
  std::uint64_t covered = 0;
  for (const auto& [name, type, shape, begin, end] : entries) {
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

  // The third level is the deepest: a shape in an entry.
  const Json header = parse_json(text, {.file = file, .part = "the header", .depth = 3});
  TensorFile result;
  std::vector<Entry> entries;
  for (const auto& [name, value] : *header.get_if<JsonObject>())
    if (name == metadata_key)
      result.metadata = read_metadata(value, file);
    else
      entries.push_back(read_entry(name, value, file));
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
  check_layout(entries, data.size(), file);
  for (const Entry& entry : entries) {
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
    if (name == metadata_key) fail<ValueError>("save: {} cannot be the name of a tensor: the format uses it", name);
    if (!x.defined()) fail<ValueError>("save: the tensor {} has no value yet", in_quotes(name));
    tensors.emplace_back(name, contiguous(x));
  }
  // Larger elements first, so that all of them are aligned; the public implementation puts i64 before f64.
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const auto& a, const auto& b) { return a.second.dtype() > b.second.dtype(); });

  std::vector<std::string> items;  // of the header
  if (!file.metadata.empty()) items.push_back(item_of(file.metadata));
  std::vector<std::string_view> pieces(2);
  std::uint64_t offset = 0;
  for (const auto& [name, x] : tensors) {
    const StoredType type = stored_as(x.dtype());
    const std::uint64_t size = bytes_of(x.shape(), type);
    items.push_back(fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}", to_json({name}),
                                name_in_header(type), fmt::join(x.shape(), ","), offset, offset + size));
    offset += size;
    dispatch_stored(x.dtype(), [&, &data = x](auto zero) {
      pieces.emplace_back(reinterpret_cast<const char*>(data.template data<decltype(zero)>()), size);
    });
  }
  std::string text = "{" + join_words(items, ",") + "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  pieces[0] = {reinterpret_cast<const char*>(&length), length_bytes};
  pieces[1] = text;
  write_file(path, pieces);
}

}  // namespace regard::nn
