#pragma once

#include "autograd/all.h"

#include <string>
#include <vector>

namespace regard::cases {

using In = std::vector<Variable>;

// How the inputs of a case are drawn. Each case starts the same generator from its own seed.
struct InputSpec {
  Shape shape;
  std::function<double(double normal, double uniform)> transform;
  DType dtype = DType::f64;
  bool is_permutation = false;  // numbers 0, 1, … in random order take the place of normal ones
  // What drawn_again stretches: a normal number before it is transformed, the value, or nothing, where values outside
  // of an interval are outside of the domain.
  enum class Stretched { normal, value, nothing } stretched = Stretched::normal;
};

// One way to use one operation: what every check of that operation runs. The gradient checks, the power check and the
// comparison with reference values all read the same table.
struct Case {
  std::string id;  // operation/what is special, such as "softmax/first-axis"
  const OpInfo* op;
  std::vector<Variable> inputs;  // f64 to be checked, or i64 to be passed on
  gradchecks::Function f;
  std::vector<InputSpec> specs = {};
  bool has_kinks = false;  // else KINK is a wrong verdict, wherever the inputs are
};

const std::vector<Case>& all_cases();
std::vector<Case> differentiable_cases();

// Other inputs of the same case, from the same domain, `stretch` times as large where the domain allows it.
std::vector<Variable> drawn_again(const Case& row, std::uint64_t seed, double stretch);

InputSpec real(const Shape& shape);                                   // normal
InputSpec between(const Shape& shape, double low, double high);       // uniform; outside is outside of the domain
InputSpec away_from(const Shape& shape, double kink, double margin);  // normal, but pushed off the kink
InputSpec distinct(const Shape& shape);                               // no two closer than 0.5, in random order
InputSpec indexes(const Shape& shape, std::int64_t bound);            // i64 in [0, bound)
// Of a function that is defined everywhere: all values are stretched.
InputSpec anywhere(InputSpec spec);
InputSpec around(const Shape& shape, double size);  // anywhere(between(shape, −size, size))

class Table {
 public:
  void add(const char* op, const char* what, const std::vector<InputSpec>& inputs, gradchecks::Function f);
  // A smooth operation that is given a function with kinks, such as |q − k| as a score.
  void add_kinked(const char* op, const char* what, const std::vector<InputSpec>& inputs, gradchecks::Function f);
  std::vector<Case> rows;
};

// One function for each file of cases.
void add_arithmetic(Table& table);
void add_pointwise(Table& table);
void add_reductions(Table& table);
void add_views(Table& table);
void add_joining(Table& table);
void add_indexing(Table& table);
void add_order(Table& table);
void add_products(Table& table);
void add_fused(Table& table);
void add_attention(Table& table);
void add_recurrent(Table& table);

}  // namespace regard::cases
