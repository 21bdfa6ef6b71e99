#include "tests/museum/exhibit.h"

#include <algorithm>
#include <utility>

namespace regard::museum {
namespace {

std::vector<Exhibit>& exhibits() {
  static std::vector<Exhibit> all;
  return all;
}

}  // namespace

Hung::Hung(Exhibit exhibit) {
  exhibits().push_back(std::move(exhibit));
  std::sort(exhibits().begin(), exhibits().end(), [](const Exhibit& a, const Exhibit& b) { return a.name < b.name; });
}

const std::vector<Exhibit>& wall() { return exhibits(); }

}  // namespace regard::museum
