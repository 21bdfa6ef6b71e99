// Nadaraya–Watson regression: a query looks at all data points and takes the mean of what they say, the nearer the
// more. How near is near? All points alike, a fixed width, a learned one, one for each key, and the same where points
// see themselves.
#include "examples/trainers/trainer.h"
#include "nn/all.h"

using namespace regard;
using namespace regard::nn;

namespace {
struct Estimator {
  std::string name;
  NadarayaWatson<GaussianKernel> regression;
  RegressionTraining training = RegressionTraining::leave_one_out;
  std::optional<optim::SGD> optimizer = {};  // of those that learn
  std::vector<double> losses = {}, held_out = {};

  Tensor weights(const Tensor& at) {  // all of them, which only a picture needs
    NadarayaWatson<GaussianKernel> seen = regression;
    seen.attention.method = Method::composed;
    return NoGrad(), seen(at).weights.value();
  }
  Tensor predict(const Tensor& at) { return NoGrad(), squeeze(regression(at).output.value(), 1); }
  double mse(const Tensor& at, const Tensor& y) { return mean(square(predict(at) - y)).item(); }
  Tensor widths() const { return abs(regression.attention.score.w.value()); }
};

struct Experiment {
  Tensor x, y, test_x, test_y;  // data to learn from, and data that is held out
  Tensor truth;                 // without noise, at test_x; undefined where nobody knows it
  std::vector<Estimator> all = {};
  std::int64_t epoch = 0;           // so many are done
  std::vector<double> epochs = {};  // at which losses were recorded

