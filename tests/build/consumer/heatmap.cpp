// A program of someone who has installed regard: an attention of one's own is compared with one by hand, and its
// weights are drawn.  heatmap FILE.png
#include "autograd/all.h"
#include "examples/plot/figure.h"
#include "nn/attention/all.h"

int main(int, char** argv) {
  using namespace regard;
  Generator generator(1);
  const Tensor q = normal({3, 2}, generator, 0, 1, DType::f64);
  nn::Attention attention(nn::ScaledDotProduct{.scale = 1});
  const auto [output, weights] = attention(Variable(q), Variable(q), Variable(q));
  const Tensor expected = matmul(softmax(matmul(q, transpose(q)), -1), q);
  plot::Figure figure;
  figure.axes(0, 0).heatmap(weights.value(), {.x = "keys", .y = "queries"});
  figure.save(argv[1]);
  return allclose(output.value(), expected, 1e-12, 1e-12) ? 0 : 1;
}
