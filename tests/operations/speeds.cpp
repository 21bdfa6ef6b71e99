#include "tests/operations/facts.h"

#include "tensor/create.h"

#include <algorithm>
#include <chrono>

namespace regard::operation_facts {
namespace {

using cases::Case;

const Shape table{1000, 1000}, line{1000}, all_in_one{1000000};

// Seconds: the median of several calls, after one that warms up.
template <class F>
double seconds_of(F call) {
  using Clock = std::chrono::steady_clock;
  constexpr int calls = 7;
  call();
  std::vector<double> each;
  for (int i = 0; i < calls; ++i) {
    const Clock::time_point start = Clock::now();
    call();
    each.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::nth_element(each.begin(), each.begin() + calls / 2, each.end());
  return each[calls / 2];
}

Speed timed(const Enlarged& one) {
  const Case& row = case_named(one.id);
  const std::vector<Variable> inputs = larger_inputs(one);
  std::vector<Variable> leaves = inputs;
  std::erase_if(leaves, [](const Variable& x) { return !x.requires_grad(); });
  const double elements = static_cast<double>(leaves.front().numel());
  Speed speed{&row, larger_shapes(one), 0, std::nullopt};
  Tensor ones_like_output;
  {
    const NoGrad values_only;
    ones_like_output = ones_like(row.f(inputs).value());
    speed.forward = elements / seconds_of([&] { row.f(inputs); });
  }
  if (row.op->kind != OpKind::not_differentiable)
    speed.both = elements / seconds_of([&] {
                   grad({row.f(inputs)}, leaves, {.gradients = {ones_like_output}, .allow_unused = true});
                 });
  return speed;
}

}  // namespace

const std::vector<Enlarged>& enlarged() {
  static const std::vector<Enlarged> list = {
      {"add/same-shape"},
      {"subtract/same-shape"},
      {"multiply/same-shape"},
      {"divide/same-shape"},
      {"affine/times-number"},
      {"pow/same-shape"},
      {"maximum/same-shape"},
      {"minimum/same-shape"},
      {"remainder/same-shape"},
      {"where/same-shape"},
      {"exp/matrix"},
      {"log/matrix"},
      {"sqrt/matrix"},
      {"rsqrt/matrix"},
      {"square/matrix"},
      {"sin/matrix"},
      {"cos/matrix"},
      {"tanh/matrix"},
      {"erf/matrix"},
      {"sigmoid/matrix"},
      {"softplus/matrix"},
      {"silu/matrix"},
      {"gelu/matrix"},
      {"gelu_tanh/matrix"},
      {"relu/both-sides"},
      {"leaky_relu/both-sides"},
      {"abs/both-sides"},
      {"clamp/inside-and-outside"},
      {"is_nan/none"},
      {"sum/all"},
      {"mean/last-axis-kept"},
      {"var/biased"},
      {"max/all"},
      {"min/all"},
      {"logsumexp/one-axis"},
      {"argmax/last-axis"},
      {"argmin/last-axis"},
      {"softmax/last-axis"},
      {"log_softmax/last-axis"},
      {"cumsum/last-axis"},
      {"sort/ascending"},
      {"argsort/ascending"},
      {"topk/two-of-five"},

      {"repeat_interleave/last-axis"},
      {"gather/last-axis", {}, 1000},
      {"scatter_add/last-axis", {}, 1000},
      {"masked_fill/same-shape"},
      {"tril/square"},
      {"triu/wide"},
      {"masked_softmax/same-shape", {}, 0, DType::f32},
      {"layer_norm/rows", {table, line, line}},
      {"rms_norm/rows", {table, line}},
      {"cross_entropy/classes", {table, line}, 1000},
  };
  return list;
}

std::vector<Shape> larger_shapes(const Enlarged& one) {
  return one.shapes.empty() ? std::vector<Shape>(case_named(one.id).specs.size(), table) : one.shapes;
}

std::vector<Variable> larger_inputs(const Enlarged& one) {
  const std::vector<Shape> shapes = larger_shapes(one);
  Case larger = case_named(one.id);
  for (std::size_t i = 0; i < larger.specs.size(); ++i) {
    cases::InputSpec& spec = larger.specs[i];
    if (!is_float(spec.dtype) && one.places != 0) spec = cases::indexes(shapes[i], one.places);
    spec.shape = shapes[i];
  }
  std::vector<Variable> inputs;
  for (const Variable& x : cases::drawn_again(larger, 1, 1))
    inputs.push_back(is_float(x.dtype()) ? parameter(to(x.value(), DType::f32)) : Variable(to(x.value(), one.mask)));
  return inputs;
}

std::vector<Speed> speeds() {
  std::vector<Speed> all;
  for (const Enlarged& one : enlarged()) all.push_back(timed(one));
  return all;
}

const Case& case_named(std::string_view id) {
  const std::vector<Case>& all = cases::all_cases();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Case& row) { return row.id == id; });
  if (found == all.end()) fail<ValueError>("there is no case '{}'", id);
  return *found;
}

}  // namespace regard::operation_facts
