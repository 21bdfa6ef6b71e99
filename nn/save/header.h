#pragma once

#include "tensor/dtype.h"
#include "tensor/shape.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace regard::nn {

// What the header of a safetensors file says: one entry for each tensor. Text goes in and comes out here; whether
// the entries fit each other and the data is for safetensors.cpp to see.
struct Header {
  struct Entry {
    std::string name;
    DType dtype;
    Shape shape;
    std::uint64_t begin, end;  // its bytes among the data
  };
  std::vector<Entry> entries;
  std::map<std::string, std::string> metadata;
};

Header parse_header(std::string_view text, const std::string& file);  // entries sorted by where their data are
std::string to_json(const Header& header);                            // entries in the order given

// The name in quotation marks, as in the header, cut where it is long: for messages.
std::string in_quotes(const std::string& name);

// load: model.safetensors: the tensor "w" …
template <class... Args>
[[noreturn]] void malformed(const std::string& file, fmt::format_string<Args...> what, Args&&... args) {
  fail<IoError>("load: {}: {}", file, fmt::format(what, std::forward<Args>(args)...));
}

}  // namespace regard::nn
