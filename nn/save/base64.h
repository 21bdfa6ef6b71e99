#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace regard::nn {

// Bytes as text: 4 characters of A–Z a–z 0–9 + / for 3 bytes, and = for what the last ones lack.
std::string to_base64(std::string_view bytes);

// And back. Nothing where the text is anything else.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace regard::nn
