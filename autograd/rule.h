#pragma once

#include "autograd/variable.h"

#include <utility>

namespace regard {

// What a rule may look at: the inputs and the output of its operation. It was given to record() with the inputs; the
// walk back hands them to it.
struct Saved {
  const graph::Inputs& inputs;
  const Variable& output;

  const Variable& input() const { return inputs.front(); }
  bool wants(std::size_t i) const { return inputs[i].requires_grad(); }  // else its gradient may stay undefined
};

// A rule is a pure function of (gradient, inputs, output). It is written with Variables and captures none, only
// constants such as an axis or an index: so it can itself be recorded, and derivatives of any order come free. Some
// have a faster way, in plain numbers, for when nothing is recorded (see softmax.cpp). A rule returns one gradient for
// each input:  return gradients(grad * saved.inputs[1], grad * saved.inputs[0]);
template <class... Each>
graph::Gradients gradients(Each&&... each) {
  graph::Gradients list;
  list.reserve(sizeof...(each));
  (list.emplace_back(std::forward<Each>(each)), ...);
  return list;
}

}  // namespace regard
