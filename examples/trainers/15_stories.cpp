// A published Llama of 260 thousand parameters tells a story. Then it becomes a teacher: a smaller model, which has
// never seen a word of English, reads what the teacher writes. Since the teacher's probabilities are known, so is how
// far the student is from them: a number that would be 0 if both said the same.
#include "autograd/ops/softmax.h"
#include "examples/published/from_checkpoint.h"
#include "examples/published/llama2c.h"
#include "examples/published/sentence_pieces.h"
#include "examples/trainers/descend.h"
#include "examples/trainers/divergence.h"
#include "examples/trainers/heads.h"
#include "examples/trainers/trainer.h"
#include "nn/decoding/generate.h"
#include "nn/losses.h"
#include "nn/optim/adam.h"
#include "nn/optim/schedule.h"
#include "tensor/create.h"

#include <cstdio>

using namespace regard;
using namespace regard::nn;

namespace {

constexpr std::int64_t batch = 32, length = 48;  // of texts that the teacher writes at once, and their tokens

struct Settings {
  std::string prompt;
  double temperature = 0;
  int tokens = 200;
};

struct Storyteller {
  SentencePieces pieces;
  Llama model;
};

Storyteller published() {
  const LlamaCheckpoint file = load_llama2c(example_data("stories260K.bin"));
  return {SentencePieces::load(example_data("tok512.bin"), file.options.vocabulary), llama_from(file)};
}

// Writes a story, each token as soon as it is known.
Tokens tell(const Storyteller& teller, const Settings& settings, std::uint64_t seed) {
  Tokens story{SentencePieces::begin};
  std::ranges::copy(teller.pieces.encode(settings.prompt), std::back_inserter(story));
  fmt::print("{}", teller.pieces.decode(story));
  GenerateOptions options{.tokens = settings.tokens, .end = SentencePieces::begin};
  if (settings.temperature > 0) {
    options.rules = sampling_rules({.temperature = settings.temperature});
    options.generators = {Generator(seed)};
  }
  options.on_token = [&](std::size_t, std::int64_t token) {
    fmt::print("{}", teller.pieces.text_of(token, story.back()));
    std::fflush(stdout);
    story.push_back(token);
  };
  generate(writer(teller.model), {story}, options);
  fmt::print("\n\n");
  std::fflush(stdout);  // what comes next goes to standard error
  return story;
}

// Texts that the teacher writes, (count, length + 1), each beginning with the token that begins a story.
Tensor written_by(const Llama& teacher, std::int64_t count, Generator& g) {
  const std::vector<Tokens> prompts(static_cast<std::size_t>(count), Tokens{SentencePieces::begin});
  GenerateOptions options{.tokens = length};
  for (std::int64_t i = 0; i < count; ++i) options.generators.emplace_back(g.at(g.take(1)).first);
  std::vector<Tensor> rows;
  for (const Tokens& text : generate(writer(teacher), prompts, options))
    rows.push_back(cat({token_tensor({SentencePieces::begin}), token_tensor(text)}, 0));
  return stack(rows, 0);
}

// log of the probability of each token of the vocabulary behind each beginning of some texts (B, L): (B, L, V).
Tensor log_probabilities(Llama& model, const Tensor& texts) {
  const NoGrad no_grad;
  return log_softmax(to(model(texts).value(), DType::f64), -1);
}

// A smaller model of the same kind, with the same tokens, and what it is measured with: texts that it does not learn
// from, and what the teacher says of them.
class Student {
 public:
  Student(Storyteller& teller, const Trainer& trainer)
      : teacher_(teller.model),
        generator_(trainer.seed()),
        model_(make_student(teller.model, generator_)),
        optimizer_(model_, {.learning_rate = trainer.learning_rate(), .weight_decay = 0.01}) {
    Generator held_out(trainer.seed() + 1000);
    unseen_ = slice(written_by(teacher_, 2 * batch, held_out), 1, 0, length);
    said_ = log_probabilities(teacher_, unseen_);
    before_ = distance();
  }

