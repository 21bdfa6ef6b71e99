// w multiplies queries and keys before they meet. What is left for the pairs is a plain squared distance, and the
// logarithm of the whole sum.
nn::FusedForm LongTail::fused(const Variable& q, const Variable& k, std::int64_t) const {
  const FusedScore distance = score([](auto a, auto b) { return square(a - b); });
  return {modified(distance, per_head(p), [](auto u, auto, auto, auto, auto n) { return -(n * log(1 + u)); }), q * w,
          k * w};
}
