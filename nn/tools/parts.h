#pragma once

#include "nn/check.h"

namespace regard::nn {

struct PartsOptions {
  // How many things the loss of a batch is the mean of: by default its rows; or, say, its words that are not padding. A
  // loss that is a sum has no such number, and 1 stands for it.
  std::function<double(const std::vector<Variable>& batch)> count = {};
};

// Throws unless the loss of a batch of `count` things, and each gradient of it, is that of its parts:
//
//   count · loss(batch) = Σ count(part) · loss(part)
//
// The rows (indexes of axis 0) are cut into two parts of different size: with parts of one size a mean of means is the
// mean. Of the batch, what has as many rows as its first Variable is cut, and the rest given to both. Dropout drops
// other numbers in a part, and batch norm looks across rows: put the module into eval mode.
void assert_parts_give_whole(const ModuleFunction& loss, std::size_t batch_size, const PartsOptions& options = {});

//   assert_parts_give_whole(model, {x, y}, [](auto& m, const auto& in) { return mse_loss(m(in[0]), in[1]); })
template <Module M, class Loss>
void assert_parts_give_whole(M module, const std::vector<Variable>& batch, const Loss& loss,
                             const PartsOptions& options = {}) {
  assert_parts_give_whole(as_function(std::move(module), batch, loss), batch.size(), options);
}

}  // namespace regard::nn
