// Positions. Attention sees a set: to know what stands where, it has to be told. Three ways, drawn and checked: the
// sinusoidal table that is added to what is read, rotary positions that turn queries and keys, and linear biases on the
// scores (ALiBi). Nothing is trained here.
#include "examples/trainers/positions_claims.h"
#include "examples/trainers/trainer.h"
#include "nn/all.h"

using namespace regard;
using namespace regard::nn;

namespace {

constexpr std::int64_t length = 100, size = 32;

plot::Figure similarity(const Tensor& dots) {
  plot::Figure figure({.columns = 2, .width = 690, .height = 320});
  figure.axes(0, 0).heatmap(dots, {.title = "along a diagonal all are alike",
                                   .x = "position j",
                                   .y = "position i",
                                   .map = plot::Colormap::viridis,
                                   .bar_label = "Pᵢ·Pⱼ"});
  const std::int64_t i = length / 2;
  figure.axes(0, 1)
      .line(arange(length, DType::f64) - static_cast<double>(i), select(dots, 0, i), {.width = 2})
      .title(fmt::format("row {}: its neighbours are the most like it", i))
      .x_label("distance j − i")
      .y_label("Pᵢ·Pⱼ");
  return figure;
}

// The largest difference between P(i + δ) and P(i) with each pair of features [sin; cos] turned by −δω.
double rotation_error(const Tensor& table, std::int64_t shift) {
  const Tensor here = reshape(slice(table, 0, 0, length - shift), {length - shift, size / 2, 2});
  const Tensor there = reshape(slice(table, 0, shift), {length - shift, size / 2, 2});
  const Tensor omega = exp(arange(size / 2, DType::f64) * (-2.0 / size * std::log(10000)));
  const Tensor c = cos(omega * static_cast<double>(shift)), s = sin(omega * static_cast<double>(shift));
  const Tensor sines = select(here, 2, 0), cosines = select(here, 2, 1);
  const Tensor turned = stack({sines * c + cosines * s, cosines * c - sines * s}, 2);
  return max(abs(turned - there)).item();
}

// Scores of one query, the same at every position, with one key, the same at every position: what is left is position.
Tensor scores_of(const nn::AnyScore& score, const Variable& q, const Variable& k, std::int64_t offset = 0) {
  return NoGrad(), score(q, k, offset).value();
}

const std::int64_t middle = length / 2;
const Tensor distances = arange(length, DType::f64) - static_cast<double>(middle);

plot::Figure rotary_figure(const Tensor& with_itself, const Tensor& with_another) {
  plot::Figure figure({.columns = 2, .width = 800, .height = 310});
  figure.axes(0, 0).heatmap(with_another, {.title = "k ≠ q: along a diagonal all are alike",
                                           .x = "position j",
                                           .y = "position i",
                                           .map = plot::Colormap::viridis,
                                           .bar_label = "score"});
  figure.axes(0, 1)
      .line(distances, select(with_itself, 0, middle), {.label = "k = q", .width = 2})
      .line(distances, select(with_another, 0, middle), {.label = "k ≠ q", .width = 2})
      .title(fmt::format("k ≠ q: largest at distance {}", plot::number(positions::best_distance(with_another), 0)))
      .x_label("distance j − i")
      .y_label("score");
  return figure;
}

// Of the heads every second one: the others lie between them.
plot::Figure alibi_figure(const Tensor& bias) {
  plot::Figure figure({.columns = 2, .width = 800, .height = 310});
  figure.axes(0, 0).heatmap(select(bias, 0, 2), {.title = "third head: the farther, the less",
                                                 .x = "position j",
                                                 .y = "position i",
                                                 .map = plot::Colormap::viridis,
                                                 .bar_label = "bias"});
  for (std::int64_t head = 0; head < bias.size(0); head += 2)
    figure.axes(0, 1).line(distances, select(select(bias, 0, head), 0, middle),
                           {.label = fmt::format("head {}", head + 1), .width = 2});
  figure.axes(0, 1).title("each head has its own slope").x_label("distance j − i").y_label("bias");
  return figure;
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("positional_encoding", "Positions: sinusoidal, rotary, and as a bias", {});
  return trainer.main(argc, argv, [&] {
    const Tensor table = sinusoidal_table(length, size, 0, DType::f64);
    double worst = 0;
    for (const std::int64_t shift : {1, 2, 7, 50}) worst = std::max(worst, rotation_error(table, shift));
    trainer.say(
        fmt::format("to move on by δ is to turn each pair of features by −δω: largest difference {:.1e}", worst));
    trainer.at_most("rotation identity, largest difference", worst, 1e-12);

    const Rotary rotary(ScaledDotProduct{}, RotaryLayout::interleaved);
    Generator generator(trainer.seed());
    const Variable q(expand(normal({1, size}, generator, 0, 1, DType::f64), {length, size}));
    const Tensor here = scores_of(rotary, q, q), moved = scores_of(rotary, slice(q, 0, 20), q, 20);
    const double difference = max(abs(slice(here, 0, 20) - moved)).item();
    const double along = max(abs(slice(slice(here, 0, 5), 1, 5) - slice(slice(here, 0, 0, -5), 1, 0, -5))).item();
    trainer.at_most("rotary: score of (i, j) against that of (i − 5, j − 5)", along, 1e-12);
    trainer.at_most("rotary: queries that come later, at their offset", difference, 1e-12);

    const Alibi alibi(ScaledDotProduct{.scale = 0}, 8);
    const Variable heads(expand(q.value(), {1, 8, length, size}));
    const Tensor bias = select(scores_of(alibi, heads, heads), 0, 0);
    const double ratio = bias.at({1, 0, 9}) / bias.at({0, 0, 9});
    trainer.at_most("ALiBi: |½ − slope of head 2 in that of head 1|", std::abs(ratio - 0.5), 1e-12);

    const Tensor dots = matmul(table, transpose(table));
    trainer.picture(
        "similarity", [&] { return similarity(dots); }, "How alike positions are", positions::about_similarity(dots));
    const Variable k(expand(normal({1, size}, generator, 0, 1, DType::f64), {length, size}));
    const Variable one(ones({length, size}, DType::f64));
    const Tensor another = scores_of(rotary, q, k), of_ones = scores_of(rotary, one, one);
    const double off_similarity = max(abs(of_ones - dots * (2 / std::sqrt(size)))).item();
    trainer.picture(
        "rotary", [&] { return rotary_figure(here, another); }, "Rotary positions",
        positions::about_rotary(here, another, off_similarity));
    trainer.picture(
        "alibi", [&] { return alibi_figure(bias); }, "Linear biases", positions::about_alibi(bias));
  });
}
