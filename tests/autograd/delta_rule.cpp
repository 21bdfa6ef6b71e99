// The delta rule in chunks is the recurrence step by step; and what the recurrence promises.
#include "tests/autograd/twins.h"

namespace regard {
namespace {

// Which of β and the decay a rule has: linear, gated, delta, gated delta.
enum class Fading { none, per_head, per_feature };
struct Rule {
  bool corrects;
  Fading fading;
};
std::vector<Rule> rules() {
  std::vector<Rule> all;
  for (const bool corrects : {false, true})
    for (const Fading fading : {Fading::none, Fading::per_head, Fading::per_feature}) all.push_back({corrects, fading});
  return all;
}

struct Sizes {
  std::int64_t length, features = 5, values = 3;
};

// q, k, v, state, then β and log a if the rule has them: of 2 sequences of 3 heads, with keys of length 1.
std::vector<Tensor> inputs(const Rule& rule, const Sizes& n, DType dtype = DType::f64) {
  const Shape keys{2, 3, n.length, n.features};
  const auto unit = [](const Tensor& x) { return x / sqrt(sum(square(x), -1, keepdim)); };
  std::vector<Tensor> list{unit(noise(keys, 1, dtype)), unit(noise(keys, 2, dtype)),
                           noise({2, 3, n.length, n.values}, 3, dtype), noise({2, 3, n.features, n.values}, 4, dtype)};
  if (rule.corrects) list.push_back(sigmoid(noise({2, 3, n.length}, 5, dtype)));
  if (rule.fading == Fading::per_head) list.push_back(-softplus(noise({2, 3, n.length}, 6, dtype)));
  if (rule.fading == Fading::per_feature) list.push_back(-softplus(noise(keys, 6, dtype)));
  return list;
}

DeltaOptions options_of(const Rule& rule, const std::vector<Variable>& in) {
  return {.beta = rule.corrects ? in[4] : Variable(),
          .log_decay = rule.fading == Fading::none ? Variable() : in.back(),
          .state = in[3]};
}

using Form = OutputAndState (*)(const Variable&, const Variable&, const Variable&, const DeltaOptions&);
gradchecks::Function both(const Rule& rule, Form form) {
  return [=](const std::vector<Variable>& in) {
    const auto [output, state] = form(in[0], in[1], in[2], options_of(rule, in));
    return cat({flatten(output), flatten(state)}, 0);
  };
}

void check(const Rule& rule, const Sizes& n, DType dtype, double tolerance) {
  INFO("corrects " << rule.corrects << ", fading " << int(rule.fading) << ", length " << n.length);
  require_alike(both(rule, delta_rule), both(rule, delta_rule_composed), inputs(rule, n, dtype), tolerance);
}

// The steps begin to end of an input, which are its rows; a state has none.
std::vector<Variable> steps(const std::vector<Variable>& in, std::int64_t begin, std::int64_t end) {
  std::vector<Variable> part = in;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i != 3) part[i] = slice(in[i], 2, begin, end);
  return part;
}

// Output and state at the end, read in pieces of so many steps.
OutputAndState in_pieces(const Rule& rule, std::vector<Variable> in, std::int64_t piece) {
  std::vector<Variable> outputs;
  const std::vector<Variable> whole = in;
  for (std::int64_t begin = 0, length = whole[0].size(2); begin < length; begin += piece) {
    in = steps(whole, begin, std::min(begin + piece, length));
    if (begin > 0) in[3] = outputs.back();
    const auto [output, state] = delta_rule(in[0], in[1], in[2], options_of(rule, in));
    if (begin > 0) outputs.pop_back();
    outputs.push_back(output);
    outputs.push_back(state);
  }
  const Variable state = outputs.back();
  outputs.pop_back();
  return {cat(outputs, 2), state};
}

}  // namespace

TEST_CASE("delta rule: in chunks it is its twin, with all gradients, for every rule and length") {
  for (const Rule& rule : rules()) {
    for (const std::int64_t length : {1, 2, 9, 64, 65, 150}) check(rule, {length}, DType::f64, 1e-12);
    check(rule, {70, 16, 33}, DType::f64, 1e-12);
    check(rule, {3, 1, 1}, DType::f64, 1e-12);
    check(rule, {150, 32, 32}, DType::f32, 2e-5);
  }
}

