// Attention as people get it wrong.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/variants/by_hand.h"
#include "tests/variants/rows.h"

namespace regard::nn::kit {
namespace {

// What each mistake is made in: attention with all its steps in the open.
struct Wrong {
  using Body = std::function<AttentionOutput(Wrong&, const Variable& q, const Variable& k, const Variable& v,
                                             const Tensor& keep)>;
  using Sharing = Variable (*)(const Variable& q, const Variable& keys);
  Body body;
  Dropout dropout;
  Sharing sharing = pairs::for_all_queries;
  std::int64_t ahead = 0;         // added to the position of queries
  bool counts_from_zero = false;  // the position of queries is forgotten
  bool mode_listed = true;
  Variable listed = {}, hidden = {};
  Tensor buffer = {};

  void visit(Visitor& v) {
    v("listed", listed);
    if (mode_listed) v("dropout", dropout);
  }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                             std::int64_t offset = 0) {
    const std::int64_t position = counts_from_zero ? 0 : offset + ahead;
    const Tensor keep = mask.at(position).table(pairs::shape_of(q, k, v), q.dtype());
    return body(*this, q, sharing(q, k), sharing(q, v), keep);
  }
};

Variable scaled_dot(const Variable& q, const Variable& k) { return ScaledDotProduct{}(q, k); }
Variable without_unseen(const Variable& keys, const Tensor& keep) {
  return pairs::without_unseen_keys(keys, max(keep, -2, keepdim));
}
Variable without_blind(const Variable& queries, const Tensor& keep) {
  return pairs::without_blind_queries(queries, max(keep, -1, keepdim));
}
Variable number(double value, const Variable& like) { return full({}, value, like.dtype()); }

// Everything right but the weights.
Wrong::Body weighing(const std::function<Variable(const Variable& scores, const Tensor& keep)>& weigh) {
  return [weigh](Wrong& self, const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
    const Variable weights = weigh(scaled_dot(without_blind(q, keep), without_unseen(k, keep)), keep);
    return AttentionOutput{pairs::mix(self.dropout(weights), without_unseen(v, keep), keep), weights};
  };
}

// Everything right but the scores.
Wrong::Body scoring(const std::function<Variable(Wrong& self, const Variable& q, const Variable& k)>& score) {
  return [score](Wrong& self, const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
    const Variable scores = score(self, without_blind(q, keep), without_unseen(k, keep));
    const Variable weights = masked_softmax(scores, 1, keep);
    return AttentionOutput{pairs::mix(self.dropout(weights), without_unseen(v, keep), keep), weights};
  };
}

const Wrong::Body right = scoring([](Wrong&, const Variable& q, const Variable& k) { return scaled_dot(q, k); });

using Change = std::function<void(Wrong&, Generator&)>;
Planted plant(const char* name, Law law, const Wrong::Body& body, const Change& change = {}) {
  Variant variant{name, [=](double p, Generator& generator) {
                    Wrong wrong{body, Dropout(p, 3)};
                    if (change) change(wrong, generator);
                    return subject(wrong);
                  }};
  variant.formula = [](const Tensor& q, const Tensor& k, const Tensor& v, const Variant::Parameters&) {
    return attention_by_hand(q, k, v,
                             [](Numbers a, Numbers b, std::size_t, std::size_t) { return dot_by_hand(a, b) / 2; });
  };
  return {variant, law};
}

std::vector<Planted> in_masks() {
  return {
      plant("a 0/1 mask is added to the scores", Law::padding,
            weighing([](const Variable& s, const Tensor& keep) { return softmax(s + Variable(keep), -1); })),
      plant("keep is read as drop", Law::padding,
            weighing([](const Variable& s, const Tensor& keep) { return masked_softmax(s, 1, subtract(1, keep)); })),
      plant("weights are masked after softmax", Law::padding,
            weighing([](const Variable& s, const Tensor& keep) { return softmax(s, -1) * Variable(keep); })),
      plant("masked scores are −1e9", Law::masked_row, weighing([](const Variable& s, const Tensor& keep) {
              return softmax(where(keep, s, number(-1e9, s)), -1);
            })),
      plant("masked scores are −∞", Law::masked_row, weighing([](const Variable& s, const Tensor& keep) {
              return softmax(where(keep, s, number(-INFINITY, s)), -1);
            })),
      plant("masked values are multiplied by 0", Law::nan_poison,
            [](Wrong& self, const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
              const Variable weights = masked_softmax(scaled_dot(q, k), 1, keep);
              return AttentionOutput{matmul(self.dropout(weights), v), weights};
            }),
      plant("masked keys are multiplied by 0 in the backward pass", Law::nan_poison,
            [](Wrong& self, const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
              const Variable weights = masked_softmax(scaled_dot(q, k), 1, keep);
              return AttentionOutput{pairs::mix(self.dropout(weights), without_unseen(v, keep), keep), weights};
            }),
      plant("padded queries are read as they are", Law::nan_queries,
            [](Wrong& self, const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
              const Variable weights = masked_softmax(scaled_dot(q, without_unseen(k, keep)), 1, keep);
              return AttentionOutput{pairs::mix(self.dropout(weights), without_unseen(v, keep), keep), weights};
            }),
      plant("the mean counts padding", Law::padding, weighing([](const Variable& s, const Tensor& keep) {
              return pairs::kept(sigmoid(s), keep) * (1.0 / static_cast<double>(s.size(-1)));
            })),
      plant("each position sees the next", Law::causal, right, [](Wrong& w, Generator&) { w.ahead = 1; }),
      plant("decoding counts from 0 at each step", Law::cached, right,
            [](Wrong& w, Generator&) { w.counts_from_zero = true; }),
      plant("heads share keys in turn, and not side by side", Law::shared_keys, right,
            [](Wrong& w, Generator&) {
              w.sharing = [](const Variable& q, const Variable& keys) {
                if (q.rank() < 4 || keys.size(1) == q.size(1)) return keys;
                return cat(std::vector<Variable>(static_cast<std::size_t>(q.size(1) / keys.size(1)), keys), 1);
              };
            }),
  };
}

// tanh s, with a rule that is right to first order and forgets that it was recorded.
Variable once_differentiable(const Variable& s) {
  static constexpr OpInfo info{"once", "tanh s", "∂s = g·(1 − y²)"};
  return record(info, {s}, tanh(s.value()), [](const Variable& grad, const Saved& saved) {
    return gradients(grad * Variable(subtract(1, square(saved.output.value()))));
  });
}

// Of each key but the first, later keys say how much it still counts; a query listens to those before it. The fourth
// query is the first that hears anything. Outputs are right, and what was said is a constant.
struct DetachedPast {
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    const Tensor key = arange(k.size(-2)), later = reshape(key, {-1, 1});
    const Variable says = where(less(key, later) * greater(key, 0.0), relu(scaled_dot(k, k)), number(0, k));
    return scaled_dot(q, k) - detach(slice(cumsum(says, -2) - says, -2, offset, offset + q.size(-2)));
  }
};

