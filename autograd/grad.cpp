#include "autograd/ancestors.h"
#include "autograd/backward.h"
#include "autograd/walk.h"
#include "tensor/create.h"

namespace regard {
namespace {

// Where in the list each input stands, by its order(): in several places if it was given several times.
using Numbers = std::map<std::uint64_t, std::vector<std::size_t>>;

Numbers numbers_of(const std::vector<Variable>& inputs) {
  Numbers numbers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad())
      fail<ValueError>("grad: input {} does not require a gradient, so nothing was recorded for it", i);
    numbers[inputs[i].order()].push_back(i);
  }
  return numbers;
}

// The orders of all Variables through which a gradient can pass from the outputs to one of the inputs.
std::set<std::uint64_t> ways_to(const Numbers& inputs, const std::vector<Variable>& outputs) {
  std::set<std::uint64_t> ways;
  if (inputs.empty()) return ways;
  std::map<std::uint64_t, Variable> found;  // by rising order: inputs before what was made from them
  graph::for_each_ancestor(outputs, [&](const Variable& x) {
    const bool may_lead = x.order() >= inputs.begin()->first;
    if (may_lead) found.emplace(x.order(), x);
    return may_lead;
  });
  for (const auto& [order, x] : found) {
    bool is_way = inputs.count(order) > 0 || (x.node() && x.node()->freed);
    if (x.node())
      for (const Variable& input : x.node()->inputs) is_way = is_way || ways.count(input.order()) > 0;
    if (is_way) ways.insert(order);
  }
  return ways;
}

}  // namespace

std::vector<Variable> grad(const std::vector<Variable>& outputs, const std::vector<Variable>& inputs,
                           const GradOptions& options) {
  if (!options.gradients.empty() && options.gradients.size() != outputs.size())
    fail<ValueError>("grad: {} gradients were given for {} outputs", options.gradients.size(), outputs.size());
  const Numbers numbers = numbers_of(inputs);
  const SetRecording while_walking(options.create_graph);
  graph::Arrivals arrivals;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    arrivals.add(outputs[i],
                 graph::start("grad", outputs[i], options.gradients.empty() ? Variable() : options.gradients[i],
                              options.create_graph));

  std::vector<Variable> result(inputs.size());
  const std::set<std::uint64_t> ways = ways_to(numbers, outputs);
  const auto goes_to = [&](const Variable& x) { return ways.count(x.order()) > 0; };
  const auto visit = [&](const Variable& x, const Variable& gradient) {
    const auto asked = numbers.find(x.order());
    if (asked == numbers.end()) return;
    for (const std::size_t i : asked->second) result[i] = gradient;
  };
  graph::walk(std::move(arrivals),
              {.keep_graph = options.keep_graph || options.create_graph, .goes_to = goes_to, .visit = visit});

  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (result[i].defined()) continue;
    if (!options.allow_unused)
      fail<ValueError>("grad: no output depends on input {} {} (with .allow_unused = true its gradient is zero)", i,
                       inputs[i].shape());
    result[i] = zeros_like(inputs[i].value());
  }
  return result;
}

}  // namespace regard
