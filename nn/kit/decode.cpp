#include "autograd/ops/join.h"
#include "autograd/ops/view.h"
#include "nn/kit/subject.h"

namespace regard::nn::kit {

std::function<Variable(const Variable& q, const Variable& k, const Variable& v)> decode_by(DecodingStep step,
                                                                                           bool caches) {
  return [step = std::move(step), caches](const Variable& q, const Variable& k, const Variable& v) {
    std::vector<Variable> outputs;
    Cache cache;
    for (std::int64_t i = 0; i < q.size(-2); ++i) {
      const auto now = [i](const Variable& x) { return slice(x, -2, i, i + 1); };
      const auto so_far = [&](const Variable& x) { return caches ? now(x) : slice(x, -2, 0, i + 1); };
      outputs.push_back(step(now(q), so_far(k), so_far(v), i, cache));
    }
    return cat(outputs, -2);
  };
}

}  // namespace regard::nn::kit
