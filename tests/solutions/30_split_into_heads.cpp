// E is cut into (H, E/H) where it stands, so that the features of a word stay together; then H moves before L.
Tensor cut_into_heads(const Tensor& x, std::int64_t heads) {
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}
