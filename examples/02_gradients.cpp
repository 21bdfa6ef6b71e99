// A tour of gradients: recording, going back, derivatives of derivatives, and a small regression that learns.
#include "autograd/all.h"
#include "examples/program.h"

#include <cmath>

using namespace regard;

namespace {

void recording() {
  fmt::print(
      "1. A Variable remembers how it was made. backward() walks that record from the result to the parameters.\n\n");
  Variable x = parameter(tensor({1, 2, 3}, DType::f64));
  const Variable y = sum(square(x) * 3.0);
  fmt::print("x = {}\ny = Σ 3x² = {}, made by '{}', which has the rule  {}\n", x, y, y.node()->op.name,
             y.node()->op.rule);
  y.backward();
  fmt::print("∂y/∂x = 6x = {}\n\n", x.gradient());
}

void collecting() {
  fmt::print(
      "2. A value used twice gets the gradients of both uses. Broadcasting is an operation like any other: what it\n"
      "   repeats on the way forward, it sums up on the way back.\n\n");
  Variable row = parameter(tensor({1, 2}, DType::f64)), matrix = parameter(ones({3, 2}, DType::f64));
  sum(row * matrix + row).backward();
  fmt::print(
      "y = Σ (row · matrix + row), row {} and matrix {}\n∂y/∂row = {}   three rows of matrix, and once more by itself: "
      "3 + 3\n\n",
      row.shape(), matrix.shape(), row.gradient());
}

void higher() {
  fmt::print(
      "3. Rules are written with Variables too, so a gradient can be differentiated again: {{.create_graph = "
      "true}}.\n\n");
  Variable x = parameter(tensor(2, DType::f64));
  Variable y = pow(x, 4);
  fmt::print("x⁴ at 2: {}", y);
  for (int order = 1; order <= 4; ++order) {
    y = grad({y}, {x}, {.create_graph = true})[0];
    fmt::print(", derivative {}: {}", order, y);
  }
  fmt::print("\n\n");
}

void checking() {
  fmt::print(
      "4. Is a gradient right? gradcheck compares it with measured slopes, element by element, to second order.\n\n");
  Generator generator(4);
  const Variable q(normal({2, 3, 4}, generator, 0, 1, DType::f64)), k(normal({2, 5, 4}, generator, 0, 1, DType::f64));
  const auto attention_weights = [](const auto& in) { return softmax(matmul(in[0], transpose(in[1])) / 2.0, -1); };
  fmt::print("softmax(q·kᵀ/√d)   {}\n", gradcheck(attention_weights, {q, k}));
  fmt::print("Σ softmax(…)       {}\n\n",
             gradcheck([&](const auto& in) { return sum(attention_weights(in)); }, {q, k}));
}

// y = 2 sin x + noise, fitted by 16 Gaussian bumps whose heights, places and width are learnt.
bool learning(int epochs, std::uint64_t seed) {
  fmt::print("5. A gradient is for learning: the heights, places and width of 16 bumps that follow noisy points.\n\n");
  Generator generator(seed);
  const Tensor x = unsqueeze(linspace(0, 6, 80, DType::f64), 1);
  const Tensor truth = 2 * sin(x), y = truth + normal({80, 1}, generator, 0, 0.3, DType::f64);

  Variable places = parameter(linspace(0, 6, 16, DType::f64)), heights = parameter(zeros({16, 1}, DType::f64));
  Variable width = parameter(tensor(0.5, DType::f64));
  const auto predict = [&] { return matmul(exp(-square((x - places) / width)), heights); };
  for (int epoch = 0; epoch <= epochs; ++epoch) {
    const Variable loss = mean(square(predict() - y));
    if (epoch % std::max(epochs / 4, 1) == 0)
      fmt::print("epoch {:4}   loss {:.4f}   width {:.3f}\n", epoch, loss.item(), width.item());
    for (Variable* parameter : {&places, &heights, &width}) parameter->clear_gradient();
    loss.backward();
    for (Variable* parameter : {&places, &heights, &width})
      assign(*parameter, parameter->value() - 0.2 * parameter->gradient().value());
  }
  const double error = std::sqrt(mean(square(predict().value() - truth)).item());
  const bool good = error < 0.2;
  fmt::print("root of the mean squared error against the curve without noise: {:.3f}  (to pass: below 0.2)  {}\n",
             error, good ? "PASS" : "FAIL");
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Program program("A tour of gradients");
  std::uint64_t seed = 1;
  int epochs = 400;
  program.option("--seed", seed, "Seed of the noise in the regression");
  program.option("--epochs", epochs, "Steps of gradient descent in the regression", 0, 1000000);
  if (!program.parse(argc, argv)) return program.exit_code();

  recording();
  collecting();
  higher();
  checking();
  return learning(epochs, seed) ? 0 : 1;
}
