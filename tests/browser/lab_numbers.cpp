// Prints what the functions of the laboratory make: a line for each call, its kind of number first. It is compiled for
// this machine and as WebAssembly, and lab_numbers.js compares the two. Standard input is the model, then its pieces.
#include "examples/lab/functions.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace {

void print(const char* kind, const char* name, int count) {
  if (count < 0) {
    std::printf("error %s %s\n", name, lab_text());
    return;
  }
  std::printf("%s %s", kind, name);
  for (int i = 0; i < count; ++i) std::printf(" %.17g", lab_numbers()[i]);
  std::printf("\n");
}

std::vector<double> last(int count) { return {lab_numbers(), lab_numbers() + count}; }

// Slopes as what they foretell, for a step of ½. By themselves they are small differences of large numbers, which have
// fewer digits: here as there the lengths and gates of llama_heat are 6e-7 of their size beside what f64 makes of them,
// so two such results are as far apart as 1e-6, and neither is at fault.
void print_foretold(const char* name, const std::vector<double>& slopes, const std::vector<double>& now) {
  std::printf("f32 %s", name);
  for (std::size_t i = 0; i < now.size(); ++i) std::printf(" %.17g", now[i] + slopes[i] / 2);
  std::printf("\n");
}

double log_probability(const std::vector<double>& logits, std::size_t token) {
  double sum = 0;
  for (const double one : logits) sum += std::exp(one);
  return logits[token] - std::log(sum);
}

void print_llama() {
  constexpr int size = 1'056'540;  // of stories260K.bin
  std::string files(2'000'000, '\0');
  files.resize(std::fread(files.data(), 1, files.size(), stdin));
  print("f64", "open", llama_open(files.data(), size, files.data() + size, static_cast<int>(files.size()) - size));
  const std::string text = "Tom and Lily went to the park. Lily said to";
  const auto tokens = last(llama_tokens(text.data(), static_cast<int>(text.size())));
  const int n = static_cast<int>(tokens.size());
  std::vector<double> heads(40, 1);
  print("f64", "tokens", llama_tokens(text.data(), static_cast<int>(text.size())));
  print("f32", "look", llama_look(tokens.data(), n, 0, heads.data(), 40));
  const std::vector<double> logits(lab_numbers() + 512 * (n - 1), lab_numbers() + 512 * n);
  llama_hold(4, 2, n - 1, 3, 0.7);
  print("f32", "held", llama_look(tokens.data(), n, 0, heads.data(), 40));
  print("f32", "held_read", llama_read(tokens.data(), n, 0, heads.data(), 40));
  llama_hold(-1, 0, 0, 0, 0);
  auto slopes = last(llama_foretell(tokens.data(), n, 0, heads.data(), 40, 4, 2, n - 1, 3, 300));
  slopes.erase(slopes.begin());  // that of the log probability; now those of all logits
  print_foretold("foretell", slopes, logits);
  slopes = last(llama_heat(tokens.data(), n, 0, heads.data(), 40, 300));
  print_foretold("heat", slopes, std::vector(slopes.size(), log_probability(logits, 300)));
  print("f32", "read", llama_read(tokens.data(), n, 0, heads.data(), 40));
  for (int i = 0; i < 10; ++i) {
    const int token = static_cast<int>(last(llama_draw(0, 1, -1))[0]);
    print("f32", "go_on", llama_go_on(token, 0, heads.data(), 40));
  }
  print("f64", "draw", llama_draw(0.9, 0.8, 7));
  heads[34] = 0;
  print("f32", "cut", llama_read(tokens.data(), n, 1, heads.data(), 40));
}

}  // namespace

int main() {
  const double c = std::sqrt(2.0) * std::log(2.0);
  const double qkv[18] = {-c, -c, c, 0, 0, -c, 1, 0, 0, 1, 1, 1, 0, 12, 6, 0, 6, 12};
  print("f64", "birds", birds(qkv, 18, 0.7, 1));
  print("f64", "birds_step", birds_step(qkv, 18, 1, 0, 0.02));

  const auto points = last(near_points(50, 7));
  print("f64", "near_points", near_points(50, 7));
  print("f64", "near_fit", near_fit(points.data(), 100, 0.3, 2));
  print("f64", "near_learn", near_learn(points.data(), 100, 0.3, 1));
  print("f64", "near_curves", near_curves(points.data(), 100));

  const double given[6] = {0.8, -0.5, 1.2, 4, 2, 0}, digits[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  for (const std::string text : {"w*tanh(q+k)", "-(q-k)^2*w/2", "exp(-abs(i-j))*q*k/sqrt(D)"}) {
    print("f64", text.c_str(), score_graph(text.data(), static_cast<int>(text.size()), given, 6));
    score_race(text.data(), static_cast<int>(text.size()));
    print("f32", "race", score_race_steps(3));
  }
  for (int mistake = 0; mistake < 6; ++mistake) print("f64", "verdicts", wrong_rule_verdicts(mistake));
  wrong_rule(1, 1e-3);
  std::printf("f64 wrong_rule %.17g %.17g %.17g\n", lab_numbers()[0], lab_numbers()[1], lab_numbers()[3]);

  const std::vector<double> heads(8, 1);
  for (int positions = 0; positions < 4; ++positions) {
    grow_begin(0, positions, 1);
    print("f32", "grow", grow_look(digits, 8, heads.data(), 8));
    print("f32", "grow_learn", grow_learn(2));
  }
  print("f32", "fade", fade(100, 1, 3));
  print_llama();
}
