// Backwards, from the last number made: all that was made from a number has had its turn before it, so it has got all.
std::vector<double> walk_back(const Computation& c) {
  std::vector<double> gradients(c.count());
  gradients.back() = 1;
  for (int number = c.count() - 1; number >= 0; --number)
    for (const auto& [input, slope] : c.uses(number)) gradients[input] += slope * gradients[number];
  return gradients;
}
