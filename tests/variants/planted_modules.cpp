// Multi-head attention that cuts its heads wrongly, or forgets what it is called with.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/variants/rows.h"

namespace regard::nn::kit {
namespace {

// Multi-head attention of which one step is wrong.
struct WrongHeads {
  using Cut = std::function<Variable(const Variable&)>;
  MultiHeadAttention heads;
  Cut split, merge;

  void visit(Visitor& v) { heads.visit(v); }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                             std::int64_t offset = 0) {
    const ResolvedMask resolved = mask.resolve({q.size(0), 2, q.size(1), k.size(1)}, q.dtype(), offset);
    const auto project = [&](const Linear& w, const Variable& x) { return split(w(x)); };
    const auto [mixed, weights] =
        heads.attention.attend(project(heads.w_q, q), project(heads.w_k, k), project(heads.w_v, v), resolved, offset);
    return {heads.w_o(merge(mixed)), weights};
  }
};

Planted plant_heads(const char* name, Law law, const WrongHeads::Cut& split, const WrongHeads::Cut& merge) {
  return {{name,
           [=](double p, Generator& g) {
             const MultiHeadOptions options{.model = 4, .heads = 2, .value_size = 3, .dropout = p};
             return subject(WrongHeads{MultiHeadAttention(ScaledDotProduct{}, options, g), split, merge});
           }},
          law};
}

// Multi-head attention around which a call is changed: of what it asks for, something is forgotten.
struct Careless {
  using Forget = void (*)(AttentionCall& call);
  MultiHeadAttention heads;
  Forget forget;
  bool cuts_graph = false;

  void visit(Visitor& v) { heads.visit(v); }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                             const AttentionCall& asked = {}) {
    AttentionCall call = asked;
    forget(call);
    if (!cuts_graph || !call.cache) return heads(q, k, v, mask, call);
    const NoGrad no_grad;
    return heads(q, k, v, mask, call);
  }
};

// In decoding everything that is remembered is seen, whatever the mask says of it.
struct SeesAllItRemembers {
  MultiHeadAttention heads;

  void visit(Visitor& v) { heads.visit(v); }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                             const AttentionCall& call = {}) {
    return heads(q, k, v, call.cache ? Mask::causal() : mask, call);
  }
};

// A cache that cannot go on with some of its sequences.
struct Stubborn {
  Cache pairs = {};
  std::int64_t length() const { return pairs.length(); }
  std::int64_t position() const { return pairs.position(); }
  void select(const Tensor&) {}
};

// What is turned is multiplied, too: but keys by another factor in decoding than in a full pass.
struct TwoFactors : Modifier {
  TwoFactors() : Modifier(ScaledDotProduct{}) {}
  static Variable turned(const Variable& x, std::int64_t position, double times) {
    return rotate(x, position, {.layout = RotaryLayout::halves, .frequencies = {{1, 0.1}, times}});
  }
  Variable place_query(const Variable& x, std::int64_t position) const { return turned(x, position, 1.1); }
  Variable place_key(const Variable& x, std::int64_t position) const { return turned(x, position, position ? 1 : 1.1); }
};

// Something is added for the first token, which is taken to be the first key, also where that is padding.
struct FirstKeyIsFirstToken {
  Variable operator()(const Variable& q, const Variable& k) const {
    return ScaledDotProduct{}(q, k) + Variable(equal(arange(k.size(-2), k.dtype()), 0.0));
  }
};

// Gates that read the query as it is: what the mask calls padding may be NaN.
struct NanGate {
  MultiHeadAttention heads;
  Linear w_g;
  void visit(Visitor& v) {
    heads.visit(v);
    v("w_g", w_g);
  }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                             const AttentionCall& call = {}) {
    return heads(q, k, v, mask, call,
                 [&](const Variable& mixed, const Variable&) { return mixed * split_heads(sigmoid(w_g(q)), 2); });
  }
};

}  // namespace

std::vector<Planted> in_calls() {
  const auto heads = [](double p, Generator& g, AnyScore score = ScaledDotProduct{}) {
    const MultiHeadOptions options{
        .model = 8, .heads = 2, .query_size = 4, .key_size = 4, .value_size = 3, .bias = false, .dropout = p};
    return MultiHeadAttention(std::move(score), options, g);
  };
  const auto careless = [heads](const char* name, Law law, Careless::Forget forget, bool cuts_graph = false) {
    return Planted{{name,
                    [=](double p, Generator& g) {
                      return subject(Careless{heads(p, g), forget, cuts_graph});
                    }},
                   law};
  };
  const auto nothing = [](AttentionCall&) {};
  return {
      careless("the head mask is ignored", Law::head_mask, [](AttentionCall& call) { call.head_mask = {}; }),
      careless("the memory is ignored", Law::memory, [](AttentionCall& call) { call.memory = nullptr; }),
      careless("the offset is ignored", Law::offset, [](AttentionCall& call) { call.offset = 0; }),
      careless("a cache cuts the graph", Law::cached, nothing, true),
      careless("no sequence of a cache can be selected", Law::remembers,
               [](AttentionCall& call) {
                 if (call.cache) call.cache = &call.cache->as<Stubborn>().pairs;
               }),
      {{"what is remembered is seen, whatever the mask",
        [=](double p, Generator& g) { return subject(SeesAllItRemembers{heads(p, g)}); }},
       Law::cached},
      {{"gates read padded queries",
        [=](double p, Generator& g) {
          return subject(NanGate{heads(p, g), Linear({.in = 4, .out = 2}, g)});
        }},
       Law::nan_queries},
      {{"padding is taken for the first token",
        [=](double p, Generator& g) { return subject(heads(p, g, FirstKeyIsFirstToken{})); }},
       Law::left_padding},
      {{"keys are written and read with different factors",
        [=](double p, Generator& g) { return subject(heads(p, g, TwoFactors{})); }},
       Law::cached},
  };
}

std::vector<Planted> in_heads() {
  const auto split = [](const Variable& x) { return split_heads(x, 2); };
  return {
      plant_heads(
          "heads are cut across positions", Law::keys_as_set,
          [](const Variable& x) {
            return reshape(x, {x.size(0), 2, x.size(1), x.size(2) / 2});
          },
          merge_heads),
      plant_heads("heads are joined across positions", Law::queries_apart, split,
                  [](const Variable& x) {
                    return reshape(x, {x.size(0), x.size(2), -1});
                  }),
  };
}

}  // namespace regard::nn::kit
