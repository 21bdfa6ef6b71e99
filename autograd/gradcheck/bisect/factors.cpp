#include "autograd/gradcheck/bisect/factors.h"

#include "autograd/gradcheck/bisect/table_fit.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::bisecting {
namespace {

// A number for each derivative ∂y[n]/∂x[m], which may be a factor in it, and how it is written.
struct Candidate {
  std::string text;
  Table factors;
};

// A value that stands beside the elements of x, or of y, once it is broadcast to their shape.
std::optional<Table> beside(const Tensor& value, const Shape& shape) {
  if (value.rank() > shape.rank()) return std::nullopt;
  try {
    return to_vector(expand(value, shape));
  } catch (const Error&) {
    return std::nullopt;
  }
}

Table spread(const Table& values, bool beside_x, std::size_t rows, std::size_t columns) {
  Table table;
  for (std::size_t m = 0; m < rows; ++m)
    for (std::size_t n = 0; n < columns; ++n) table.push_back(values[beside_x ? m : n]);
  return table;
}

template <class F>
Table mapped(Table values, F f) {
  std::ranges::transform(values, values.begin(), f);
  return values;
}

void add_forms(std::vector<Candidate>& list, const std::string& name, const Table& v) {
  list.push_back({name, v});
  list.push_back({fmt::format("({})²", name), mapped(v, [](double x) { return x * x; })});
  list.push_back({fmt::format("(1 − {})", name), mapped(v, [](double x) { return 1 - x; })});
  list.push_back({fmt::format("(1 − ({})²)", name), mapped(v, [](double x) { return 1 - x * x; })});
}

std::vector<Candidate> candidates(const RecordedRun& run, std::size_t k, const Derivatives& d) {
  std::vector<Candidate> list;
  const auto rows = static_cast<std::size_t>(d.x.numel()), columns = static_cast<std::size_t>(d.y.numel());
  const auto add = [&](const std::string& name, const Tensor& value) {
    if (value.dtype() != DType::f64) return;
    const auto along_x = beside(value, d.x), along_y = beside(value, d.y);
    std::optional<Table> first;
    if (along_x) first = spread(*along_x, true, rows, columns), add_forms(list, name, *first);
    if (!along_y) return;
    const Table second = spread(*along_y, false, rows, columns);
    if (!first || second != *first) add_forms(list, name, second);
  };
  const graph::Inputs& inputs = run.node(k).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) add(fmt::format("input {}", i), inputs[i].value());
  add("the result", run.result(k).value());
  return list;
}

Table times(const Table& a, const Table& b) {
  Table product = a;
  for (std::size_t i = 0; i < a.size(); ++i) product[i] *= b[i];
  return product;
}

// "2·", or nothing for 1.
std::optional<std::string> in_front(double c, const Derivatives& d) {
  if (std::abs(c - 1) < 1e-5) return "";
  if (std::abs(c + 1) < 1e-5) return "−";
  const auto written = as_written(c, d.x, d.y);
  if (!written) return std::nullopt;
  return written->substr(0, written->find(',')) + "·";
}

}  // namespace

std::optional<Mistake> wrong_factor(const RecordedRun& run, std::size_t k, const Derivatives& d) {
  const std::vector<Candidate> list = candidates(run, k, d);
  // First without a number in front: with one there are more ways to agree by chance.
  for (const bool may_have_number : {false, true}) {
    const auto number = [&](const Table& a, const Table& b) -> std::optional<std::string> {
      const auto c = ratio(a, b);
      if (!c || (!may_have_number && std::abs(*c - 1) > 1e-5)) return std::nullopt;
      return in_front(*c, d);
    };
    std::vector<Mistake> found;
    for (const Candidate& one : list) {
      if (const auto c = number(times(d.by_rule, one.factors), d.measured))
        found.push_back({Mistake::Kind::missing_factor, fmt::format("the factor {}{} is missing", *c, one.text)});
      if (const auto c = number(times(d.measured, one.factors), d.by_rule))
        found.push_back({Mistake::Kind::extra_factor,
                         fmt::format("there is a factor {}{} too many, or a division by it is missing", *c, one.text)});
    }
    if (found.empty()) continue;
    // If y² is 1/x, both may be meant.
    const auto other = std::ranges::find_if(found, [&](const Mistake& one) { return one.text != found[0].text; });
    if (other != found.end()) found[0].text += "; or " + other->text;
    return found[0];
  }
  for (const Candidate& there : list)
    for (const Candidate& wanted : list)
      if (wanted.text != there.text && agree(times(d.by_rule, wanted.factors), times(d.measured, there.factors)))
        return Mistake{Mistake::Kind::other_factor, fmt::format("{} stands where {} should", there.text, wanted.text)};
  return std::nullopt;
}

}  // namespace regard::bisecting