  void learn(Trainer& trainer) {
    const std::int64_t steps = trainer.epochs();
    const optim::WarmupCosine schedule{trainer.learning_rate(), steps / 20, steps};
    trainer.train({{"data", generator_}, {"model", model_}, {"optimizer", optimizer_}}, [&](std::int64_t step) {
      const Tensor texts = written_by(teacher_, batch, generator_);
      return descend(model_, optimizer_, schedule(step), texts, [&](const Part& part) {
        return cross_entropy_share(model_(slice(part(texts), 1, 0, length)), slice(part(texts), 1, 1));
      });
    });
  }

  std::int64_t numbers() { return parameter_count(model_); }
  double distance() { return divergence(said_, log_probabilities(model_, unseen_)); }
  double before() const { return before_; }  // it had learned anything
  double chance() const { return entropy(said_); }

 private:
  static Llama make_student(const Llama& teacher, Generator& g) {
    return make_llama({.model = 48,
                       .hidden = 128,
                       .layers = 2,
                       .heads = 4,
                       .key_value_heads = 4,
                       .vocabulary = teacher.vocabulary(),
                       .longest = teacher.longest(),
                       .layout = RotaryLayout::interleaved},
                      g);
  }

  Llama& teacher_;
  Generator generator_;
  Llama model_;
  optim::AdamW optimizer_;
  Tensor unseen_, said_;
  double before_ = 0;
};

// The beginning of the story, as the teacher reads it.
void view(Trainer& trainer, const Storyteller& teller, const Tokens& story) {
  const Tokens read(story.begin(), story.begin() + std::min<std::int64_t>(std::ssize(story), 100));
  std::vector<std::string> words;
  for (const std::int64_t token : read)
    words.push_back(token == SentencePieces::begin ? "⟨begin⟩" : teller.pieces.piece(token));
  if (words.size() < 2) return;
  trainer.view("stories", words, teller.model, {}, [text = unsqueeze(token_tensor(read), 0)](Llama& model) {
    return cross_entropy_loss(slice(model(text), 1, 0, -1), slice(text, 1, 1));
  });
}

void draw_heads(Trainer& trainer, Storyteller& teller, const Tokens& story) {
  const Tokens shown(story.begin(), story.begin() + std::min<std::int64_t>(std::ssize(story), 14));
  const Tensor weights = looks_at(teller.model, shown);
  std::vector<std::string> words;
  for (const std::int64_t token : shown)
    words.push_back(token == SentencePieces::begin ? "⟨begin⟩" : teller.pieces.piece(token));
  trainer.picture(
      "heads", [&] { return heads_figure(weights, words); }, "Heads that look at one place",
      fmt::format("A row is a token that is read; it looks at itself and at those before it. Of all heads these look "
                  "most at the token before, at the first, or at themselves. Here {}.",
                  most_on_previous(weights)));
  const HeadAt before = most_at(weights, Place::before);
  trainer.open_viewer("stories",
                      {"The published model reads the beginning of its own story. Of all heads this one "
                       "looks most at the token right before each: with it a model knows pairs of tokens. "
                       "Choose other layers and heads, and compare.",
                       fmt::format("decoder.layers.{}.attention", before.layer), static_cast<int>(before.head)});
}

void run(Trainer& trainer, const Settings& settings) {
  Storyteller teller = published();
  const Tokens story = tell(teller, settings, trainer.seed());
  Student student(teller, trainer);
  student.learn(trainer);
  view(trainer, teller, story);

  const double before = student.before(), after = student.distance();
  trainer.say(fmt::format("teacher: {} parameters, entropy {:.4f} nats a token", parameter_count(teller.model),
                          student.chance()));
  trainer.say(
      fmt::format("student: {} parameters, divergence {:.4f} before, {:.4f} after", student.numbers(), before, after));
  trainer.at_most("divergence of the student, in that before training", after / before, trainer.quick() ? 0.5 : 0.2);
  draw_heads(trainer, teller, story);
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("stories", "A published Llama tells a story, and then teaches a smaller one",
                  {.epochs = 3000, .quick_epochs = 100, .learning_rate = 3e-3, .unit = "step"});
  Settings settings;
  trainer.options().text("--prompt", settings.prompt, "How the story begins", "TEXT");
  trainer.options().option("--temperature", settings.temperature, "0: always the likeliest token; 1: as it was learned",
                           0, 10);
  trainer.options().option("--tokens", settings.tokens, "How many tokens the story has at most", 1, 500);
  return trainer.main(argc, argv, [&] { run(trainer, settings); });
}
