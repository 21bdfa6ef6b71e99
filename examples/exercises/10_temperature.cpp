// 10. Temperature · grade 1 · chapter 02_softmax_and_scores
//
// A model writes: "Early in the morning, birds …". It takes the next word by chance, with softmax of the scores as
// chances. Two words are left: *sing*, with the score ln 8, and *fly*, with the score 0. So *sing* is 8 times as
// likely. That makes dull texts. You want *sing* to be only twice as likely, and may choose the temperature τ, by which
// all scores are divided. Then a friend asks for the opposite, a sharper choice: how likely is *sing* at τ = ½?
//
// Hint: "A difference of scores is a ratio of weights": the ratio is e^(ln 8/τ), which is 8^(1/τ). 8 is 2³.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: type the temperature at which sing is twice as likely as fly, and the weight of sing at τ = ½.
const double temperature = 0;
const double weight_of_sing = 0;

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const Tensor scores = tensor({std::log(8), 0}, DType::f64);
    const auto sing = [&](double tau) { return softmax(scores / tau, 0).at({0}); };
    exercises::expect(temperature > 0, "Type your numbers in place of the zeros. A temperature is above 0.");
    const double ratio = sing(temperature) / (1 - sing(temperature));
    const std::string seen = fmt::format(" (with yours, sing is {:.4g} times as likely as fly)", ratio);
    exercises::expect_typed("the temperature" + seen, temperature, 3,
                            {{1.0 / 3, "Scores are divided by τ. A higher temperature makes the choice less sharp."},
                             {4, "It is not the ratio that is divided by τ, but the score; the ratio is 8^(1/τ)."},
                             {std::log(4), "Look for the τ at which ln 8/τ is ln 2, not for a difference of the two."},
                             {2, "τ = 2 takes the square root of the ratio. Which root of 8 is 2?"}});
    exercises::expect_typed(
        "the weight of sing at τ = ½", weight_of_sing, sing(0.5),
        {{0, "The temperature is right. Type the other number, too."},
         {64, "That is the ratio of the two weights. They have the sum 1."},
         {64.0 / 63, "A weight is at most 1. It is the share in the sum of both powers, 64 + 1."},
         {16.0 / 17, "You have doubled the ratio. It is the score that is doubled: 8² and not 8·2."},
         {8.0 / 9, "That is the weight at τ = 1."},
         {sing(2), "That is the weight at τ = 2. To divide by ½ doubles the score."},
         {1.0 / 65, "That is the weight of fly."}});
  });
}
