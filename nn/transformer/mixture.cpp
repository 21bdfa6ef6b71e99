#include "nn/transformer/mixture.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/join.h"
#include "autograd/ops/order.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/view.h"
#include "nn/layers/require.h"
#include "tensor/create.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {
Mixture::Mixture(const MixtureOptions& o, Generator& g)
    : best(o.best),
      sums_to_1(o.sums_to_1),
      router({.in = o.size, .out = o.experts, .bias = o.router_bias, .dtype = o.dtype}, g) {
  require_positive("Mixture", {{"experts", o.experts}, {"best", o.best}});
  if (o.best > o.experts) fail<ValueError>("Mixture: the best {} of {} experts: there are fewer", o.best, o.experts);
  for (std::int64_t e = 0; e < o.experts; ++e)
    experts.emplace_back(FeedForwardOptions{o.size, o.hidden, o.kind, o.bias, o.dtype}, g);
}

// Choices are numbered token by token: choice c is the one of token c/k. Each expert works on all rows that chose it.
Variable Mixture::operator()(const Variable& x) {
  require_features("Mixture", x, router.weight.size(1));
  const Variable rows = reshape(x, {-1, x.size(-1)}), shares = softmax(router(rows), -1);  // (T, E), (T, n)
  const auto chosen = topk(shares, best, -1);                                              // (T, k)
  const Variable all_gates = flatten(sums_to_1 ? chosen.values / sum(chosen.values, -1, keepdim) : chosen.values);
  const auto count = static_cast<double>(experts.size());
  std::vector<std::vector<double>> choices(experts.size());
  double next = 0;
  for (const double e : to_vector(chosen.indexes)) choices[static_cast<std::size_t>(e)].push_back(next++);

  const auto indexes = [](const std::vector<double>& numbers) {
    return tensor(numbers, {static_cast<std::int64_t>(numbers.size())}, DType::i64);
  };
  std::vector<Variable> made;
  std::vector<double> order(static_cast<std::size_t>(next)), share_of_choices;  // where a choice is in `made`; f
  double place = 0;
  for (std::size_t e = 0; e < experts.size(); ++e) {
    share_of_choices.push_back(static_cast<double>(choices[e].size()) / std::max(next, 1.0));
    std::vector<double> tokens;
    for (const double choice : choices[e]) {
      tokens.push_back(std::floor(choice / static_cast<double>(best)));
      order[static_cast<std::size_t>(choice)] = place++;
    }
    const Variable gates = index_select(all_gates, 0, indexes(choices[e]));
    made.push_back(experts[e](index_select(rows, 0, indexes(tokens))) * unsqueeze(gates, -1));
  }
  balance = zeros({}, x.dtype());
  if (rows.size(0) > 0)
    balance = sum(mean(shares, 0) * Variable(tensor(share_of_choices, {shares.size(1)}, x.dtype()))) * count;
  const Variable by_token = index_select(cat(made, 0), 0, indexes(order));
  return reshape(sum(reshape(by_token, {rows.size(0), best, x.size(-1)}), 1), x.shape());
}

}  // namespace regard::nn
