// A recurrent model reads handwritten digits by looking several times. Convolutions make a feature of each place of the
// image: a grid of keys. The reader asks with its state where to look, and reads what it finds there together with what
// it believed so far; then it asks again. After the last look it answers. Beside it learns one that may look only once.
#include "examples/trainers/csv.h"
#include "examples/trainers/descend.h"
#include "examples/trainers/ink.h"
#include "examples/trainers/trainer.h"
#include "nn/all.h"

#include <set>

using namespace regard;
using namespace regard::nn;

namespace {

constexpr std::int64_t side = 8, places = side * side, classes = 10, several = 4;  // looks
constexpr std::int64_t features = 32, state_size = 64, score_size = 32;

struct Reader {
  std::int64_t looks;
  Conv2d window, mix;  // a place sees 3 × 3 pixels: no place sees enough
  LearnedPositions positions;
  AttentionDecoder decoder;
  Variable start;  // (1, state_size): the state that asks for the first look
  Linear out;
  Dropout dropout;

  Reader(std::int64_t count, Generator& g)
      : looks(count),
        window({.in = 1, .out = features, .kernel = 3, .padding = 1}, g),
        mix({.in = features, .out = features, .kernel = 1}, g),
        positions({.count = places, .size = features}, g),
        decoder(AdditiveScore({.query_size = state_size, .key_size = features, .hidden = score_size}, g),
                ResetGate::after_product, {.in = classes, .hidden = state_size, .memory = features}, g),
        start(parameter(normal({1, state_size}, g, 0, 0.1))),
        out({.in = state_size + features, .out = classes}, g),
        dropout(0.2, g) {}
  void visit(Visitor& v) {
    v("window", window);
    v("mix", mix);
    v("positions", positions);
    v("decoder", decoder);
    v("start", start);
    v("out", out);
    v("dropout", dropout);
  }

  struct Result {
    Variable logits;  // (B, looks, 10): what it would answer after each look
    Tensor glimpses;  // (B, looks, 8, 8): the weights of each look
  };
  Result operator()(const Tensor& images) {
    const std::int64_t count = images.size(0);
    const Variable grid = relu(mix(relu(window(Variable(reshape(images, {count, 1, side, side}))))));
    const Variable keys = positions(transpose(flatten(grid, 2)));  // (B, 64, features)
    const auto memory = decoder.remember({.states = keys});
    Variable h = expand(start, {count, state_size});
    Variable belief = full({count, classes}, 1.0 / static_cast<double>(classes));
    std::vector<Variable> logits;
    std::vector<Tensor> glimpses;
    for (std::int64_t look = 0; look < looks; ++look) {
      const DecoderStep step = decoder.step(belief, h, memory, look);
      h = step.h;
      logits.push_back(out(dropout(cat({h, step.context}, -1))));
      belief = softmax(logits.back(), -1);
      glimpses.push_back(step.weights.value());
    }
    return {stack(logits, 1), reshape(stack(glimpses, 1), {count, looks, side, side})};
  }
};

// A reader that learns what to answer after its last look.
struct Pupil {
  Reader reader;
  optim::AdamW optimizer;

  Pupil(std::int64_t looks, Generator& g) : reader(looks, g), optimizer(parameters(reader), {.weight_decay = 0.05}) {}

  double learn(const Tensor& images, const Tensor& labels, double rate) {
    return descend(reader, optimizer, rate, labels, [&](const Part& part) {
      return cross_entropy_share(select(reader(part(images)).logits, 1, -1), part(labels));
    });
  }
};

// What the model says of images, without learning from them.
struct Reading {
  Tensor guesses;        // (B, looks)
  Tensor probabilities;  // (B, looks, 10)
  Tensor glimpses;       // (B, looks, 8, 8)
};
Reading read(Reader& model, const Tensor& images) {
  const NoGrad no_grad;
  eval(model);
  const auto [logits, glimpses] = model(images);
  train(model);
  return {argmax(logits.value(), -1), softmax(logits.value(), -1), glimpses};
}

struct Test {
  Tensor images, labels;
  Reading reading;

