#include "autograd/all.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "nn/tools/explain/influence.h"
#include "tests/given.h"
#include "tests/museum/attention.h"
#include "tests/museum/tools.h"

namespace regard::museum::transposed_heads {

// museum: wrong
Variable in_heads_wrong(const Variable& x, std::int64_t heads) {  // (B, L, H·D) → (B, H, L, D)
  return reshape(x, {x.size(0), heads, x.size(1), -1});
}
Variable joined_wrong(const Variable& x) {  // and back
  return reshape(x, {x.size(0), x.size(2), -1});
}
// museum: /wrong

// museum: right
Variable in_heads(const Variable& x, std::int64_t heads) {  // (B, L, H·D) → (B, H, L, D)
  return transpose(reshape(x, {x.size(0), x.size(1), heads, -1}), 1, 2);
}
Variable joined(const Variable& x) {  // and back
  return reshape(transpose(x, 1, 2), {x.size(0), x.size(2), -1});
}
// museum: /right

Variable attend(bool wrong, const Variable& q, const Variable& k, const Variable& v) {
  const auto split = wrong ? in_heads_wrong : in_heads;
  const Variable weights = softmax(nn::ScaledDotProduct{}(split(q, 2), split(k, 2)), -1);
  return (wrong ? joined_wrong : joined)(matmul(weights, split(v, 2)));
}

Finding look(bool wrong) {
  const Variable x = parameter(noise({1, 4, 6}));
  Finding finding{false, "receptive_field", ""};
  for (const Field& field : receptive_field(attend(wrong, x, x, x), x)) {
    finding.output += fmt::format("an output that depends on inputs {} to {}\n", field.first, field.last);
    finding.caught = finding.caught || field.first > 0 || field.last < 3;
  }
  finding.output.pop_back();
  return finding;
}

// Each position is to give what the first one holds.
std::vector<double> learn(bool wrong) {
  Generator random(1);
  const Projections w(8);
  const Variable position = noise({4, 8}, 9);
  return train(150, 0.01, w.all(), [&] {
    const Variable x = normal({64, 4, 8}, random, 0, 1, DType::f64), at = x + position;
    const Variable y = matmul(attend(wrong, matmul(at, w.q), matmul(at, w.k), matmul(x, w.v)), w.o);
    return mean(square(y - slice(x, 1, 0, 1)));
  });
}

const Hung on_the_wall({
    .name = "transposed_heads",
    .title = "Heads are cut by reshape alone",
    .looks = "All shapes are right. But a head gets all features of a few positions, where it should get a few "
             "features of all positions. Outputs depend on some inputs only.",
    .common = "Common: reczoo/FuxiCTR#30, jsbaan/transformer-from-scratch (pull request #6), "
              "649453932/Chinese-Text-Classification-Pytorch#10. In the second the test of training passed all the "
              "same: the model learned its copying task. hyunwoongko/transformer#15 asks what the transpose is for.",
    .lesson = "reshape keeps the order in memory. (B, L, H·D) holds position after position, so it can be cut into (B, "
              "L, H, D), and only then may the axes be exchanged. Who depends on whom shows it at once: here each "
              "output should depend on all four inputs.",
    .look = look,
    .learn = learn,
});

}  // namespace regard::museum::transposed_heads
