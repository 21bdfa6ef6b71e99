#include "nn/kit/trial.h"

#include "autograd/all.h"

#include <algorithm>

namespace regard::nn::kit {

Trial trial(const Sizes& sizes, std::uint64_t seed, DType dtype) {
  Generator generator(seed);
  const auto draw = [&](std::int64_t length, std::int64_t size) {
    const Shape shape =
        sizes.heads > 0 ? Shape{sizes.batch, sizes.heads, length, size} : Shape{sizes.batch, length, size};
    return parameter(normal(shape, generator, 0, 1, dtype));
  };
  return {draw(sizes.queries, sizes.query_size), draw(sizes.keys, sizes.key_size), draw(sizes.keys, sizes.value_size)};
}

Trial as_long_as_keys(const Variant& variant) {
  Sizes sizes = variant.sizes;
  sizes.queries = sizes.keys;
  return trial(sizes);
}

Subject build(const Variant& variant, double dropout, std::uint64_t seed, DType dtype) {
  Generator generator(seed);
  Subject subject = variant.build(dropout, generator);
  renew_parameters(subject.visit);  // they may be somebody else's, too
  convert(subject.visit, dtype);
  std::vector<Variable> moved;
  for (const Variable& one : parameters(subject.visit))
    moved.push_back(parameter(add(one.value(), multiply(random_like(one, seed + moved.size()).value(), 0.5))));
  set_parameters(subject, moved);
  return subject;
}

void set_parameters(const Subject& subject, const std::vector<Variable>& parameters) {
  auto next = parameters.begin();
  replace_parameters(subject.visit, [&](const std::string&, const Variable&) { return *next++; });
}

Variable random_like(const Variable& x, std::uint64_t seed) {
  Generator generator(seed);
  return normal(x.shape(), generator, 0, 1, x.dtype());
}

std::vector<Variable> slopes(const Variable& output, const std::vector<Variable>& leaves, std::uint64_t seed) {
  return grad({sum(output * random_like(output, seed))}, leaves, {.allow_unused = true});
}

std::string differ(const char* what, const Variable& a, const Variable& b) {
  if (a.shape() != b.shape()) return fmt::format("{}: {} where {} is right", what, a.shape(), b.shape());
  if (allclose(a.value(), b.value(), 1e-11, 1e-11)) return "";
  return fmt::format("{}: off by {:.2g}", what, largest_difference(a.value(), b.value()));
}

std::string differ(const char* what, const std::vector<Variable>& a, const std::vector<Variable>& b) {
  std::string found;
  for (std::size_t i = 0; found.empty() && i < a.size(); ++i) found = differ(what, a[i], b[i]);
  return found;
}

std::string first_of(std::initializer_list<std::string> findings) {
  const auto found = std::ranges::find_if(findings, [](const std::string& one) { return !one.empty(); });
  return found == findings.end() ? "" : *found;
}

}  // namespace regard::nn::kit
