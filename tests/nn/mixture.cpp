// Mixture of experts: its formula with every expert written out, its gradients, its balance, and each token by itself.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/nn/gradcheck_module.h"

#include <algorithm>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

Mixture small(std::int64_t experts, std::int64_t best, DType dtype = DType::f64) {
  Generator g(3);
  return {{.size = 4, .hidden = 6, .experts = experts, .best = best, .dtype = dtype}, g};
}
// As gpt-oss has it: biases everywhere, and gates that sum to 1.
Mixture shared_out(std::int64_t experts, std::int64_t best) {
  Generator g(3);
  return {{.size = 4,
           .hidden = 6,
           .experts = experts,
           .best = best,
           .kind = FeedForwardKind::clamped_swiglu,
           .bias = true,
           .router_bias = true,
           .sums_to_1 = true,
           .dtype = DType::f64},
          g};
}

}  // namespace

// All experts work on all tokens here, and what was not chosen is multiplied by 0.
TEST_CASE("mixture: the sum of the best experts, each times its gate") {
  for (const std::int64_t best : {1, 2, 5}) {
    Mixture mixture = small(5, best);
    const Variable x = noise({2, 7, 4});
    const Tensor gates = softmax(mixture.router(x), -1).value();  // (2, 7, 5)
    Tensor expected = zeros({2, 7, 4}, DType::f64), counts = zeros({5}, DType::f64);
    for (std::int64_t b = 0; b < 2; ++b)
      for (std::int64_t i = 0; i < 7; ++i) {
        const Tensor mine = select(select(gates, 0, b), 0, i);
        for (std::int64_t e = 0; e < 5; ++e) {
          const bool chosen = sum(to(greater(mine, mine.at({e})), DType::f64)).item() < static_cast<double>(best);
          if (!chosen) continue;
          const Tensor made = mixture.experts[static_cast<std::size_t>(e)](slice(select(x, 0, b), 0, i, i + 1)).value();
          const Tensor row = equal(arange(14, DType::f64), static_cast<double>(7 * b + i));
          expected = expected + reshape(row, {2, 7, 1}) * made * mine.at({e});
          counts = counts + to(equal(arange(5), static_cast<double>(e)), DType::f64);
        }
      }
    CHECK(allclose(mixture(x).value(), expected, 1e-13, 1e-13));
    const Tensor share = counts / (14.0 * static_cast<double>(best)), mean_gate = mean(flatten(gates, 0, 1), 0);
    CHECK(std::abs(mixture.balance.item() - 5 * sum(share * mean_gate).item()) < 1e-13);
  }
  CHECK_THROWS_WITH(small(2, 3), ContainsSubstring("the best 3 of 2 experts"));
}

TEST_CASE("mixture: of one token, half goes to each of its best two, and their gates are the means") {
  Mixture mixture = small(5, 2);
  const Variable token = noise({1, 4});
  mixture(token);
  const double best_two = sum(topk(softmax(mixture.router(token), -1).value(), 2, -1).values).item();
  CHECK(std::abs(mixture.balance.item() - 5 * best_two / 2) < 1e-13);
}

// What is not chosen gets a router's number of −∞, and the softmax of the rest is the gates.
TEST_CASE("mixture: gates that sum to 1 are the softmax of those that are chosen") {
  Mixture mixture = shared_out(3, 2);
  const Variable x = noise({6, 4}), asked = mixture.router(x);
  const Tensor least = min(asked.value(), -1, keepdim);
  const Tensor gates =
      softmax(where(equal(asked.value(), least), Variable(full({}, -1e300, DType::f64)), asked), -1).value();
  Tensor expected = zeros({6, 4}, DType::f64);
  for (std::int64_t e = 0; e < 3; ++e)
    expected = expected + slice(gates, 1, e, e + 1) * mixture.experts[static_cast<std::size_t>(e)](x).value();
  CHECK(allclose(mixture(x).value(), expected, 1e-13, 1e-13));
}

TEST_CASE("mixture: gradients, of the output and of the balance") {
  check_gradients("Mixture, sums to 1", shared_out(3, 2), {noise({2, 3, 4}) * 3},
                  [](Mixture& mixture, const auto& in) { return mixture(in[0]); });
  check_gradients("Mixture", small(3, 2), {noise({2, 3, 4})}, [](Mixture& mixture, const auto& in) {
    const Variable made = mixture(in[0]);
    return made + mixture.balance;
  });
}

// With experts of a limited capacity it would not be so: who comes last finds them full.
TEST_CASE("mixture: what a token gets does not depend on the others") {
  Mixture mixture = small(4, 2, DType::f32);
  const Tensor x = noise({1, 60, 4}, 2, DType::f32), all = mixture(x).value();
  for (std::int64_t i = 0; i < 60; ++i)
    CHECK(identical(mixture(slice(x, 1, i, i + 1)).value(), slice(all, 1, i, i + 1)));
  CHECK(mixture(zeros({0, 3, 4})).shape() == Shape{0, 3, 4});
}

// All tokens choose the first expert at first. Of two models one is also told to balance, and only that one ends with
// experts that are chosen alike.
TEST_CASE("mixture: the balance falls where it is part of the loss") {
  const Tensor x = noise({8, 8, 4}, 4, DType::f32) + 1, wanted = noise({8, 8, 4}, 5, DType::f32);
  const auto balance_after = [&](double weight) {
    Mixture mixture = small(4, 1, DType::f32);
    assign(mixture.router.weight, cat({ones({1, 4}), zeros({3, 4})}, 0));
    optim::Adam optimizer(mixture, {.learning_rate = 0.01});
    for (int step = 0; step < 60; ++step) {
      const Variable loss = mse_loss(mixture(x), wanted);
      optimizer.zero_grad();
      (loss + mixture.balance * weight).backward();
      optimizer.step();
    }
    mixture(x);
    return mixture.balance.item();
  };
  CHECK(balance_after(0) > 1.5);
  CHECK(balance_after(0.5) < 1.2);
}

TEST_CASE("mixture: in a model that writes, whole and step by step") {
  Generator g(1);
  const auto experts = [](std::int64_t layer, Generator& own) -> AnyFeedForward {
    if (layer == 0) return FeedForward({.size = 8, .hidden = 16}, own);
    return Mixture({.size = 8, .hidden = 12, .experts = 4, .best = 2}, own);
  };
  const LayerOptions layer{.model = 8,
                           .heads = 2,
                           .hidden = 16,
                           .placement = NormPlacement::pre,
                           .feed_forward = experts,
                           .method = Method::fused};
  DecoderModel model(ScaledDotProduct{}, {.vocabulary = 9, .layers = 2, .layer = layer}, g);
  CHECK(model.decoder.layers[1].feed_forward.as<Mixture>().experts.size() == 4);
  CHECK_THROWS_WITH(model.decoder.layers[0].feed_forward.as<Mixture>(), ContainsSubstring("another type"));
  const auto names = named_parameters(model);
  CHECK(std::ranges::any_of(
      names, [](const auto& one) { return one.name == "decoder.layers.1.feed_forward.experts.3.down.weight"; }));

  const Tensor tokens = tensor({{3, 1, 4, 1, 5}, {2, 7, 1, 8, 2}}, DType::i64), whole = model(tokens).value();
  StackCache cache;
  for (std::int64_t i = 0; i < 5; ++i) {
    const NoGrad no_grad;
    CHECK(identical(model(slice(tokens, 1, i, i + 1), {.cache = &cache}).value(), slice(whole, 1, i, i + 1)));
  }
}

}  // namespace regard::nn
