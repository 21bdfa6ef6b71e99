#pragma once

#include "autograd/observe.h"
#include "nn/attention/any_score.h"

namespace regard::nn {

// What one call of attention did, for whoever watches.
struct Attended {
  const void* module;         // where the attention lies in memory: a visit of its model finds its name by it
  const AnyScore* score;      // that compares q and k as they are here
  Variable q, k, v;           // (…, Lq, Dq), (…, Lk, Dk), (…, Lk, Dv); heads may share keys and values
  const ResolvedMask* mask;   // null: nothing is hidden
  std::int64_t offset = 0;    // the position of the first query
  AttentionOutput made = {};  // fused attention has no weights
  bool dropped = false;       // dropout took part
  bool cross = false;         // the keys are known to be other tokens than the queries
};

// An observer of attention. Attention does its work as if there were none.
class AttentionWatch : public Observer {
 public:
  virtual void saw(const Attended& call) = 0;
};

bool is_watched();                        // by anyone on this thread
void tell_watches(const Attended& call);  // the newest first

}  // namespace regard::nn