TEST_CASE("delta rule: whole, in pieces and step by step it gives the same") {
  for (const Rule& rule : rules()) {
    const std::vector<Tensor> values = inputs(rule, {130});
    const std::vector<Variable> in(values.begin(), values.end());
    const auto [output, state] = delta_rule(in[0], in[1], in[2], options_of(rule, in));
    for (const std::int64_t piece : {1, 7, 64, 100}) {
      INFO("corrects " << rule.corrects << ", fading " << int(rule.fading) << ", pieces of " << piece);
      const OutputAndState other = in_pieces(rule, in, piece);
      CHECK(allclose(other.output.value(), output.value(), 1e-12, 1e-12));
      CHECK(allclose(other.state.value(), state.value(), 1e-12, 1e-12));
    }
  }
}

TEST_CASE("delta rule: NaN in a step reaches none before it") {
  for (const Rule& rule : rules()) {
    const std::vector<Tensor> given = inputs(rule, {.length = 40});
    std::vector<Variable> in(given.begin(), given.end());
    const auto output = [&] {
      return Tensor(slice(delta_rule(in[0], in[1], in[2], options_of(rule, in)).output.value(), 2, 0, 20));
    };
    const Tensor before = output();
    in[2] = cat({slice(in[2], 2, 0, 20), slice(in[2], 2, 20, 21) * NAN, slice(in[2], 2, 21)}, 2);
    CHECK(identical(output(), before));
  }
}

TEST_CASE("delta rule: no step leaves the state as it is") {
  for (const Rule& rule : rules()) {
    std::vector<Variable> in;
    for (const Tensor& value : inputs(rule, {0})) in.push_back(parameter(value));
    const auto [output, state] = delta_rule(in[0], in[1], in[2], options_of(rule, in));
    CHECK(output.shape() == Shape{2, 3, 0, 3});
    CHECK(identical(state.value(), in[3].value()));
    CHECK(identical(grad({sum(state)}, {in[3]})[0].value(), ones(in[3].shape(), DType::f64)));
  }
}

TEST_CASE("delta rule: without a state it begins with 0") {
  const Rule rule{true, Fading::per_head};
  std::vector<Tensor> values = inputs(rule, {70});
  values[3] = zeros(values[3].shape(), DType::f64);
  const std::vector<Variable> in(values.begin(), values.end());
  DeltaOptions options = options_of(rule, in);
  const auto with = delta_rule(in[0], in[1], in[2], options);
  options.state = {};
  const auto without = delta_rule(in[0], in[1], in[2], options);
  CHECK(identical(with.output.value(), without.output.value()));
  CHECK(identical(with.state.value(), without.state.value()));
}

TEST_CASE("delta rule: the linear rule is causal attention whose weights are the products, without softmax") {
  const std::vector<Tensor> in = inputs({false, Fading::none}, {100});
  const Tensor expected = matmul(tril(matmul(in[0], transpose(in[1]))), in[2]);
  CHECK(allclose(delta_rule(in[0], in[1], in[2]).output.value(), expected, 1e-12, 1e-12));
}

// y = (C·Bᵀ ⊙ G)·(Δ·x) with G(i, j) = e^(−A·(Δ_{j+1} + … + Δ_i)), as Dao and Gu have it (2024).
TEST_CASE("delta rule: with decays that hang on the token it is Mamba-2's layer, with one number for all states") {
  const Tensor c = noise({100, 5}, 1), b = noise({100, 5}, 2), x = noise({100, 3}, 3);
  const Tensor delta = softplus(noise({100}, 4)), sums = cumsum(delta * -0.3, 0);
  const Tensor decays = tril(exp(minimum(unsqueeze(sums, 1) - unsqueeze(sums, 0), zeros({}, DType::f64))));
  const Tensor scaled = x * unsqueeze(delta, 1), expected = matmul(matmul(c, transpose(b)) * decays, scaled);
  const auto [output, state] = delta_rule(c, b, scaled, {.log_decay = Variable(delta * -0.3)});
  CHECK(allclose(output.value(), expected, 1e-12, 1e-12));
}

