// Who can influence whom, in models whose answer is known beforehand.
#include "nn/tools/explain/influence.h"

#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

Variable input(std::int64_t length, std::int64_t features, std::uint64_t seed = 2) {
  return parameter(noise({1, length, features}, seed));
}

std::vector<std::pair<std::int64_t, std::int64_t>> pairs(const std::vector<Field>& fields) {
  std::vector<std::pair<std::int64_t, std::int64_t>> list;
  for (const auto& [first, last] : fields) list.emplace_back(first, last);
  return list;
}
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

MultiHeadAttention heads(Method method) {
  Generator g(3);
  return {ScaledDotProduct{}, {.model = 8, .heads = 2, .dtype = DType::f64, .method = method}, g};
}

}  // namespace

TEST_CASE("influence: of a product with a matrix it is the matrix") {
  const Variable x = parameter(f64({{1}, {2}, {3}})), a = parameter(f64({{1, 0, -2}, {0, 3, 0.5}}));
  const Influence found = influence(matmul(a, x), x, {.exact = true});
  CHECK(allclose(found.sizes, f64({{1, 0, 2}, {0, 3, 0.5}})));
  CHECK(found.tried == "tried: one input (3, 1), all numbers of each output");
  CHECK(pairs(receptive_field(matmul(a, x), x)) == Pairs{{0, 2}, {1, 2}});
}

TEST_CASE("influence: a position of many numbers, by c and exactly") {
  // yᵢ = W·xᵢ, so the exact size is √Σ W², and that by c is |Wᵀc|
  const Variable x = parameter(noise({4, 3})), w = parameter(noise({5, 3}, 7));
  const Variable y = linear(x, w);
  const double norm = std::sqrt(sum(square(w.value())).item());
  Generator random(9);
  const Tensor c = normal({5}, random, 0, 1, DType::f64);
  const double by_c = std::sqrt(sum(square(matmul(c, w.value()))).item());
  CHECK(allclose(influence(y, x, {.exact = true}).sizes, eye(4, DType::f64) * norm));
  CHECK(allclose(influence(y, x, {.seed = 9}).sizes, eye(4, DType::f64) * by_c));
  y.backward({.gradient = Variable(ones_like(y.value()))});  // the graph is as it was
}

TEST_CASE("influence: numbers whose sum is fixed do not hide what moves them") {
  const Variable x = parameter(noise({3, 4}));
  const Tensor found = influence(softmax(x, -1), x).sizes;
  for (int i = 0; i < 3; ++i) CHECK(select(select(found, 0, i), 0, i).item() > 1e-3);
}

TEST_CASE("influence: small numbers are not lost, and no positions are no error") {
  const Variable x = parameter(tensor({{1}, {1}}, DType::f32)), a(tensor({{1, 1e-30}, {0, 1}}, DType::f32));
  CHECK_THROWS_WITH(assert_causal(matmul(a, x), x), ContainsSubstring("output 0 depends on input 1"));
  CHECK(influence(slice(x, 0, 0, 0), x).sizes.shape() == Shape{0, 2});
}

TEST_CASE("influence: causal attention, composed and fused, looks back only") {
  for (const Method method : {Method::composed, Method::fused}) {
    auto attention = heads(method);
    const Variable x = input(6, 8);
    const Influence found = assert_causal(attention(x, x, x, Mask::causal()).output, x);
    CHECK(pairs(receptive_field(attention(x, x, x, Mask::causal()).output, x)) ==
          Pairs{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}});
    CHECK_THROWS_WITH(assert_causal(attention(x, x, x).output, x),
                      ContainsSubstring("assert_causal: output 0 depends on input 1: the size of its gradient is") &&
                          ContainsSubstring("tried: one input (1, 6, 8), a c of seed 1"));
    auto other = heads(method == Method::fused ? Method::composed : Method::fused);
    CHECK(allclose(found.sizes, influence(other(x, x, x, Mask::causal()).output, x).sizes, 1e-9, 1e-12));
  }
}

TEST_CASE("influence: what padding says is not heard, and a model that listens to it is found") {
  for (const Method method : {Method::composed, Method::fused}) {
    auto attention = heads(method);
    const Variable x = input(6, 8);
    assert_padding_ignored(attention(x, x, x, Mask::valid_lengths({4})).output, x, 4);
    CHECK_THROWS_WITH(assert_padding_ignored(attention(x, x, x, Mask::valid_lengths({5})).output, x, 4),
                      ContainsSubstring("assert_padding_ignored: output 0 depends on input 4"));
  }
}

TEST_CASE("influence: a convolution sees as far as its kernel and dilation reach") {
  Generator g(1);
  const Conv1d conv({.in = 2, .out = 3, .kernel = 3, .padding = 2, .dilation = 2, .dtype = DType::f64}, g);
  const Variable x = parameter(noise({1, 2, 7}));  // (B, channels, L)
  CHECK(pairs(receptive_field(conv(x), x, {.output_axis = -1, .input_axis = -1})) ==
        Pairs{{0, 2}, {1, 3}, {0, 4}, {1, 5}, {2, 6}, {3, 5}, {4, 6}});
}

