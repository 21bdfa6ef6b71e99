#pragma once

#include "autograd/attention/fused_attention.h"

#include <variant>

namespace regard::nn {

// What the first axis of a mask counts: queries, sequences or heads. Beside scores (B, H, Lq, Lk) three axes may be
// (B, Lq, Lk) or (H, Lq, Lk); and where B = Lq, (B, Lk) looks like (Lq, Lk). Both are refused unless this says which.
enum class MaskAxes {
  as_scores,  // whatever fits: (Lq, Lk) for all sequences and heads, or all axes that the scores have
  per_pair,   // (Lq, Lk): the same for all sequences and heads
  per_batch,  // (B, Lq, Lk), or (B, Lk): the same keys for all queries
  per_head,   // (H, Lq, Lk), or (H, Lk)
};

// Who may see whom: a condition on pairs of a query and a key, for scores (Lq, Lk), (B, Lq, Lk) or (B, H, Lq, Lk).
//
//   Mask::causal() & Mask::valid_lengths({2, 6})
//
// Hidden pairs are skipped, not made small or multiplied by 0. A query that sees no key has weights and output 0, and
// passes no gradient on. The name says how a 0/1 tensor is read: keep or drop.
class Mask {
 public:
  Mask() = default;  // everyone sees everyone

  // A query sees the keys at its own position and before. Key j stands at position j, query i at position i + offset.
  static Mask causal(std::int64_t offset = 0);

  // A query sees all keys but the one at its own position.
  static Mask others();

  // Only the first keys of each sequence are real: lengths (B), or (B, Lq), one for each query. A length may be 0, or
  // more than there are keys: in decoding the others are still to come.
  static Mask valid_lengths(const Tensor& lengths);  // i64
  static Mask valid_lengths(std::initializer_list<std::int64_t> lengths);

  // Padding on the left: sequence b begins at key begins[b], for begins (B), and the keys before it are hidden.
  // Positions do not change.
  static Mask valid_from(const Tensor& begins);  // i64
  static Mask valid_from(std::initializer_list<std::int64_t> begins);

  // Several documents in one row: ids (B, L), i64, give the document of each position, and a query sees its own only. A
  // document is one piece of the row. Computed fused, its output is the same as alone, to the last bit. Where positions
  // are added or rotated by, they should begin again in each document: positions_in_documents(ids).
  static Mask documents(const Tensor& ids);

  // 0/1 tensors with these axes; an axis of size 1 stands for all.
  static Mask keep(const Tensor& visible, MaskAxes axes = MaskAxes::as_scores);  // 1: may be seen
  static Mask drop(const Tensor& hidden, MaskAxes axes = MaskAxes::as_scores);   // 1: may not be seen

  // Numbers to be added to the scores. Gradients flow to them; where they are −∞ the pair is dropped.
  static Mask bias(const Variable& scores, MaskAxes axes = MaskAxes::as_scores);

  // Any condition on positions. It gets positions of queries, (Lq, 1), and of keys, (1, Lk), and returns 0/1.
  using Condition = std::function<Tensor(const Tensor& query, const Tensor& key)>;
  static Mask by_position(const std::string& name, Condition sees);

  // A range of keys for each position of a query. Fused attention then needs no table of all pairs.
  using Range = std::function<KeyRange(std::int64_t query)>;
  static Mask by_range(const std::string& name, Range range);

  // The same mask for queries that stand `offset` positions later, as in the next step of decoding.
  Mask at(std::int64_t offset) const;

  // A pair must pass both; biases add up.
  friend Mask operator&(Mask a, const Mask& b) {
    a.parts_.insert(a.parts_.end(), b.parts_.begin(), b.parts_.end());
    return a;
  }

  // The mask for scores of this shape: ranges stay ranges, and all tables become one table. Each condition is asked
  // once, so attention does this once a call, and hands on the result.
  ResolvedMask resolve(const Shape& scores, DType dtype, std::int64_t offset = 0) const;
  operator MaskRule() const { return std::bind_front(&Mask::resolve, *this); }  // NOLINT: a rule for fused_attention

  // The mask as one table of 0 and 1, which broadcasts to the scores.
  Tensor table(const Shape& scores, DType dtype = DType::f32) const;

  std::string to_string() const;                   // "causal & valid_lengths [2, 6]"
  std::string picture(const Shape& scores) const;  // a row for each query: ■ for a key that it sees, · for others

 private:
  // What a part can be. `position` is that of query 0 of the call.
  struct Row {
    KeyRange keys;
    bool is_real = true;  // false: the query is padding
  };
  struct Ranges {
    std::function<Row(std::int64_t sequence, std::int64_t query, std::int64_t position)> row_of;
    std::function<void(const Shape& scores)> require_fit = {};  // if it knows its sequences: throws unless they fit
    bool are_documents = false;
  };
  using Table = std::function<Tensor(const Shape& scores, DType dtype, std::int64_t position)>;  // 0/1
  struct NotOwn {};
  struct Bias {
    Variable numbers;
    MaskAxes axes;
  };
  using Rule = std::variant<Ranges, Table, NotOwn, Bias>;
  struct Part {
    std::string name;
    std::shared_ptr<const Rule> rule;
    std::int64_t offset;
  };

  Mask(std::string name, Rule rule);
  static Mask of_marks(const char* name, const Tensor& marks, double visible, MaskAxes axes);
  Visible visible(const Shape& scores, DType dtype, std::int64_t offset) const;
  void set_ranges(Visible& visible, const Shape& scores, std::int64_t offset) const;
  Variable sum_of_biases(const Shape& scores, DType dtype) const;
  friend Tensor real_queries(const Mask& mask, const Variable& x, std::int64_t offset);  // in masks/mask_resolve.h

  std::vector<Part> parts_;
};

// Of each position of ids (B, L) how many of its document stand before it: 0, 1, 2, 0, 1, … Rotary takes them as
// positions, unsqueezed to (B, 1, L).
Tensor positions_in_documents(const Tensor& ids);

}  // namespace regard::nn

template <>
struct fmt::formatter<regard::nn::Mask> : regard::TextFormatter<regard::nn::Mask> {};
