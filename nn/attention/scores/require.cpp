#include "nn/attention/scores/require.h"

namespace regard::nn {

void require_given(const char* score, const Variable& q, const Variable& k) {
  if (!q.defined()) fail<ValueError>("{}: the queries are an undefined Variable", score);
  if (!k.defined()) fail<ValueError>("{}: the keys are an undefined Variable", score);
}

void require_sizes(const char* score, const Variable& q, std::int64_t query_size, const Variable& k,
                   std::int64_t key_size) {
  require_given(score, q, k);
  if (q.rank() < 2 || q.size(-1) != query_size)
    fail<ShapeError>("{}: queries {}: they must be (…, Lq, {})", score, q.shape(), query_size);
  if (k.rank() < 2 || k.size(-1) != key_size)
    fail<ShapeError>("{}: keys {}: they must be (…, Lk, {})", score, k.shape(), key_size);
}

void require_same_features(const char* score, const Variable& q, const Variable& k) {
  require_given(score, q, k);
  if (q.size(-1) != k.size(-1))
    fail<ShapeError>(
        "{}: q {}, k {}: queries and keys must have as many features (AdditiveScore and BilinearScore "
        "take different ones)",
        score, q.shape(), k.shape());
}

}  // namespace regard::nn
