// Fused attention is its composed twin, whatever the score, the mask and the shape.
#include "autograd/attention/fused_attention.h"

#include "autograd/attention/score.h"

#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/catch.h"
#include "tests/tensor/threads.h"

#include <cmath>

namespace regard::nn {
namespace {

struct Sample {
  std::string name;
  FusedScore score;
  int parameters;  // 0: none, 1: a number, 2: one per feature, 3: one per key, 4: of both
};

std::vector<Sample> scores() {
  const auto gauss = [](auto q, auto k, auto w) { return square((q - k) * w) * -0.5; };
  const auto additive = [](auto q, auto k, auto w) { return w * tanh(q + k); };
  const auto odd = [](auto q, auto k, auto w) {
    return log(2 + sin(q * w)) / (1.5 + sigmoid(k)) - 0.1 * exp(0.3 * k) * sqrt(square(q) + 0.5) + softplus(q - k) * w;
  };
  return {{"dot", score(Dot{0.4}), 0},
          {"dot by duals", score([](auto q, auto k) { return 0.4 * q * k; }), 0},
          {"Gaussian, one w", score(gauss), 1},
          {"Gaussian, w per key", score(gauss), 3},
          {"Gaussian, w per key and feature", score(gauss), 4},
          {"additive", score(additive), 2},
          {"L1", score([](auto q, auto k) { return -abs(q - k); }), 0},
          {"odd", score(odd), 2},
          {"capped, with distance",
           modified(score(additive),
                    [](auto s, auto i, auto j, auto h) { return 2 * tanh(s * 0.5) - 0.1 * (h + 1) * abs(i - j); }),
           2},
          {"modified twice",
           modified(modified(score(Dot{0.5}), [](auto s, auto, auto, auto) { return 3 * tanh(s / 3); }),
                    [](auto s, auto i, auto j, auto) { return s * s / (1 + abs(i - j)); }),
           0}};
}

Shape parameter_shape(int kind, std::int64_t keys, std::int64_t features) {
  switch (kind) {
    case 1: return {};
    case 2: return {features};
    case 3: return {keys, 1};
    default: return {keys, features};
  }
}

std::vector<Variable> inputs(const Sample& sample, const Shape& front, std::int64_t lq, std::int64_t lk, std::int64_t d,
                             std::int64_t dv, DType dtype) {
  Generator generator(11);
  const auto draw = [&](Shape shape, std::int64_t length, std::int64_t size) {
    shape.push_back(length);
    shape.push_back(size);
    return parameter(normal(shape, generator, 0, 1, dtype));
  };
  std::vector<Variable> list{draw(front, lq, d), draw(front, lk, d), draw(front, lk, dv)};
  if (sample.parameters)
    list.push_back(parameter(normal(parameter_shape(sample.parameters, lk, d), generator, 0, 1, dtype)));
  return list;
}

FusedOptions options(const std::vector<Variable>& in, const Mask& mask = {}, std::int64_t offset = 0) {
  return {.parameters = in.size() > 3 ? in[3] : Variable(), .mask = mask, .offset = offset};
}

double relative(const Tensor& a, const Tensor& b) {
  if (a.numel() == 0) return 0;
  return largest_difference(a, b) / std::max(1.0, max(abs(b)).item());
}

// The output for these inputs, and all gradients of it.
template <class Attention>
std::vector<Variable> output_and_gradients(const Attention& attention, const Sample& sample,
                                           const std::vector<Variable>& in, const Mask& mask, std::int64_t offset) {
  const Variable output = attention(sample.score, in[0], in[1], in[2], options(in, mask, offset));
  Generator generator(5);
  const Tensor g = to(normal(output.shape(), generator, 0, 1, DType::f32), output.dtype());
  std::vector<Variable> all = grad({output}, in, {.gradients = {Variable(g)}});
  all.push_back(output);
  return all;
}

// NaN where infinities leave nothing to compare.
double largest_relative(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double one = relative(to(a[i].value(), DType::f64), to(b[i].value(), DType::f64));
    if (std::isnan(one)) return one;
    worst = std::max(worst, one);
  }
  return worst;
}

// Between the fused operation and its twin.
double difference(const Sample& sample, const std::vector<Variable>& in, const Mask& mask = {},
                  std::int64_t offset = 0) {
  return largest_relative(output_and_gradients(fused_attention, sample, in, mask, offset),
                          output_and_gradients(composed_attention, sample, in, mask, offset));
}

// Between the fused operation in f32 and its twin in f64, which has no errors of f32 of its own.
double error_of_f32(const Sample& sample, const std::vector<Variable>& narrow) {
  std::vector<Variable> wide;
  for (const Variable& x : narrow) wide.push_back(parameter(to(x.value(), DType::f64)));
  return largest_relative(output_and_gradients(fused_attention, sample, narrow, {}, 0),
                          output_and_gradients(composed_attention, sample, wide, {}, 0));
}

}  // namespace

