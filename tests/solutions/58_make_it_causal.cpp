// Three leaks. The mean ran over positions, and each got a part of all others: it belongs to the features. The
// convolution looked at one position before and one after; with two zeros in front it looks at two before, and the two
// positions that come out at the end belong to nobody. And the mask had an offset of 1: it took each query for the next
// one.
const std::int64_t padding = 2;

Variable Model::forward(const Variable& x) {
  const Variable centered = x - mean(x, -1, keepdim);
  const Variable all = transpose(convolution(transpose(centered, 1, 2)), 1, 2);
  const Variable near = tanh(slice(all, 1, 0, x.size(1)));
  const Variable mixed = attention(near, near, near, nn::Mask::causal()).output;
  return near + mixed;
}
