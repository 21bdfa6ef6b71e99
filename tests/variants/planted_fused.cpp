// Attention of which the fused form is wrong, or what it shares with the composed one.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/variants/by_hand.h"
#include "tests/variants/rows.h"

namespace regard::nn::kit {
namespace {

// Attention of which the fused form forgets the scale.
struct UnscaledTiles {
  Attention attention;
  void visit(Visitor& v) { attention.visit(v); }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                             std::int64_t offset = 0) {
    if (attention.method == Method::composed) return attention(q, k, v, mask, offset);
    return {fused_attention(shipped_scores::dot(1), q, k, v, {.mask = mask, .offset = offset}), {}};
  }
};

// Attention of which the fused form divides queries by the largest number in all of them, and multiplies keys by it. Up
// to rounding that is no change; but rounding then depends on all rows.
struct RowsTogether {
  Attention attention;
  void visit(Visitor& v) { attention.visit(v); }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                             std::int64_t offset = 0) {
    if (attention.method == Method::composed) return attention(q, k, v, mask, offset);
    const double largest = max(abs(q)).item();
    return attention(q / largest, k * largest, v, mask, offset);
  }
};

// Keys are divided by the largest number that stands before them, hidden or not, and the queries multiplied by it.
struct LooksAtTheFront {
  Attention attention;
  void visit(Visitor& v) { attention.visit(v); }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                             std::int64_t offset = 0) {
    if (attention.method == Method::composed) return attention(q, k, v, mask, offset);
    const double first = 3 + std::tanh(sum(slice(k, -2, 0, 1)).item());
    return attention(q * first, k / first, v, mask, offset);
  }
};

// Where nothing but the mask and parameters wants a gradient, the fused form forgets that there may be one.
struct OnlyForInputs {
  Attention attention;
  void visit(Visitor& v) { attention.visit(v); }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                             std::int64_t offset = 0) {
    if (attention.method == Method::composed || q.requires_grad()) return attention(q, k, v, mask, offset);
    const NoGrad no_grad;
    return attention(q, k, v, mask, offset);
  }
};

// A sink of each head, of which something is forgotten.
struct WrongSink : Sinks {
  enum class Fault { in_the_score, ignored, no_gradient_when_fused } fault;
  explicit WrongSink(Fault one) : Sinks(ScaledDotProduct{}, 2), fault(one) {}
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    const Variable scores = Sinks::operator()(q, k, offset);
    return fault == Fault::in_the_score ? scores + reshape(sinks, {2, 1, 1}) : scores;
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    return fault == Fault::no_gradient_when_fused ? Sinks::normalize(scores, keep) : masked_softmax(scores, 1, keep);
  }
  std::vector<FusedTerm> fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    std::vector<FusedTerm> terms = Sinks::fused(q, k, offset);
    terms[0].sink = fault == Fault::no_gradient_when_fused ? detach(sinks) : Variable();
    return terms;
  }
};

Planted plant_sink(const char* name, WrongSink::Fault fault, Law law) {
  Variant row = variant(name, [fault](Generator&) { return WrongSink(fault); });
  row.sizes.heads = 2;
  row.waived[Law::row_sums] = "the sink takes a part";
  row.formula = [](const Tensor& q, const Tensor& k, const Tensor& v, const Variant::Parameters& p) {
    std::vector<Tensor> heads;
    for (std::int64_t h = 0; h < 2; ++h)
      heads.push_back(attention_by_hand(
          select(q, 1, h), select(k, 1, h), select(v, 1, h),
          [](Numbers a, Numbers b, std::size_t, std::size_t) { return dot_by_hand(a, b) / 2; },
          [&](std::vector<double>& s) {
            s.push_back(p.at("score.sinks").at({h}));
            softmax_by_hand(s);
            s.pop_back();
          }));
    return stack(heads, 1);
  };
  return {row, law};
}

template <class M>
Planted plant_module(const char* name, Law law) {
  return {{name, [](double p, Generator&) { return subject(M{Attention(ScaledDotProduct{}, {.dropout = p})}); }}, law};
}

}  // namespace

std::vector<Planted> in_fused_forms() {
  return {plant_module<UnscaledTiles>("the fused form forgets the scale", Law::fused),
          plant_module<RowsTogether>("rows are scaled together", Law::rows_alike),
          plant_module<LooksAtTheFront>("the first key changes the rounding of all", Law::front),
          plant_module<OnlyForInputs>("a mask that learns alone gets no gradient", Law::fused),
          plant_sink("a sink stands in the score", WrongSink::Fault::in_the_score, Law::formula),
          plant_sink("a sink is ignored", WrongSink::Fault::ignored, Law::listed),
          plant_sink("a sink has no gradient when fused", WrongSink::Fault::no_gradient_when_fused, Law::fused)};
}

}  // namespace regard::nn::kit
