#pragma once

#include "nn/attention/skeleton.h"
#include "nn/held.h"

namespace regard::nn {

// Any score, as a value: what is written for it is compiled once. Whatever is a score becomes one by itself,
//   Attention attention(ScaledDotProduct{});
// and is found again by its type: attention.score.as<ScaledDotProduct>().
class AnyScore {
 public:
  template <class S>
  requires(!std::same_as<S, AnyScore> && KindOfScore<S>) AnyScore(S score)
      : held_(std::make_unique<Of<S>>(std::move(score))) {}  // NOLINT: meant to convert

  // What is none is refused here, and the compiler shows this line.
  template <NoScore S>
  AnyScore(S) = delete;  // no score: it needs a Variable operator()(const Variable& q, const Variable& k) const

  // Scores of all pairs, (…, Lq, Lk). The first query stands at position `offset`.
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset = 0) const {
    return held_->scores(q, k, offset);
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const { return held_->normalize(scores, keep); }

  // The fused form; fails where there is none, or where it is a sum of several: then terms() has all of them.
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const;
  std::vector<FusedTerm> terms(const Variable& q, const Variable& k, std::int64_t offset) const {
    return held_->terms(q, k, offset);
  }
  enum class Terms { one, several };
  std::string why_not_fused(Terms terms = Terms::several) const { return held_->why_not_fused(terms); }  // "": it can

  Variable place_query(const Variable& x, std::int64_t position) const { return held_->place_query(x, position); }
  Variable place_key(const Variable& x, std::int64_t position) const { return held_->place_key(x, position); }
  const AnyScore& of_placed() const {  // the score that compares what is placed
    const AnyScore* inner = held_->of_placed();
    return inner ? *inner : *this;
  }

  bool is_module() const { return held_->is_module(); }
  void visit(Visitor& v) { held_->visit(v); }
  const std::type_info& held_type() const { return held_->type(); }
  template <class S>
  S& as() {
    if (held_type() != typeid(S)) fail<ValueError>("AnyScore: it holds a score of another type");
    return static_cast<Of<S>&>(*held_.operator->()).score;
  }
  template <class S>
  const S& as() const {
    return const_cast<AnyScore*>(this)->as<S>();
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::unique_ptr<Interface> copy() const = 0;
    virtual const std::type_info& type() const = 0;
    virtual Variable scores(const Variable& q, const Variable& k, std::int64_t offset) const = 0;
    virtual Variable normalize(const Variable& scores, const Tensor& keep) const = 0;
    virtual std::vector<FusedTerm> terms(const Variable& q, const Variable& k, std::int64_t offset) const = 0;
    virtual std::string why_not_fused(Terms terms) const = 0;
    virtual Variable place_query(const Variable& x, std::int64_t position) const = 0;
    virtual Variable place_key(const Variable& x, std::int64_t position) const = 0;
    virtual const AnyScore* of_placed() const = 0;
    virtual bool is_module() const = 0;
    virtual void visit(Visitor& v) = 0;
  };
  template <class S>
  struct Of;

  Held<Interface> held_;
};

// Softmax over the keys that each query sees.
Variable softmax_over_keys(const Variable& scores, const Tensor& keep);
Variable scores_of_form(const FusedForm& form, std::int64_t offset);

// What a score does not say itself is filled in here.
template <class S>
struct AnyScore::Of final : Interface {
  S score;

  explicit Of(S one) : score(std::move(one)) {}
  std::unique_ptr<Interface> copy() const override { return std::make_unique<Of>(score); }
  const std::type_info& type() const override { return typeid(S); }

  Variable scores(const Variable& q, const Variable& k, std::int64_t offset) const override {
    if constexpr (PositionedScore<S>)
      return score(q, k, offset);
    else if constexpr (Score<S>)
      return score(q, k);
    else if constexpr (Placing<S>)
      return score.inner(score.place_query(q, offset), score.place_key(k, 0), offset);
    else
      return scores_of_form(score.fused(q, k, offset), offset);
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const override {
    if constexpr (Normalizing<S>)
      return score.normalize(scores, keep);
    else
      return softmax_over_keys(scores, keep);
  }

  std::vector<FusedTerm> terms([[maybe_unused]] const Variable& q, [[maybe_unused]] const Variable& k,
                               [[maybe_unused]] std::int64_t offset) const override {
    if constexpr (HasFused<S, FusedForm>)
      return {{score.fused(q, k, offset)}};
    else if constexpr (HasFused<S, std::vector<FusedTerm>>)
      return score.fused(q, k, offset);
    else if constexpr (Placing<S>)
      return score.inner.terms(score.place_query(q, offset), score.place_key(k, 0), offset);
    else
      return {};
  }
  // A score without says why as `no_fused_form`, or the score inside of it does.
  std::string why_not_fused(Terms terms) const override {
    if constexpr (requires { S::no_fused_form; }) return S::no_fused_form;
    if constexpr (HasFused<S, std::vector<FusedTerm>>)
      if (terms == Terms::one) return "its weights are not one plain softmax";
    if constexpr (requires { score.inner.why_not_fused(terms); })
      if (std::string why = score.inner.why_not_fused(Placing<S> ? terms : Terms::one); !why.empty()) return why;
    return Fusible<S> || Placing<S> ? "" : "it has no member fused(q, k, offset)";
  }

  Variable place_query(const Variable& x, [[maybe_unused]] std::int64_t position) const override {
    if constexpr (Placing<S>)
      return score.inner.place_query(score.place_query(x, position), position);
    else
      return x;
  }
  Variable place_key(const Variable& x, [[maybe_unused]] std::int64_t position) const override {
    if constexpr (Placing<S>)
      return score.inner.place_key(score.place_key(x, position), position);
    else
      return x;
  }
  const AnyScore* of_placed() const override {
    if constexpr (Placing<S>)
      return &score.inner.of_placed();
    else
      return nullptr;
  }

  bool is_module() const override { return Module<S>; }
  void visit([[maybe_unused]] Visitor& v) override {
    if constexpr (Module<S>) score.visit(v);
  }
};

}  // namespace regard::nn
