// The cut into blocks depends on n alone, each block is added up by one task in one order, and the sums of the blocks
// are added in their order. Which thread has run which task leaves no trace.
float sum(const float* x, std::int64_t n, const Threads& threads) {
  constexpr std::int64_t block = 4096;
  std::vector<float> parts(static_cast<std::size_t>((n + block - 1) / block), 0);
  threads.run(std::ssize(parts), [&](std::int64_t number) {
    float part = 0;
    for (std::int64_t i = number * block; i < std::min(n, (number + 1) * block); ++i) part += x[i];
    parts[static_cast<std::size_t>(number)] = part;
  });
  float total = 0;
  for (const float part : parts) total += part;
  return total;
}
