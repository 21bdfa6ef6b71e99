#pragma once

#include "nn/attention/skeleton.h"

#include <any>

namespace regard::nn {

template <class S>
concept FusedOfTwo = requires(const S& score, const Variable& x) {
  score.fused(x, x);
};

// Any score, as a value, so that what takes one is compiled once. Every score converts to it by itself,
//   Attention attention(ScaledDotProduct{});
// and comes back by its type: attention.score.as<ScaledDotProduct>().
class AnyScore {
 public:
  template <class S>
  requires(!std::same_as<S, AnyScore> && KindOfScore<S>) AnyScore(S score)  // NOLINT: meant to convert
      : held_(std::move(score)), does_(&Of<S>::all) {
    static_assert(Fusible<S> || !FusedOfTwo<S>, "fused(q, k, offset) of a score has three arguments");
  }

  // A type that is no score is refused here, and the compiler shows this line. (A score fits both constructors; the one
  // above asks for more, and is taken.)
  template <class S>
  AnyScore(S) = delete;  // no score: it needs a Variable operator()(const Variable& q, const Variable& k) const
                         // or a FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const

  // Scores of all pairs, (…, Lq, Lk). The first query stands at position `offset`.
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset = 0) const {
    return does_->scores(held_, q, k, offset);
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const { return does_->normalize(held_, scores, keep); }

  // The fused form; fails where there is none, or where it is a sum of several: then terms() has all of them.
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const;
  std::vector<FusedTerm> terms(const Variable& q, const Variable& k, std::int64_t offset) const {
    return does_->terms(held_, q, k, offset);
  }
  enum class Terms { one, several };
  std::string why_not_fused(Terms terms = Terms::several) const {
    return does_->why_not_fused(held_, terms);
  }  // "": it can

  Variable place_query(const Variable& x, std::int64_t position) const {
    return does_->place(held_, x, position, true);
  }
  Variable place_key(const Variable& x, std::int64_t position) const { return does_->place(held_, x, position, false); }
  const AnyScore& after_placing() const {  // the score that compares what is placed
    const AnyScore* inner = does_->after_placing(held_);
    return inner ? *inner : *this;
  }

  bool is_module() const { return does_->is_module(); }
  void visit(Visitor& v) { does_->visit(held_, v); }
  const std::type_info& held_type() const { return held_.type(); }
  template <class S>
  S& as() {
    if (held_type() != typeid(S)) fail<ValueError>("AnyScore: it holds a score of another type");
    return std::any_cast<S&>(held_);
  }
  template <class S>
  const S& as() const {
    return const_cast<AnyScore*>(this)->as<S>();
  }

 private:
  // What a score of some type does. The score itself is `held`.
  struct Interface {
    virtual Variable scores(const std::any& held, const Variable& q, const Variable& k, std::int64_t offset) const = 0;
    virtual Variable normalize(const std::any& held, const Variable& scores, const Tensor& keep) const = 0;
    virtual std::vector<FusedTerm> terms(const std::any& held, const Variable& q, const Variable& k,
                                         std::int64_t offset) const = 0;
    virtual std::string why_not_fused(const std::any& held, Terms terms) const = 0;
    virtual Variable place(const std::any& held, const Variable& x, std::int64_t position, bool is_query) const = 0;
    virtual const AnyScore* after_placing(const std::any& held) const = 0;
    virtual bool is_module() const = 0;
    virtual void visit(std::any& held, Visitor& v) const = 0;

   protected:
    ~Interface() = default;
  };
  template <class S>
  struct Of;

  std::any held_;
  const Interface* does_;
};

// Softmax over the keys that each query sees.
Variable softmax_over_keys(const Variable& scores, const Tensor& keep);
Variable scores_of_form(const FusedForm& form, std::int64_t offset);

// What a score does not say itself is filled in here.
template <class S>
struct AnyScore::Of final : Interface {
  static const Of all;
  static const S& in(const std::any& held) { return std::any_cast<const S&>(held); }

  Variable scores(const std::any& held, const Variable& q, const Variable& k, std::int64_t offset) const override {
    const S& score = in(held);
    if constexpr (PositionedScore<S>)
      return score(q, k, offset);
    else if constexpr (Score<S>)
      return score(q, k);
    else if constexpr (Placing<S>)
      return score.inner(score.place_query(q, offset), score.place_key(k, 0), offset);
    else
      return scores_of_form(score.fused(q, k, offset), offset);
  }
  Variable normalize([[maybe_unused]] const std::any& held, const Variable& scores, const Tensor& keep) const override {
    if constexpr (Normalizing<S>)
      return in(held).normalize(scores, keep);
    else
      return softmax_over_keys(scores, keep);
  }

  std::vector<FusedTerm> terms(const std::any& held, [[maybe_unused]] const Variable& q,
                               [[maybe_unused]] const Variable& k,
                               [[maybe_unused]] std::int64_t offset) const override {
    [[maybe_unused]] const S& score = in(held);
    if constexpr (HasFused<S, FusedForm>)
      return {{score.fused(q, k, offset)}};
    else if constexpr (HasFused<S, std::vector<FusedTerm>>)
      return score.fused(q, k, offset);
    else if constexpr (Placing<S>)
      return score.inner.terms(score.place_query(q, offset), score.place_key(k, 0), offset);
    else
      return {};
  }
  // A score without a fused form says why in `no_fused_form`, or its inner score does.
  std::string why_not_fused(const std::any& held, Terms terms) const override {
    [[maybe_unused]] const S& score = in(held);
    if constexpr (requires { S::no_fused_form; }) return S::no_fused_form;
    if constexpr (HasFused<S, std::vector<FusedTerm>>)
      if (terms == Terms::one) return "its weights are not one plain softmax";
    if constexpr (requires { score.inner.why_not_fused(terms); })
      if (std::string why = score.inner.why_not_fused(Placing<S> ? terms : Terms::one); !why.empty()) return why;
    return Fusible<S> || Placing<S> ? "" : "it has no member fused(q, k, offset)";
  }

  Variable place([[maybe_unused]] const std::any& held, const Variable& x, [[maybe_unused]] std::int64_t position,
                 [[maybe_unused]] bool is_query) const override {
    if constexpr (Placing<S>) {
      const S& score = in(held);
      return is_query ? score.inner.place_query(score.place_query(x, position), position)
                      : score.inner.place_key(score.place_key(x, position), position);
    } else {
      return x;
    }
  }
  const AnyScore* after_placing([[maybe_unused]] const std::any& held) const override {
    if constexpr (Placing<S>)
      return &in(held).inner.after_placing();
    else
      return nullptr;
  }

  bool is_module() const override { return Module<S>; }
  void visit([[maybe_unused]] std::any& held, [[maybe_unused]] Visitor& v) const override {
    if constexpr (Module<S>) std::any_cast<S&>(held).visit(v);
  }
};
template <class S>
const AnyScore::Of<S> AnyScore::Of<S>::all{};

}  // namespace regard::nn
