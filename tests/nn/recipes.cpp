// The rows of the README's index that need a few lines of your own: these are the lines, and what they must do.
#include "autograd/all.h"
#include "nn/all.h"
#include "nn/attention/positions/distance_table.h"
#include "nn/kit/subject.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <filesystem>

namespace regard::nn {
namespace {

const std::map<kit::Law, std::string> positions_count{{kit::Law::keys_as_set, "distances count"},
                                                      {kit::Law::queries_apart, "distances count"}};

// Scores less slope·|i − j|. The slope is learned. `offset` is the position of the first query.
struct LearnedDistance : Modifier {
  Variable slope = parameter(full({}, 0.5));

  explicit LearnedDistance(AnyScore score) : Modifier(std::move(score)) {}
  void visit(Visitor& v) {
    Modifier::visit(v);
    v("slope", slope);
  }
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    const Tensor distance = abs(distances_ahead(q.size(-2), k.size(-2), offset, q.dtype()));  // (Lq, Lk)
    return inner(q, k, offset) - slope * Variable(distance);
  }
};

// Each query sees only the `count` keys with the largest scores, of those that the mask lets it see.
struct TopKAttention : Modifier {
  std::int64_t count;

  TopKAttention(AnyScore score, std::int64_t k) : Modifier(std::move(score)), count(k) {}
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const { return inner(q, k, offset); }
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    const Tensor seen = where(keep, scores.value(), full({}, -inf, scores.dtype()));
    const std::int64_t last = std::min(count, seen.size(-1)) - 1;
    const Tensor least = slice(topk(seen, last + 1, -1).values, -1, last);  // (…, Lq, 1)
    return Modifier::normalize(scores, keep * greater_equal(seen, least));
  }
};

MultiHeadAttention two_heads(std::uint64_t seed) {
  Generator generator(seed);
  return {ScaledDotProduct{}, {.model = 4, .heads = 2, .dtype = DType::f64}, generator};
}

// PyTorch's nn.MultiheadAttention keeps W_q, W_k and W_v in one matrix, one above the other.
void take_from_torch(MultiHeadAttention& into, const TensorFile& file) {
  const std::int64_t model = into.w_o.weight.size(0);
  const auto rows = [&](const char* name) { return split(file.tensors.at(name), {model, model, model}, 0); };
  const auto weights = rows("in_proj_weight"), biases = rows("in_proj_bias");
  Linear* const projections[] = {&into.w_q, &into.w_k, &into.w_v};
  for (std::size_t i = 0; i < 3; ++i) {
    assign(projections[i]->weight, weights[i]);
    assign(projections[i]->bias, biases[i]);
  }
  assign(into.w_o.weight, file.tensors.at("out_proj.weight"));
  assign(into.w_o.bias, file.tensors.at("out_proj.bias"));
}

}  // namespace

TEST_CASE("recipes: a learned bias by distance") {
  Attention attention(LearnedDistance(ScaledDotProduct{}));
  // All keys alike: what is left is the slope. At distances 0, 1, 2: 1, e^−0.5, e^−1, over their sum.
  const Variable q = ones({1, 2}), weights = attention(q, ones({3, 2}), ones({3, 1})).weights;
  const double a = std::exp(-0.5), b = std::exp(-1.0), total = 1 + a + b;
  CHECK(allclose(weights.value(), tensor({{1 / total, a / total, b / total}}), 1e-6));

  kit::Variant row = kit::variant("learned distance", [](Generator&) { return LearnedDistance(ScaledDotProduct{}); });
  row.waived = positions_count;
  const kit::Report report = kit::examine(row);
  INFO(report.to_string());
  CHECK(report.passed());
}

TEST_CASE("recipes: only the largest k scores count") {
  const TopKAttention score(ScaledDotProduct{}, 2);
  const Variable scores = f64({{3, 1, 2, 0}});
  const double larger = 1 / (1 + std::exp(-1.0));
  CHECK(allclose(score.normalize(scores, ones({1, 4}, DType::f64)).value(), f64({{larger, 0, 1 - larger, 0}}), 1e-14));
  // The first is masked: the two largest are then those of 2 and 1.
  CHECK(allclose(score.normalize(scores, f64({{0, 1, 1, 1}})).value(), f64({{0, 1 - larger, larger, 0}}), 1e-14));
  // Fewer are seen than k: all of them count, and nothing else.
  CHECK(allclose(score.normalize(scores, f64({{0, 1, 0, 0}})).value(), f64({{0, 1, 0, 0}}), 1e-14));

  const kit::Report report =
      kit::examine(kit::variant("top 2", [](Generator&) { return TopKAttention(ScaledDotProduct{}, 2); }));
  INFO(report.to_string());
  CHECK(report.passed());
}

