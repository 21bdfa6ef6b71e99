#include "examples/book/drawings.h"

#include "autograd/all.h"
#include "examples/book/example.h"
#include "nn/tools/draw/draw.h"

namespace regard::book {
namespace {

// Causal attention of birds love singing, from the words to the loss, as chapter 22 takes it apart.
std::string attention_graph() {
  const Variable x = parameter(three_tokens().x), w_q = parameter(unit(2) * numbers({{-1, -1}, {1, 0}})),
                 w_k = parameter(numbers({{1, 0}, {0, 1}})), w_v = parameter(numbers({{0, 12}, {6, 0}}));
  const Tensor visible = numbers({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}});
  const Variable scores = matmul(matmul(x, w_q), transpose(matmul(x, w_k))) / std::sqrt(2);
  const Variable output = matmul(masked_softmax(scores, 1, visible), matmul(x, w_v));
  const Variable loss = sum(square(slice(output, 0, 1, 3) - numbers({{0, 12}, {6, 0}})));
  return to_svg(draw(loss, {{"x", x}, {"W_q", w_q}, {"W_k", w_k}, {"W_v", w_v}}));
}

}  // namespace

std::vector<Drawing> recorded_graphs() { return {{"graph", attention_graph()}}; }

}  // namespace regard::book
