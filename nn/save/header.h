#pragma once

#include "tensor/io/stored.h"
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
    StoredType type;
    Shape shape;
    std::uint64_t begin, end;  // its bytes among the data
  };
  std::vector<Entry> entries;
  std::map<std::string, std::string> metadata;
};

Header parse_header(std::string_view text, const std::string& file);  // entries sorted by where their data are
std::string to_json(const Header& header);                            // entries in the order given

std::string_view name_in_header(StoredType type);  // "F32"; nothing for u32 and u16, which the loader does not read

}  // namespace regard::nn
