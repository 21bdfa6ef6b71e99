// A small attention model reads handwritten digits. Each image of 8 × 8 pixels is cut into 16 patches of 2 × 2; a patch
// is a token, and one more token collects what is needed to name the digit. Where that token looks is what the model
// looks at.
#include "examples/trainers/csv.h"
#include "examples/trainers/descend.h"
#include "examples/trainers/digits_claims.h"
#include "examples/trainers/ink.h"
#include "examples/trainers/trainer.h"
#include "nn/all.h"

using namespace regard;
using namespace regard::nn;

namespace {

constexpr std::int64_t side = 8, patch = 2, across = side / patch, patches = across * across, classes = 10;
constexpr std::int64_t width = 48, heads = 4, layers = 2;

// (B, 64) pixels → (B, 16, 4): patches row by row.
Tensor cut_into_patches(const Tensor& images) {
  const Tensor split = reshape(images, {images.size(0), across, patch, across, patch});
  return reshape(permute(split, {0, 1, 3, 2, 4}), {images.size(0), patches, patch * patch});
}

// (B, 64) pixels → (B, 4, 4): how much ink is in each patch.
Tensor ink_of(const Tensor& images) { return reshape(sum(cut_into_patches(images), 2), {-1, across, across}); }

struct Reader {
  Linear embed;
  Variable class_token;  // (1, 1, width)
  LearnedPositions positions;
  EncoderStack encoder;
  Linear out;

  explicit Reader(Generator& g)
      : embed({.in = patch * patch, .out = width}, g),
        class_token(parameter(normal({1, 1, width}, g, 0, 0.02))),
        positions({.count = patches + 1, .size = width}, g),
        encoder(ScaledDotProduct{}, encoder_options(), g),
        out({.in = width, .out = classes}, g) {
    assign(positions.table, normal(positions.table.shape(), g, 0, 0.5));  // as large as an embedded patch
  }
  void visit(Visitor& v) {
    v("embed", embed);
    v("class_token", class_token);
    v("positions", positions);
    v("encoder", encoder);
    v("out", out);
  }

  struct Result {
    Variable logits;  // (B, 10)
    Tensor looks;     // (B, H, 4, 4): how the class token looks at the patches, in the last layer …
    Tensor itself;    // (B, H): … and at itself; all together are 1
  };
  Result operator()(const Tensor& images) {
    const std::int64_t count = images.size(0);
    const Variable tokens = embed(Variable(cut_into_patches(images)));
    const Variable x = positions(cat({expand(class_token, {count, 1, width}), tokens}, 1));
    const StackOutput made = encoder(x, {}, {.weights = true});
    const Tensor from_class = select(made.weights.back().self.value(), 2, 0);  // (B, H, 17)
    return {out(select(made.output, 1, 0)), reshape(slice(from_class, 2, 1), {count, heads, across, across}),
            select(from_class, 2, 0)};
  }

 private:
  static StackOptions encoder_options() {
    return {.layers = layers,
            .layer = {
                .model = width, .heads = heads, .hidden = 2 * width, .placement = NormPlacement::pre, .dropout = 0.2}};
  }
};

// The class token, and the patches of an image.
ViewerTokens tokens_of(const Tensor& image) {
  std::vector<std::string> names{"class"};
  for (std::int64_t i = 1; i <= patches; ++i) names.push_back(fmt::format("patch {}", i));
  const TokenPicture picture{.pixels = reshape(image, {side, side}), .rows = across, .columns = across, .first = 1};
  return std::vector<TokenList>{{"", names, picture}};
}

double accuracy_of(const Tensor& guesses, const Tensor& labels) {
  return mean(to(equal(guesses, labels), DType::f64)).item();
}

// Where the class token looks, as a mean of all heads: in the first image of each digit, and the first two that are
// misread.
plot::Figure where_it_looks(const Tensor& images, const Tensor& labels, const Tensor& guesses,
                            const Reader::Result& all) {
  const Tensor looks = mean(all.looks, 1);
  std::vector<std::int64_t> shown(classes, -1), misread;
  for (std::int64_t i = 0; i < labels.numel(); ++i) {
    std::int64_t& first = shown[static_cast<std::size_t>(labels.at({i}))];
    if (guesses.at({i}) != labels.at({i}))
      misread.push_back(i);
    else if (first < 0)
      first = i;
  }
  constexpr int right_columns = 5;
  const int columns = right_columns + (misread.empty() ? 0 : 1);
  if (!misread.empty()) shown.insert(shown.begin() + right_columns, misread[0]);
  if (misread.size() > 1) shown.push_back(misread[1]);

  plot::Figure figure({.rows = 2,
                       .columns = columns,
                       .width = 165.0 * columns + 60,
                       .height = 400,
                       .title = digits::title_of_looks(all.looks, ink_of(images))});
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < columns; ++column) figure.axes(row, column).bare();
  for (std::size_t place = 0; place < shown.size(); ++place) {
    const std::int64_t i = shown[place];
    if (i < 0) continue;  // none of this digit is read right
    const int row = static_cast<int>(place) / columns, column = static_cast<int>(place) % columns;
    const bool right = labels.at({i}) == guesses.at({i});
    const std::string what =
        right ? fmt::format("{}", labels.at({i})) : fmt::format("{} read as {}", labels.at({i}), guesses.at({i}));
    plot::Axes& axes = figure.axes(row, column).title(what);
    axes.heatmap(select(looks, 0, i), {.map = plot::Colormap::weights, .bar = row == 0 && column + 1 == columns});
    draw_ink(axes, reshape(select(images, 0, i), {side, side}), across, 6);
  }
  return figure;
}