  bool is_right(std::int64_t i) const { return reading.guesses.at({i, several - 1}) == labels.at({i}); }
};

// The share of images that are read right after each look.
std::vector<double> accuracies(const Tensor& guesses, const Tensor& labels) {
  return to_vector(mean(to(equal(guesses, unsqueeze(labels, 1)), DType::f64), 0));
}

// How many equal weights have the entropy that those of a look have, as a mean over images.
std::vector<double> spread(const Tensor& glimpses) {
  const Tensor w = flatten(glimpses, 2);  // (B, looks, 64)
  return to_vector(exp(mean(sum(-w * log(maximum(w, full({}, 1e-30))), -1), 0)));
}

// The first so many images that are read right, or wrong, after the last look: each of another digit.
std::vector<std::int64_t> pick(const Test& test, bool right, std::size_t count) {
  std::vector<std::int64_t> picked;
  std::set<double> digits;
  for (std::int64_t i = 0; i < test.labels.numel() && picked.size() < count; ++i)
    if (test.is_right(i) == right && digits.insert(test.labels.at({i})).second) picked.push_back(i);
  return picked;
}

// A column for each of some images: what each look weighs, and over it the image.
plot::Figure glimpses_over(const std::vector<std::int64_t>& chosen, const Test& test, const std::string& title) {
  const int columns = static_cast<int>(chosen.size());
  plot::Figure figure(
      {.rows = several, .columns = columns, .width = 110.0 * columns + 70, .height = 540, .title = title});
  for (int column = 0; column < columns; ++column) {
    const std::int64_t i = chosen[static_cast<std::size_t>(column)];
    const Tensor image = reshape(select(test.images, 0, i), {side, side});
    for (int look = 0; look < several; ++look) {
      const auto guess = static_cast<std::int64_t>(test.reading.guesses.at({i, look}));
      plot::Axes& axes = figure.axes(look, column).bare();
      axes.title(fmt::format("{}{}? {:.0f} %", look == 0 ? fmt::format("a {}: ", test.labels.at({i})) : "", guess,
                             100 * test.reading.probabilities.at({i, look, guess})));
      axes.heatmap(select(select(test.reading.glimpses, 0, i), 0, look),
                   {.map = plot::Colormap::weights, .bar = column + 1 == columns && look == 0});
      draw_ink(axes, image, side, 3.5);
      if (column == 0) axes.y_label(fmt::format("look {}", look + 1));
    }
  }
  return figure;
}

// How the readers came to what they can do: shares of images never seen that are read right, epoch by epoch.
struct Curves {
  std::vector<double> epochs, once;
  std::vector<std::vector<double>> after_look = std::vector<std::vector<double>>(several);

