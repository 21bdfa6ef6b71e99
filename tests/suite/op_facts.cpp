// What the table says of an operation beside its rule is what the operation does: which elements of its operands an
// element of the result is made of is seen from gradients. A row that says too little is found, too.
#include "tests/cases/case.h"
#include "tests/catch.h"

#include <map>
#include <set>

using namespace regard;

namespace {

using Index = std::vector<std::int64_t>;

Index index_of(std::int64_t element, const Shape& shape) {
  Index index(static_cast<std::size_t>(shape.rank()));
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index[static_cast<std::size_t>(axis)] = element % shape[axis];
    element /= shape[axis];
  }
  return index;
}

// The operation's result, and for some of its elements those of each input that have a gradient.
struct Read {
  Index of_result;
  std::vector<std::vector<Index>> of_inputs;
};

std::vector<Read> reads_of(const Variable& y) {
  const graph::Inputs& inputs = y.node()->inputs;
  std::vector<Read> reads;
  for (std::int64_t element = 0; element < y.numel(); element += std::max<std::int64_t>(y.numel() / 6, 1)) {
    const Tensor here = equal(arange(y.numel(), DType::f64), static_cast<double>(element));
    const Tensor gradient = reshape(where(here, ones({y.numel()}, y.dtype()), 0.0), y.shape());
    Read read{index_of(element, y.shape()), {}};
    const graph::Gradients slopes = graph::apply_rule(y, gradient);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      read.of_inputs.emplace_back();
      if (!inputs[i].requires_grad()) continue;
      const std::vector<double> numbers = to_vector(slopes[i].value());
      for (std::size_t k = 0; k < numbers.size(); ++k)
        if (numbers[k] != 0) read.of_inputs[i].push_back(index_of(static_cast<std::int64_t>(k), inputs[i].shape()));
    }
    reads.push_back(read);
  }
  return reads;
}

// Whether two places are the same, axes counted from the last one, and one of size 1 stretched; `but` counts from the
// last one, too, and is free.
bool is_at(const Index& of_input, const Shape& input, const Index& of_result, int but = 0) {
  for (int k = 1; k <= input.rank(); ++k) {
    const std::int64_t index = of_input[of_input.size() - static_cast<std::size_t>(k)];
    if (k == but || input.back(k) == 1) continue;
    if (k > static_cast<int>(of_result.size())) return false;
    if (index != of_result[of_result.size() - static_cast<std::size_t>(k)]) return false;
  }
  return true;
}

// Whether all that was read of an input is at the place of the result, `but` for an axis.
bool all_at(const std::vector<Read>& reads, const Variable& y, std::size_t i, int but) {
  for (const Read& read : reads)
    for (const Index& index : read.of_inputs[i])
      if (!is_at(index, y.node()->inputs[i].shape(), read.of_result, but)) return false;
  return true;
}

bool reads_elements(const Variable& y) {
  const auto reads = reads_of(y);
  for (std::size_t i = 0; i < y.node()->inputs.size(); ++i)
    if (!all_at(reads, y, i, 0)) return false;
  return true;
}

// No element of the input is read for two of the result.
bool reads_apart(const Variable& y) {
  std::set<Index> seen;
  for (const Read& read : reads_of(y))
    for (const Index& index : read.of_inputs[0])
      if (!seen.insert(index).second) return false;
  return true;
}

bool is_true(MadeOf made_of, const Variable& y) {
  switch (made_of) {
    case MadeOf::element: return reads_elements(y);
    case MadeOf::last_row: return all_at(reads_of(y), y, 0, 1);
    case MadeOf::row:
      for (int axis = 1; axis <= y.rank(); ++axis)
        if (all_at(reads_of(y), y, 0, axis)) return true;
      return false;
    case MadeOf::reduction: return reads_apart(y);
    case MadeOf::product: return y.rank() < 2 || y.node()->inputs[0].rank() < 2 || all_at(reads_of(y), y, 0, 1);
    case MadeOf::other: return true;
  }
  return true;
}

// The result of a case, if its operation is the last that was recorded.
std::map<std::string, std::vector<Variable>> results_of(const std::vector<cases::Case>& rows) {
  std::map<std::string, std::vector<Variable>> results;
  for (const cases::Case& row : rows) {
    std::vector<Variable> leaves;
    for (const Variable& x : row.inputs) leaves.push_back(is_float(x.dtype()) ? parameter(x.value()) : x);
    const Variable y = row.f(leaves);
    if (y.node() && &y.node()->op == row.op && y.numel() > 1) results[row.op->name].push_back(y);
  }
  return results;
}

// What is wrong about what a row says; empty if nothing is.
std::string fault_of(const OpInfo& op, const std::vector<Variable>& results) {
  for (const Variable& y : results)
    if (!is_true(op.facts.made_of, y)) return "an element is made of others than the table says";
  if (op.facts.made_of != MadeOf::element && !results.empty() && std::ranges::all_of(results, reads_elements))
    return "each element is made of one of each operand, and the table does not say so";
  return "";
}

}  // namespace

TEST_CASE("op facts: what an element of the result is made of") {
  const auto results = results_of(cases::differentiable_cases());
  CHECK(results.size() > 50);
  for (const auto& [name, some] : results) {
    INFO(name);
    CHECK(fault_of(*find_op(name), some) == "");
  }
}

TEST_CASE("op facts: a row that says nothing, or what is not so, is found") {
  const auto results = results_of(cases::differentiable_cases());
  OpInfo op = *find_op("tanh");
  op.facts = {};
  CHECK(fault_of(op, results.at("tanh")) != "");
  op = *find_op("softmax");
  op.facts = MadeOf::element;
  CHECK(fault_of(op, results.at("softmax")) != "");
}

TEST_CASE("op facts: where a saturating operation is flat") {
  for (const OpInfo& op : op_list) {
    if (op.facts.role != OpRole::saturating || op.facts.made_of != MadeOf::element) continue;
    INFO(op.name);
    for (const cases::Case& row : cases::differentiable_cases()) {
      if (row.op != &op) continue;
      const Tensor far = full(row.inputs[0].shape(), 100.0, DType::f64);
      CHECK(min(row.f({Variable(far)})).item() == Approx(op.facts.high));
      CHECK(max(row.f({Variable(-1.0 * far)})).item() == Approx(op.facts.low).margin(1e-12));
    }
  }
}