// Mistakes only: what is read right would make them invisible, and is written beside the rows.
plot::Figure confusion(const Tensor& guesses, const Tensor& labels) {
  const Tensor counts = matmul(transpose(one_hot(labels, classes)), one_hot(guesses, classes));
  const Tensor mistakes = where(eye(classes), 0, counts);
  std::vector<std::string> names, rows;
  for (std::int64_t i = 0; i < classes; ++i) {
    names.push_back(std::to_string(i));
    rows.push_back(fmt::format("{}: {} of {} right", i, counts.at({i, i}), sum(select(counts, 0, i)).item()));
  }
  return plot::heatmap(mistakes, {.title = digits::title_of_mistakes(guesses, labels),
                                  .x = "read as",
                                  .y = "digit, and how many are right",
                                  .x_tokens = names,
                                  .y_tokens = rows,
                                  .map = plot::Colormap::gray,
                                  .low = 0,
                                  .high = std::max(1.0, max(mistakes).item()),
                                  .values = true,
                                  .bar_label = "how often"});
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("digits", "Reading handwritten digits, and seeing where the model looks",
                  {.epochs = 60, .quick_epochs = 20, .learning_rate = 4e-3});
  return trainer.main(argc, argv, [&] {
    Generator generator(trainer.seed());
    const Tensor table = read_csv("digits.csv");
    const std::array data{slice(table, 1, 0, side * side) / 16.0, to(select(table, 1, side * side), DType::i64)};
    const auto parts = train_test_split(data, {.test = 0.2}, generator);
    const auto &train = parts.train, &test = parts.test;

    Reader model(generator);
    optim::AdamW optimizer(parameters(model), {.weight_decay = 0.3});
    const std::int64_t steps = trainer.epochs() * batches(train, {.size = 32, .shuffle = false}, generator).count();
    const optim::WarmupCosine schedule{trainer.learning_rate(), steps / 20, steps};
    const auto read = [&](const Tensor& images) { return NoGrad(), argmax(model(images).logits.value(), -1); };

    const Tensor first = slice(test[0], 0, 0, 1), its_label = slice(test[1], 0, 0, 1);
    trainer.view("digits", tokens_of(first), model, {},
                 [=](Reader& reader) { return cross_entropy_loss(reader(first).logits, its_label); });
    trainer.train({{"model", model}, {"optimizer", optimizer}, {"data", generator}}, [&](std::int64_t) {
      double loss_sum = 0;
      nn::train(model);
      for (const auto& batch : batches(train, {.size = 32}, generator)) {
        const auto &images = batch[0], &labels = batch[1];
        const double loss = descend(model, optimizer, schedule(optimizer.steps()), labels, [&](const Part& part) {
          return cross_entropy_share(model(part(images)).logits, part(labels), {.label_smoothing = 0.1});
        });
        loss_sum += loss * static_cast<double>(labels.numel()) / static_cast<double>(train[1].numel());
      }
      nn::eval(model);  // for the viewer
      return loss_sum;
    });

    nn::eval(model);
    const Tensor guesses = read(test[0]);
    const double accuracy = accuracy_of(guesses, test[1]);
    trainer.say(fmt::format("{} parameters, {} images to learn from, accuracy {:.4f} on {} others",
                            parameter_count(model), train[1].numel(), accuracy, test[1].numel()));
    trainer.at_least("accuracy on digits never seen", accuracy, 0.96);
    const Reader::Result all = (NoGrad(), model(test[0]));
    trainer.open_viewer("digits", {"The digit is read from the token called class. Its row on the right says how much "
                                   "each patch of 2 × 2 pixels is worth to it. Choose another head above, and compare.",
                                   "encoder.layers.1.attention", 0, 0});
    trainer.picture(
        "where_it_looks", [&] { return where_it_looks(test[0], test[1], guesses, all); },
        "Where the class token looks in an image",
        "The digit, drawn as dots, is read from the class token. The redder a patch, the more weight that token gives "
        "it, as a mean of the heads of the last layer. " +
            digits::about_looks(all.looks, all.itself, ink_of(test[0])));
    trainer.picture(
        "confusion", [&] { return confusion(guesses, test[1]); }, "Which digits are taken for which",
        digits::about_mistakes(guesses, test[1]));
  });
}
