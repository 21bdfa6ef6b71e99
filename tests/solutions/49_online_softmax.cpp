// m begins at the lowest finite number: below every score, and its difference to −∞ or to itself is still a number. One
// more key is a Seen of its own, with m = score, l = 1 and o = v: so both functions do the same.
struct Seen {
  double m = std::numeric_limits<double>::lowest(), l = 0;
  double o[2] = {0, 0};
};

Seen together(const Seen& a, const Seen& b) {
  const double m = std::max(a.m, b.m), of_a = std::exp(a.m - m), of_b = std::exp(b.m - m);
  return {m, of_a * a.l + of_b * b.l, {of_a * a.o[0] + of_b * b.o[0], of_a * a.o[1] + of_b * b.o[1]}};
}

void add(Seen& seen, double score, const double (&value)[2]) {
  seen = together(seen, {score, 1, {value[0], value[1]}});
}

std::vector<double> output(const Seen& seen) {
  if (seen.l == 0) return {0, 0};
  return {seen.o[0] / seen.l, seen.o[1] / seen.l};
}
