// Seen as (head, half, pair), a feature moves to (head, pair, half). A score is a sum over features, so it does not
// notice, as long as queries and keys are reordered alike.
Projections for_neighbours(const Projections& file, std::int64_t heads, std::int64_t key_value_heads) {
  const auto reordered = [](const Tensor& w, std::int64_t count) {
    const Tensor seen = reshape(w, {count, 2, w.size(0) / count / 2, w.size(1)});
    return reshape(transpose(seen, 1, 2), w.shape());
  };
  return {reordered(file.w_q, heads), reordered(file.w_k, key_value_heads), file.w_v};
}