// A null key is a key that belongs to no token: a query that needs nothing looks at it. It is the first pair of the
// cache. The tokens come after it, so they stand at positions 1, 2, …, and valid lengths count the null key too.
TEST_CASE("recipes: a learned null key is the first pair of the cache") {
  MultiHeadAttention heads = two_heads(1);
  const Variable x = noise({3, 5, 4}, 2);                                 // (B, L, E)
  const Variable key = noise({2, 1, 2}, 3), value = noise({2, 1, 2}, 4);  // (G, 1, D), for G key-value heads
  const auto run = [&](const Variable& null_key, const Variable& null_value, const Mask& mask) {
    Cache cache;
    cache.as<KeyValueCache>().append(expand(null_key, {3, 2, 1, 2}), expand(null_value, {3, 2, 1, 2}));
    return heads(x, x, x, mask, {.cache = &cache});
  };
  const auto [output, weights] = run(key, value, Mask::causal());

  CHECK(weights.shape() == Shape{3, 2, 5, 6});
  CHECK(min(slice(weights.value(), -1, 0, 1)).item() > 0);               // everyone sees the null key
  CHECK(max(select(slice(weights.value(), -1, 2), -2, 0)).item() == 0);  // the first token sees it and itself
  CHECK(gradcheck([&](const auto& in) { return run(in[0], in[1], Mask::causal()).output; }, {key, value}).passed());

  // Hidden by a bias of −∞ it leaves everything as it is without it.
  const Variable hidden = cat({Variable(full({5, 1}, -inf, DType::f64)), Variable(zeros({5, 5}, DType::f64))}, -1);
  CHECK(allclose(run(key, value, Mask::causal() & Mask::bias(hidden)).output.value(),
                 heads(x, x, x, Mask::causal()).output.value(), 1e-12, 1e-14));

  // Padding: one more than there are tokens.
  const Variable padded = run(key, value, Mask::valid_lengths({1 + 2, 1 + 5, 1 + 0})).weights;
  CHECK(max(slice(select(padded.value(), 0, 0), -1, 3)).item() == 0);
  CHECK(min(slice(select(padded.value(), 0, 0), -1, 0, 3)).item() > 0);
  CHECK(identical(slice(select(padded.value(), 0, 2), -1, 0, 1), ones({2, 5, 1}, DType::f64)));
}

TEST_CASE("recipes: weights of PyTorch's multi-head attention") {
  const auto folder = std::filesystem::temp_directory_path() / "regard_recipes";
  std::filesystem::create_directories(folder);
  const Tensor in = noise({12, 4}, 1), in_bias = noise({12}, 2), out = noise({4, 4}, 3), out_bias = noise({4}, 4);
  save_safetensors(folder / "torch.safetensors", {.tensors = {{"in_proj_weight", in},
                                                              {"in_proj_bias", in_bias},
                                                              {"out_proj.weight", out},
                                                              {"out_proj.bias", out_bias}},
                                                  .metadata = {}});
  MultiHeadAttention heads = two_heads(5);
  take_from_torch(heads, load_safetensors(folder / "torch.safetensors"));
  std::filesystem::remove_all(folder);

  // By hand: one product for all three, as PyTorch does it, and each head from its own columns.
  const Tensor x = noise({3, 4}, 6);
  const Tensor projected = matmul(x, transpose(in)) + in_bias;  // (3, 12)
  std::vector<Tensor> parts;
  for (const std::int64_t h : {0, 2}) {
    const auto columns = [&](std::int64_t first) { return slice(projected, 1, first + h, first + h + 2); };
    const Tensor weights = softmax(matmul(columns(0), transpose(columns(4))) / std::sqrt(2.0), -1);
    parts.push_back(matmul(weights, columns(8)));
  }
  const Tensor expected = matmul(cat(parts, 1), transpose(out)) + out_bias;
  CHECK(allclose(heads(x, x, x).output.value(), expected, 1e-12, 1e-14));
}

}  // namespace regard::nn
