// The query of place i is the unit vector i, and the key of place j the unit vector j + 1. So their product is 1 if
// j = i − 1, and 0 otherwise. Times 30·√D, to undo the division by √D: the right key has e³⁰ times another's weight.
Head copying_head(std::int64_t V, std::int64_t L) {
  const Tensor words = cat({eye(V, DType::f64), zeros({V, L}, DType::f64)}, 1);
  const Tensor places = cat({zeros({L, V}, DType::f64), eye(L, DType::f64)}, 1);
  const Tensor one_later = cat({zeros({1, V + L}, DType::f64), Tensor(slice(places, 0, 0, L - 1))}, 0);
  return {30 * std::sqrt(static_cast<double>(L)) * places, one_later, words};
}
