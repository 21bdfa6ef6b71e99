#include "autograd/all.h"
#include "nn/tools/explain/influence.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::query_after_reading {

struct Decoder {
  Variable of_input = noise({3, 3}, 1), of_state = noise({3, 3}, 2), of_context = noise({3, 3}, 3);
  Variable source = noise({4, 3}, 4);  // the states of the encoder

  Variable read(const Variable& x, const Variable& h) const { return matmul(x, of_input) + matmul(h, of_state); }
  Variable look(const Variable& query) const { return matmul(softmax(matmul(query, transpose(source)), -1), source); }
};

// museum: wrong
Variable contexts_wrong(const Decoder& decoder, const Variable& x) {  // (L, E)
  Variable h = zeros({1, 3}, DType::f64);
  std::vector<Variable> contexts;
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    const Variable read = decoder.read(slice(x, 0, t, t + 1), h);
    contexts.push_back(decoder.look(tanh(read)));
    h = tanh(read + matmul(contexts.back(), decoder.of_context));
  }
  return cat(contexts, 0);
}
// museum: /wrong

// museum: right
Variable contexts_of(const Decoder& decoder, const Variable& x) {
  Variable h = zeros({1, 3}, DType::f64);
  std::vector<Variable> contexts;
  for (std::int64_t t = 0; t < x.size(0); ++t) {
    const Variable read = decoder.read(slice(x, 0, t, t + 1), h);
    contexts.push_back(decoder.look(h));
    h = tanh(read + matmul(contexts.back(), decoder.of_context));
  }
  return cat(contexts, 0);
}
// museum: /right

const Hung on_the_wall({
    .name = "query_after_reading",
    .title = "Bahdanau's query is taken after reading, not before",
    .looks =
        "It learns. But it is another model than the one that is cited: weights of one are wrong in the other, and "
        "comparisons with the paper compare something else.",
    .common = "Common in teaching. PyTorch's tutorial asked with the token that is read (tutorials issues 87 and 130, "
              "practical-pytorch issue 84); the order of steps is discussed in tacotron_pytorch issue 10.",
    .lesson =
        "Bahdanau, Cho and Bengio ask with the state before the step, so what a step sees of the source depends on "
        "the inputs before it alone. `receptive_field` says which inputs an output depends on. Luong's decoder, "
        "which is as good, asks with the state after it: what is wrong here is the name.",
    .look =
        [](bool wrong) {
          const Variable x = parameter(noise({3, 3}, 5));
          const Variable contexts = wrong ? contexts_wrong(Decoder(), x) : contexts_of(Decoder(), x);
          const std::int64_t last = receptive_field(contexts, x)[2].last;
          Finding finding = by_law("what a step sees does not depend on what it reads", last < 2,
                                   fmt::format("the context of step 2 depends on inputs up to {}", last));
          finding.tool = "receptive_field";
          return finding;
        },
});

}  // namespace regard::museum::query_after_reading
