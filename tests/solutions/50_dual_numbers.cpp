// (a + h·a′)(b + h·b′) = a·b + h·(a′·b + a·b′) + h²·…, and e^(a + h·a′) = e^a·(1 + h·a′ + …). The quotient q has
// q·b = a, so q′·b + q·b′ = a′.
template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
template <class T>
Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  const T quotient = a.value / b.value;
  return {quotient, (a.slope - quotient * b.slope) / b.value};
}
template <class T>
Dual<T> exp(const Dual<T>& a) {
  const T power = exp(a.value);
  return {power, power * a.slope};
}
