#pragma once

#include <fmt/format.h>
#if FMT_VERSION >= 110000
#include <fmt/ranges.h>  // where join lives since version 11
#endif

#include <stdexcept>

namespace regard {

// Everything this library throws derives from Error. A message has one form: the operation, the whole shapes,
// the rule that was broken and, where there is one, the likely remedy:
//   matmul: (2, 3, 4) × (2, 5, 6): the inner dimensions 4 and 5 differ (did you mean transpose(b)?)
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ShapeError : Error {  // sizes or axes that do not fit
  using Error::Error;
};

struct DTypeError : Error {  // element types that do not fit
  using Error::Error;
};

struct ValueError : Error {  // an argument outside its domain
  using Error::Error;
};

struct IoError : Error {  // files: missing, malformed, not writable
  using Error::Error;
};

// fail<ShapeError>("matmul: {} × {}: …", a, b) formats and throws.
template <class Kind, class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Kind(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace regard
