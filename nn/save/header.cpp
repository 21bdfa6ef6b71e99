#include "nn/save/header.h"

#include "nn/save/json.h"
#include "nn/save/malformed.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

namespace regard::nn {
namespace {

constexpr const char* metadata_key = "__metadata__";

constexpr StoredType readable[] = {StoredType::f64, StoredType::f32,    StoredType::f16, StoredType::bf16,
                                   StoredType::i64, StoredType::i32,    StoredType::i16, StoredType::i8,
                                   StoredType::u8,  StoredType::boolean};

class HeaderReader {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  Header read(std::string_view text) {
    // The third level is the deepest: a shape in an entry.
    const Json root = parse_json(text, {.file = file_, .part = "the header", .depth = 3});
    Header header;
    for (const auto& [name, value] : *root.get_if<JsonObject>())
      if (name == metadata_key)
        header.metadata = read_metadata(value);
      else
        header.entries.push_back(read_entry(name, value));
    return header;
  }

 private:
  std::map<std::string, std::string> read_metadata(const Json& value) {
    const auto* object = value.get_if<JsonObject>();
    std::map<std::string, std::string> metadata;
    const auto add = [&](const auto& item) {
      const auto* text = item.second.template get_if<std::string>();
      if (text) metadata.emplace(item.first, *text);
      return text != nullptr;
    };
    if (!object || !std::all_of(object->begin(), object->end(), add))
      malformed(file_, "{} has to map strings to strings, and is {}", metadata_key, excerpt(value));
    return metadata;
  }

  Header::Entry read_entry(const std::string& name, const Json& value) {
    const std::string tensor = "the tensor " + in_quotes(name);
    for (const char* field : {"dtype", "shape", "data_offsets"})
      if (!value.find(field)) malformed(file_, "{} has no {}", tensor, field);
    if (value.get_if<JsonObject>()->size() > 3)
      malformed(file_, "{} has fields that are unknown: {}", tensor, excerpt(value));
    const Shape shape = read_shape(tensor, *value.find("shape"));
    const auto [begin, end] = read_offsets(tensor, *value.find("data_offsets"));
    return {name, read_type(tensor, *value.find("dtype")), shape, begin, end};
  }

  StoredType read_type(const std::string& tensor, const Json& value) {
    std::vector<std::string> names;
    for (const StoredType type : readable) {
      names.emplace_back(name_in_header(type));
      if (const auto* text = value.get_if<std::string>(); text && *text == names.back()) return type;
    }
    malformed(file_, "{} has the dtype {} (these can be read: {})", tensor, excerpt(value), join_words(names, ", "));
  }

  Shape read_shape(const std::string& tensor, const Json& value) {
    const auto* sizes = value.get_if<JsonList>();
    if (!sizes || !are_sizes(*sizes))
      malformed(file_, "{} has the shape {}, which is not a list of sizes", tensor, excerpt(value));
    if (sizes->size() > Shape::max_rank)
      malformed(file_, "{} has {} axes (the most a tensor can have here is {})", tensor, sizes->size(),
                Shape::max_rank);
    Shape shape;
    for (const Json& size : *sizes) shape.push_back(size.size());
    try {
      require_possible(shape);
    } catch (const ShapeError&) {
      malformed(file_, "{} has the shape {}, which has more elements than memory can hold", tensor, shape);
    }
    return shape;
  }

  std::pair<std::uint64_t, std::uint64_t> read_offsets(const std::string& tensor, const Json& value) {
    const auto* offsets = value.get_if<JsonList>();
    if (!offsets || offsets->size() != 2 || !are_sizes(*offsets) || (*offsets)[0].size() > (*offsets)[1].size())
      malformed(file_, "{} has the data_offsets {}, which are not a begin and an end", tensor, excerpt(value));
    return {(*offsets)[0].size(), (*offsets)[1].size()};
  }

  static bool are_sizes(const JsonList& list) {
    return std::all_of(list.begin(), list.end(), [](const Json& value) { return value.is_size(); });
  }

  const std::string& file_;
};

}  // namespace

Header parse_header(std::string_view text, const std::string& file) {
  Header header = HeaderReader(file).read(text);
  std::sort(header.entries.begin(), header.entries.end(), [](const Header::Entry& a, const Header::Entry& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
  return header;
}

std::string to_json(const Header& header) {
  std::vector<std::string> items;
  if (!header.metadata.empty()) {
    std::vector<std::string> texts;
    for (const auto& [key, text] : header.metadata) texts.push_back(to_json(Json{key}) + ":" + to_json(Json{text}));
    items.push_back(fmt::format("\"{}\":{{{}}}", metadata_key, join_words(texts, ",")));
  }
  for (const auto& [name, type, shape, begin, end] : header.entries) {
    if (name == metadata_key) fail<ValueError>("save: {} cannot be the name of a tensor: the format uses it", name);
    items.push_back(fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}", to_json(Json{name}),
                                name_in_header(type), fmt::join(shape, ","), begin, end));
  }
  return "{" + join_words(items, ",") + "}";
}

std::string_view name_in_header(StoredType type) {
  switch (type) {
    case StoredType::f64: return "F64";
    case StoredType::f32: return "F32";
    case StoredType::f16: return "F16";
    case StoredType::bf16: return "BF16";
    case StoredType::i64: return "I64";
    case StoredType::i32: return "I32";
    case StoredType::i16: return "I16";
    case StoredType::i8: return "I8";
    case StoredType::u8: return "U8";
    case StoredType::boolean: return "BOOL";
    case StoredType::u32:
    case StoredType::u16: break;
  }
  return "";
}

}  // namespace regard::nn
