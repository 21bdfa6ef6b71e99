#include "autograd/all.h"
#include "nn/attention/positions/sinusoidal.h"
#include "nn/losses.h"
#include "nn/optim/adam.h"
#include "tensor/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::positions_after_attention {

Variable attend(const Variable& x, const Variable& w) {  // x (…, L, E): scores x·w·xᵀ
  return matmul(softmax(matmul(matmul(x, w), transpose(x)), -1), x);
}

// museum: wrong
Variable layer_wrong(const Variable& tokens, const Variable& positions, const Variable& w) {
  return attend(tokens, w) + positions;
}
// museum: /wrong

// museum: right
Variable layer(const Variable& tokens, const Variable& positions, const Variable& w) {
  return attend(tokens + positions, w);
}
// museum: /right

Variable layer_of(bool wrong, const Variable& tokens, const Variable& w) {
  const Variable positions = nn::sinusoidal_table(tokens.size(-2), tokens.size(-1), 0, DType::f64);
  return wrong ? layer_wrong(tokens, positions, w) : layer(tokens, positions, w);
}

// The last position has to say which token came first.
std::vector<double> learn(bool wrong) {
  constexpr std::int64_t vocabulary = 5, length = 3, size = 8;
  const Variable table = parameter(noise({vocabulary, size}, 1));
  const Variable w = parameter(noise({size, size}, 2, DType::f64, 0.1));
  const Variable output = parameter(noise({size, vocabulary}, 3, DType::f64, 0.3));
  optim::Adam optimizer({table, w, output}, {.learning_rate = 0.05});
  Generator generator(4);
  return losses(100, [&] {
    const Tensor text = randint({32, length}, generator, 0, vocabulary);
    const Variable tokens = reshape(index_select(table, 0, flatten(text)), {32, length, size});
    const Variable last = select(layer_of(wrong, tokens, w), 1, -1);
    const Variable loss = nn::cross_entropy_loss(matmul(last, output), select(text, 1, 0));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item();
  });
}

const Hung on_the_wall({
    .name = "positions_after_attention",
    .title = "Positions are added after attention",
    .looks = "The model learns which tokens there are, and nothing about their order: \"dog bites man\" is \"man bites "
             "dog\". "
             "The loss stops at a value that is not bad.",
    .common =
        "It comes from adding positions at the end of a function where the sum was meant to be at its start. With "
        "several layers it is hidden further: the second layer does see them.",
    .lesson =
        "Attention is a sum over a set of keys. If scores and values know nothing of places, that sum is the same "
        "in any order, and a number that is added to it says where the query stands, not where the keys do. So "
        "exchange two tokens: what a third position sees must change.",
    .look =
        [](bool wrong) {
          const Tensor tokens = noise({3, 4}, 1);
          const Tensor exchanged = index_select(tokens, 0, to(tensor({1, 0, 2}), DType::i64));
          const Variable w = noise({4, 4}, 2);
          const auto last = [&](const Tensor& rows) { return select(layer_of(wrong, rows, w), 0, -1).value(); };
          const double change = largest_difference(last(tokens), last(exchanged));
          return by_law("who came first counts", change > 1e-9,
                        fmt::format("with the first two tokens exchanged, the last output {}",
                                    change > 1e-9 ? fmt::format("changes by {:.3f}", change) : "stays the same"));
        },
    .learn = learn,
});

}  // namespace regard::museum::positions_after_attention
