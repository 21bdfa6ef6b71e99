#include "nn/tools/watch/watch.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

namespace regard::nn {
namespace {

// Weights (H, rows, Lk) of which no row is all 0, as rows of padding are.
void add_heads(const std::string& name, const Tensor& all, std::vector<WatchedHead>& list) {
  const Tensor seen = sum(select(all, 0, 0), -1);
  std::vector<Tensor> kept;
  for (std::int64_t i = 0; i < all.size(1); ++i)
    if (seen.at({i}) > 0.5) kept.push_back(slice(all, 1, i, i + 1));
  if (kept.empty()) return;
  const Tensor weights = cat(kept, 1);
  const std::int64_t heads = weights.size(0), keys = weights.size(2);
  const Tensor of_keys = mean(weights, 1);
  const Tensor key = argmax(of_keys, -1), of_key = max(of_keys, -1);
  const Tensor is_seen =
      max(not_equal(weights, 0.0), 0, keepdim);  // by any head: a weight may be so small that it is 0
  const Tensor even = is_seen / sum(is_seen, -1, keepdim);
  const auto distance = [](const Tensor& a, const Tensor& b) { return mean(sum(abs(a - b), -1), -1) * 0.5; };
  const Tensor evenness = distance(weights, even);
  for (std::int64_t h = 0; h < heads; ++h) {
    WatchedHead one{.name = name, .head = static_cast<int>(h)};
    one.one_key = of_key.at({h});
    one.key = static_cast<std::int64_t>(key.at({h}));
    one.keys = keys;
    one.queries = weights.size(1);
    one.evenness = evenness.at({h});
    const Tensor from_others = distance(weights, slice(weights, 0, h, h + 1));
    for (std::int64_t other = 0; other < heads; ++other)
      if (other != h && (one.twin < 0 || from_others.at({other}) < one.distance))
        one.twin = static_cast<int>(other), one.distance = from_others.at({other});
    list.push_back(one);
  }
}

}  // namespace

std::vector<WatchedHead> watched_heads(const Recording& recording) {
  std::vector<WatchedHead> list;
  for (const std::string& name : recording.names()) {
    std::vector<Tensor> calls;  // those of a decoder have one query each
    for (std::size_t i = 0; i < recording.size(); ++i) {
      const RecordedAttention& one = recording[i];
      if (one.name != name || one.weights.numel() == 0) continue;
      if (calls.empty() || (calls[0].size(0) == one.heads() && calls[0].size(2) == one.key_count()))
        calls.push_back(one.weights);
    }
    if (!calls.empty()) add_heads(name, cat(calls, 1), list);
  }
  return list;
}

}  // namespace regard::nn
