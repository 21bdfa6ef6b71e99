#include "nn/save/json.h"

#include <nlohmann/json.hpp>

namespace regard::nn {
namespace {

using nlohmann::json;

// Gets the pieces of a text as the parser finds them, and builds the tree. Nesting takes no stack of ours.
class JsonBuilder : public nlohmann::json_sax<json> {
 public:
  explicit JsonBuilder(const JsonSource& source) : source_(source) {}

  bool null() override { return put({nullptr}); }
  bool boolean(bool truth) override { return put({truth}); }
  bool number_integer(std::int64_t number) override { return put({number}); }
  bool number_unsigned(std::uint64_t number) override { return put({number}); }
  bool number_float(double number, const std::string&) override { return put({number}); }
  bool string(std::string& text) override { return put({std::move(text)}); }
  bool binary(json::binary_t&) override { return false; }  // not in texts

  bool start_object(std::size_t) override { return put({JsonObject{}}); }
  bool start_array(std::size_t) override { return put({JsonList{}}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    auto& object = std::get<JsonObject>(open_.back()->value);
    const auto [at, is_new] = object.try_emplace(std::move(name));
    if (!is_new) malformed(source_.file, "{} has the key {} twice", source_.part, in_quotes(at->first));
    value_of_key_ = &at->second;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception&) override {
    malformed(source_.file, "{} is not JSON (it goes wrong at byte {} of it)", source_.part, position);
  }

  Json root;

 private:
  // The value that is found next belongs to the list that we are in, to the key before it, or is the whole.
  bool put(Json value) {
    Json* target = open_.empty() ? &root : value_of_key_;
    if (auto* list = open_.empty() ? nullptr : std::get_if<JsonList>(&open_.back()->value)) {
      if (list->size() == source_.longest_list)
        malformed(source_.file, "{} has a list of more than {} values", source_.part, source_.longest_list);
      target = &list->emplace_back();
    }
    *target = std::move(value);
    if (!target->get_if<JsonList>() && !target->get_if<JsonObject>()) return true;
    if (static_cast<int>(open_.size()) >= source_.depth)
      malformed(source_.file, "{} is nested more than {} deep", source_.part, source_.depth);
    open_.push_back(target);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const JsonSource& source_;
  std::vector<Json*> open_;  // the lists and objects that we are in; while one is open its elements do not move
  Json* value_of_key_ = nullptr;
};

json tree_of(const Json& value) {
  return std::visit(
      [](const auto& v) -> json {
        using T = std::decay_t<decltype(v)>;
        json tree;
        if constexpr (std::is_same_v<T, JsonList>) {
          tree = json::array();
          for (const Json& item : v) tree.push_back(tree_of(item));
        } else if constexpr (std::is_same_v<T, JsonObject>) {
          tree = json::object();
          for (const auto& [key, item] : v) tree[key] = tree_of(item);
        } else {
          tree = v;
        }
        return tree;
      },
      value.value);
}

}  // namespace

bool Json::is_size() const {
  const auto* number = get_if<std::uint64_t>();
  return number && *number <= std::uint64_t{INT64_MAX};
}

std::int64_t Json::size() const { return static_cast<std::int64_t>(std::get<std::uint64_t>(value)); }

const Json* Json::find(const std::string& key) const {
  const auto* object = get_if<JsonObject>();
  if (!object) return nullptr;
  const auto found = object->find(key);
  return found == object->end() ? nullptr : &found->second;
}

bool Json::operator==(const Json& other) const { return value == other.value; }

Json parse_json(std::string_view text, const JsonSource& source) {
  // The parser takes a zero byte for the end of the text, and would not look at what follows.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos)
    malformed(source.file, "{} is not JSON (byte {} of it is 0)", source.part, zero + 1);
  JsonBuilder builder(source);
  json::sax_parse(text, &builder);
  return std::move(builder.root);
}

std::string to_json(const Json& value, int indent) {
  try {
    return tree_of(value).dump(indent);
  } catch (const json::type_error&) {
    fail<ValueError>("save: the text {} is not UTF-8, which the format asks for", excerpt(value));
  }
}

std::string excerpt(const Json& value) {
  const std::string text = tree_of(value).dump(-1, ' ', false, json::error_handler_t::replace);
  std::size_t length = 80;
  if (text.size() <= length) return text;
  while ((text[length] & 0xC0) == 0x80) --length;  // not inside a character
  return text.substr(0, length) + "…";
}

std::string in_quotes(const std::string& text) { return excerpt({text}); }

}  // namespace regard::nn
