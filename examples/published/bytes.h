#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

namespace regard {

static_assert(std::endian::native == std::endian::little, "numbers are written to files as they stand in memory");

// Numbers in the bytes of a file, little-endian, at any offset. The caller knows that the bytes are there.
template <class Number>
Number number_at(std::string_view bytes, std::size_t offset) {
  Number number;
  std::memcpy(&number, bytes.data() + offset, sizeof(number));
  return number;
}

template <class Number>
void append_number(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

}  // namespace regard
