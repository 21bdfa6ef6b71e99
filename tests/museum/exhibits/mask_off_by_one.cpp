#include "autograd/all.h"
#include "nn/losses.h"
#include "nn/optim/adam.h"
#include "nn/tools/explain/influence.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

#include <cmath>

namespace regard::museum::mask_off_by_one {

// museum: wrong
Variable attend_wrong(const Variable& q, const Variable& k, const Variable& v) {  // (B, L, D) each
  const Tensor visible = tril(ones({q.size(1), k.size(1)}, q.dtype()), 1);
  return matmul(masked_softmax(matmul(q, transpose(k)), 1, visible), v);
}
// museum: /wrong

// museum: right
Variable attend(const Variable& q, const Variable& k, const Variable& v) {
  const Tensor visible = tril(ones({q.size(1), k.size(1)}, q.dtype()), 0);
  return matmul(masked_softmax(matmul(q, transpose(k)), 1, visible), v);
}
// museum: /right

// One layer of attention that has to say the next of some random tokens.
std::vector<double> learn(bool wrong) {
  constexpr std::int64_t vocabulary = 6, length = 6, size = 12;
  const Variable tokens = parameter(noise({vocabulary, size}, 1, DType::f64, 0.3));
  const Variable positions = parameter(noise({length, size}, 2, DType::f64, 0.3));
  const Variable query = parameter(noise({size, size}, 3, DType::f64, 0.3));
  const Variable output = parameter(noise({size, vocabulary}, 4, DType::f64, 0.3));
  optim::Adam optimizer({tokens, positions, query, output}, {.learning_rate = 0.05});
  Generator generator(5);
  return losses(100, [&] {
    const Tensor text = randint({16, length + 1}, generator, 0, vocabulary);
    const Variable rows = index_select(tokens, 0, flatten(slice(text, 1, 0, -1)));
    const Variable x = reshape(rows, {16, length, size}) + positions, q = matmul(x, query);
    const Variable mixed = wrong ? attend_wrong(q, x, x) : attend(q, x, x);
    const Variable loss = nn::cross_entropy_loss(matmul(mixed, output), slice(text, 1, 1));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item();
  });
}

const Hung on_the_wall({
    .name = "mask_off_by_one",
    .title = "The causal mask is off by one",
    .looks = "Each position also sees the next one, which is just the token that it has to say. Training goes better "
             "than ever. Writing does not work, since then there is no next one to be seen.",
    .common = "Common, because programs write the mask in two ways: as what is visible (below the diagonal, with it) "
              "or as what is hidden (above the diagonal, without it). `tril(…, 0)` marks what is visible, `triu(…, 1)` "
              "what is hidden; the 1 of the second is wrong in the first. With fewer queries than keys, as with a "
              "cache, the last query must see the last key: then it is `tril(…, Lk − Lq)` (pytorch/pytorch#103082, "
              "NVIDIA/cutlass#2336).",
    .lesson = "The curve shows the loss on random tokens, new ones at each step, which nobody can guess: with the "
              "mistake it falls below log 6 = 1.79, and that looks like success. `assert_causal` asks for the gradient "
              "of each output with respect to each later input, and names the first that is not 0.",
    .look =
        [](bool wrong) {
          return by_error("assert_causal", [wrong] {
            const Variable x = parameter(noise({1, 4, 3}));
            assert_causal(wrong ? attend_wrong(x, x, x) : attend(x, x, x), x);
          });
        },
    .learn = learn,
    .curve = "loss on random tokens",
    .finding = "better than random tokens allow",
});

}  // namespace regard::museum::mask_off_by_one
