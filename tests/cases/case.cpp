#include "tests/cases/case.h"

#include "tensor/random/transforms.h"

#include <cmath>
#include <cstdlib>

namespace regard::cases {

InputSpec real(const Shape& shape) {
  return {shape, [](double normal, double) { return normal; }};
}

InputSpec between(const Shape& shape, double low, double high) {
  // affine: the same bits whatever the compiler fuses, since stored reference values belong to these inputs.
  return {shape, [=](double, double uniform) { return affine(low, high - low, uniform); }, DType::f64, false,
          InputSpec::Stretched::nothing};
}

InputSpec away_from(const Shape& shape, double kink, double margin) {
  return {shape, [=](double normal, double) { return kink + normal + (normal < 0 ? -margin : margin); }};
}

InputSpec distinct(const Shape& shape) {
  return {shape, [](double rank, double) { return 0.5 * rank - 2; }, DType::f64, true, InputSpec::Stretched::value};
}

InputSpec indexes(const Shape& shape, std::int64_t bound) {
  return {shape, [bound](double, double uniform) { return std::floor(uniform * static_cast<double>(bound)); },
          DType::i64, false, InputSpec::Stretched::nothing};
}

InputSpec anywhere(InputSpec spec) {
  spec.stretched = InputSpec::Stretched::value;
  return spec;
}

InputSpec around(const Shape& shape, double size) { return anywhere(between(shape, -size, size)); }

namespace {

Tensor draw(const InputSpec& spec, Generator& generator, double stretch = 1) {
  const std::int64_t count = spec.shape.numel();
  const auto first =
      to_vector(spec.is_permutation ? permutation(count, generator) : normal({count}, generator, 0, 1, DType::f64));
  const auto second = to_vector(uniform({count}, generator, 0, 1, DType::f64));
  const double before = spec.stretched == InputSpec::Stretched::normal ? stretch : 1;
  const double after = spec.stretched == InputSpec::Stretched::value ? stretch : 1;
  std::vector<double> values;
  for (std::size_t i = 0; i < first.size(); ++i) values.push_back(after * spec.transform(before * first[i], second[i]));
  return tensor(values, spec.shape, spec.dtype);
}

// Fowler, Noll and Vo's hash. With a seed from its name, a case keeps its inputs when others come and go.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 14695981039346656037u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

}  // namespace

void Table::add(const char* name, const char* what, const std::vector<InputSpec>& specs, gradchecks::Function f) {
  const OpInfo* row = find_op(name);
  if (!row) fail<ValueError>("cases: '{}' is not in op_list", name);
  const std::string id = fmt::format("{}/{}", name, what);
  Generator generator(hash(id));
  std::vector<Variable> inputs;
  for (const InputSpec& spec : specs) inputs.push_back(draw(spec, generator));
  rows.push_back({id, row, std::move(inputs), std::move(f), specs, row->kind == OpKind::kinked});
}

void Table::add_kinked(const char* name, const char* what, const std::vector<InputSpec>& specs,
                       gradchecks::Function f) {
  add(name, what, specs, std::move(f));
  rows.back().has_kinks = true;
}

std::vector<Variable> drawn_again(const Case& row, std::uint64_t seed, double stretch) {
  Generator generator(hash(row.id) + seed);
  std::vector<Variable> inputs;
  for (const InputSpec& spec : row.specs) inputs.push_back(draw(spec, generator, stretch));
  return inputs;
}

const std::vector<Case>& all_cases() {
  static const std::vector<Case> rows = [] {
    Table table;
    add_arithmetic(table);
    add_pointwise(table);
    add_reductions(table);
    add_views(table);
    add_joining(table);
    add_indexing(table);
    add_order(table);
    add_products(table);
    add_fused(table);
    add_attention(table);
    add_recurrent(table);
    return table.rows;
  }();
  return rows;
}

std::vector<Case> differentiable_cases() {
  std::vector<Case> result;
  for (const Case& row : all_cases())
    if (row.op->kind != OpKind::not_differentiable) result.push_back(row);
  return result;
}

}  // namespace regard::cases
