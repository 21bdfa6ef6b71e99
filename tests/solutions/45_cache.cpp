// As many words as are kept stand before the new one, so their number is its place. Its own key and value are put
// behind theirs before it looks, since it sees itself, too.
Tensor step(const Layer& layer, const Tensor& x, Cache& cache) {
  const std::int64_t place = cache.keys.defined() ? cache.keys.size(0) : 0;
  const Tensor row = x + slice(layer.positions, 0, place, place + 1);
  const Tensor k = matmul(row, layer.w_k), v = matmul(row, layer.w_v);
  cache.keys = place == 0 ? k : cat({cache.keys, k}, 0);
  cache.values = place == 0 ? v : cat({cache.values, v}, 0);
  const Tensor scores = matmul(matmul(row, layer.w_q), transpose(cache.keys)) / std::sqrt(x.size(1));
  return matmul(softmax(scores, -1), cache.values);
}
