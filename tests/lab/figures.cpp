#include "examples/lab/functions.h"
#include "tensor/io/file.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>

// The functions behind the figures of the laboratory, as the page calls them.

namespace {

std::vector<double> made(int count) {
  INFO(std::string(lab_text(), static_cast<std::size_t>(lab_text_size())));
  REQUIRE(count >= 0);
  return {lab_numbers(), lab_numbers() + count};
}

const double c = std::sqrt(2) * std::log(2);

void open_llama() {
  const std::string model = regard::read_file(REGARD_EXAMPLE_DATA "/stories260K.bin"),
                    pieces = regard::read_file(REGARD_EXAMPLE_DATA "/tok512.bin");
  made(llama_open(model.data(), static_cast<int>(model.size()), pieces.data(), static_cast<int>(pieces.size())));
}

}  // namespace

TEST_CASE("birds love singing begins with the book's numbers", "[lab]") {
  const double qkv[18] = {-c, -c, c, 0, 0, -c, 1, 0, 0, 1, 1, 1, 0, 12, 6, 0, 6, 12};
  const auto all = made(birds(qkv, 18, 1, 1));
  REQUIRE(all.size() == 9 + 9 + 6 + 1 + 6 + 6 + 6 + 9);
  const double weights[] = {1, 0, 0, 2. / 3, 1. / 3, 0, 0.5, 0.25, 0.25}, outputs[] = {0, 12, 2, 8, 3, 9};
  for (std::size_t i = 0; i < 9; ++i) CHECK(all[9 + i] == Approx(weights[i]).margin(1e-12));
  for (std::size_t i = 0; i < 6; ++i) CHECK(all[18 + i] == Approx(outputs[i]).margin(1e-12));
  CHECK(all[24] == Approx(110));
  CHECK(all[27] * std::sqrt(2) == Approx(-80. / 3));  // of q of love
  const auto next = made(birds_step(qkv, 18, 1, 1, 0.02));
  CHECK(made(birds(next.data(), 18, 1, 1))[24] < 110);
}

TEST_CASE("each planted mistake is caught where it is, and only there", "[lab]") {
  CHECK(made(wrong_rule_verdicts(0)) == std::vector<double>{1, 1, 1, 1});
  for (const int mistake : {1, 2, 3, 4}) CHECK(made(wrong_rule_verdicts(mistake)) == std::vector<double>{0, 1, 0, 1});
  CHECK(made(wrong_rule_verdicts(5)) == std::vector<double>{0, 0, 1, 1});
  const auto right = made(wrong_rule(0, 1e-5)), wrong = made(wrong_rule(3, 1e-5));
  CHECK(right[4] < 1e-8);
  CHECK(wrong[4] == Approx(1e-5).epsilon(0.01));
}

TEST_CASE("on its own points a narrow regression makes no error, on others it does", "[lab]") {
  const auto points = made(near_points(50, 7));
  REQUIRE(points.size() == 100);
  const auto fit = made(near_fit(points.data(), 100, 0.01, 3));
  REQUIRE(fit.size() == 1201 + 50 + 1 + 3);
  CHECK(fit[1252] < 0.05);
  CHECK(fit[1254] > 0.3);
  double apart = 0;  // and it is drawn finely enough to be seen going through them
  for (std::size_t i = 0; i < 100; i += 2)
    apart += std::pow(fit[static_cast<std::size_t>(std::round(points[i] / 0.005))] - points[i + 1], 2) / 50;
  CHECK(apart < 0.05);
}

TEST_CASE("a typed dot product passes its check and every law", "[lab]") {
  const std::string text = "q*k/sqrt(D)", positions = "q*k-abs(i-j)";
  made(score_check(text.data(), static_cast<int>(text.size())));
  CHECK(std::string(lab_text()).find("PASS") != std::string::npos);
  CHECK(made(score_laws(text.data(), static_cast<int>(text.size()))) == std::vector<double>(11, 0));
  CHECK(made(score_laws(positions.data(), static_cast<int>(positions.size()))) ==
        std::vector<double>{0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0});
  const double given[] = {3, 5, 1, 4, 0, 0};
  const auto graph = made(score_graph(text.data(), static_cast<int>(text.size()), given, 6));
  CHECK(graph[graph.size() - 4] == 7.5);
  CHECK(graph[1] == 2.5);  // by q: k/2
}

