#include "autograd/all.h"
#include "nn/losses.h"
#include "nn/optim/sgd.h"
#include "tensor/all.h"
#include "tests/museum/tools.h"

#include <cmath>

namespace regard::museum::target_is_input {

constexpr std::int64_t vocabulary = 8;

struct Batch {
  Tensor input, target;
};

// museum: wrong
// Of a text (B, L + 1) the first L tokens are read, and after each the next one is to be said.
Batch batch_wrong(const Tensor& text) { return {slice(text, 1, 0, -1), slice(text, 1, 0, -1)}; }
// museum: /wrong

// museum: right
Batch batch_of(const Tensor& text) { return {slice(text, 1, 0, -1), slice(text, 1, 1)}; }
// museum: /right

// The smallest model of language: a table that says what comes after each token. The texts are random, and each is
// seen once.
std::vector<double> learn(bool wrong) {
  Generator generator(1);
  const Variable table = parameter(zeros({vocabulary, vocabulary}, DType::f64));
  optim::SGD optimizer({table}, {.learning_rate = 4});
  return losses(60, [&] {
    const Tensor text = randint({16, 9}, generator, 0, vocabulary);
    const Batch batch = wrong ? batch_wrong(text) : batch_of(text);
    const Variable loss = nn::cross_entropy_loss(index_select(table, 0, flatten(batch.input)), flatten(batch.target));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item();
  });
}

const Hung on_the_wall({
    .name = "target_is_input",
    .title = "The target is the input, not the next token",
    .looks = "The loss falls fast, and to almost 0. When the model writes, it says its last token again and "
             "again.",
    .common = "Very common where one library shifts the target by itself and another does not. In Hugging Face "
              "transformers the loss of Transformer-XL was not shifted (issue 3711), and whoever shifts a second time "
              "trains the token after the next (issue 32944, pull request 46898).",
    .lesson = "With a real text the curve looks better than the right one, and nobody suspects anything. Random tokens "
              "tell, if new ones are drawn for each step: those that come again can be learned by heart. Nobody can "
              "guess them, so the loss must stay at log V, where V is the number of tokens. If it falls below, the "
              "model sees what it is to say. The target is the text from its second token on.",
    .look =
        [](bool wrong) {
          const double last = learn(wrong).back(), least = std::log(vocabulary);
          return by_law("nobody can guess random tokens, so the loss stays at log V", last > least - 0.3,
                        fmt::format("after 60 steps the loss is {:.3f}, and log V is {:.3f}", last, least));
        },
    .learn = learn,
    .curve = "loss on random tokens",
    .finding = "better than random tokens allow",
});

}  // namespace regard::museum::target_is_input
