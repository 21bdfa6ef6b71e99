// The mean of a batch times its number of tokens is the sum of their losses. Sums of parts can be added; means of parts
// can not, unless all parts have the same size. The power is taken once, of the mean over all tokens.
double perplexity(const Model& model, const std::vector<Batch>& batches) {
  double losses = 0, count = 0;
  for (const auto& [read, next] : batches) {
    const auto size = static_cast<double>(next.numel());
    losses += size * nn::cross_entropy_loss(model(read), next).item();
    count += size;
  }
  return std::exp(losses / count);
}
