#include "examples/trainers/look.h"

#include "autograd/backward.h"
#include "autograd/elements.h"
#include "nn/tools/cost/cost.h"
#include "nn/tools/cost/profile.h"
#include "nn/tools/draw/draw.h"
#include "nn/tools/explain/explain.h"
#include "tensor/io/file.h"

#include <cmath>
#include <string>

namespace regard {
namespace {

void write(const std::string& name, const std::string& text) {
  const std::filesystem::path file = looking().folder / name;
  write_file(file, text);
  fmt::print("  {}\n", file.string());
}

struct Largest {
  Variable parameter;
  std::int64_t element = 0;
  double size = -1;
};

// A derivative that is NaN counts as larger than all numbers: it is what one wants to know about. The parameter is
// undefined if nothing is trained.
Largest largest_derivative(const Variable& loss, const std::vector<NamedParameter>& parameters) {
  std::vector<Variable> all;
  for (const NamedParameter& one : parameters)
    if (one.parameter.requires_grad() && one.parameter.numel() > 0) all.push_back(one.parameter);
  if (all.empty()) return {};
  const std::vector<Variable> gradients = grad({loss}, all, {.keep_graph = true, .allow_unused = true});
  Largest largest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t element = largest_of(gradients[i].value());
    const double size = std::abs(element_of(gradients[i].value(), element));
    if (!(size <= largest.size)) largest = {all[i], element, size};
    if (std::isnan(size)) break;
  }
  return largest;
}

}  // namespace

Looking& looking() {
  static Looking one;
  return one;
}

void look_at(const std::vector<NamedParameter>& parameters, const std::function<Variable()>& loss) {
  std::filesystem::create_directories(looking().folder);
  fmt::print("The first step, looked at before anything is trained:\n");
  const Variable first = loss();
  write("graph.html", to_html(draw(first, parameters)));
  write("cost.html", to_html(cost(first, parameters)));
  const Largest largest = largest_derivative(first, parameters);
  if (largest.parameter.defined())
    write("explain.html", to_html(explain(first, largest.parameter, largest.element, {.names = parameters})));
  else
    fmt::print("  (no explain.html: no parameter of the model is trained)\n");
  const Profile measured = profile(loss, parameters);
  write("time.html", to_html(measured));
  fmt::print("{}", to_text(measured));
  throw Looked{};
}

}  // namespace regard