TEST_CASE("fused attention: outputs and gradients are those of its twin, for all scores and shapes") {
  for (const Sample& sample : scores())
    for (const auto& [front, lq, lk, d, dv] : std::vector<std::tuple<Shape, int, int, int, int>>{
             {{}, 1, 1, 1, 1}, {{2}, 5, 7, 3, 4}, {{2, 3}, 33, 70, 5, 2}, {{}, 70, 140, 3, 1}, {{2}, 9, 1100, 2, 3}}) {
      INFO(sample.name << " " << fmt::format("{} {} {} {} {}", front, lq, lk, d, dv));
      CHECK(difference(sample, inputs(sample, front, lq, lk, d, dv, DType::f64)) < 1e-12);
      const auto narrow = inputs(sample, front, lq, lk, d, dv, DType::f32);
      CHECK(difference(sample, narrow) < 2e-6);
      CHECK(error_of_f32(sample, narrow) < 2e-6);
    }
}

TEST_CASE("fused attention: masks") {
  for (const Sample& sample : scores()) {
    const auto in = inputs(sample, {2, 1}, 20, 300, 3, 2, DType::f64);
    Generator generator(3);
    const Tensor pairs = greater(normal({20, 300}, generator, 0, 1, DType::f64), 0.3);
    const Tensor lengths = to(uniform({2, 20}, generator, 0, 320, DType::f64), DType::i64);
    for (const Mask& mask :
         {Mask::causal(), Mask::causal(270), Mask::valid_lengths({0, 265}), Mask::valid_lengths(lengths),
          sliding_window(9), sliding_window(70) & Mask::causal(), Mask::keep(pairs),
          Mask::keep(pairs) & Mask::causal(20), local_global(5, 2),
          Mask::bias(Variable(normal({2, 20, 300}, generator, 0, 1, DType::f64)), MaskAxes::per_batch)}) {
      INFO(sample.name << ", " << mask.to_string());
      CHECK(difference(sample, in, mask, 3) < 1e-12);
    }
  }
}

TEST_CASE("fused attention: tiles that are skipped, cut, and seen in part") {
  const Sample dot = scores()[0];
  const auto in = inputs(dot, {}, 400, 1100, 3, 2, DType::f64);
  for (const Mask& mask : {Mask::causal(), Mask::causal(650), sliding_window(130), sliding_window(5).at(500),
                           Mask::others(), Mask::others().at(600) & Mask::causal(700)}) {
    INFO(mask.to_string());
    CHECK(difference(dot, in, mask) < 1e-12);
  }
}

// With so many queries a task has more of them than a block, and each block sees other keys.
std::vector<Variable> many_inputs(const Sample& sample, int value_size, DType dtype) {
  return inputs(sample, {32}, 200, 260, 2, value_size, dtype);
}

TEST_CASE("fused attention: several blocks of queries take turns at a tile of keys") {
  for (const std::size_t number : {0, 3, 5})
    for (const int value_size : {1, 2}) {
      const Sample sample = scores()[number];
      const auto in = many_inputs(sample, value_size, DType::f64);
      for (const Mask& mask : {Mask::causal(), sliding_window(9)}) {
        INFO(sample.name << ", " << value_size << ", " << mask.to_string());
        CHECK(difference(sample, in, mask) < 1e-12);
      }
    }
}

TEST_CASE("fused attention: gradients of first and second order agree with measured slopes") {
  for (const Sample& sample : scores()) {
    const auto in = inputs(sample, {2}, 3, 4, 2, 2, DType::f64);
    const auto call = [&](const auto& x) {
      return fused_attention(sample.score, x[0], x[1], x[2], options({x.begin(), x.end()}, Mask::causal(1)));
    };
    for (const int order : {1, 2}) {
      const GradcheckReport report = gradcheck(call, {in.begin(), in.end()}, {.order = order});
      INFO(sample.name << "\n" << fmt::format("{}", report));
      CHECK(report.passed());
    }
  }
}

TEST_CASE("fused attention: a bias that learns") {
  const Sample sample = scores()[0];
  auto in = inputs(sample, {2, 3}, 20, 30, 4, 2, DType::f64);
  for (const Shape& shape : {Shape{20, 30}, Shape{2, 1, 20, 30}, Shape{1, 3, 1, 30}}) {
    Generator generator(1);
    const Variable bias = parameter(normal(shape, generator, 0, 1, DType::f64));
    const auto gradient = [&](const auto& attention) {
      return grad({sum(square(attention(sample.score, in[0], in[1], in[2], options(in, Mask::bias(bias)))))},
                  {bias})[0];
    };
    CHECK(relative(gradient(fused_attention).value(), gradient(composed_attention).value()) < 1e-12);
  }
}

