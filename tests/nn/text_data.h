#pragma once

#include "nn/save/json.h"
#include "nn/text/vocabulary.h"
#include "tensor/io/file.h"

#include <filesystem>

// What the tests of texts and checkpoints read: reference values, and the examples' data.

namespace regard::nn {

inline const std::filesystem::path reference_data = REGARD_REFERENCE_DATA, example_data = REGARD_EXAMPLE_DATA;

inline Json load_json(const std::string& name) {
  return parse_json(read_file(reference_data / name), {.file = name, .part = "the file", .depth = 8});
}

inline const std::string& text_in(const Json& value) { return *value.get_if<std::string>(); }
inline const JsonList& list_in(const Json& value) { return *value.get_if<JsonList>(); }

inline Tokens tokens_in(const Json& value) {
  Tokens tokens;
  for (const Json& token : list_in(value)) tokens.push_back(token.size());
  return tokens;
}

}  // namespace regard::nn
