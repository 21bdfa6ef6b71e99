#include "examples/book/site/operations/measured.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "examples/book/site/text.h"

namespace regard::site {

namespace {

using nlohmann::json;

std::string content_if_there(const std::string& path) {
  return std::filesystem::is_regular_file(path) ? content_of(path) : "";
}

json json_if_there(const std::string& path) {
  const std::string text = content_if_there(path);
  return text.empty() ? json() : json::parse(text);
}

// JSON has no infinities and no NaN: null stands for them.
double number(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

std::vector<double> numbers(const json& list) {
  std::vector<double> result;
  for (const json& value : list) result.push_back(number(value));
  return result;
}

std::optional<double> number_if_there(const json& object, const char* name) {
  return object.contains(name) ? std::optional(number(object.at(name))) : std::nullopt;
}

// What "gradcheck --json" prints: a list of cases.
void read_gradcheck(const json& list, Measured& measured) {
  for (const json& row : list) {
    Measured::Slopes& slopes = measured.slopes[row.at("operation")];
    ++slopes.cases;
    slopes.elements += row.at("elements").get<long>();
    slopes.first = std::max(slopes.first, number(row.at("worst_first_order")));
    slopes.second = std::max(slopes.second, number(row.at("worst_second_order")));
    slopes.passed = slopes.passed && row.at("verdict") == "PASS";
  }
}

void read_pytorch(const json& operations, Measured& measured) {
  for (const auto& [name, row] : operations.items())
    measured.pytorch[name] = {row.at("cases"),
                              row.at("numbers"),
                              number(row.at("output")),
                              number(row.at("output_f32")),
                              number(row.at("output_f32_pytorch")),
                              number_if_there(row, "gradients"),
                              number_if_there(row, "gradients_f32"),
                              number_if_there(row, "gradients_f32_pytorch"),
                              number_if_there(row, "second")};
}

void read_operations(const json& all, Measured& measured) {
  if (all.is_null()) return;
  measured.processor = all.at("processor");
  measured.threads = all.at("threads");
  for (const auto& [name, row] : all.at("speed").items())
    measured.speed[name] = {row.at("shapes"), number(row.at("forward")), number_if_there(row, "both")};
  for (const auto& [name, row] : all.at("curves").items())
    measured.curves[name] = {row.at("case"), numbers(row.at("x")), numbers(row.at("y")), numbers(row.at("slope"))};
  for (const auto& [name, row] : all.at("influences").items()) {
    Measured::Influence& influence = measured.influences[name];
    influence.of = row.at("case");
    for (const json& line : row.at("rows")) influence.rows.push_back(numbers(line));
  }
}

}  // namespace

Measured read_measured(const std::string& folder) {
  Measured measured;
  read_gradcheck(json_if_there(folder + "/gradcheck.json"), measured);
  read_pytorch(json_if_there(folder + "/pytorch.json"), measured);
  read_operations(json_if_there(folder + "/operations.json"), measured);
  measured.commit = trimmed(content_if_there(folder + "/commit"));
  return measured;
}

}  // namespace regard::site
