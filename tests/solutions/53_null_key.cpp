// The mask speaks of words, so it becomes a table of words first. The column of the null key is put beside it, with a 1
// for every query.
nn::AttentionOutput NullKey::operator()(const Variable& q, const Variable& k, const Variable& v, const nn::Mask& mask,
                                        std::int64_t offset) {
  const auto one_row = [](const Variable& x, const Variable& row) {  // `row` once for each sequence of x
    Shape shape = x.shape();
    shape[shape.rank() - 2] = 1;
    return expand(row, shape);
  };
  Shape pairs = q.shape();
  pairs[pairs.rank() - 1] = k.size(-2);
  const Tensor words = expand(mask.at(offset).table(pairs, q.dtype()), pairs);
  pairs[pairs.rank() - 1] = 1;
  const nn::Mask all = nn::Mask::keep(cat({words, ones(pairs, q.dtype())}, -1));
  const auto [output, weights] =
      attention(q, cat({k, one_row(k, key)}, -2), cat({v, one_row(v, value)}, -2), all, offset);
  return {output, slice(weights, -1, 0, -1)};
}