TEST_CASE("the slope of a held weight is that of the truth", "[lab]") {
  open_llama();
  const std::string text = "Tom and Lily went";
  const auto tokens = made(llama_tokens(text.data(), static_cast<int>(text.size())));
  const int n = static_cast<int>(tokens.size());
  const std::vector<double> heads(40, 1);
  const auto look = [&](int layer, double weight) {
    made(llama_hold(layer, 2, n - 1, 3, weight));
    return made(llama_look(tokens.data(), n, 0, heads.data(), 40));
  };
  const auto before = look(-1, 0);
  const double weight = before[static_cast<std::size_t>(512 * n + ((4 * 8 + 2) * n + n - 1) * n + 3)];
  const auto told = made(llama_foretell(tokens.data(), n, 0, heads.data(), 40, 4, 2, n - 1, 3, 300));
  REQUIRE(told.size() == 513);
  const auto after = look(4, weight + 0.01), below = look(4, weight - 0.01);
  const std::size_t last = static_cast<std::size_t>(512 * (n - 1));
  double worst = 0, mean = 0, sum = 0;
  for (std::size_t i = 0; i < 512; ++i) {
    worst = std::max(worst, std::abs((after[last + i] - below[last + i]) / 0.02 - told[1 + i]));
    sum += std::exp(before[last + i]);
    mean += std::exp(before[last + i]) * told[1 + i];
  }
  CHECK(worst < 5e-3);
  CHECK(told[0] == Approx(told[1 + 300] - mean / sum).margin(1e-4));  // one pass back, or one forth
  const auto read = [&] { return made(llama_read(tokens.data(), n, 0, heads.data(), 40)); };
  const auto held = look(4, 0.9), goes_on = read();
  look(-1, 0);
  const auto free = read();
  for (const std::size_t i : {0, 100, 300, 511}) {
    CHECK(goes_on[i] == Approx(held[last + i]).margin(1e-4));
    CHECK(free[i] == Approx(before[last + i]).margin(1e-4));
  }
  CHECK(llama_read(tokens.data(), n, 0, heads.data(), 39) == -1);
  CHECK(std::string(lab_text()) == "head_mask: 39 numbers are given, and there are 5 layers of 8 heads");
}

TEST_CASE("the slope of a head's gate is that of the truth", "[lab]") {
  open_llama();
  const std::vector<double> tokens{1, 300, 400, 310};
  std::vector<double> heads(40, 1);
  const auto log_probability = [&](double gate) {
    heads[26] = gate;
    const auto logits = made(llama_read(tokens.data(), 4, 0, heads.data(), 40));
    double sum = 0;
    for (const double one : logits) sum += std::exp(one);
    return logits[300] - std::log(sum);
  };
  const double slope = (log_probability(1.05) - log_probability(0.95)) / 0.1;
  heads[26] = 1;
  const auto heat = made(llama_heat(tokens.data(), 4, 0, heads.data(), 40, 300));
  REQUIRE(heat.size() == 4 + 40);
  CHECK(heat[4 + 26] == Approx(slope).margin(2e-3));
}

TEST_CASE("reversing is learned", "[lab]") {
  const std::vector<double> heads(8, 1);
  made(grow_begin(0, 1, 1));
  const double before = made(grow_accuracy(heads.data(), 8))[0];
  made(grow_learn(150));
  CHECK(before < 0.2);
  CHECK(made(grow_accuracy(heads.data(), 8))[0] > 0.9);
}

TEST_CASE("attention hands its gradient to old words as to new ones, and an RNN loses it", "[lab]") {
  const auto all = made(fade(300, 1, 3));
  const auto mean = [&](std::size_t begin) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + 149; ++i) sum += all[i];
    return sum / 149;
  };
  CHECK(mean(751) / mean(601) == Approx(1).margin(0.5));
  CHECK(*std::max_element(&all[601], &all[899]) > 10 * *std::min_element(&all[601], &all[899]));  // it looks
  CHECK(all[50] < 1e-6 * all[0]);
}