std::vector<Planted> in_scores() {
  return {
      plant("softmax over the queries", Law::row_sums,
            weighing([](const Variable& s, const Tensor& keep) { return pairs::kept(softmax(s, -2), keep); })),
      plant("softmax over the whole matrix", Law::row_sums, weighing([](const Variable& s, const Tensor& keep) {
              return reshape(softmax(flatten(pairs::kept(s, keep), -2, -1), -1), s.shape());
            })),
      plant("softmax over the features", Law::row_sums,
            [](Wrong& self, const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
              const Variable products = unsqueeze(q, -2) * unsqueeze(without_unseen(k, keep), -3);
              const Variable weights = pairs::kept(sum(softmax(products, -1), -1), keep);  // all of them are 1
              return AttentionOutput{pairs::mix(self.dropout(weights), without_unseen(v, keep), keep), weights};
            }),
      plant("softmax over the batch", Law::batch,
            weighing([](const Variable& s, const Tensor& keep) { return pairs::shares(softmax(s, 0), keep); })),
      plant("weights change their signs in turn", Law::not_negative,
            weighing([](const Variable& s, const Tensor& keep) {
              return masked_softmax(s, 1, keep) * (2.0 - 4.0 * Variable(greater(arange(s.size(-1), s.dtype()), 1.0)));
            })),
      plant("one query alone is scored another way", Law::cached,
            scoring([](Wrong&, const Variable& q, const Variable& k) {
              return scaled_dot(q, k) * (q.size(-2) == 1 ? 1.001 : 1.0);
            })),
      plant("gradients of later sequences are too large", Law::gradcheck,
            scoring([](Wrong&, const Variable& q, const Variable& k) {
              const Variable s = scaled_dot(q, k), first = slice(s, 0, 0, 1), later = slice(s, 0, 1);
              return cat({first, 2.0 * later - detach(later)}, 0);
            })),
      plant("no scale", Law::formula,
            scoring([](Wrong&, const Variable& q, const Variable& k) { return matmul(q, transpose(k)); })),
      plant("scores are centred over the batch", Law::batch, scoring([](Wrong&, const Variable& q, const Variable& k) {
              const Variable s = scaled_dot(q, k);
              return s - mean(s, 0, keepdim);
            })),
      plant("the first sequence of a batch sees scores of the last", Law::batch,
            scoring([](Wrong&, const Variable& q, const Variable& k) {
              const Variable s = scaled_dot(q, k);
              return s.size(0) == 1 ? s : cat({slice(s, 0, 0, 1) + slice(s, 0, -1), slice(s, 0, 1)}, 0);
            })),
      plant("scores are relative to those of the first query", Law::queries_apart,
            scoring([](Wrong&, const Variable& q, const Variable& k) {
              const Variable s = scaled_dot(q, k);
              return s - slice(s, -2, 0, 1);
            })),
      plant("the place of a key counts", Law::keys_as_set, scoring([](Wrong&, const Variable& q, const Variable& k) {
              return scaled_dot(q, k) + Variable(arange(k.size(-2), k.dtype()));
            })),
      plant("the gradient is cut", Law::gradcheck,
            scoring([](Wrong&, const Variable& q, const Variable& k) { return scaled_dot(detach(q), k); })),
      {variant("what keys said before is a constant", [](Generator&) { return DetachedPast{}; }), Law::gradcheck},
      plant("the lengths are taken for constants", Law::gradcheck,
            scoring([](Wrong&, const Variable& q, const Variable& k) {
              const auto unit = [](const Variable& x) { return x * detach(rsqrt(sum(square(x), -1, keepdim) + 1)); };
              return scaled_dot(unit(q), unit(k));
            })),
      plant(
          "a rule that can be used once", Law::second_order,
          scoring([](Wrong&, const Variable& q, const Variable& k) { return once_differentiable(scaled_dot(q, k)); })),
  };
}

