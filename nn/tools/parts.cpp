#include "nn/tools/parts.h"

#include "autograd/backward.h"
#include "autograd/elements.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <iterator>

namespace regard::nn {
namespace {

// The loss, then its gradients for all parameters, each times the weight.
std::vector<Tensor> weighted(const ModuleFunction& loss, const std::vector<Variable>& batch, double weight) {
  std::vector<Variable> inputs = loss.inputs, trained;
  const auto parameters = std::copy(batch.begin(), batch.end(), inputs.begin());
  std::copy_if(parameters, inputs.end(), std::back_inserter(trained), std::mem_fn(&Variable::requires_grad));
  const Variable y = loss.f(inputs);
  if (y.numel() != 1)
    fail<ShapeError>("assert_parts_give_whole: the loss {} is not a single number (reduce it with mean or sum)",
                     y.shape());
  std::vector<Tensor> list{y.value() * weight};
  if (y.requires_grad() && !trained.empty()) trained = grad({y}, trained, {.allow_unused = true});
  for (const Variable& gradient : trained)  // 0 where the loss depends on nothing
    list.push_back(gradient.value() * (y.requires_grad() ? weight : 0));
  return list;
}

bool agree(const Tensor& a, const Tensor& b, double size) {
  return largest(a - b) <= (a.dtype() == DType::f64 ? 1e-9 : 1e-4) * size;
}

std::vector<Variable> rows_of(const std::vector<Variable>& batch, std::int64_t from, std::int64_t to) {
  const std::int64_t rows = batch[0].size(0);
  std::vector<Variable> part;
  for (const Variable& x : batch)
    part.push_back(x.rank() > 0 && x.size(0) == rows ? Variable(slice(x.value(), 0, from, to)) : x);
  return part;
}

}  // namespace

void assert_parts_give_whole(const ModuleFunction& loss, std::size_t batch_size, const PartsOptions& options) {
  const std::vector<Variable> batch(loss.inputs.begin(), loss.inputs.begin() + static_cast<std::ptrdiff_t>(batch_size));
  const std::int64_t rows = batch.empty() || batch[0].rank() == 0 ? 0 : batch[0].size(0), cut = rows / 3;
  if (cut == 0)
    fail<ShapeError>("assert_parts_give_whole: a batch of at least three rows is needed to cut it unevenly");
  const auto count = [&](const std::vector<Variable>& part) {
    return options.count ? options.count(part) : static_cast<double>(part[0].size(0));
  };
  const std::vector<Variable> first = rows_of(batch, 0, cut), second = rows_of(batch, cut, rows);
  const double all = count(batch), of_first = count(first) / all, of_second = count(second) / all;
  const std::vector<Tensor> whole = weighted(loss, batch, 1);
  const std::vector<Tensor> a = weighted(loss, first, of_first), b = weighted(loss, second, of_second);
  std::vector<std::string> names{"the loss"};
  for (std::size_t i = batch_size; i < loss.inputs.size(); ++i)
    if (loss.inputs[i].requires_grad()) names.push_back("the gradient of " + loss.names[i]);

  double size = 0;  // of the gradients: one parameter may have none but rounding
  for (std::size_t i = 1; i < whole.size(); ++i) size = std::max(size, largest(whole[i]));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const Tensor &together = whole[i], parts = a[i] + b[i];
    if (agree(together, parts, i == 0 ? std::max(largest(together), largest(parts)) : size)) continue;
    const bool is_sum = i == 0 && agree(together, a[0] / of_first + b[0] / of_second, largest(together));
    fail<ValueError>(
        "assert_parts_give_whole: of {} rows together {} is not what {} and {} of them give, weighted by their counts "
        "of {:.6g} and {:.6g}: it differs by up to {:.3g}. {}",
        rows, names[i], cut, rows - cut, of_first * all, of_second * all, largest(together - parts),
        is_sum
            ? "It is a sum: give .count = [](const auto&) { return 1; }, and add parts without weights"
            : "It is a mean of means, or counts other things than rows, such as words that are not padding. Take the "
              "sum of each part, and divide once by the count of all; .count tells this check what is counted. "
              "(Batch norm and dropout look across rows: check them in eval mode)");
  }
}

}  // namespace regard::nn
