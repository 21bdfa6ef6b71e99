#pragma once

#include "tensor/error.h"

#include <cstdint>
#include <map>
#include <utility>
#include <variant>

namespace regard::nn {

// A value of a JSON text: null, a truth, a number, a string, a list or an object. Whole numbers are i64 where they are
// negative, else u64, and f64 where they would not fit.
struct Json;
using JsonList = std::vector<Json>;
using JsonObject = std::map<std::string, Json>;
struct Json {
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, JsonList, JsonObject> value;

  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value);
  }
  bool is_size() const;                            // a whole number from 0 to 2⁶³ − 1
  std::int64_t size() const;                       // that number
  const Json* find(const std::string& key) const;  // what an object has there; null where it has nothing

  bool operator==(const Json& other) const;
};

// What is read, for messages, and how deep its lists and objects may be nested: with a depth of 1 it has none inside.
// A short text must not take much memory, so lists have an end, too.
struct JsonSource {
  std::string file, part;  // "model.safetensors", "the header"
  int depth;
  std::size_t longest_list = 10'000;
};

// Strict: JSON leaves open what two equal keys in an object mean; here they are an error.
Json parse_json(std::string_view text, const JsonSource& source);

// In one line without blanks, or indented by so many of them. A text that is not UTF-8 is a ValueError.
std::string to_json(const Json& value, int indent = -1);

std::string excerpt(const Json& value);          // its beginning, for messages
std::string in_quotes(const std::string& text);  // the same of a text: "w"

// What is wrong with a file that is read. load: model.safetensors: the tensor "w" …
template <class... Args>
[[noreturn]] void malformed(const std::string& file, fmt::format_string<Args...> what, Args&&... args) {
  fail<IoError>("load: {}: {}", file, fmt::format(what, std::forward<Args>(args)...));
}

}  // namespace regard::nn