TEST_CASE("fused attention: dropout is that of the twin") {
  for (const std::int64_t dv : {1, 3}) {
    const Sample sample = scores()[5];
    const Shape front = dv == 1 ? Shape{2, 2} : Shape{1, 3};  // 4·37·131 weights, and 3·37·131, one more than a four
    const auto in = inputs(sample, front, 37, 131, 3, dv, DType::f64);
    const auto run = [&](const auto& attention) {
      Generator generator(9);
      generator.take(5);
      FusedOptions o = options(in, Mask::causal(30));
      o.dropout = 0.3;
      o.generator = &generator;
      const Variable output = attention(sample.score, in[0], in[1], in[2], o);
      auto list = grad({sum(square(output))}, in);
      list.push_back(output);
      CHECK(generator.position() == 5 + (dv == 1 ? 37 * 131 : 3636));  // each position serves four
      return list;
    };
    const auto one = run(fused_attention), other = run(composed_attention);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(relative(one[i].value(), other[i].value()) < 1e-12);
  }
}

TEST_CASE("fused attention: NaN and infinity behind a mask reach nothing, and rows that see nothing are 0") {
  for (const std::int64_t value_size : {1, 2})
    for (const Sample& sample : scores()) {
      auto in = inputs(sample, {2}, 5, 8, 3, value_size, DType::f64);
      const Mask mask = Mask::valid_lengths(to(tensor({{6, 6, 0, 6, 6}, {6, 6, 6, 6, 6}}), DType::i64));
      const auto run = [&](double hidden) {
        std::vector<Variable> list = in;
        const Tensor key = reshape(arange(8, DType::f64), {8, 1}), query = reshape(arange(10, DType::f64), {2, 5, 1});
        for (const int i : {1, 2})
          list[i] = parameter(where(less(key, 6.0), list[i].value(), full({}, hidden, DType::f64)));
        list[0] = parameter(where(not_equal(query, 2.0), list[0].value(), full({}, hidden, DType::f64)));
        const Variable output = fused_attention(sample.score, list[0], list[1], list[2], options(list, mask));
        auto all = grad({sum(square(output))}, list);
        all.push_back(output);
        return all;
      };
      const auto clean = run(0);
      for (const double hidden : {NAN, INFINITY}) {
        const auto poisoned = run(hidden);
        INFO(sample.name << " " << hidden);
        for (std::size_t i = 0; i < clean.size(); ++i)
          CHECK(allclose(poisoned[i].value(), clean[i].value(), 1e-12, 1e-12));
      }
      CHECK(max(abs(select(select(clean.back().value(), 0, 0), 0, 2))).item() == 0);
      CHECK(max(abs(select(select(clean[0].value(), 0, 0), 0, 2))).item() == 0);
      // What is seen is not hidden: NaN in a visible value shows.
      in[2] = parameter(
          where(equal(reshape(arange(8, DType::f64), {8, 1}), 1.0), full({}, NAN, DType::f64), in[2].value()));
      CHECK(std::isnan(run(0).back().value().at({1, 1, 0})));
    }
}

TEST_CASE("fused attention: the same bits for any number of threads", "[threads]") {
  for (const Sample& sample : scores()) {
    const auto in = inputs(sample, {3}, 70, 300, 3, 2, DType::f32);
    const auto run = [&] {
      const Variable output = fused_attention(sample.score, in[0], in[1], in[2], options(in, Mask::causal(200)));
      auto all = grad({sum(square(output))}, in);
      all.push_back(output);
      return all;
    };
    const Threads one(1);
    const auto expected = run();
    for (const int threads : {2, 3, 5, 8}) {
      set_thread_count(threads);
      const auto found = run();
      for (std::size_t i = 0; i < found.size(); ++i) CHECK(identical(found[i].value(), expected[i].value()));
    }
  }
}

TEST_CASE("fused attention: several blocks of queries, the same bits for any number of threads", "[threads]") {
  for (const std::size_t number : {0, 5}) {
    const Sample sample = scores()[number];
    const auto in = many_inputs(sample, 2, DType::f32);
    const auto run = [&] {
      return fused_attention(sample.score, in[0], in[1], in[2], options(in, sliding_window(90))).value();
    };
    const Threads one(1);
    const Tensor expected = run();
    for (const int threads : {2, 3, 5, 8}) {
      set_thread_count(threads);
      CHECK(identical(run(), expected));
    }
  }
}

}  // namespace regard::nn
