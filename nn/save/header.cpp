#include "nn/save/header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace regard::nn {
namespace {

using nlohmann::json;

constexpr std::string_view metadata_key = "__metadata__";

constexpr std::string_view name_in_file(DType dtype) {
  switch (dtype) {
    case DType::f32: return "F32";
    case DType::f64: return "F64";
    case DType::i64: return "I64";
  }
  return "?";
}

std::string excerpt(const json& value) {
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  std::size_t length = 80;
  if (text.size() <= length) return text;
  while ((text[length] & 0xC0) == 0x80) --length;  // not inside a character
  return text.substr(0, length) + "…";
}

std::string in_json(const std::string& text) {
  try {
    return json(text).dump();
  } catch (const json::type_error&) {
    fail<ValueError>("save: the text {} is not UTF-8, which the format asks for", in_quotes(text));
  }
}

// JSON leaves open what two equal keys mean and how deep it may nest. A header has no equal keys, and its third level
// is the deepest. This looks at the pieces as the parser finds them; a tree is made of them when all are good.
class HeaderCheck : public nlohmann::json_sax<json> {
 public:
  explicit HeaderCheck(const std::string& file) : file_(file) {}

  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return go_down();
  }
  bool end_object() override {
    keys_.pop_back();
    return go_up();
  }
  bool start_array(std::size_t) override { return go_down(); }
  bool end_array() override { return go_up(); }
  bool key(std::string& name) override {
    if (!keys_.back().insert(name).second) malformed(file_, "the header has the key {} twice", in_quotes(name));
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception&) override {
    malformed(file_, "the header is not JSON (it goes wrong at byte {} of it)", position);
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(json::binary_t&) override { return true; }

 private:
  bool go_down() {
    if (++depth_ > 3) malformed(file_, "the header is nested deeper than a header can be");
    return true;
  }
  bool go_up() {
    --depth_;
    return true;
  }

  const std::string& file_;
  std::vector<std::set<std::string>> keys_;  // of each object that we are in
  int depth_ = 0;
};

class HeaderReader {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  Header read(std::string_view text) {
    // The parser takes a zero byte for the end of the text, and would not look at what follows.
    if (const auto zero = text.find('\0'); zero != std::string_view::npos)
      malformed(file_, "the header is not JSON (byte {} of it is 0)", zero + 1);
    HeaderCheck check(file_);
    json::sax_parse(text, &check);
    Header header;
    const json root = json::parse(text);
    for (const auto& [name, value] : root.items())
      if (name == metadata_key)
        header.metadata = read_metadata(value);
      else
        header.entries.push_back(read_entry(name, value));
    return header;
  }

 private:
  std::map<std::string, std::string> read_metadata(const json& value) {
    const auto is_text = [](const json& one) { return one.is_string(); };
    if (!value.is_object() || !std::all_of(value.begin(), value.end(), is_text))
      malformed(file_, "{} has to map strings to strings, and is {}", metadata_key, excerpt(value));
    return value.get<std::map<std::string, std::string>>();
  }

  Header::Entry read_entry(const std::string& name, const json& value) {
    const std::string tensor = "the tensor " + in_quotes(name);
    for (const char* field : {"dtype", "shape", "data_offsets"})
      if (!value.is_object() || !value.contains(field)) malformed(file_, "{} has no {}", tensor, field);
    if (value.size() > 3) malformed(file_, "{} has fields that are unknown: {}", tensor, excerpt(value));
    const Shape shape = read_shape(tensor, value["shape"]);
    const auto [begin, end] = read_offsets(tensor, value["data_offsets"]);
    return {name, read_dtype(tensor, value["dtype"]), shape, begin, end};
  }

  DType read_dtype(const std::string& tensor, const json& value) {
    for (DType dtype : {DType::f32, DType::f64, DType::i64})
      if (value == name_in_file(dtype)) return dtype;
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
  std::vector<std::string> items;
  if (!header.metadata.empty()) {
    std::vector<std::string> texts;
    for (const auto& [key, text] : header.metadata) texts.push_back(in_json(key) + ":" + in_json(text));
    items.push_back(fmt::format("\"{}\":{{{}}}", metadata_key, join_words(texts, ",")));
  }
  for (const auto& [name, dtype, shape, begin, end] : header.entries) {
    if (name == metadata_key) fail<ValueError>("save: {} cannot be the name of a tensor: the format uses it", name);
    items.push_back(fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}", in_json(name),
                                name_in_file(dtype), fmt::join(shape, ","), begin, end));
  }
  return "{" + join_words(items, ",") + "}";
}

std::string in_quotes(const std::string& name) { return excerpt(json(name)); }

}  // namespace regard::nn
