// Prints what the pages of operations show besides errors, as JSON: examples/run book --measure runs it.

#include "tensor/threads/parallel.h"
#include "tests/operations/facts.h"

#include <fmt/ranges.h>

#include <cmath>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace regard;
using nlohmann::ordered_json;

namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(": ") + 2);
  return "this machine";
}

// So many digits as a picture shows. What is not finite is written as null.
ordered_json rounded(const std::vector<double>& numbers) {
  ordered_json list = ordered_json::array();
  for (const double x : numbers)
    list.push_back(std::isfinite(x) ? ordered_json(std::stod(fmt::format("{:.5g}", x))) : ordered_json());
  return list;
}

ordered_json curves() {
  ordered_json all = ordered_json::object();
  for (const auto& [of, x, y, slope] : operation_facts::curves())
    all[of->op->name] = {{"case", of->id}, {"x", rounded(x)}, {"y", rounded(y)}, {"slope", rounded(slope)}};
  return all;
}

ordered_json influences() {
  ordered_json all = ordered_json::object();
  for (const auto& [of, rows] : operation_facts::influences()) {
    ordered_json& one = all[of->op->name];
    one = {{"case", of->id}, {"rows", ordered_json::array()}};
    for (const std::vector<double>& row : rows) one["rows"].push_back(rounded(row));
  }
  return all;
}

ordered_json speeds() {
  ordered_json all = ordered_json::object();
  for (const auto& [of, shapes, forward, both] : operation_facts::speeds()) {
    ordered_json& one = all[of->op->name];
    one = {{"case", of->id}, {"shapes", fmt::format("{}", fmt::join(shapes, ", "))}, {"forward", forward}};
    if (both) one["both"] = *both;
  }
  return all;
}

}  // namespace

int main() {
  try {
    const ordered_json all = {{"processor", processor()},
                              {"threads", thread_count()},
                              {"curves", curves()},
                              {"influences", influences()},
                              {"speed", speeds()}};
    fmt::print("{}\n", all.dump());
  } catch (const std::exception& error) {
    fmt::print(stderr, "measure_operations: {}\n", error.what());
    return 1;
  }
}
