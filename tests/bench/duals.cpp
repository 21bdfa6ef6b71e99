// Scores of one line, forward and all gradients: derivatives by dual numbers against derivatives written by hand.
#include "autograd/all.h"
#include "autograd/attention/score.h"
#include "nn/attention/all.h"
#include "tests/bench/measure.h"

namespace regard::bench {
namespace {

struct Gaussian {
  auto operator()(const auto& q, const auto& k, const auto& w) const { return square((q - k) * w) * -0.5; }
};
struct GaussianByHand : Gaussian {
  template <class P>
  engine::Slopes<P> slopes(const P& q, const P& k, const P& w) const {
    const P distance = q - k, bent = distance * w, side = bent * w;
    return {-side, side, -(bent * distance)};
  }
};

struct Additive {
  auto operator()(const auto& q, const auto& k, const auto& w) const { return w * tanh(q + k); }
};
struct AdditiveByHand : Additive {
  template <class P>
  engine::Slopes<P> slopes(const P& q, const P& k, const P& w) const {
    const P t = tanh(q + k), side = w * (1 - t * t);
    return {side, side, t};
  }
};

struct L1 {
  auto operator()(const auto& q, const auto& k, const auto& w) const { return -(w * abs(q - k)); }
};
struct L1ByHand : L1 {
  template <class P>
  engine::Slopes<P> slopes(const P& q, const P& k, const P& w) const {
    const P side = w * sign(q - k);
    return {-side, side, -abs(q - k)};
  }
};

Run training_step(const FusedScore& score) {
  const Shape shape{16, 128, 32};
  const auto leaf = [](const Shape& of, int number) { return parameter(operand(of, number)); };
  const std::vector<Variable> in{leaf(shape, 0), leaf(shape, 1), leaf(shape, 2), leaf({32}, 3)};
  const Tensor g = operand(shape, 4);
  return [=] {
    const Variable output = fused_attention(score, in[0], in[1], in[2], {.parameters = in[3]});
    grad({output}, in, {.gradients = {Variable(g)}});
  };
}

}  // namespace

void register_measurements() {
  const auto compare = [](const char* name, const auto& duals, const auto& by_hand) {
    const Key key{std::string("duals/") + name, 2};
    measure(key, "regard", {}, [=] { return training_step(score(duals)); });
    measure(key, "by_hand", {}, [=] { return training_step(score(by_hand)); });
  };
  compare("gaussian", Gaussian{}, GaussianByHand{});
  compare("additive", Additive{}, AdditiveByHand{});
  compare("l1", L1{}, L1ByHand{});
}

}  // namespace regard::bench
