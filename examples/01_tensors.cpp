// A tour of tensors: making them, seeing the same numbers in other ways, broadcasting, and what an error says.
#include "examples/program.h"
#include "tensor/all.h"

using namespace regard;

namespace {

void making() {
  fmt::print("1. A tensor is a shape and numbers. Its element type is a property of it, not of its C++ type.\n\n");
  const Tensor written = tensor({{1, 2, 3}, {4, 5, 6}});
  fmt::print("tensor({{{{1, 2, 3}}, {{4, 5, 6}}}})   shape {}, {}\n{}\n\n", written.shape(), written.dtype(), written);
  fmt::print("linspace(0, 1, 5)\n{}\n\n", linspace(0, 1, 5));
  fmt::print("arange(5)   {}\n{}\n\n", arange(5).dtype(), arange(5));
}

void randomness(Generator& generator) {
  fmt::print(
      "2. Random numbers come from a generator that you hold: same seed, same numbers, on every machine and for any\n"
      "   number of threads.\n\n");
  const Tensor many = normal({100000}, generator);
  fmt::print("normal({{100000}}, generator)   mean {:+.4f}, variance {:.4f}\n{}\n\n", mean(many).item(),
             var(many).item(), many);
}

void seeing() {
  fmt::print("3. A view is the same memory with other strides. Nothing is copied.\n\n");
  const Tensor x = reshape(arange(12), {3, 4});
  fmt::print("x = reshape(arange(12), {{3, 4}})   strides {}\n{}\n\n", x.strides(), x);
  fmt::print("transpose(x)   strides {}, shares memory: {}\n{}\n\n", transpose(x).strides(),
             transpose(x).shares_buffer_with(x), transpose(x));
  fmt::print("slice(x, 1, 0, to_end, 2)   every second column, strides {}\n{}\n\n", slice(x, 1, 0, to_end, 2).strides(),
             slice(x, 1, 0, to_end, 2));
  fmt::print("flip(x, 0)   strides {}: a view can walk backwards\n{}\n\n", flip(x, 0).strides(), flip(x, 0));
}

void broadcasting() {
  fmt::print("4. Broadcasting: shapes are aligned at the right, and an axis of size 1 is repeated, with stride 0.\n\n");
  const Tensor column = tensor({{10}, {20}, {30}}), row = tensor({1, 2, 3, 4});
  fmt::print("{} + {} → {}\n{}\n\n", column.shape(), row.shape(), (column + row).shape(), column + row);
}

void reducing() {
  fmt::print("5. Reductions run over the axes you name.\n\n");
  const Tensor scores = tensor({{2, 1, 0}, {0, 0, 0}});
  fmt::print("softmax of\n{}\nover the last axis\n{}\nso that each row sums to\n{}\n\n", scores, softmax(scores, -1),
             sum(softmax(scores, -1), -1, keepdim));
}

void products() {
  fmt::print(
      "6. Matrix products, of batches too. And an error that says what was wrong, with what, and what to try.\n\n");
  const Tensor a = ones({2, 3, 4}), b = ones({2, 5, 4});
  fmt::print("matmul of {} and transpose of {} → {}\n", a.shape(), b.shape(), matmul(a, transpose(b)).shape());
  try {
    matmul(a, b);
  } catch (const ShapeError& error) {
    fmt::print("ShapeError: {}\n", error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  Program program("A tour of tensors");
  std::uint64_t seed = 1;
  program.option("--seed", seed, "Seed of the random numbers");
  if (!program.parse(argc, argv)) return program.exit_code();

  Generator generator(seed);
  making();
  randomness(generator);
  seeing();
  broadcasting();
  reducing();
  products();
}
