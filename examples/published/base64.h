#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace regard::nn {

// The bytes that are written as text: 4 characters of A–Z a–z 0–9 + / for 3 bytes, and = for what the last ones lack.
// Nothing where the text is anything else.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace regard::nn