  double error(Estimator& e) const { return std::sqrt(e.mse(test_x, truth.defined() ? truth : test_y)); }
};
constexpr double width = 20;
// y = 2 sin x + 0.4 sin 3x + 0.6 sin 6x + √x, with noise of deviation ½.
Experiment synthetic(std::int64_t points, Generator generator) {
  const auto curve = [](const Tensor& x) { return 2 * sin(x) + 0.4 * sin(3 * x) + 0.6 * sin(6 * x) + sqrt(x); };
  const Tensor x = sort(uniform({points}, generator, 0, width), 0), test_x = linspace(0, width, points);
  const auto noise = [&] { return normal({points}, generator, 0, 0.5); };
  return {x, curve(x) + noise(), test_x, curve(test_x) + noise(), curve(test_x)};
}

// Two columns of a file, brought to a comparable scale. Every third point is held out.
Experiment from_file(const std::string& file) {
  const Tensor table = read_csv(file);
  if (table.size(1) != 2) fail<ShapeError>("{}: {} columns, but x and y are wanted", file, table.size(1));
  if (table.size(0) < 9 || !(min(var(table, 0)).item() > 0))
    fail<ValueError>("{}: it takes nine points, and neither x nor y all alike", file);
  const Tensor order = argsort(select(table, 1, 0), 0), raw_x = index_select(select(table, 1, 0), 0, order),
               raw_y = index_select(select(table, 1, 1), 0, order);
  const Tensor x = (raw_x - min(raw_x)) * (width / (max(raw_x) - min(raw_x)).item());
  const Tensor y = (raw_y - mean(raw_y)) / std::sqrt(var(raw_y).item());
  const auto third = [](const Tensor& t, int first) { return slice(t, 0, first, to_end, 3); };
  const Tensor training = sort(cat({third(arange(x.numel()), 0), third(arange(x.numel()), 1)}, 0), 0);
  return {index_select(x, 0, training), index_select(y, 0, training), third(x, 2), third(y, 2), {}};
}

plot::Figure fits(Experiment& ex) {
  const std::string title = fmt::format("after {} epochs", ex.epoch);
  plot::Figure figure({.rows = 3, .columns = 2, .width = 900, .height = 860, .title = title});
  const Tensor grid = linspace(0, width, 600);
  std::vector<double> errors;
  for (int i = 0; i < 5; ++i) {
    errors.push_back(ex.error(ex.all[i]));
    plot::Axes& axes = figure.axes(i / 2, i % 2);
    axes.title(fmt::format("{}  {}: error {:.3f}", "abcde"[i], ex.all[i].name, errors.back()));
    axes.scatter(ex.x, ex.y, {.label = "data", .color = plot::hex(0x9a9a9a), .size = 1.5, .alpha = 0.7});
    if (ex.truth.defined()) axes.line(ex.test_x, ex.truth, {.label = "truth", .color = plot::series_color(0)});
    axes.line(grid, ex.all[i].predict(grid), {.label = "fit", .color = plot::series_color(1), .width = 2});
  }
  plot::Axes& axes = figure.axes(2, 1).bars(arange(5, DType::f64), errors, {.color = plot::series_color(2)});
  axes.title(ex.truth.defined() ? "error against the truth" : "error on held-out data")
      .x_tokens({"a", "b", "c", "d", "e"});
  return figure;
}

plot::Figure weights(Experiment& ex) {
  const Tensor some = slice(ex.test_x, 0, 0, std::min<std::int64_t>(ex.test_x.numel(), 125));
  const auto keys = static_cast<std::int64_t>(sum(less_equal(ex.x, max(some))).item());
  std::vector<Tensor> matrices;
  for (int i = 1; i < 5; ++i) matrices.push_back(slice(ex.all[i].weights(some), 1, 0, keys));
  return plot::heatmap_grid(unsqueeze(stack(matrices, 0), 0),
                            {.x = "keys, by x", .y = "queries, by x", .bar_label = "weight"},
                            {.titles = {"before: w = 1", "one w", "w for each key", "leaking"}, .cell = 210});
}

plot::Figure three_queries(Experiment& ex) {
  plot::Figure figure({.rows = 3, .width = 800, .height = 780});
  for (int row = 0; row < 3; ++row) {
    const double at = width * (0.15 + 0.35 * row);
    plot::Axes& axes = figure.axes(row, 0).x_range(0, width).y_label("weight").x_label("x of the keys");
    axes.title(fmt::format("whom the query at x = {} looks at", at));
    for (const int i : {1, 2, 3}) {
      const Tensor all = select(ex.all[i].weights(tensor({at})), 0, 0), small = less(all, max(all) * 1e-3);
      axes.stem(ex.x, masked_fill(all, small, NAN), {.label = ex.all[i].name, .width = 0.8, .size = 1.8, .alpha = 0.7});
    }
  }
  return figure;
}

plot::Figure kernel_shapes(Experiment& ex) {
  const Tensor u = linspace(-2, 2, 401);
  const auto shape = [&](double w) { return exp(-0.5 * square(u * w)); };
  const Tensor one = ex.all[2].widths(), each = sort(ex.all[3].widths(), 0);
  plot::Figure figure;
  plot::Axes& axes = figure.axes().title("kernels exp(−(u·w)²/2)").x_label("distance u").y_label("kernel");
  axes.line(u, shape(1), {.label = "before: w = 1", .dashed = true});
  axes.line(u, shape(one.item()), {.label = fmt::format("one w: {:.2f}", one.item()), .width = 2.4});
  for (const int percent : {10, 50, 90}) {
    const double w = each.at({percent * (each.numel() - 1) / 100});
    axes.line(u, shape(w), {.label = fmt::format("w for each key: {} % are below {:.2f}", percent, w)});
  }
  return figure;
}

plot::Figure losses(Experiment& ex) {
  plot::Figure figure({.columns = 2});
  for (int i = 2; i < 5; ++i) {
    const plot::Style style{.label = ex.all[i].name, .color = plot::series_color(i)};
    figure.axes(0, 0).line(ex.epochs, ex.all[i].losses, style);
    figure.axes(0, 1).line(ex.epochs, ex.all[i].held_out, style);
  }
  figure.axes(0, 0).title("mean squared error in training").x_label("epoch").x_logarithmic();
  figure.axes(0, 1).title("on held-out data").x_label("epoch").x_logarithmic();
  return figure;
}
}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("nw_regression", "Nadaraya–Watson regression: how near is near?",
                  {.epochs = 5000,
                   .quick_epochs = 2000,
                   .learning_rate = 0.5,
                   .full_epochs = 120001,
                   .full = "6000 points to learn from, 6000 to test with, 120001 epochs"});
  std::string file;
  trainer.data("--data", file, "Two columns, x and y, instead of a known curve with noise", "FILE.csv");
  return trainer.main(argc, argv, [&] {
    const bool full = trainer.full();
    if (!file.empty()) trainer.rename("nw_regression_" + std::filesystem::path(file).stem().string());
    Experiment ex = file.empty() ? synthetic(full ? 6000 : 500, Generator(trainer.seed())) : from_file(file);
    const std::int64_t n = ex.x.numel();
    ex.all.push_back({"average pooling", {GaussianKernel::fixed(1e9), ex.x, ex.y}});
    ex.all.push_back({"Gaussian, σ = 1", {GaussianKernel::fixed(1), ex.x, ex.y}});
    ex.all.push_back({"one w, learned", {GaussianKernel::learned(), ex.x, ex.y}});
    ex.all.push_back({"w for each key", {GaussianKernel::per_key(n), ex.x, ex.y}});
    ex.all.push_back(
        {"w for each key, leaking", {GaussianKernel::per_key(n), ex.x, ex.y}, RegressionTraining::leaking});
    for (Estimator& e : ex.all) e.regression.attention.method = Method::fused;
    // Each of n widths gets about an nth of the gradient. The large setting is patient; the others take larger steps.
    std::vector<CheckpointPart> state;
    trainer.measures({{"epochs", ex.epochs}});
    for (int i = 2; i < 5; ++i) {
      const double rate = trainer.learning_rate() * (i == 2 || full ? 1.0 : static_cast<double>(n));
      ex.all[i].optimizer.emplace(parameters(ex.all[i].regression), optim::SGDOptions{.learning_rate = rate});
      state.push_back({fmt::format("estimator.{}", i), ex.all[i].regression});
      state.push_back({fmt::format("optimizer.{}", i), *ex.all[i].optimizer});
      trainer.measures({{fmt::format("losses.{}", i), ex.all[i].losses}});
      trainer.measures({{fmt::format("held_out.{}", i), ex.all[i].held_out}});
    }
    const auto show = [&](const std::string& name, auto draw, const char* caption, const char* notice) {
      trainer.picture(
          name, [&] { return draw(ex); }, caption, notice);
    };
    if (n <= 500) {  // more would be a large file
      std::vector<std::string> points;
      for (const double x : to_vector(ex.x)) points.push_back(fmt::format("x = {:.2f}", x));
      trainer.view("one_w", points, ex.all[2].regression, {}, [](auto& one) { return one.loss(); });
    }
    trainer.train(state, [&](std::int64_t epoch) {
      ex.epoch = epoch;
      if (std::ranges::count(std::array{0, 10, 30, 100, 300, 1000, 5000, 10000, 50000}, epoch))
        trainer.frame("fits", [&] { return fits(ex); });
      const bool record = std::floor(16 * std::log(epoch + 1)) > std::floor(16 * std::log(epoch));  // evenly drawn
      if (record) ex.epochs.push_back(static_cast<double>(epoch + 1));
      double last = 0;
      for (int i = 2; i < 5; ++i) {
        Estimator& e = ex.all[i];
        const Variable loss = e.regression.loss_in_one_pass(e.training);
        e.optimizer->zero_grad();
        loss.backward();
        e.optimizer->step();
        if (i < 4) last = loss.item();
        if (record) e.losses.push_back(loss.item()), e.held_out.push_back(e.mse(ex.test_x, ex.test_y));
      }
      return last;
    });
    for (Estimator& e : ex.all) trainer.say(fmt::format("{:<26} error {:.4f}", e.name, ex.error(e)));
    const double one = ex.error(ex.all[2]), each = ex.error(ex.all[3]);
    trainer.at_most("error of one learned w, in that of the average", one / ex.error(ex.all[0]), 0.9);
    if (ex.truth.defined()) trainer.at_most("error of one learned w against the truth", one, 0.35);
    if (ex.truth.defined()) trainer.at_least("error of a w for each key, in that of one w", each / one, 1.02);
    const double promised = ex.all[4].regression.loss_in_one_pass(RegressionTraining::leaking).item();
    if (!full)  // where one's own part among thousands is small
      trainer.at_least("leaking: new loss, in that of training", ex.all[4].mse(ex.test_x, ex.test_y) / promised, 1.25);
    ex.epoch = trainer.epochs_done();
    show("fits", fits, "How near is near: five answers",
         "Average pooling sees no x. One learned width (c) is enough; one for each key (d, e) bends to the noise.");
    show("weights", weights, "Attention weights of the first queries over the first keys",
         "Each row is a query. Training narrows the diagonal: fewer neighbours, larger weights.");
    show("queries", three_queries, "Three queries, and whom they look at",
         "The learned width picks out a few neighbours; with σ = 1 the query asks a crowd.");
    show("kernels", kernel_shapes, "The shape of the kernels that were learned",
         "One w is one kernel. A w for each key is a whole family: some keys speak far, some only nearby.");
    show("losses", losses, "Losses while training, and on data that is held out",
         "Where points see themselves, the loss in training (left) promises what new data (right) do not keep.");
  });
}