std::vector<Planted> in_modules() {
  const Wrong::Body scaled_by_hidden = scoring(
      [](Wrong& self, const Variable& q, const Variable& k) { return scaled_dot(q, k) * to(self.hidden, q.dtype()); });
  return {
      plant("weights are returned after dropout", Law::dropout,
            [](Wrong& self, const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
              const Variable weights = self.dropout(masked_softmax(scaled_dot(q, without_unseen(k, keep)), 1, keep));
              return AttentionOutput{pairs::mix(weights, without_unseen(v, keep), keep), weights};
            }),
      plant("dropout is forgotten", Law::dropout, right, [](Wrong& w, Generator&) { w.dropout.p = 0; }),
      plant("eval does not reach dropout", Law::eval_is_train, right,
            [](Wrong& w, Generator&) { w.mode_listed = false; }),
      plant("eval draws random numbers", Law::eval_is_train,
            [](Wrong& self, const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
              self.dropout.generator.take(1);
              return right(self, q, k, v, keep);
            }),
      plant("a parameter is not listed", Law::listed, scaled_by_hidden,
            [](Wrong& w, Generator&) { w.hidden = parameter(ones({})); }),
      plant("a parameter takes no part", Law::listed, right,
            [](Wrong& w, Generator&) { w.listed = parameter(ones({})); }),
      plant("a buffer is not listed", Law::saved, scaled_by_hidden,
            [](Wrong& w, Generator& g) { w.hidden = uniform({}, g, 0.5, 2); }),
  };
}

}  // namespace

const std::vector<Planted>& planted() {
  static const std::vector<Planted> all = [] {
    std::vector<Planted> list;
    for (auto part : {in_masks, in_scores, in_fused_forms, in_modules, in_calls, in_heads})
      for (Planted& one : part()) list.push_back(std::move(one));
    return list;
  }();
  return all;
}

}  // namespace regard::nn::kit
