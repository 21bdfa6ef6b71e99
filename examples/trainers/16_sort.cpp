// A small GPT sorts six symbols by writing them down again in order. Two of them stand side by side: one that somebody
// else trained and published (minGPT), read from its file; and one of the same sizes that is trained here.
#include "examples/published/from_checkpoint.h"
#include "examples/trainers/descend.h"
#include "examples/trainers/heads.h"
#include "examples/trainers/trainer.h"
#include "nn/decoding/generate.h"
#include "nn/losses.h"
#include "nn/optim/adam.h"
#include "nn/optim/schedule.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/order.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <fmt/ranges.h>

#include <algorithm>

using namespace regard;
using namespace regard::nn;

namespace {

constexpr std::int64_t symbols = 3, given = 6, positions = 2 * given - 1;  // A, B and C; the last answer is not read
constexpr std::int64_t all_inputs = 729;                                   // 3⁶

// All sequences of six symbols, (729, 6): the numbers 0 … 728 in base 3.
Tensor every_input() {
  std::vector<double> digits;
  for (std::int64_t number = 0; number < all_inputs; ++number)
    for (std::int64_t place = 0, power = all_inputs / symbols; place < given; ++place, power /= symbols)
      digits.push_back(static_cast<double>(number / power % symbols));
  return tensor(digits, {all_inputs, given}, DType::i64);
}

// What the model reads: the six symbols, and all sorted ones but the last.
Tensor read_by_model(const Tensor& inputs) { return cat({inputs, slice(sort(inputs, 1), 1, 0, given - 1)}, 1); }

// At place i the model says what comes at i + 1. What it says while it still reads the six symbols does not count.
Share loss_of(Gpt& model, const Tensor& inputs) {
  return cross_entropy_share(slice(model(read_by_model(inputs)), 1, given - 1), sort(inputs, 1));
}

// How many of all 729 sequences the model sorts, when it reads its own answers instead of the right ones.
std::int64_t sorted_by(const Gpt& model, const Tensor& inputs) {
  std::vector<Tokens> prompts;
  for (std::int64_t i = 0; i < inputs.size(0); ++i) {
    const std::vector<double> row = to_vector(select(inputs, 0, i));
    prompts.emplace_back(row.begin(), row.end());
  }
  const std::vector<Tokens> written = generate(writer(model), prompts, {.tokens = given});
  std::int64_t count = 0;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    std::ranges::sort(prompts[i]);
    count += written[i] == prompts[i];
  }
  return count;
}

std::vector<std::string> letters_of(const Tensor& tokens) {
  std::vector<std::string> words;
  for (const double token : to_vector(tokens)) words.emplace_back(1, static_cast<char>('A' + static_cast<int>(token)));
  return words;
}

// What a model says at the places where it should name the sorted symbols of one sequence, (1, 6).
std::string said_by(const Gpt& model, const Tensor& one) {
  const std::vector<double> row = to_vector(one);
  const Tokens answer = generate(writer(model), {Tokens(row.begin(), row.end())}, {.tokens = given})[0];
  return fmt::format("{}", fmt::join(letters_of(token_tensor(answer)), " "));
}

