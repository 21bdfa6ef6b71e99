#include "examples/book/figures.h"
#include "nn/all.h"

#include <fmt/format.h>

#include <numeric>

namespace regard::book {
namespace {

// How many scores a head computes to write n words.
plot::Figure cache() {
  std::vector<double> at, again, cached;
  for (double n = 1; n <= 4096; n *= 2) {
    at.push_back(n);
    again.push_back(n * (n + 1) * (n + 2) / 6);
    cached.push_back(n * (n + 1) / 2);
  }
  plot::Figure figure({.width = 560, .height = 330});
  figure.axes()
      .line(at, again, {.label = "all again", .color = plot::series_color(1), .width = 2})
      .line(at, cached, {.label = "with a cache", .color = plot::series_color(0), .width = 2})
      .scatter({1000, 1000}, {167167000, 500500}, {.color = plot::ink, .size = 3})
      .note(1000, 167167000, "167 million", plot::Align::end)
      .note(1000, 150000, "0.5 million")
      .title("with a cache 1000 words take a 334th of the scores")
      .x_logarithmic()
      .y_logarithmic()
      .x_label("words written")
      .y_label("scores");
  return figure;
}

// The logarithms of how likely each word is after each other.
Tensor random_table(std::uint64_t seed, std::int64_t words) {
  Generator random(seed);
  return log_softmax(2 * normal({words, words}, random, 0, 1, DType::f64), -1);
}

nn::Writer chain(const Tensor& table) {
  const auto last = std::make_shared<Tensor>();
  return {.read = [=](const Tensor& tokens) { return index_select(table, 0, *last = select(tokens, 1, -1)); },
          .select = [=](const Tensor& texts) { *last = index_select(*last, 0, texts); },
          .vocabulary = table.size(0)};
}

// The largest log-probability of all texts of this length after word 0. best[j] is that of the texts that end in word
// j; one step longer it is the maximum over the last word but one.
double likeliest(const Tensor& table, int length) {
  Tensor best = select(table, 0, 0);
  for (int step = 1; step < length; ++step) best = max(unsqueeze(best, 1) + table, 0);
  return max(best).item();
}

// For each width of the beam.
struct Beams {
  std::vector<double> found, best;  // the means of ln p
  std::vector<std::string> widths;
  std::vector<int> missed;  // in how many tables the likeliest is not found
  // The first width from which on none is missed.
  std::string enough() const {
    std::size_t i = missed.size();
    while (i > 0 && missed[i - 1] == 0) --i;
    return widths.at(i);
  }
};

Beams beams() {
  const int tables = 40, words = 10, length = 8;
  Beams all;
  for (const std::int64_t width : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
    double mean_found = 0, mean_best = 0;
    int missed = 0;
    for (int seed = 1; seed <= tables; ++seed) {
      const Tensor table = random_table(seed, words);
      const double found = nn::beam_search(chain(table), {0}, {.width = width, .tokens = length})[0].log_probability;
      const double best = likeliest(table, length);
      mean_found += found / tables;
      mean_best += best / tables;
      if (found < best - 1e-9) ++missed;
    }
    all.widths.push_back(std::to_string(width));
    all.found.push_back(mean_found);
    all.best.push_back(mean_best);
    all.missed.push_back(missed);
  }
  return all;
}

plot::Figure beam() {
  const Beams all = beams();
  std::vector<double> places(all.widths.size());
  std::iota(places.begin(), places.end(), 0);
  plot::Figure figure({.width = 560, .height = 330});
  figure.axes()
      .line(places, all.best, {.label = "the likeliest of all", .color = plot::series_color(1), .dashed = true})
      .line(places, all.found, {.label = "the best of the beam", .color = plot::series_color(0), .width = 2})
      .scatter(places, all.found, {.color = plot::series_color(0), .size = 3})
      .title(fmt::format("from {} on the beam finds the likeliest", all.enough()))
      .x_tokens(all.widths)
      .x_label("width of the beam")
      .y_label("ln p of the text, mean");
  return figure;
}

std::vector<std::string> beam_says() { return {fmt::format("from a width of {} on", beams().enough())}; }

}  // namespace

std::vector<Picture> figures_14() { return {{"cache.svg", cache}, {"beam.svg", beam, beam_says}}; }

}  // namespace regard::book
