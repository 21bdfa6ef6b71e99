// Each head of keys is repeated for the heads of queries that share it, side by side. Before the first query stand
// Lk − Lq words.
Variable grouped_attention(const Variable& q, const Variable& k, const Variable& v) {
  const std::int64_t times = q.size(0) / k.size(0);
  nn::Attention attention(nn::ScaledDotProduct{});
  return attention(q, repeat_interleave(k, times, 0), repeat_interleave(v, times, 0), nn::Mask::causal(),
                   k.size(1) - q.size(1))
      .output;
}

// The axis of H·D rows is cut into groups, heads of a group, and features; the mean runs over the heads of a group.
Tensor fewer_keys(const Tensor& w_k, std::int64_t heads, std::int64_t groups) {
  const std::int64_t size = w_k.size(0) / heads, width = w_k.size(1);
  return reshape(mean(reshape(w_k, {groups, heads / groups, size, width}), 1), {groups * size, width});
}
