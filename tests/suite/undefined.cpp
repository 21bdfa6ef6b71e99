// An operation that is given an undefined Variable says so in its own name: every operation of the table, through its
// cases, with one argument after another left out.
#include "tests/cases/case.h"
#include "tests/catch.h"

#include <regex>
#include <set>

using namespace regard;

namespace {

// Inputs that the functions of cases read themselves, for an operation that takes a Tensor or for a dtype: there no
// operation is called. The name of the operation, or of one case, and the number of the input.
const std::set<std::string> read_by_the_case = {"where 0",
                                                "gather 0",
                                                "index_select 0",
                                                "scatter_add 0",
                                                "masked_fill 0",
                                                "one_hot 0",
                                                "rotate_pairs 0",
                                                "cross_entropy 1",
                                                "masked_softmax 0",
                                                "masked_softmax 1",
                                                "regression_loss 0",
                                                "regression_loss 1",
                                                "additive_decoder 0",
                                                "fused_attention/dot-bias-table 0",
                                                "fused_attention/slopes 0"};

bool is_read_by_the_case(const cases::Case& row, std::size_t input) {
  return read_by_the_case.contains(fmt::format("{} {}", row.op->name, input)) ||
         read_by_the_case.contains(fmt::format("{} {}", row.id, input));
}

std::string error_of(const gradchecks::Function& f, const std::vector<Variable>& inputs) {
  try {
    f(inputs);
  } catch (const ValueError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("an operation that is given an undefined Variable names itself") {
  const std::string complaint = ": its argument is an undefined Variable (make it with parameter(…), or from a tensor)";
  std::set<std::string> named;
  const auto try_without = [&](const gradchecks::Function& f, std::vector<Variable> inputs, std::size_t missing) {
    inputs[missing] = {};
    const std::string error = error_of(f, inputs), name = error.substr(0, error.find(':'));
    INFO(error);
    // Some say which argument it is.
    const std::string anonymous = std::regex_replace(error, std::regex("its argument [a-z]+ is"), "its argument is");
    CHECK(anonymous == name + complaint);
    CHECK(find_op(name));
    named.insert(name);
  };
  for (const cases::Case& row : cases::all_cases())
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
      const std::string_view given = row.op->name;
      if (given == "linear" && i == 2) continue;                     // a bias may be left out
      if (given.starts_with("fused_attention") && i >= 3) continue;  // so may a bias; per_head names itself
      if (given == "delta_rule" && i >= 3) continue;                 // so may a state, β and a decay
      INFO(row.id << ", input " << i);
      if (is_read_by_the_case(row, i)) {
        std::vector<Variable> inputs = row.inputs;
        inputs[i] = {};
        CHECK(error_of(row.f, inputs) == "value: this Variable is undefined");
        continue;
      }
      try_without(row.f, row.inputs, i);
    }
  try_without([](const cases::In& in) { return masked_softmax(in[0], 1, ones({2})); }, {ones({2})}, 0);
  try_without(
      [](const cases::In& in) {
        return rotate_pairs(in[0], ones({1, 1}), ones({1, 1}), PairLayout::halves);
      },
      {ones({1, 2})}, 0);

  for (const OpInfo& op : op_list) {
    const std::string name = op.name;
    if (name == "affine") continue;     // the verb that was called is add, subtract, multiply or divide
    if (name == "gelu_tanh") continue;  // this one is gelu
    if (name == "one_hot") continue;    // takes a Tensor
    INFO(name);
    CHECK(named.contains(name));
  }
}
