#pragma once

#include "tensor/error.h"

#include <utility>

namespace regard::nn {

// What is wrong with a file that is read. load: model.safetensors: the tensor "w" …
template <class... Args>
[[noreturn]] void malformed(const std::string& file, fmt::format_string<Args...> what, Args&&... args) {
  fail<IoError>("load: {}: {}", file, fmt::format(what, std::forward<Args>(args)...));
}

}  // namespace regard::nn
