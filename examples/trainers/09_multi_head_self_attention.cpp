// Multi-head self-attention: two small models rearrange sequences of digits. To reverse is to look at a place; to sort
// is to look at contents. A third model is to reverse without being told where anything stands, and cannot. At the end,
// which heads matter: by the gradient of a mask on them, and by taking them away.
#include "examples/trainers/descend.h"
#include "examples/trainers/rearranging_claims.h"
#include "examples/trainers/trainer.h"
#include "nn/all.h"

#include <array>
#include <cmath>

using namespace regard;
using namespace regard::nn;
using namespace regard::rearranging;

namespace {

constexpr std::int64_t vocabulary = 10, length = 8, model_width = 32, heads = 4, layers = 2;

struct Rearranger {
  Embedding embedding;
  bool with_positions;
  EncoderStack encoder;
  Linear out;

  Rearranger(bool positions, Generator& g)
      : embedding({.count = vocabulary, .size = model_width}, g),
        with_positions(positions),
        encoder(ScaledDotProduct{}, encoder_options(), g),
        out({.in = model_width, .out = vocabulary}, g) {}
  void visit(Visitor& v) {
    v("embedding", embedding);
    v("encoder", encoder);
    v("out", out);
  }

  struct Result {
    Variable logits;              // (B, L, V)
    std::vector<Tensor> weights;  // of each layer (B, H, L, L)
  };
  Result operator()(const Tensor& tokens, const Variable& head_mask = Variable(ones({layers, heads}))) {
    Variable x = embedding(tokens);
    if (with_positions) x = SinusoidalPositions{}(x);
    const StackOutput made = encoder(x, {}, {.weights = true, .head_mask = head_mask});
    Result result{out(made.output), {}};
    for (const LayerWeights& layer : made.weights) result.weights.push_back(layer.self.value());
    return result;
  }

 private:
  static StackOptions encoder_options() {
    return {
        .layers = layers,
        .layer = {.model = model_width, .heads = heads, .hidden = 2 * model_width, .placement = NormPlacement::pre}};
  }
};

Tensor random_tokens(std::int64_t count, Generator& generator) {
  return to(uniform({count, length}, generator, 0, vocabulary), DType::i64);
}
Tensor reversed(const Tensor& tokens) { return contiguous(flip(tokens, 1)); }
Tensor sorted(const Tensor& tokens) { return sort(tokens, 1); }

struct Student {
  std::string name;
  Tensor (*answer)(const Tensor&);
  plot::Color color;  // the same in all pictures
  Rearranger model;
  optim::Adam optimizer;
  std::vector<double> accuracies = {};

  Student(const std::string& student, Tensor (*right)(const Tensor&), plot::Color own, bool positions, Generator& g)
      : name(student), answer(right), color(own), model(positions, g), optimizer(parameters(model)) {}

