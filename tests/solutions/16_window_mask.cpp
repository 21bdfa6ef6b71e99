// One condition: not later, and near or first. Conditions on positions hold wherever the queries stand.
nn::Mask window_with_first(int width) {
  return nn::Mask::by_position("window and first", [width](const Tensor& query, const Tensor& key) {
    const Tensor near = less(query - key, width), first = equal(key, 0);
    return less_equal(key, query) * maximum(near, first);
  });
}
