#include "autograd/all.h"
#include "nn/attention/positions/sinusoidal.h"
#include "nn/losses.h"
#include "nn/optim/adam.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

#include <cmath>

namespace regard::museum::tied_without_scale {

// museum: wrong
Variable rows_wrong(const Variable& table, const Tensor& tokens) {  // (V, E), which is the output matrix, too
  return index_select(table, 0, tokens);
}
// museum: /wrong

// museum: right
Variable rows_of(const Variable& table, const Tensor& tokens) {
  return index_select(table, 0, tokens) * std::sqrt(static_cast<double>(table.size(1)));
}
// museum: /right

// Each token of a text says which one comes next, and where it stands says nothing.
std::vector<double> learn(bool wrong) {
  constexpr std::int64_t vocabulary = 20, length = 10, size = 32;
  const Variable table = parameter(noise({vocabulary, size}, 1, DType::f64, 1 / std::sqrt(size)));
  const Variable w = parameter(noise({size, size}, 2, DType::f64, 1 / std::sqrt(size)));
  const Variable positions = nn::sinusoidal_table(length, size, 0, DType::f64);
  const Tensor follows = remainder(arange(vocabulary) * 7 + 3, vocabulary);
  optim::Adam optimizer({table, w}, {.learning_rate = 0.003});
  Generator generator(3);
  return losses(100, [&] {
    const Tensor text = randint({16 * length}, generator, 0, vocabulary);
    const Variable rows = wrong ? rows_wrong(table, text) : rows_of(table, text);
    const Variable x = reshape(rows, {16, length, size}) + positions;
    const Variable y = x * rsqrt(mean(square(x), -1, keepdim));
    const Variable logits = reshape(matmul(matmul(y, w), transpose(table)), {16 * length, vocabulary});
    const Variable loss = nn::cross_entropy_loss(logits, index_select(follows, 0, text));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item();
  });
}

double size_of_numbers(const Tensor& x) { return std::sqrt(mean(square(x)).item()); }

const Hung on_the_wall({
    .name = "tied_without_scale",
    .title = "Tied rows are not multiplied by √E",
    .looks = "Training begins slowly. The model first sees where tokens stand, and hardly which they are.",
    .common = "Common: the factor is one sentence of \"Attention is all you need\". SamLynnEvans/Transformer issue 10 "
              "asks where it is; in annotated-transformer issue 60 somebody finds results bad without it.",
    .lesson =
        "Rows that are an output matrix, too, start with variance 1/E, so that logits start with variance 1. As "
        "inputs they are then small, and sinusoidal positions, whose numbers are of size √½, drown them. Print the "
        "sizes of what is added.",
    .look =
        [](bool wrong) {
          constexpr std::int64_t size = 64;
          const Variable table = noise({20, size}, 1, DType::f64, 1 / std::sqrt(size));
          const double tokens = size_of_numbers((wrong ? rows_wrong : rows_of)(table, arange(10)).value());
          const double positions = size_of_numbers(nn::sinusoidal_table(10, size, 0, DType::f64));
          return by_law(
              "what is added is of similar size", tokens > positions / 2 && tokens < positions * 2,
              fmt::format("numbers of tokens are of size {:.2f}, those of positions {:.2f}", tokens, positions));
        },
    .learn = learn,
});

}  // namespace regard::museum::tied_without_scale