  double learn(const Tensor& tokens, double rate) {
    const auto share = [&](const Part& part) {
      return cross_entropy_share(model(part(tokens)).logits, answer(part(tokens)));
    };
    return descend(model, optimizer, rate, tokens, share, std::nullopt);
  }
  double accuracy(const Tensor& tokens, const Tensor& head_mask) {
    const NoGrad no_grad;
    const Tensor guess = argmax(model(tokens, head_mask).logits.value(), -1);
    return mean(to(equal(guess, answer(tokens)), DType::f64)).item();
  }
};

std::vector<std::string> digits_of(const Tensor& tokens) {
  std::vector<std::string> words;
  for (const double token : to_vector(tokens)) words.push_back(fmt::format("{}", token));
  return words;
}

// Queries in the order of `down`, keys in that of `across`: of the model that sorts in that of their digits, so that
// sorting is a diagonal; both where equal digits are to be neighbours.
plot::Figure head_weights(Student& student, const Tensor& one, const std::string& title, const Tensor& down,
                          const Tensor& across, const char* x = "looked at, in order") {
  const Rearranger::Result result = student.model(one);
  std::vector<std::string> titles, rows = digits_of(index_select(one, 1, down));
  for (int i = 0; i < layers * heads; ++i) titles.push_back(fmt::format("head {}.{}", i / heads + 1, i % heads + 1));
  const std::vector<std::string> answers = digits_of(index_select(student.answer(one), 1, down));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += " → " + answers[i];
  const Tensor weights = reshape(cat(result.weights, 0), {1, layers * heads, length, length});
  return plot::heatmap_grid(index_select(index_select(weights, 2, down), 3, across),
                            {.x = x,
                             .y = "input → right answer",
                             .x_tokens = digits_of(index_select(one, 1, across)),
                             .y_tokens = rows,
                             .map = plot::Colormap::weights},
                            {.title = title, .titles = titles, .cell = 104});
}

// Weights of a layer, as a mean over its heads and over sequences: (L, L).
Tensor mean_weights(Student& student, const Tensor& tokens, std::size_t layer = layers - 1) {
  const NoGrad no_grad;
  return mean(mean(student.model(tokens).weights[layer], 0), 0);
}
// Of all weight, the part on the mirror image of each place.
double mirrored(Student& student, const Tensor& tokens, std::size_t layer = layers - 1) {
  return sum(mean_weights(student, tokens, layer) * flip(eye(length), 1)).item() / length;
}
plot::Figure places(Student& student, const Tensor& tokens) {
  std::vector<std::string> numbers;
  for (int i = 1; i <= length; ++i) numbers.push_back(fmt::format("{}", i));
  const std::string title = fmt::format("{:.0f} % of the weight is where it belongs", 100 * mirrored(student, tokens));
  return plot::heatmap(mean_weights(student, tokens), {.title = title,
                                                       .x = "place in the sequence",
                                                       .y = "place in the answer",
                                                       .x_tokens = numbers,
                                                       .y_tokens = numbers,
                                                       .map = plot::Colormap::weights});
}

// Two ways to ask how much a head matters: the slope of the loss at its mask, and what happens without it.
Importance importance_of(Student& student, const Tensor& tokens) {
  const auto loss = [&](const Variable& mask) {
    return cross_entropy_loss(student.model(tokens, mask).logits, student.answer(tokens));
  };
  constexpr std::int64_t count = layers * heads;
  const Variable mask = parameter(ones({layers, heads})), whole = loss(mask);
  whole.backward();
  Importance result;
  result.slopes = to_vector(abs(mask.gradient().value()));
  result.whole_loss = whole.item();
  result.whole_accuracy = student.accuracy(tokens, ones({layers, heads}));
  for (int i = 0; i < count; ++i) {
    const Tensor without = reshape(not_equal(arange(count, DType::f32), i), {layers, heads});
    result.losses.push_back((NoGrad(), loss(without)).item());
    result.accuracies.push_back(student.accuracy(tokens, without));
    result.names.push_back(fmt::format("{}.{}", i / heads + 1, i % heads + 1));
  }
  return result;
}

std::size_t most_missed(const Importance& one) {
  return static_cast<std::size_t>(std::ranges::max_element(one.losses) - one.losses.begin());
}
std::size_t steepest(const Importance& one) {
  return static_cast<std::size_t>(std::ranges::max_element(one.slopes) - one.slopes.begin());
}

// A dot for each head: does a slope foretell what happens without it?
plot::Figure importance_figure(const std::vector<Student>& students, const std::vector<Importance>& all) {
  plot::Figure figure({.width = 560, .height = 340});
  plot::Axes& axes = figure.axes().x_label("slope of the loss: |∂L/∂mask| of a head").y_label("loss without it");
  plot::Range slopes;
  for (const Importance& one : all)
    for (const double slope : one.slopes)
      if (slope > 0) slopes.include(slope);
  std::size_t agree = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Importance& one = all[i];
    axes.scatter(one.slopes, one.losses, {.color = students[i].color, .size = 5})
        .line({slopes.low, slopes.high}, {one.whole_loss, one.whole_loss},
              {.label = students[i].name + ", with all", .color = students[i].color, .dashed = true});
    const auto name = [&](std::size_t head, const std::string& what) {
      const bool right = one.slopes[head] > std::sqrt(slopes.low * slopes.high);
      axes.note(one.slopes[head], one.losses[head], fmt::format("head {}: {}", one.names[head], what),
                right ? plot::Align::end : plot::Align::start);
    };
    const bool one_head = most_missed(one) == steepest(one);
    agree += one_head;
    name(most_missed(one), one_head ? "missed most, steepest" : "missed most");
    if (!one_head) name(steepest(one), "steepest");
  }
  axes.title(agree == 0            ? "the head with the steepest slope is not the one missed most"
             : agree == all.size() ? "the head with the steepest slope is the one missed most"
                                   : "in one model the steepest head is the one missed most")
      .x_logarithmic()
      .y_logarithmic();
  return figure;
}