  plot::Figure figure(const std::string& title) const {
    plot::Figure figure({.width = 580, .height = 360});
    plot::Axes& axes = figure.axes().x_label("epoch").y_label("share of images never seen that are misread");
    const auto draw = [&](const std::vector<double>& right, const plot::Style& style) {
      axes.line(epochs, 1 - tensor(right, {std::ssize(right)}, DType::f64), style);
    };
    for (std::size_t look = 0; look < after_look.size(); ++look)  // the later, the darker
      draw(after_look[look], {.label = fmt::format("after look {} of {}", look + 1, several),
                              .color = plot::color_of_attention,
                              .width = 2,
                              .alpha = static_cast<double>(look + 1) / several});
    draw(once, {.label = "one that may look once", .color = plot::series_color(1), .width = 2});
    axes.title(title).y_logarithmic();
    return figure;
  }
};

void judge(Trainer& trainer, const Test& test, double once) {
  const std::vector<double> right = accuracies(test.reading.guesses, test.labels);
  const std::vector<double> wide = spread(test.reading.glimpses);
  for (std::size_t look = 0; look < right.size(); ++look)
    trainer.say(
        fmt::format("after look {}: accuracy {:.4f} on images never seen; weights as spread as {:.1f} equal ones",
                    look + 1, right[look], wide[look]));
  trainer.say(fmt::format("a reader that may look once, trained in the same way: accuracy {:.4f}", once));
  trainer.at_least("accuracy on images never seen, after the last look", right.back(), trainer.quick() ? 0.85 : 0.95);
  trainer.at_least("that, less what it would answer after one look", right.back() - right.front(), 0.01);
  trainer.at_least("accuracy of the reader that may look once", once, trainer.quick() ? 0.85 : 0.95);
}

// Are several looks worth their cost? A difference of two shares of n images has a deviation of √(2·p·(1 − p)/n); one
// of less than two of these may be luck.
std::string compared(double several_looks, double once, std::int64_t images) {
  const double p = (several_looks + once) / 2, luck = 2 * std::sqrt(2 * p * (1 - p) / static_cast<double>(images));
  const char* verdict = several_looks > once + luck   ? "the looks are worth their cost"
                        : several_looks < once - luck ? "one look, learned for, is better"
                                                      : "the difference may be luck";
  return fmt::format("{:.1f} % right with {} looks, {:.1f} % with one: {}", 100 * several_looks, several, 100 * once,
                     verdict);
}

void draw(Trainer& trainer, const Test& test, const Curves& curves, double once) {
  const std::vector<double> right = accuracies(test.reading.guesses, test.labels);
  const std::vector<double> wide = spread(test.reading.glimpses);
  std::vector<std::int64_t> chosen = pick(test, true, 3);
  const std::vector<std::int64_t> misread = pick(test, false, 3);
  chosen.insert(chosen.end(), misread.begin(), misread.end());
  const std::string title = fmt::format("{:.1f} % are read right after the first look, {:.1f} % after the last",
                                        100 * right.front(), 100 * right.back());
  trainer.picture(
      "glimpses", [&] { return glimpses_over(chosen, test, title); }, "What the reader looks at before it answers",
      fmt::format("Images never seen, drawn as dots; {} of them are misread. The redder a place, the more the look "
                  "weighs it. Above each look is the answer that the reader would give after it, and how sure it is.",
                  misread.size()));
  trainer.picture(
      "learning", [&] { return curves.figure(compared(right.back(), once, test.labels.numel())); },
      "Mistakes after each look, while training",
      "Only the answer after the last look is learned from. What the reader would say earlier is read off it. One that "
      "may look once is a reader of its own, which learns to answer after a single look.");
}

// One image while the reader learns. A place of the image is a key, and each look is a step.
void view(Trainer& trainer, const Reader& reader, const Tensor& image, const Tensor& label) {
  std::vector<std::string> looks, keys;
  for (std::int64_t look = 1; look <= several; ++look) looks.push_back(fmt::format("look {}", look));
  for (std::int64_t i = 0; i < places; ++i)
    keys.push_back(fmt::format("row {}, column {}", i / side + 1, i % side + 1));
  const TokenPicture picture{.pixels = reshape(image, {side, side}), .rows = side, .columns = side};
  trainer.view("image_attention", std::vector<TokenList>{{"looks", looks}, {"places", keys, picture}}, reader,
               {.call = "look", .queries = "looks", .memory = "places"},
               [=](Reader& model) { return cross_entropy_loss(select(model(image).logits, 1, -1), label); });
}

void run(Trainer& trainer) {
  Generator generator(trainer.seed());
  const Tensor table = read_csv("digits.csv");
  const std::array data{slice(table, 1, 0, places) / 16.0, to(select(table, 1, places), DType::i64)};
  const auto parts = train_test_split(data, {.test = 0.2}, generator);
  const auto &known = parts.train, &unseen = parts.test;
  const BatchOptions by{.size = 32};
  Pupil pupil(several, generator), single(1, generator);
  const std::int64_t steps = trainer.epochs() * batches(known, {.size = by.size, .shuffle = false}, generator).count();
  const optim::WarmupCosine schedule{trainer.learning_rate(), steps / 20, steps};

  view(trainer, pupil.reader, slice(unseen[0], 0, 0, 1), slice(unseen[1], 0, 0, 1));
  Curves curves;
  trainer.measures({{"epochs", curves.epochs}, {"once", curves.once}});
  for (std::vector<double>& after : curves.after_look)
    trainer.measures({{fmt::format("after_look.{}", &after - curves.after_look.data()), after}});
  trainer.train({{"model", pupil.reader},
                 {"optimizer", pupil.optimizer},
                 {"single.model", single.reader},
                 {"single.optimizer", single.optimizer},
                 {"data", generator}},
                [&](std::int64_t epoch) {
                  double loss_sum = 0;
                  for (const auto& [images, labels] : batches(known, by, generator)) {
                    const double rate = schedule(pupil.optimizer.steps());
                    single.learn(images, labels, rate);
                    loss_sum += pupil.learn(images, labels, rate) * static_cast<double>(labels.numel());
                  }
                  curves.epochs.push_back(static_cast<double>(epoch + 1));
                  const std::vector<double> now = accuracies(read(pupil.reader, unseen[0]).guesses, unseen[1]);
                  for (std::size_t look = 0; look < now.size(); ++look) curves.after_look[look].push_back(now[look]);
                  curves.once.push_back(accuracies(read(single.reader, unseen[0]).guesses, unseen[1])[0]);
                  return loss_sum / static_cast<double>(known[1].numel());
                });

  trainer.say(fmt::format("{} parameters, {} images to learn from, {} others", parameter_count(pupil.reader),
                          known[1].numel(), unseen[1].numel()));
  const Test test{unseen[0], unseen[1], read(pupil.reader, unseen[0])};
  const double once = accuracies(read(single.reader, unseen[0]).guesses, unseen[1])[0];
  judge(trainer, test, once);
  trainer.open_viewer("image_attention",
                      {"The reader looks at the image four times; each look is a step of the slider. The "
                       "image on the right is red where this look puts its weight. The first look is "
                       "the same for all images, the later ones depend on what was seen."});
  draw(trainer, test, curves, once);
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("image_attention", "A recurrent reader looks at a digit several times before it answers",
                  {.epochs = 60, .quick_epochs = 15, .learning_rate = 4e-3});
  return trainer.main(argc, argv, [&] { run(trainer); });
}
