// Each step adds to its input, which no norm has touched; the second works on the result of the first.
Variable block(const Variable& x, const Parts& of) {
  const Variable y = x + of.attention(of.norm_1(x));
  return y + of.feed_forward(of.norm_2(y));
}
