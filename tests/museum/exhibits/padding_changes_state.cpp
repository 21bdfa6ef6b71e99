#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::padding_changes_state {

struct Cell {
  Variable w = noise({3, 4}, 1), u = noise({4, 4}, 2), bias = noise({4}, 3);
  Variable operator()(const Variable& x, const Variable& h) const { return tanh(matmul(x, w) + matmul(h, u) + bias); }
};

// museum: wrong
Variable read_wrong(const Cell& cell, const Variable& x, const Tensor& lengths) {  // (B, L, E), (B)
  Variable h = zeros({lengths.size(0), 4}, DType::f64);
  for (std::int64_t t = 0; t < x.size(1); ++t) {
    const Variable next = cell(select(x, 1, t), h);
    h = next;
  }
  return h;
}
// museum: /wrong

// museum: right
Variable read(const Cell& cell, const Variable& x, const Tensor& lengths) {
  Variable h = zeros({lengths.size(0), 4}, DType::f64);
  for (std::int64_t t = 0; t < x.size(1); ++t) {
    const Variable next = cell(select(x, 1, t), h);
    h = where(greater(unsqueeze(lengths, 1), static_cast<double>(t)), next, h);
  }
  return h;
}
// museum: /right

const Hung on_the_wall({
    .name = "padding_changes_state",
    .title = "A recurrent network reads the padding, too",
    .looks =
        "Short sequences are summed up badly, and the more so the longer the longest of their batch is. Rows of 0 in "
        "the place of padding do not help: the bias goes on, and the state with it.",
    .common =
        "Very common: \"the last output\" is the last position of the tensor. RLlib had it (ray issue 21392), and it "
        "is "
        "a standing question about pytorch-sentiment-analysis (issue 86). Reading backward is worse, since it begins "
        "with the padding (PyTorch issue 517).",
    .lesson =
        "What is padded on the right must change nothing: not the outputs, and not the final state. A step behind the "
        "length of a sequence keeps the state as it is. The library's RNN, GRU and LSTM take lengths, and do that.",
    .look =
        [](bool wrong) {
          const Tensor x = cat({noise({1, 2, 3}, 4), zeros({1, 3, 3}, DType::f64)}, 1);
          const Tensor lengths = to(tensor({2}), DType::i64);
          const auto state = wrong ? read_wrong : read;
          return by_law("padding on the right changes nothing", state(Cell(), x, lengths).value(),
                        state(Cell(), slice(x, 1, 0, 2), lengths).value());
        },
});

}  // namespace regard::museum::padding_changes_state
