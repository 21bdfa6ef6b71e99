// The attentions of 2024 to 2026 beside plain ones, forward and with all gradients: the table of the book's chapter.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/bench/measure.h"

namespace regard::bench {
namespace {

using namespace nn;

constexpr std::int64_t length = 1024, width = 512, heads = 8, head_size = width / heads;
const MultiHeadOptions options{.model = width, .heads = heads, .method = Method::fused};

// A whole module, from tokens to tokens.
Prepare module(const std::function<AnyAttention(Generator&)>& make, const Mask& mask = Mask::causal()) {
  return [=]() -> Run {
    Generator generator(1);
    AnyAttention attention = make(generator);
    const Variable x = parameter(operand({1, length, width}));
    const Tensor g = operand(x.shape(), 1);
    std::vector<Variable> wanted = parameters(attention);
    wanted.push_back(x);
    return [=]() mutable { grad({attention(x, x, x, mask).output}, wanted, {.gradients = {Variable(g)}}); };
  };
}
Prepare multi_head(const std::function<AnyScore(Generator&)>& score, const Mask& mask = Mask::causal()) {
  return module([=](Generator& g) { return AnyAttention(MultiHeadAttention(score(g), options, g)); }, mask);
}

// Without projections: queries, keys and values of all heads as they are.
Prepare alone(AnyScore score) {
  return [=]() -> Run {
    Attention attention(score, {.method = Method::fused});
    const Shape shape{1, heads, length, head_size};
    const Variable q = parameter(operand(shape, 0)), k = parameter(operand(shape, 1)), v = parameter(operand(shape, 2));
    const Tensor g = operand(shape, 3);
    std::vector<Variable> wanted = parameters(attention);
    wanted.insert(wanted.end(), {q, k, v});
    return [=]() mutable { grad({attention(q, k, v, Mask::causal()).output}, wanted, {.gradients = {Variable(g)}}); };
  };
}

AnyScore forgetting() {
  Forgetting score(ScaledDotProduct{});
  score.sums = parameter(cumsum(multiply(operand({1, heads, length}, 4, DType::f64), 0.01), -1));
  return score;
}

}  // namespace

void register_measurements() {
  const auto beside_plain = [](const std::string& what, const Prepare& run, const Prepare& plain) {
    const Key key{"today/" + what, 1};
    measure(key, "regard", {}, run);
    measure(key, "plain", {}, plain);
  };
  const auto dot = [](Generator&) { return AnyScore(ScaledDotProduct{}); };
  const Prepare whole = multi_head(dot), part = alone(ScaledDotProduct{});

  beside_plain("sinks_alone", alone(Sinks(ScaledDotProduct{}, heads)), part);
  beside_plain("sinks", multi_head([](Generator&) { return Sinks(ScaledDotProduct{}, heads); }), whole);
  beside_plain("forgetting_alone", alone(forgetting()), part);
  beside_plain("forgetting", module([](Generator& g) { return ForgettingAttention(ScaledDotProduct{}, options, g); }),
               whole);
  for (const Gates gates : {Gates::per_head, Gates::per_feature})
    beside_plain(gates == Gates::per_head ? "gates_by_head" : "gates_by_feature",
                 module([=](Generator& g) { return GatedAttention(ScaledDotProduct{}, options, gates, g); }), whole);
  beside_plain("qk_norm", multi_head([](Generator&) { return QKNorm(ScaledDotProduct{}, {.size = head_size}); }),
               whole);
  const LatentOptions latent{.model = width,
                             .heads = heads,
                             .latent = width / 4,
                             .head_size = head_size / 2,
                             .turned = head_size / 2,
                             .head_value_size = head_size,
                             .rotate = {.layout = RotaryLayout::interleaved},
                             .method = Method::fused};
  beside_plain("latent", module([=](Generator& g) { return LatentAttention(latent, g); }), whole);
  // Half as many heads, each with two softmaxes.
  MultiHeadOptions pairs = options;
  pairs.heads = heads / 2;
  beside_plain("differential",
               module([=](Generator& g) { return DifferentialHeads(ScaledDotProduct{}, pairs, 0.8, g); }), whole);
  const Tensor document = expand(unsqueeze(arange(4), 1), {4, length / 4});
  beside_plain("four_documents", multi_head(dot, Mask::documents(reshape(document, {1, length})) & Mask::causal()),
               whole);
}

}  // namespace regard::bench
