#include "autograd/gradcheck/bisect/factors.h"

#include "autograd/gradcheck/bisect/as_written.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::bisecting {
namespace {

// What may be a factor in the derivatives, a number for each row of the table or for each column, and how it is
// written.
struct Factor {
  std::string text;
  Tensor values;
};

// Does a value stand beside the elements of a shape once it is broadcast?
bool is_beside(const Tensor& value, const Shape& shape) {
  try {
    return broadcast("bisect", value.shape(), shape) == shape;
  } catch (const ShapeError&) {
    return false;
  }
}

std::vector<Factor> factors(const RecordedRun& run, std::size_t k, const Derivatives& d) {
  std::vector<Factor> list;
  const auto add_forms = [&](const std::string& name, const Tensor& v) {
    list.push_back({name, v});
    list.push_back({fmt::format("({})²", name), square(v)});
    list.push_back({fmt::format("(1 − {})", name), 1 - v});
    list.push_back({fmt::format("(1 − ({})²)", name), 1 - square(v)});
  };
  const auto add = [&](const std::string& name, const Tensor& value) {
    if (value.dtype() != DType::f64) return;
    if (is_beside(value, d.x)) add_forms(name, reshape(expand(value, d.x), {-1, 1}));
    if (is_beside(value, d.y)) add_forms(name, reshape(expand(value, d.y), {1, -1}));
  };
  const graph::Inputs& inputs = run.node(k).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) add(fmt::format("input {}", i), inputs[i].value());
  add("the result", run.result(k).value());
  return list;
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
  const std::vector<Factor> list = factors(run, k, d);
  // First without a number in front: with one there are more ways to agree by chance.
  for (const bool may_have_number : {false, true}) {
    const auto number = [&](const Tensor& a, const Tensor& b) -> std::optional<std::string> {
      const auto c = ratio(a, b);
      if (!c || (!may_have_number && std::abs(*c - 1) > 1e-5)) return std::nullopt;
      return in_front(*c, d);
    };
    std::vector<Mistake> found;
    for (const Factor& one : list) {
      if (const auto c = number(d.by_rule * one.values, d.measured))
        found.push_back({Mistake::Kind::missing_factor, fmt::format("the factor {}{} is missing", *c, one.text)});
      if (const auto c = number(d.measured * one.values, d.by_rule))
        found.push_back({Mistake::Kind::extra_factor,
                         fmt::format("there is a factor {}{} too many, or a division by it is missing", *c, one.text)});
    }
    if (found.empty()) continue;
    // If y² is 1/x, both may be meant.
    const auto other = std::ranges::find_if(found, [&](const Mistake& one) { return one.text != found[0].text; });
    if (other != found.end()) found[0].text += "; or " + other->text;
    return found[0];
  }
  for (const Factor& there : list)
    for (const Factor& wanted : list)
      if (wanted.text != there.text && agree(d.by_rule * wanted.values, d.measured * there.values))
        return Mistake{Mistake::Kind::other_factor, fmt::format("{} stands where {} should", there.text, wanted.text)};
  return std::nullopt;
}

}  // namespace regard::bisecting
