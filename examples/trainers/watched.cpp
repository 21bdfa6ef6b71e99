#include "examples/trainers/watched.h"

#include "examples/trainers/progress.h"
#include "nn/tools/watch/warnings.h"

#include <fmt/format.h>

namespace regard {

Watching& watching() {
  static Watching all;
  return all;
}

nn::Watch* find_watch(const void* model, const NamedParameter& first) {
  for (const Watching::Model& known : watching().models)  // another model may stand where one was before
    if (known.place == model && known.watch->parameters().front().parameter.same_as(first.parameter))
      return known.watch.get();
  return nullptr;
}

std::string name_of(const nn::Watch& watch) {
  const auto& models = watching().models;
  for (std::size_t i = 0; i < models.size(); ++i)
    if (models[i].watch.get() == &watch && models.size() > 1) return fmt::format("model {}", i + 1);
  return "";
}

namespace {
void tell(const nn::Watch& watch, const std::string& line) {
  const std::string name = name_of(watch);
  note_beside_progress(fmt::format("{}: {}{}", watching().program, name.empty() ? "" : name + ", ", line));
}
}  // namespace

void tell_step(const nn::Watch& watch) { tell(watch, nn::line_of(watch.steps().back())); }

void tell_warnings() {
  for (const Watching::Model& model : watching().models)
    for (const std::string& warning : nn::warnings(*model.watch)) tell(*model.watch, warning);
}

}  // namespace regard
