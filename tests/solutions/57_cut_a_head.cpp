Tensor measured(const Loss& loss, std::int64_t heads) {
  const double all = loss(ones({heads}, DType::f64)).item();
  std::vector<double> rises;
  for (std::int64_t head = 0; head < heads; ++head) {
    const Tensor cut = one_hot(tensor(static_cast<double>(head), DType::i64), heads, DType::f64);
    rises.push_back(loss(1 - cut).item() - all);
  }
  return tensor(rises, {heads}, DType::f64);
}

// A step of −1 along a slope. It is right if the loss is a straight line there, and it never is: what is missing is the
// bend, on paper 4, 1 and 1. The order of the heads is often right all the same.
Tensor estimated(const Loss& loss, std::int64_t heads) {
  const Variable mask = parameter(ones({heads}, DType::f64));
  return -grad({loss(mask)}, {mask})[0].value();
}
