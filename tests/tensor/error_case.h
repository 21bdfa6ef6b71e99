#pragma once

#include "tensor/error.h"
#include "tests/catch.h"

#include <functional>
#include <string>
#include <vector>

namespace regard {

// Something that must fail, with which type, and in which words.
struct ErrorCase {
  std::function<void()> run;
  std::string type, message;
};

inline std::pair<std::string, std::string> error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const ShapeError& error) {
    return {"ShapeError", error.what()};
  } catch (const DTypeError& error) {
    return {"DTypeError", error.what()};
  } catch (const ValueError& error) {
    return {"ValueError", error.what()};
  } catch (const IoError& error) {
    return {"IoError", error.what()};
  } catch (const std::exception& error) {
    return {"another exception", error.what()};
  }
  return {"no exception", ""};
}

inline void check_errors(const std::vector<ErrorCase>& cases) {
  for (const auto& [run, type, message] : cases) {
    const auto [thrown, text] = error_of(run);
    CHECK(text == message);
    CHECK(thrown == type);
  }
}

}  // namespace regard
