#pragma once

#include "nn/tools/view/recording.h"

#include <string>
#include <vector>

namespace regard::nn {

// Where one head of an attention looked, as a mean over some queries of the first sequence.
struct WatchedHead {
  std::string name;      // of the attention: "layers.0.attention"
  int head = 0;          // from 0
  double largest = 0;    // the largest weight of a query: 1 where each looks at one key only
  double one_key = 0;    // the mean weight of the key that is looked at most: 1 where all look at the same
  std::int64_t key = 0;  // which one that is
  std::int64_t keys = 0, queries = 0;
  double evenness = 0;  // distance from looking at all visible keys alike: ½ Σ |α − 1/visible|, 0 … 1
  int twin = -1;        // the head of the same attention that is most like it; −1: there is no other
  double distance = 1;  // from that one: ½ Σ |α − α′|, 0 (the same) … 1
};

std::vector<WatchedHead> watched_heads(const Recording& recording);

}  // namespace regard::nn
