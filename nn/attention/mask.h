#pragma once

#include "autograd/variable.h"
#include "tensor/attention/engine/inputs.h"

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace regard::nn {

// A mask, worked out for scores of one shape.
struct Allowed {
  Tensor keep;    // 1 where a query may see a key, 0 elsewhere; broadcasts to the scores and has their dtype
  Variable bias;  // what is added to the scores; undefined if nothing is
};

// Who may see whom: a condition on pairs of a query and a key, for scores (Lq, Lk), (B, Lq, Lk) or (B, H, Lq, Lk).
//
//   Mask::causal() & Mask::valid_lengths({2, 6})
//
// What is masked is skipped: it is not made small, and not multiplied by 0. A query that may see no key gets weights of
// 0, an output of 0, and passes no gradient on. The names say which way round a tensor is read: keep or drop.
class Mask {
 public:
  Mask() = default;  // everyone sees everyone

  // A query sees the keys at its own position and before. Key j stands at position j, query i at position i + offset.
  static Mask causal(std::int64_t offset = 0);

  // A query sees all keys but the one at its own position.
  static Mask others();

  // Of each sequence only the first keys are real: lengths (B), or (B, Lq) for each query its own. 0 is allowed; and so is
  // more than there are keys, since in decoding the others are still to come.
  static Mask valid_lengths(const Tensor& lengths);  // i64
  static Mask valid_lengths(std::initializer_list<std::int64_t> lengths);

  // 0/1 tensors (Lq, Lk), (B, Lq, Lk) or (B, H, Lq, Lk); axes of size 1 stand for all.
  static Mask keep(const Tensor& visible);  // 1: may be seen
  static Mask drop(const Tensor& hidden);   // 1: may not be seen

  // Numbers to be added to the scores. Gradients flow to them; where they are −∞ the pair is dropped.
  static Mask bias(const Variable& scores);

  // Any condition on positions. It gets those of the queries, (Lq, 1), and of the keys, (1, Lk), and returns 0/1.
  using Condition = std::function<Tensor(const Tensor& query, const Tensor& key)>;
  // Where what a query sees is a range of keys, saying so spares fused attention a table of all pairs: `range` is given
  // the query's position, and is the same condition told another way.
  using Range = std::function<KeyRange(std::int64_t query)>;
  static Mask by_position(const std::string& name, Condition sees, Range range = {});

  // The same mask for queries that stand `offset` positions later: those of the next step of decoding.
  Mask at(std::int64_t offset) const;

  // A pair must pass both; biases add up.
  friend Mask operator&(Mask a, const Mask& b) {
    a.parts_.insert(a.parts_.end(), b.parts_.begin(), b.parts_.end());
    return a;
  }

  Allowed resolve(const Shape& scores, DType dtype) const;

  // The same for fused attention: ranges stay ranges.
  struct Seen {
    Sight sight;
    Variable bias;
  };
  Seen see(const Shape& scores, DType dtype) const;

  // Which keys any query sees, and which queries see any key: 0/1 of shapes (…, 1, Lk) and (…, Lq, 1) that broadcast to the
  // scores.
  struct Outline {
    Tensor keys, queries;
  };
  Outline outline(const Shape& scores, DType dtype) const;

  std::string to_string() const;                   // "causal & valid_lengths [2, 6]"
  std::string picture(const Shape& scores) const;  // a row for each query: ■ for a key that it sees, · for others

 private:
  struct Part {
    std::string name;
    std::function<Tensor(const Shape& scores, DType dtype, std::int64_t offset)> keep;  // 0/1, broadcasts to the scores
    Variable bias = {};
    std::int64_t offset = 0;
    std::function<KeyRange(std::int64_t sequence, std::int64_t query, std::int64_t offset)> range = {};
    bool per_sequence = false, not_itself = false;
  };
  explicit Mask(Part part) : parts_{std::move(part)} {}
  Tensor keeping(const Shape& scores, DType dtype) const;
  Variable biases(const Shape& scores, DType dtype) const;
  KeyRange range_of(std::int64_t sequence, std::int64_t query) const;
  static Mask of_tensor(const char* name, const Tensor& marks, double visible);

  std::vector<Part> parts_;
};

Mask::Outline outline_of(const Tensor& keep);  // the same for a whole mask

}  // namespace regard::nn

template <>
struct fmt::formatter<regard::nn::Mask> : fmt::formatter<std::string> {
  fmt::format_context::iterator format(const regard::nn::Mask& mask, fmt::format_context& context) const;
};
