#pragma once

#include "nn/attention/watch.h"

#include <map>
#include <set>

namespace regard::nn {

// A score as a formula of features, so that whoever has the numbers can work it out for one pair, term by term:
//
//   dot        factor · Σ q·k
//   additive   Σ w·tanh(q + k)
//   gaussian   −factor · w² · Σ (q − k)²
//
// q and k are what the formula compares: (…, Lq, D) and (…, Lk, D), projected where the score projects them first. Of
// most scores there is none to say.
struct ScoreFormula {
  enum class Kind { other, dot, additive, gaussian };

  Kind kind = Kind::other;
  double factor = 1;
  Tensor q = {}, k = {};
  Tensor w = {};  // additive: (D); gaussian: (), or (Lk) for each key its own, or undefined for 1
};

// What one call of attention did in one sequence: H heads, Lq queries, Lk keys.
struct RecordedAttention {
  std::string step = {}, name = {};  // when, and who: "epoch 10", "encoder.layers.0.attention"
  Tensor weights = {};               // (H, Lq, Lk), or (Lq, Lk) for one head
  Tensor gradient = {};       // ∂loss/∂weight, as weights, after a backward pass; 0 for a pair that is hidden
  ScoreFormula formula = {};  // with q (H, Lq, D) and k (H, Lk, D)
  std::int64_t offset = 0;    // the position of the first query
  bool of_some = false;       // of a few queries only: rows are not positions
  // Names of the lists of tokens that queries and keys are, for a viewer that has several.
  std::string queries = {}, keys = {};

  std::int64_t heads() const { return weights.size(0); }
  std::int64_t query_count() const { return weights.size(1); }
  std::int64_t key_count() const { return weights.size(2); }
};

// What can be known of these queries in one sequence of a call, but for names and gradients: numbers of their own, so
// that the others of the batch can go. Weights of fused attention are computed again.
RecordedAttention sight_of(const Attended& call, std::int64_t sequence, const std::vector<std::int64_t>& queries);

// Of x, whose first axes broadcast to those of a call, one sequence: (H, …, …). It is a copy, so that the others can
// go; heads that share keys share them here too.
Tensor of_sequence(const Tensor& x, const Shape& call, std::int64_t sequence);

// What attention did, call by call, to be looked at: see nn/tools/view/viewer.h.
class Recording {
 public:
  // Adds what was found some other way: recording.add({.name = "mine", .weights = weights}).
  RecordedAttention& add(RecordedAttention one);

  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  RecordedAttention& operator[](std::size_t i) { return *all_[i]; }
  const RecordedAttention& operator[](std::size_t i) const { return *all_[i]; }
  std::vector<std::string> steps() const;  // each once, in their order
  std::vector<std::string> names() const;

 private:
  friend class Recorder;
  std::vector<std::shared_ptr<RecordedAttention>> all_;
};

struct RecorderOptions {
  std::string step = {};      // "epoch 10". Without it steps are numbered
  std::string call = "call";  // what a further call in that step is: "epoch 10, call 2"
  std::int64_t sequence = 0;  // of the batch: one is recorded
  std::int64_t some = 0;      // of that many queries, evenly spread, weights and no more are recorded; 0: of all
  // Lists of tokens. `memory` is what a decoder looks at: keys of cross-attention, and all that is in an "encoder".
  std::string queries = {}, keys = {}, memory = {};
};

// While a Recorder lives, what attention does on this thread is recorded, in whatever model it stands and whatever its
// score is. An attention is named after its path in the model. One that is called again begins another step, as in
// decoding.
//
//   Recording recording;
//   {
//     const Recorder recorder(recording, model, {.step = "epoch 10"});
//     model(x).backward();   // with the backward pass, ∂loss/∂weight is recorded too
//   }
//
// Outputs stay as they are, bit by bit.
class Recorder : public AttentionWatch {
 public:
  Recorder(Recording& into, const Members& model, const RecorderOptions& options = {});
  explicit Recorder(Recording& into, const RecorderOptions& options = {});  // attentions have numbers, and no names

  void saw(const Attended& seen) override;

 private:
  void require_sequence_in(const Shape& call) const;
  std::vector<std::int64_t> queries_of(std::int64_t count) const;
  void add_gradient_to(const std::shared_ptr<RecordedAttention>& kept, const Attended& seen) const;
  std::string name_of(const void* module);
  std::string next_step() const;

  Recording& recording_;
  RecorderOptions options_;
  std::map<const void*, std::string> names_;
  std::vector<const void*> unlisted_;  // attentions that are in no list, in the order in which they came
  std::set<const void*> seen_;         // in this step
  std::string step_;
  int repeats_ = 1;
};

}  // namespace regard::nn
