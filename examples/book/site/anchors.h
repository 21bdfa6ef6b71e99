#pragma once

#include <map>
#include <string>
#include <string_view>

namespace regard::site {

// The anchors of the headings of one page, as GitHub makes them: "Why √D?" becomes "why-d".
class Anchors {
 public:
  std::string of(std::string_view heading);  // a second heading of the same words gets "-1" behind, a third "-2"

 private:
  std::map<std::string, int> seen_;
};

}  // namespace regard::site