TEST_CASE("influence: a layer of a window of w sees w − 1 back, two of them 2·(w − 1)") {
  Generator g(1);
  const LayerOptions layer{.model = 8, .heads = 2, .hidden = 16, .placement = NormPlacement::pre, .dtype = DType::f64};
  DecoderStack stack(ScaledDotProduct{}, {.layers = 2, .layer = layer}, g);
  const Mask window = Mask::by_range("window", [](std::int64_t query) { return KeyRange{query - 1, query + 1}; });
  const Variable x = input(7, 8);
  CHECK(pairs(receptive_field(stack(x, window).output, x)) ==
        Pairs{{0, 0}, {0, 1}, {0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}});
}

TEST_CASE("influence: of tokens, on a model that writes, by way of what its table says of them") {
  Generator g(1);
  const LayerOptions layer{.model = 8, .heads = 2, .hidden = 16, .placement = NormPlacement::pre, .dtype = DType::f64};
  DecoderModel model(ScaledDotProduct{}, {.vocabulary = 5, .layers = 2, .layer = layer}, g);
  const Variable logits = model(tensor({{0, 3, 1, 3}}, DType::i64));
  const Variable rows = first_use(logits, model.embedding.tokens.weight);
  CHECK(rows.shape() == Shape{4, 8});
  const Influence found = assert_causal(logits, rows);
  CHECK(found.sizes.shape() == Shape{4, 4});
  CHECK_THROWS_WITH(influence(logits, Variable(noise({1, 4, 8}))), ContainsSubstring("first_use(y, table)"));
}

TEST_CASE("influence: hooks on gradients are not run, so they cannot hide who sees the future") {
  const Variable x = input(3, 2), h = tanh(x);
  int calls = 0;
  for (const Variable& each : {x, h}) each.on_gradient([&](const Variable& g) { return ++calls, 0.0 * g; });
  const Variable y = cumsum(flip(h, 1), 1);  // output 0 is the last input
  CHECK(pairs(receptive_field(y, x)) == Pairs{{2, 2}, {1, 2}, {0, 2}});
  CHECK_THROWS_WITH(assert_causal(y, x), ContainsSubstring("output 0 depends on input 2"));
  CHECK(calls == 0);
}

TEST_CASE("influence: on what no output was made from, and of what depends on nothing") {
  const Variable x = input(3, 2), other = input(4, 2);
  CHECK(identical(influence(tanh(x), other).sizes, zeros({3, 4}, DType::f64)));
  CHECK_THROWS_WITH(influence(detach(x), x), ContainsSubstring("influence: the output (1, 3, 2) depends on nothing"));
}

TEST_CASE("influence: the operation by which the future comes in is named, and its module") {
  const Variable x = input(5, 4);
  const Variable centred = x - mean(x, 1, keepdim);
  const char* by_mean = "; the future first comes in at subtract (1, 5, 4), made of the input (1, 5, 4), sum (1, 1, 4)";
  CHECK_THROWS_WITH(assert_causal(tanh(centred), x), Catch::Matchers::EndsWith(by_mean));

  struct Layers {
    std::vector<MultiHeadAttention> layers;
    void visit(Visitor& v) { v("layers", layers); }
  };
  for (const Method method : {Method::composed, Method::fused}) {
    Layers model{{heads(method), heads(method), heads(method)}};
    const Variable rows = input(5, 8);
    Variable y = rows;
    for (std::size_t i = 0; i < 3; ++i) y = model.layers[i](y, y, y, i == 1 ? Mask() : Mask::causal()).output;
    const char* by =
        method == Method::composed ? "comes in at masked_softmax (1, 2, 5, 5)" : "comes in at fused_attention (";
    CHECK_THROWS_WITH(assert_causal(y, rows, {.names = named_parameters(model)}),
                      ContainsSubstring(by) && Catch::Matchers::EndsWith(", in module layers.1"));
  }
}

TEST_CASE("influence: what has another number of positions than the output, such as a table, is refused") {
  const Variable table = parameter(noise({7, 4}));
  const Variable y = index_select(table, 0, tensor({0, 3, 1}, DType::i64));
  CHECK_THROWS_WITH(assert_causal(y, table),
                    ContainsSubstring("assert_causal: there are 3 outputs (3, 4) and 7 inputs (7, 4)") &&
                        ContainsSubstring("not at the table but at what is looked up in it: first_use(y, table)"));
}

TEST_CASE("influence: statistics over positions let the future in") {
  const Variable x = input(5, 4);
  const Variable y = x - mean(x, 1, keepdim);  // as batch norm over positions does
  CHECK_THROWS_WITH(assert_causal(y, x), ContainsSubstring("output 0 depends on input 1"));
}

}  // namespace regard::nn