TEST_CASE("delta rule: with β = 1 a key gives what was written under it last") {
  // Keys e₁, e₂, e₁: the third pair takes the place of the first. Linear attention would give their sum.
  const Variable k = f64({{1, 0}, {0, 1}, {1, 0}}), v = f64({{10}, {20}, {30}}), q = f64({{1, 0}, {1, 0}, {1, 1}});
  const auto [output, state] = delta_rule(q, k, v, {.beta = f64({1, 1, 1})});
  CHECK(identical(output.value(), f64({{10}, {10}, {50}})));
  CHECK(identical(state.value(), f64({{30}, {20}})));
  CHECK(identical(delta_rule(q, k, v).output.value(), f64({{10}, {10}, {60}})));
  // β = ½ goes half of the way: 10 under e₁ becomes 5, then 5 + ½·(30 − 5).
  const auto half = delta_rule(q, k, v, {.beta = f64({0.5, 0.5, 0.5})});
  CHECK(identical(half.state.value(), f64({{17.5}, {10}})));
}

TEST_CASE("delta rule: a decay of 0 forgets, values, gradients and all") {
  for (const Rule& rule : rules()) {
    if (rule.fading == Fading::none) continue;
    std::vector<Tensor> values = inputs(rule, {100});
    const Tensor at_70 = equal(arange(100, DType::f64), 70.0);
    const Tensor is_cut = rule.fading == Fading::per_head ? at_70 : unsqueeze(at_70, 1);
    values.back() = where(expand(is_cut, values.back().shape()), full({}, -inf, DType::f64), values.back());
    std::vector<Variable> in;
    for (const Tensor& value : values) in.push_back(parameter(value));
    const auto [output, state] = delta_rule(in[0], in[1], in[2], options_of(rule, in));
    std::vector<Variable> later = steps(in, 70, 100);
    later[3] = zeros(values[3].shape(), DType::f64);
    const auto [fresh, fresh_state] = delta_rule(later[0], later[1], later[2], options_of(rule, later));
    CHECK(allclose(slice(output, 2, 70, 100).value(), fresh.value(), 1e-13, 1e-13));
    const auto to = grad({sum(square(slice(output, 2, 70, 100))) + sum(state)}, in);
    for (const Variable& each : to) CHECK(any(is_nan(each.value())).item() == 0);
    CHECK(max(abs(slice(to[2], 2, 0, 70).value())).item() == 0);
    CHECK(max(abs(to[3].value())).item() == 0);
  }
}

TEST_CASE("delta rule: the same bits for any number of threads") {
  const Rule rule{true, Fading::per_feature};
  const auto run = [&](int threads) {
    const int before = thread_count();
    set_thread_count(threads);
    std::vector<Variable> in;
    for (const Tensor& value : inputs(rule, {200, 40, 40}, DType::f32)) in.push_back(parameter(value));
    const auto [output, state] = delta_rule(in[0], in[1], in[2], options_of(rule, in));
    std::vector<Tensor> all{output.value(), state.value()};
    for (const Variable& each : grad({sum(square(output)) + sum(square(state))}, in)) all.push_back(each.value());
    set_thread_count(before);
    return all;
  };
  const std::vector<Tensor> one = run(1);
  for (const int threads : {2, 5}) {
    const std::vector<Tensor> many = run(threads);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(identical(one[i], many[i]));
  }
}

TEST_CASE("delta rule: says what does not fit") {
  const Variable q = zeros({2, 4, 3}), v = zeros({2, 4, 5});
  CHECK_THROWS_WITH(delta_rule(q, zeros({2, 4, 2}), v),
                    "delta_rule: q (2, 4, 3) and k (2, 4, 2): both must be (…, L, Dk), with Dk > 0");
  CHECK_THROWS_WITH(delta_rule(q, q, zeros({4, 5})),
                    "delta_rule: v (4, 5) for keys (2, 4, 3): it must be (…, L, Dv), with the same axes in front, and "
                    "Dv > 0");
  CHECK_THROWS_WITH(delta_rule(q, q, v, {.beta = zeros({4})}),
                    "delta_rule: beta (4) for keys (2, 4, 3): it must be (2, 4), a number for each step");
  CHECK_THROWS_WITH(delta_rule(q, q, v, {.log_decay = zeros({2, 4, 5})}),
                    "delta_rule: log_decay (2, 4, 5) for keys (2, 4, 3): it must be (2, 4), or (2, 4, 3) for one of "
                    "each feature");
  CHECK_THROWS_WITH(delta_rule(q, q, v, {.state = zeros({2, 5, 3})}),
                    "delta_rule: a state (2, 5, 3) for keys (2, 4, 3) and values (2, 4, 5): it must be (2, 3, 5)");
  CHECK_THROWS_AS(delta_rule(q, q, to(v, DType::f64)), DTypeError);
}

}  // namespace regard
