// A comparison of positions, whatever the shape is: offset + i as a column, j as a row.
Tensor causal_mask(int queries, int keys, int offset) {
  return less_equal(unsqueeze(arange(keys), 0), unsqueeze(arange(queries), 1) + offset);
}
