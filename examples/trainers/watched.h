#pragma once

#include "nn/tools/watch/watch.h"

#include <memory>
#include <string>
#include <vector>

namespace regard {

// --watch: whether models are watched while they learn, and what has been seen of each.
struct Watching {
  bool on = false;
  std::int64_t every = 0;
  std::string program;  // whose lines they are

  struct Model {
    const void* place;
    std::unique_ptr<nn::Watch> watch;
  };
  std::vector<Model> models;  // in the order in which they learned first
};
Watching& watching();

nn::Watch* find_watch(const void* model, const NamedParameter& first);

// Tells of a step, and at the end of the training what there is to warn of: on standard error.
void tell_step(const nn::Watch& watch);
void tell_warnings();
std::string name_of(const nn::Watch& watch);  // "" if one model learns, else "model 2"

// The watch over a model; null without --watch.
template <nn::Module M>
nn::Watch* watch_over(M& model) {
  if (!watching().on) return nullptr;
  const std::vector<NamedParameter> parameters = nn::named_parameters(model);
  if (parameters.empty()) return nullptr;
  if (nn::Watch* known = find_watch(&model, parameters.front())) return known;
  watching().models.push_back(
      {&model, std::make_unique<nn::Watch>(model, nn::WatchOptions{.every = watching().every})});
  return watching().models.back().watch.get();
}

// One step of a training, which is watched if --watch says so.
class StepWatch {
 public:
  template <nn::Module M>
  explicit StepWatch(M& model) : watch_(watch_over(model)) {
    if (watch_) watch_->before_forward();
  }
  void before_step() const {
    if (watch_) watch_->before_step();
  }
  void after_step() const {
    if (watch_ && watch_->after_step()) tell_step(*watch_);
  }

 private:
  nn::Watch* watch_;
};

}  // namespace regard
