// Fused attention, as a training step uses it: forward, and the gradients of all inputs.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "nn/optim/sgd.h"
#include "tests/bench/measure.h"

#include <cmath>

namespace regard::bench {
namespace {

using nn::Mask;

Variable leaf(const Shape& shape, int number) { return parameter(operand(shape, number)); }

struct Sizes {
  std::int64_t batch, length, width, heads;
  std::string name() const { return fmt::format("{}x{}x{}x{}", batch, length, width, heads); }
};

Run dot_product(const Sizes& s, const Mask& mask, bool backward, nn::Method method = nn::Method::fused) {
  const auto heads = [&](int number) {
    return parameter(contiguous(nn::split_heads(operand({s.batch, s.length, s.width}, number), s.heads).value()));
  };
  const Variable q = heads(0), k = heads(1), v = heads(2);
  const Tensor g = operand(q.shape(), 3);
  return [=] {
    nn::Attention attention(nn::ScaledDotProduct{}, {.method = method});
    if (backward) {
      grad({attention(q, k, v, mask).output}, {q, k, v}, {.gradients = {Variable(g)}});
    } else {
      const NoGrad no_grad;
      attention(q, k, v, mask);
    }
  };
}

// Dot products, and something that learns for each head; sums of 64 products are scaled by 1/8.
Run learned(const Sizes& s, const Variable& numbers, const std::function<FusedScore(const FusedScore& dot)>& change) {
  const auto heads = [&](int number) {
    return parameter(contiguous(nn::split_heads(operand({s.batch, s.length, s.width}, number), s.heads).value()));
  };
  const std::vector<Variable> in{heads(0), heads(1), heads(2), numbers};
  const FusedScore score = change(shipped_scores::dot(1 / std::sqrt(static_cast<double>(s.width / s.heads))));
  const Tensor g = operand(in[0].shape(), 3);
  return [=] { grad({fused_attention(score, in[0], in[1], in[2])}, in, {.gradients = {Variable(g)}}); };
}

// q·k/√D − ((i − j)/σ)²/2, with a σ for each head.
Run distance_prior(const Sizes& s) {
  const Variable sigma = parameter(full({s.heads}, 100));
  return learned(s, sigma, [&](const FusedScore& dot) {
    return modified(dot, per_head(sigma),
                    [](auto score, auto i, auto j, auto, auto width) { return score - square((i - j) / width) * 0.5; });
  });
}

// q·k/√D + table[|i − j|], with a row of the table for each distance and head.
Run distance_table(const Sizes& s) {
  const Variable table = leaf({s.length, s.heads}, 4);
  return learned(s, table,
                 [&](const FusedScore& dot) { return shipped_scores::with_numbers(dot, by_distance(table)); });
}

Run multi_head(const Sizes& s) {
  Generator generator(1);
  nn::MultiHeadAttention module(nn::ScaledDotProduct{},
                                {.model = s.width, .heads = s.heads, .method = nn::Method::fused}, generator);
  const Variable x = leaf({s.batch, s.length, s.width}, 0);
  std::vector<Variable> wanted = nn::parameters(module);
  wanted.push_back(x);
  const Tensor g = operand(x.shape(), 3);
  return [=]() mutable { grad({module(x, x, x).output}, wanted, {.gradients = {Variable(g)}}); };
}

Run additive(std::int64_t batch, std::int64_t length, std::int64_t hidden) {
  const Shape shape{batch, length, hidden};
  const std::vector<Variable> in{leaf(shape, 0), leaf(shape, 1), leaf(shape, 2), leaf({hidden}, 3)};
  const Tensor g = operand(shape, 4);
  return [=] {
    const Variable output = fused_attention(shipped_scores::additive(), in[0], in[1], in[2], {.parameters = in[3]});
    grad({output}, in, {.gradients = {Variable(g)}});
  };
}

struct Points {
  Tensor x, y;
};
Points points(std::int64_t count) {
  const Tensor x = multiply(add(operand({count}), 1), 2.5);
  return {x, add(multiply(sin(x), 2), multiply(operand({count}, 1), 0.5))};
}

// One step of training, with plain gradient descent: from tiles, as for any score, or in the pass that knows this loss.
Run regression(std::int64_t count, bool special) {
  const auto [x, y] = points(count);
  nn::NadarayaWatson module(nn::GaussianKernel::per_key(count, 0.5), x, y);
  module.attention.method = nn::Method::fused;
  const auto optimizer = std::make_shared<optim::SGD>(nn::parameters(module), optim::SGDOptions{.learning_rate = 1});
  return [=]() mutable {
    optimizer->zero_grad();
    const Variable loss = special ? module.loss_in_one_pass() : module.loss();
    loss.backward();
    optimizer->step();
  };
}

}  // namespace

void register_measurements() {
  for (const Sizes& s :
       {Sizes{32, 64, 128, 4}, Sizes{16, 128, 256, 8}, Sizes{4, 512, 512, 8}, Sizes{1, 2048, 512, 8}}) {
    measure({"dot_product/" + s.name(), 2}, "regard", {}, [s] { return dot_product(s, {}, true); });
    measure({"dot_product_forward/" + s.name(), 2}, "regard", {}, [s] { return dot_product(s, {}, false); });
    measure({"multi_head/" + s.name(), 2}, "regard", {}, [s] { return multi_head(s); });
  }
  // Time and memory against the length. Each is run by a process of its own.
  for (const std::int64_t n : {512, 1024, 2048, 4096, 8192, 16384}) {
    const Sizes s{1, n, 512, 8};
    measure({fmt::format("length/{}", n), 2}, "regard", {}, [s] { return dot_product(s, {}, true); });
    if (n <= 8192) measure({fmt::format("length_learned/{}", n), 2}, "regard", {}, [s] { return distance_table(s); });
    if (n <= 4096)
      measure({fmt::format("length_composed/{}", n), 2}, "regard", {},
              [s] { return dot_product(s, {}, true, nn::Method::composed); });
  }
  // A causal mask takes work away, and must not take time: one tile of keys covers these sequences.
  const Sizes short_one{16, 128, 256, 8};
  for (const int threads : {1, 2})
    for (const bool backward : {false, true}) {
      const Key key{(backward ? "causal/gradient/" : "causal/forward/") + short_one.name(), threads};
      measure(key, "regard", {}, [=] { return dot_product(short_one, Mask::causal(), backward); });
      measure(key, "full", {}, [=] { return dot_product(short_one, {}, backward); });
    }
  const Sizes long_one{1, 2048, 512, 8};
  measure({"dot_product_causal/" + long_one.name(), 2}, "regard", {},
          [=] { return dot_product(long_one, Mask::causal(), true); });
  const Key prior{"distance_prior/" + long_one.name(), 2};
  measure(prior, "regard", {}, [=] { return distance_prior(long_one); });
  measure(prior, "plain", {}, [=] { return dot_product(long_one, {}, true); });
  measure({"additive/16x64x64", 2}, "regard", {}, [] { return additive(16, 64, 64); });
  measure({"additive/8x128x128", 2}, "regard", {}, [] { return additive(8, 128, 128); });
  measure({"regression/6000", 2}, "regard", {}, [] { return regression(6000, true); });
  measure({"regression_by_duals/6000", 2}, "regard", {}, [] { return regression(6000, false); });
}

}  // namespace regard::bench