// Of each model the head of the last layer that looks most at the symbol which is to be named, while they read one
// sequence and its answer.
plot::Figure heads_of(const Gpt& theirs, const Gpt& ours, const Tensor& one) {
  const Tensor read = read_by_model(one), answer = sort(one, 1);
  const std::vector<double> tokens = to_vector(read);
  const Tokens text(tokens.begin(), tokens.end());
  const Tensor holds_it = to(equal(transpose(answer), read), DType::f32);  // (6, L): which keys have an answer's symbol
  std::vector<Tensor> shown;
  std::vector<std::string> titles;
  std::vector<double> most;
  for (const auto& [who, model] : {std::pair{"published", &theirs}, {"trained here", &ours}}) {
    const Tensor heads = select(looks_at(*model, text), 0, -1);  // (H, L, L)
    const Tensor shares = mean(sum(slice(heads, 1, given - 1) * holds_it, -1), -1);
    const auto best = static_cast<std::int64_t>(argmax(shares, 0).item());
    shown.push_back(slice(heads, 0, best, best + 1));
    most.push_back(shares.at({best}));
    titles.push_back(fmt::format("{}: head {}, {:.0f} %", who, best + 1, 100 * most.back()));
  }
  std::vector<std::string> rows = letters_of(read);
  const std::vector<std::string> answers = letters_of(answer);
  for (std::size_t i = 0; i < answers.size(); ++i) rows[rows.size() - answers.size() + i] += " → " + answers[i];
  return plot::heatmap_grid(
      without_masked(stack(shown, 1)),
      {.x = "looked at",
       .y = "read → sorted",
       .x_tokens = letters_of(read),
       .y_tokens = rows,
       .map = plot::Colormap::weights,
       .missing = "masked"},
      {.title = more_weight("the symbol to name", most[0], most[1]), .titles = titles, .cell = 220});
}

// The model that is trained here, and its loss at some steps.
struct Own {
  Generator generator;
  Gpt model;
  optim::AdamW optimizer;

  explicit Own(const Trainer& trainer)
      : generator(trainer.seed()),
        model(
            make_gpt({.model = 48, .layers = 3, .heads = 3, .vocabulary = symbols, .longest = positions, .tied = false},
                     generator)),
        optimizer(model, {.learning_rate = trainer.learning_rate(), .weight_decay = 0.1}) {}

  void learn(Trainer& trainer) {
    const Tensor one = tensor({{2, 1, 1, 0, 2, 1}}, DType::i64);  // C B B A C B
    trainer.view("sort", letters_of(read_by_model(one)), model, {}, [one](Gpt& own) {
      const Share all = loss_of(own, one);
      return all.loss / all.count;
    });
    const optim::WarmupCosine schedule{trainer.learning_rate(), trainer.epochs() / 20, trainer.epochs()};
    trainer.train({{"data", generator}, {"model", model}, {"optimizer", optimizer}}, [&](std::int64_t step) {
      const Tensor inputs = randint({64, given}, generator, 0, symbols);
      return descend(model, optimizer, schedule(step), inputs,
                     [&](const Part& part) { return loss_of(model, part(inputs)); });
    });
  }
};

void draw(Trainer& trainer, const Own& own, const Gpt& theirs) {
  const Tensor one = tensor({{2, 1, 1, 0, 2, 1}}, DType::i64);  // C B B A C B
  trainer.picture(
      "heads", [&] { return heads_of(theirs, own.model, one); },
      "Of each model a head of the last layer, on one sequence",
      fmt::format(
          "The published model sorts C B B A C B as {}, the one trained here as {}. A row looks at itself and "
          "to the left; from the sixth on it has to name a sorted symbol. Shown is the head that looks most at keys "
          "with that symbol. Both have the same sizes and the same task, but began with other weights.",
          said_by(theirs, one), said_by(own.model, one)));
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("sort", "A small GPT that sorts: one that was published, and one that is trained here",
                  {.epochs = 1500, .quick_epochs = 400, .learning_rate = 2e-3, .unit = "step"});
  return trainer.main(argc, argv, [&] {
    const Gpt theirs = gpt_from(load_mingpt(example_data("gpt-nano-sort-model.json")));
    Own own(trainer);
    own.learn(trainer);

    const Tensor inputs = every_input();
    const std::int64_t by_theirs = sorted_by(theirs, inputs), by_ours = sorted_by(own.model, inputs);
    trainer.say(fmt::format("published: {} of {} sequences sorted; trained here: {}", by_theirs, all_inputs, by_ours));
    trainer.at_least("sequences that the published model sorts", static_cast<double>(by_theirs), all_inputs);
    trainer.at_least("sequences that the one trained here sorts", static_cast<double>(by_ours), all_inputs);
    draw(trainer, own, theirs);
  });
}