plot::Figure accuracy_figure(const std::vector<Student>& students, const std::vector<double>& epochs, double ceiling) {
  plot::Figure figure({.width = 580, .height = 340});
  plot::Axes& axes = figure.axes();
  for (const Student& s : students) axes.line(epochs, s.accuracies, {.label = s.name, .color = s.color, .width = 2});
  if (!epochs.empty())
    axes.line({0, epochs.back()}, {ceiling, ceiling},
              {.label = "most to expect without positions", .color = plot::color_of_bound, .dashed = true});
  axes.title(fmt::format("without positions {:.3f} is the most to expect", ceiling))
      .x_label("epoch")
      .y_label("share of digits that are right, never seen")
      .y_range(0, 1.01);
  return figure;
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("multi_head_self_attention", "Multi-head self-attention: reversing and sorting",
                  {.epochs = 2000, .quick_epochs = 300, .learning_rate = 5e-3});
  return trainer.main(argc, argv, [&] {
    Generator generator(trainer.seed());
    std::vector<Student> students;
    students.emplace_back("reversing", reversed, plot::series_color(0), true, generator);
    students.emplace_back("sorting", sorted, plot::series_color(1), true, generator);
    students.emplace_back("reversing without positions", reversed, plot::series_color(2), false, generator);
    const Tensor test = random_tokens(200, generator), all = ones({layers, heads});

    const Tensor one = slice(test, 0, 0, 1);
    const std::array<std::string, 3> viewers{"reversing", "sorting", "without_positions"};
    for (const std::size_t i : {0U, 1U, 2U})
      trainer.view(viewers[i], digits_of(one), students[i].model, {}, [one, answer = students[i].answer](auto& model) {
        return cross_entropy_loss(model(one).logits, answer(one));
      });
    std::vector<double> epochs;
    std::vector<NamedMember> state{{"data", generator}};
    trainer.measures({{"epochs", epochs}});
    for (int i = 0; i < 3; ++i) {
      trainer.measures({{fmt::format("accuracies.{}", i), students[i].accuracies}});
      state.push_back({fmt::format("model.{}", i), students[i].model});
      state.push_back({fmt::format("optimizer.{}", i), students[i].optimizer});
    }
    const optim::WarmupCosine schedule{trainer.learning_rate(), trainer.epochs() / 10, trainer.epochs()};
    std::vector<double> shares;  // of the weight that is on the diagonal, at each frame
    trainer.measures({{"shares", shares}});
    constexpr double change = 0.07;  // between two frames
    trainer.train(state, [&](std::int64_t epoch) {
      const double share = mirrored(students[0], test);
      if (shares.empty() || std::abs(share - shares.back()) >= change) {
        shares.push_back(share);
        trainer.frame("diagonal", [&] { return places(students[0], test); });
      }
      const Tensor tokens = random_tokens(64, generator);
      double worst = 0;
      for (Student& student : students) worst = std::max(worst, student.learn(tokens, schedule(epoch)));
      if (epoch == 0 || (epoch + 1) % 10 == 0 || epoch + 1 == trainer.epochs()) {
        epochs.push_back(static_cast<double>(epoch + 1));
        for (Student& student : students) student.accuracies.push_back(student.accuracy(test, all));
      }
      return worst;
    });

    for (Student& s : students)
      trainer.say(fmt::format("{:<28} accuracy {:.4f} on sequences never seen", s.name, s.accuracy(test, all)));
    trainer.at_least("accuracy of reversing", students[0].accuracy(test, all), 0.99);
    trainer.at_least("accuracy of sorting", students[1].accuracy(test, all), 0.99);
    trainer.at_most("accuracy of reversing without positions", students[2].accuracy(test, all), 0.5);
    trainer.picture(
        "diagonal", [&] { return places(students[0], test); }, "A model learns to reverse a sequence",
        fmt::format("Each row is a place of the answer; the stronger a red, the more it looks there, as a mean over "
                    "the heads of the last layer and {} sequences. The first digit of the answer is the last of the "
                    "sequence, and so on: that is the diagonal from the top right to the bottom left. It gets {:.0f} % "
                    "of the weight before training, and {:.0f} % after.",
                    test.size(0), 100 * (shares.empty() ? 0 : shares.front()), 100 * mirrored(students[0], test)));
    const Tensor as_read = arange(length, DType::i64), by_digit = argsort(squeeze(one, 0), 0);
    trainer.picture(
        "heads_reversing",
        [&] {
          const std::string title =
              fmt::format("to reverse: weight on the mirror image {:.0f} % in layer 1, {:.0f} % in layer 2",
                          100 * mirrored(students[0], test, 0), 100 * mirrored(students[0], test, 1));
          return head_weights(students[0], one, title, as_read, as_read, "looked at");
        },
        "All heads of the model that reverses", about_mirror_images(students[0].model(test).weights.back()));
    trainer.picture(
        "heads_sorting",
        [&] {
          return head_weights(students[1], one, title_of_sorting(students[1].model(test).weights, test), as_read,
                              by_digit);
        },
        "All heads of the model that sorts", about_digits_looked_at(students[1].model(test).weights.back(), test));
    trainer.picture(
        "heads_without_positions",
        [&] {
          return head_weights(students[2], one, "without positions equal digits look alike, and are looked at alike",
                              by_digit, by_digit);
        },
        "All heads of the model that is not told positions",
        about_equal_digits(stack(students[2].model(one).weights, 0), squeeze(one, 0)));
    const std::string second = "encoder.layers.1.attention";
    trainer.open_viewer("reversing",
                        {"To reverse, the first place has to look at the last, the second at the last but one, "
                         "and so on. A model that can do it has lines that cross in the middle. Move the "
                         "slider to see how far this one has come.",
                         second, 0});
    trainer.open_viewer("sorting", {"The answer's first digit is the smallest of the sequence, wherever it stands. So "
                                    "places have to look at digits, not at distances. Turn other heads on above, and "
                                    "compare.",
                                    second, 0});
    trainer.open_viewer("without_positions",
                        {"This model is not told where anything stands. Equal digits look at the same keys with the "
                         "same weights: hold one, then the other. So it cannot find the mirror image of a place.",
                         second, 0});
    const double ceiling = ceiling_without_positions(length, vocabulary);
    trainer.picture(
        "accuracy", [&] { return accuracy_figure(students, epochs, ceiling); }, "Accuracy while training",
        about_accuracy(students[2].accuracy(test, all), ceiling));
    const std::vector<Importance> importance{importance_of(students[0], test), importance_of(students[1], test)};
    trainer.picture(
        "importance", [&] { return importance_figure(students, importance); },
        "Which heads matter, taken one at a time",
        "The dashed lines are the models with all their heads. Reversing: " + about_importance(importance[0]) +
            " Sorting: " + about_importance(importance[1]));
  });
}
