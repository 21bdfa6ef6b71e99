// Who still knows the first symbol after n others? Seven ways to read a sequence, with about as many parameters, are
// trained on the same task at growing distances: an RNN, a GRU, windows stacked and dilated, attention, the delta
// rule, and a layer of the delta rule with one of attention behind it. Beside their answers stands what explains
// them: how far the symbol is from the answer in the recorded computation, and what a step of the training costs.
#include "examples/trainers/race.h"
#include "examples/trainers/together.h"
#include "examples/trainers/trainer.h"

using namespace regard;
using namespace regard::race;

namespace {

constexpr double chance = 1.0 / static_cast<double>(symbols);
enum Place { rnn, gru, stacked, dilated, attention, delta, hybrid };  // in kinds()

// Milliseconds of a training step while the length grows, and while the width does.
struct Times {
  std::int64_t width = 32, length = 64;  // of the others
  Curves by_length, by_width;
};

Times measure(const std::vector<Kind>& kinds, bool quick) {
  const int repetitions = quick ? 3 : 7;
  Times times;
  times.by_length.x = quick ? std::vector<double>{128, 256, 512} : std::vector<double>{128, 256, 512, 1024};
  times.by_width.x = quick ? std::vector<double>{64, 128, 256} : std::vector<double>{64, 128, 256, 512};
  for (const Kind& kind : kinds) {
    auto& lengths = times.by_length.y.emplace_back();
    for (const double n : times.by_length.x)
      lengths.push_back(step_time(kind, times.width, static_cast<std::int64_t>(n), repetitions));
    auto& widths = times.by_width.y.emplace_back();
    for (const double d : times.by_width.x)
      widths.push_back(step_time(kind, static_cast<std::int64_t>(d), times.length, repetitions));
  }
  return times;
}

// Times go to standard error: they are never the same twice.
void tell(const std::vector<Kind>& kinds, const Times& times) {
  fmt::print(stderr, "processor time of a step as it grows with n and d, fitted\n");
  for (std::size_t i = 0; i < kinds.size(); ++i)
    fmt::print(stderr, "{:<17} n^{:.2f}  d^{:.2f}  a layer costs {}\n", kinds[i].name, times.by_length.exponent_of(i),
               times.by_width.exponent_of(i), kinds[i].cost);
}

void tell(const Trainer& trainer, const Race& race, const Curves& paths) {
  std::string distances;
  for (const std::int64_t n : race.distances) distances += fmt::format("{:>6}", n);
  const std::size_t columns = distances.size();
  trainer.say(fmt::format("{:<17}{:>7}{:>9}  {:<{}}  {:<{}}", "", "", "", "  accuracy at distance n", columns,
                          "  operations to the symbol", columns));
  trainer.say(fmt::format("{:<17}{:>7}{:>9}  {}  {}  a layer costs", "", "width", "numbers", distances, distances));
  const Curves accuracies = race.accuracies();
  for (std::size_t i = 0; i < race.kinds.size(); ++i) {
    std::string line = fmt::format("{:<17}{:>7}{:>9}  ", race.kinds[i].name, race.widths[i],
                                   nn::parameter_count(*race.runs[i * race.distances.size()].racer));
    for (const double share : accuracies.y[i]) line += fmt::format("{:>6.2f}", share);
    line += "  ";
    for (const double length : paths.y[i]) line += fmt::format("{:>6}", length);
    trainer.say(line + "  " + race.kinds[i].cost);
  }
  trainer.say(fmt::format("Guessing is right in {:.3f}. Operations are counted with as many layers as see the symbol.",
                          chance));
}

void judge(Trainer& trainer, const Race& race, const Curves& paths) {
  const double learned = trainer.quick() ? 0.9 : 0.99, guessed = chance + 0.07;  // 5 standard deviations above
  for (const Place sees_all : {attention, delta, hybrid})
    trainer.at_least(race.kinds[sees_all].name + ": accuracy at the worst distance",
                     std::ranges::min(race.accuracies(sees_all, true)), learned);
  trainer.at_least("dilated windows: the same where they see the symbol",
                   std::ranges::min(race.accuracies(dilated, true)), learned);
  for (const Place windows : {stacked, dilated})
    trainer.at_most(race.kinds[windows].name + ": best accuracy where it is not seen",
                    std::ranges::max(race.accuracies(windows, false)), guessed);
  trainer.at_most("RNN: accuracy at the largest distance", race.accuracies(rnn, true).back(), guessed);
  trainer.at_most("windows a layer short that see it nevertheless", race.seen_too_soon(), 0);
  trainer.at_most("attention: longest path, in shortest paths",
                  std::ranges::max(paths.y[attention]) / std::ranges::min(paths.y[attention]), 1);
  for (const Place grows : {rnn, gru, stacked, delta})
    trainer.at_least(race.kinds[grows].name + ": operations for each position more", paths.growth_of(grows), 1);
}

// How many of the curves that are drawn later lie over this one from a number to the next.
int covered(const Curves& curves, std::size_t i, std::size_t at) {
  int count = 0;
  for (std::size_t later = i + 1; later < curves.y.size(); ++later) {
    const auto over = [&](std::size_t place) {
      const double here = curves.y[i][place], there = curves.y[later][place];
      return std::abs(here - there) <= 0.01 * std::max(here, there);
    };
    count += over(at) && over(at + 1);
  }
  return count;
}

// Over the numbers of `curves` at equal intervals. Where others cover a curve it is wider, so that it is seen.
plot::Figure picture_of(const Race& race, const Curves& curves, bool costs) {
  plot::Figure figure({.width = 580, .height = 345});
  std::vector<double> places;
  std::vector<std::string> words;
  for (const double x : curves.x) {
    places.push_back(static_cast<double>(places.size()));
    words.push_back(fmt::format("{}", x));
  }
  for (std::size_t i = 0; i < race.kinds.size(); ++i) {
    const plot::Color color = race.kinds[i].color;
    const std::string label = race.kinds[i].name + (costs ? ": " + race.kinds[i].cost : "");
    figure.axes()
        .line(places, curves.y[i], {.label = label, .color = color, .width = 2})
        .scatter(places, curves.y[i], {.color = color, .size = 3});
    for (std::size_t at = 0; at + 1 < places.size(); ++at)
      if (const int times = covered(curves, i, at); times > 0)
        figure.axes().line({places[at], places[at + 1]}, {curves.y[i][at], curves.y[i][at + 1]},
                           {.color = color, .width = 2 + 3.0 * times});
  }
  figure.axes().x_tokens(words);
  return figure;
}

plot::Figure accuracy_of(const Race& race) {
  const Curves accuracies = race.accuracies();
  plot::Figure figure = picture_of(race, accuracies, false);
  const auto know = std::ranges::count_if(accuracies.y, [](const auto& of) { return of.back() >= 0.9; });
  figure.axes()
      .title(fmt::format("after {} others {} of {} know the symbol", race.distances.back(), know, race.kinds.size()))
      .line({0, static_cast<double>(accuracies.x.size() - 1)}, {chance, chance},
            {.label = "guessing", .color = plot::color_of_bound, .dashed = true})
      .x_label("distance n")
      .y_label("accuracy")
      .y_range(0, 1.05);
  return figure;
}
plot::Figure paths_of(const Race& race, const Curves& paths) {
  plot::Figure figure = picture_of(race, paths, false);
  figure.axes()
      .title(fmt::format("attention is {} operations away, however far the symbol", paths.y[attention].back()))
      .x_label("distance n")
      .y_label("operations back to the symbol")
      .y_logarithmic();
  return figure;
}
plot::Figure time_of(const Race& race, const Times& times) {
  plot::Figure figure = picture_of(race, times.by_length, true);
  const auto growth = [&](Place kind) { return times.by_length.y[kind].back() / times.by_length.y[kind].front(); };
  figure.axes()
      .title(fmt::format("n × {}: attention takes {:.1f} times as long, the RNN {:.1f}",
                         times.by_length.x.back() / times.by_length.x.front(), growth(attention), growth(rnn)))
      .x_label("length n")
      .y_label(fmt::format("milliseconds of a step, d = {}", times.width))
      .y_logarithmic();
  return figure;
}

// The largest distance at which a kind sees the symbol.
std::int64_t reach(const Kind& kind) {
  std::int64_t distance = 1;
  while (kind.sees(distance + 1)) ++distance;
  return distance;
}

// Where the racer with attention looks in one sequence of the shortest distance.
void view(Trainer& trainer, Race& race) {
  const auto run = std::ranges::find_if(race.runs, [](const Run& one) { return one.kind == attention; });
  Generator fresh(trainer.seed(), std::uint64_t{1} << 62);
  const Batch one = draw_batch(1, run->distance, fresh);
  std::vector<std::string> words;
  for (const double token : to_vector(one.tokens))
    words.push_back(fmt::format("{} {}", words.empty() ? "symbol" : "noise", token));
  trainer.view("attention", words, [run, one](nn::Recording& recording, const std::string& step) {
    const NoGrad no_grad;
    const nn::Recorder recorder(recording, *run->racer, {.step = step});
    (*run->racer)(one.tokens);
  });
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("recall_race",
                  "Recurrent networks, windows and attention recall a symbol from further and further away",
                  {.epochs = 600, .quick_epochs = 160, .learning_rate = 3e-3, .unit = "step"});
  return trainer.main(argc, argv, [&] {
    Generator generator(trainer.seed());
    using Distances = std::vector<std::int64_t>;
    Race race(trainer.quick() ? Distances{8, 32, 96} : Distances{4, 8, 16, 32, 64, 128}, generator);
    const optim::WarmupCosine schedule{trainer.learning_rate(), trainer.epochs() / 20, trainer.epochs()};
    view(trainer, race);
    trainer.train(race.state(), [&](std::int64_t step) { return race.learn(step, trainer.seed(), schedule(step)); });
    race.examine(trainer.seed());
    trainer.open_viewer("attention",
                        {"The first token is the symbol that has to be named at the end; all others are noise. "
                         "The last token, which answers, has to look straight back at it. A recurrent network "
                         "would have to carry the symbol through every step.",
                         "", -1, race.runs[0].distance});

    const Curves paths = race.paths();
    tell(trainer, race, paths);
    judge(trainer, race, paths);
    const Times times = measure(race.kinds, trainer.quick());
    if (together().ranks.first()) tell(race.kinds, times);  // to standard error
    trainer.picture(
        "accuracy", [&] { return accuracy_of(race); }, "Recall over distance",
        fmt::format(
            "All were trained for {} steps. Stacked windows see up to a distance of {} and dilated ones up to {}; "
            "beyond, they guess. Where curves lie over each other, the lower one is wider.",
            trainer.epochs_done(), reach(race.kinds[stacked]), reach(race.kinds[dilated])));
    trainer.picture(
        "paths", [&] { return paths_of(race, paths); }, "How far it is from the answer back to the symbol",
        "A recurrent network has to carry the symbol through each step, and its gradient back.");
    trainer.picture(
        "time", [&] { return time_of(race, times); }, "What a step of training takes",
        "Behind each name stands what a layer costs by theory. Attention has a part that grows with n² and a part that "
        "grows with d².");
  });
}
