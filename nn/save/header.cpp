#include "nn/save/header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace regard::nn {
namespace {

using nlohmann::json;

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::pair<DType, std::string_view> dtypes[] = {{DType::f32, "F32"}, {DType::f64, "F64"}, {DType::i64, "I64"}};

std::string excerpt(const json& value) {
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  std::size_t length = 80;
  if (text.size() <= length) return text;
  while ((text[length] & 0xC0) == 0x80) --length;  // not inside a character
  return text.substr(0, length) + "…";
}

class HeaderReader {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  Header read(std::string_view text) {
    Header header;
    const json root = parse(text);
    for (const auto& [name, value] : root.items())
      if (name == metadata_key)
        header.metadata = read_metadata(value);
      else
        header.entries.push_back(read_entry(name, value));
    return header;
  }

 private:
  // JSON leaves open what two equal keys mean and how deep it may nest. A header has no equal keys, and lists stand at
  // its third level.
  json parse(std::string_view text) {
    using Event = json::parse_event_t;
    std::vector<std::set<std::string>> keys;  // of each object that we are in
    const auto check = [&](int depth, Event event, json& value) {
      if ((event == Event::object_start || event == Event::array_start) && depth > 2)
        malformed(file_, "the header is nested deeper than a header can be");
      if (event == Event::object_start) keys.emplace_back();
      if (event == Event::object_end) keys.pop_back();
      if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
        malformed(file_, "the header has the key {} twice", excerpt(value));
      return true;
    };
    // The parser takes a zero byte for the end of the text, and would not look at what follows.
    if (const auto zero = text.find('\0'); zero != std::string_view::npos)
      malformed(file_, "the header is not JSON (byte {} of it is 0)", zero + 1);
    try {
      return json::parse(text, check);
    } catch (const json::parse_error& error) {
      malformed(file_, "the header is not JSON (it goes wrong at byte {} of it)", error.byte);
    } catch (const json::out_of_range&) {
      malformed(file_, "the header is not JSON (a number in it is too large)");
    }
  }

  std::map<std::string, std::string> read_metadata(const json& value) {
    const auto is_text = [](const json& one) { return one.is_string(); };
    if (!value.is_object() || !std::all_of(value.begin(), value.end(), is_text))
      malformed(file_, "{} has to map strings to strings, and is {}", metadata_key, excerpt(value));
    return value.get<std::map<std::string, std::string>>();
  }

  Header::Entry read_entry(const std::string& name, const json& value) {
    const std::string tensor = "the tensor " + quoted(name);
    for (const char* field : {"dtype", "shape", "data_offsets"})
      if (!value.is_object() || !value.contains(field)) malformed(file_, "{} has no {}", tensor, field);
    if (value.size() > 3) malformed(file_, "{} has fields that are unknown: {}", tensor, excerpt(value));
    const Shape shape = read_shape(tensor, value["shape"]);
    const auto [begin, end] = read_offsets(tensor, value["data_offsets"]);
    return {name, read_dtype(tensor, value["dtype"]), shape, begin, end};
  }

  DType read_dtype(const std::string& tensor, const json& value) {
    for (const auto& [dtype, name] : dtypes)
      if (value == name) return dtype;
    malformed(file_, "{} has the dtype {} (F32, F64 and I64 can be read)", tensor, excerpt(value));
  }

  Shape read_shape(const std::string& tensor, const json& value) {
    Shape shape;
    if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_size))
      malformed(file_, "{} has the shape {}, which is not a list of sizes", tensor, excerpt(value));
    if (value.size() > Shape::max_rank)
      malformed(file_, "{} has {} axes (the most a tensor can have here is {})", tensor, value.size(), Shape::max_rank);
    for (const json& size : value) shape.push_back(size.get<std::int64_t>());
    try {
      require_possible(shape);
    } catch (const ShapeError&) {
      malformed(file_, "{} has the shape {}, which has more elements than memory can hold", tensor, shape);
    }
    return shape;
  }

  std::pair<std::uint64_t, std::uint64_t> read_offsets(const std::string& tensor, const json& value) {
    if (!value.is_array() || value.size() != 2 || !std::all_of(value.begin(), value.end(), is_size) ||
        value[0] > value[1])
      malformed(file_, "{} has the data_offsets {}, which are not a begin and an end", tensor, excerpt(value));
    return {value[0], value[1]};
  }

  static bool is_size(const json& value) {
    return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX};
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
  nlohmann::ordered_json text = nlohmann::ordered_json::object();
  if (!header.metadata.empty()) text[std::string(metadata_key)] = header.metadata;
  for (const auto& [name, dtype, shape, begin, end] : header.entries) {
    if (name == metadata_key) fail<ValueError>("save: {} cannot be the name of a tensor: the format uses it", name);
    const auto* type = std::find_if(std::begin(dtypes), std::end(dtypes),
                                    [wanted = dtype](const auto& one) { return one.first == wanted; });
    text[name] = {{"dtype", type->second},
                  {"shape", std::vector<std::int64_t>(shape.begin(), shape.end())},
                  {"data_offsets", {begin, end}}};
  }
  try {
    return text.dump();
  } catch (const nlohmann::ordered_json::type_error&) {
    fail<ValueError>("save: a name, or the metadata, is not UTF-8, which the format asks for");
  }
}

std::string quoted(const std::string& name) { return excerpt(json(name)); }

}  // namespace regard::nn
