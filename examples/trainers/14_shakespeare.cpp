// A model that writes: a small GPT reads Shakespeare, one character at a time, and learns what may come next. Beside it
// stand models that only count what came next before. They are harder to beat than one may think.
#include "examples/published/published.h"
#include "examples/trainers/corpus.h"
#include "examples/trainers/descend.h"
#include "examples/trainers/heads.h"
#include "examples/trainers/ngram.h"
#include "examples/trainers/trainer.h"
#include "examples/trainers/writing_pictures.h"
#include "nn/decoding/generate.h"
#include "nn/losses.h"
#include "nn/optim/adam.h"
#include "nn/optim/schedule.h"
#include "tensor/create.h"
#include "tensor/io/file.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

#include <bit>
#include <cstdio>

using namespace regard;
using namespace regard::nn;

namespace {

constexpr int longest_ngram = 6;
constexpr std::int64_t pieces = 512;                      // the vocabulary of byte pairs
const std::string shown_line = "Good morrow, neighbour";  // of the text that the model does not learn from

struct Sizes {
  std::int64_t layers, heads, model, longest, batch;
  double dropout;
};
constexpr Sizes small{4, 4, 64, 64, 12, 0}, usual{4, 4, 128, 64, 12, 0}, large{6, 8, 256, 256, 16, 0.2};

struct Settings {
  std::string tokens = "characters", prompt = "ROMEO:";
  double temperature = 0.8;
  int length = 400;

  bool characters() const { return tokens == "characters"; }
};

Gpt make_model(const Sizes& sizes, std::int64_t vocabulary, Generator& g) {
  return make_gpt({.model = sizes.model,
                   .layers = sizes.layers,
                   .heads = sizes.heads,
                   .vocabulary = vocabulary,
                   .longest = sizes.longest,
                   .dropout = sizes.dropout},
                  g);
}

// Matrices decay towards 0; biases, and the scales of norms, do not.
optim::AdamW make_optimizer(Gpt& model, double learning_rate) {
  std::vector<NamedParameter> matrices, vectors;
  for (const NamedParameter& one : named_parameters(model))
    (one.parameter.rank() > 1 ? matrices : vectors).push_back(one);
  return optim::AdamW({{.parameters = matrices}, {.parameters = vectors, .weight_decay = 0}},
                      {.learning_rate = learning_rate, .beta2 = 0.99, .weight_decay = 0.1});
}

// −log p of each token that comes next, (B, L).
Tensor losses(Gpt& model, const Windows& windows) {
  const NoGrad no_grad;
  eval(model);
  std::vector<Tensor> parts;
  constexpr std::int64_t together = 32;
  for (std::int64_t i = 0; i < windows.read.size(0); i += together) {
    const Tensor read = slice(windows.read, 0, i, i + together), next = slice(windows.next, 0, i, i + together);
    parts.push_back(cross_entropy_loss(model(read), next, {.reduction = Reduction::none}).value());
  }
  train(model);
  return to(cat(parts, 0), DType::f64);
}

// The model, what it learns from, and what it is measured with. Losses are in nats a character, whatever the tokens
// are.
class Pupil {
 public:
  Pupil(const Corpus& corpus, Spelling spelling, const Trainer& trainer)
      : spelling_(std::move(spelling)),
        sizes_(trainer.quick()  ? small
               : trainer.full() ? large
                                : usual),
        to_learn_(token_tensor(spelling_.encode(corpus.to_learn()))),
        to_test_(all_windows(token_tensor(spelling_.encode(corpus.to_test())), sizes_.longest)),
        generator_(trainer.seed()),
        model_(make_model(sizes_, spelling_.size(), generator_)),
        optimizer_(make_optimizer(model_, trainer.learning_rate())) {}

  Gpt& model() { return model_; }
  const Spelling& spelling() const { return spelling_; }
  const Curves& curves() const { return curves_; }

  void learn(Trainer& trainer) {
    const std::int64_t steps = trainer.epochs();
    const double rate = trainer.learning_rate();
    const optim::WarmupCosine schedule{rate, std::min<std::int64_t>(100, steps / 10), steps, rate / 10};
    const std::int64_t often = std::max<std::int64_t>(1, steps / 200), seldom = 10 * often;
    const Tensor line = token_tensor(spelling_.encode(shown_line));
    std::vector<std::string> words;
    for (const double token : to_vector(line)) words.push_back(spelling_.text_of(static_cast<std::int64_t>(token)));
    trainer.view("shakespeare", words, model_, {}, [read = unsqueeze(line, 0)](Gpt& model) {
      return cross_entropy_loss(slice(model(read), 1, 0, -1), slice(read, 1, 1));
    });
    const Windows some{slice(to_test_.read, 0, 0, to_end, 8), slice(to_test_.next, 0, 0, to_end, 8)};
    trainer.measures({{"steps", curves_.steps}, {"learned", curves_.learned}});
    trainer.measures({{"tested_at", curves_.tested_at}, {"tested", curves_.tested}});
    trainer.train({{"data", generator_}, {"model", model_}, {"optimizer", optimizer_}}, [&](std::int64_t step) {
      const auto now = static_cast<double>(step + 1);
      const double loss =
          step_with(random_windows(to_learn_, sizes_.batch, sizes_.longest, generator_), schedule(step));
      if (step % often == 0) curves_.steps.push_back(now), curves_.learned.push_back(loss);
      if ((step + 1) % seldom == 0 || (step < seldom && std::has_single_bit(static_cast<std::uint64_t>(step + 1))))
        curves_.tested_at.push_back(now), curves_.tested.push_back(mean_loss(losses(model_, some), some));
      return loss;
    });
  }

  Tensor test_losses() { return losses(model_, to_test_); }  // of each token, (windows, L)
  double test_loss(const Tensor& each) const { return mean_loss(each, to_test_); }

 private:
  double mean_loss(const Tensor& nats, const Windows& windows) const {
    return per_character(nats, windows.next, spelling_);
  }
  double step_with(const Windows& windows, double rate) {
    const double loss = descend(model_, optimizer_, rate, windows.read, [&](const Part& part) {
      return cross_entropy_share(model_(part(windows.read)), part(windows.next));
    });
    return mean_loss(full({}, loss * static_cast<double>(windows.next.numel())), windows);
  }

  Spelling spelling_;
  Sizes sizes_;
  Tensor to_learn_;
  Windows to_test_;
  Generator generator_;
  Gpt model_;
  optim::AdamW optimizer_;
  Curves curves_;
};

// Writes on from the prompt, each token as soon as it is known. When all positions of the model are taken, it reads
// what stands in the second half of them again, as if the text began there, and goes on.
void write(const Gpt& model, const Spelling& spelling, const Settings& settings, std::uint64_t seed) {
  Tokens text = spelling.encode(settings.prompt);
  fmt::print("{}", settings.prompt);
  const std::int64_t longest = model.longest(), end = std::ssize(text) + settings.length;
  for (std::uint64_t part = 0; std::ssize(text) < end; ++part) {
    const std::int64_t known = std::ssize(text) < longest ? std::ssize(text) : longest / 2;
    const std::vector<Tokens> prompts{Tokens(text.end() - known, text.end())};
    GenerateOptions options{.tokens = end - std::ssize(text)};
    if (settings.temperature > 0) {
      options.rules = sampling_rules({.temperature = settings.temperature});
      options.generators = {Generator(seed, part << 32)};
    }
    options.on_token = [&](std::size_t, std::int64_t token) {
      text.push_back(token);
      fmt::print("{}", spelling.text_of(token));
      std::fflush(stdout);
    };
    generate(writer(model), prompts, options);
  }
  fmt::print("\n\n");
  std::fflush(stdout);  // what comes next may go to standard error
}

// How far Σ p(c|h) is from 1, at most, for some contexts of a text.
double error_of_sums(const NgramModels& ngrams, std::string_view text, const Spelling& characters) {
  double worst = 0;
  for (std::size_t place = 0; place < text.size(); place += text.size() / 100) {
    const std::size_t known = std::min(place, static_cast<std::size_t>(ngrams.longest()));
    const std::string_view context = text.substr(place - known, known);
    std::vector<double> sums(static_cast<std::size_t>(ngrams.longest()) + 1);
    for (std::int64_t c = 0; c < characters.size(); ++c) {
      const std::string with_next = std::string(context) + characters.text_of(c);
      const std::vector<double> p = ngrams.probabilities(with_next, context.size());
      for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += p[n];
    }
    for (const double sum : sums) worst = std::max(worst, std::abs(sum - 1));
  }
  return worst;
}

void say_table(const Trainer& trainer, const std::vector<double>& counted, double loss) {
  trainer.say(fmt::format("{:<24}{:>18}{:>8}", "on text never seen", "nats a character", "bits"));
  const auto row = [&](const std::string& name, double nats) {
    trainer.say(fmt::format("{:<24}{:>18.4f}{:>8.3f}", name, nats, nats / std::log(2)));
  };
  for (std::size_t i = 0; i < counted.size(); ++i) row(fmt::format("n-grams, n = {}", i + 1), counted[i]);
  row("GPT", loss);
}

void draw(Trainer& trainer, Pupil& pupil, bool characters, const std::vector<double>& counted, const Tensor& each,
          double loss) {
  const auto end = static_cast<double>(trainer.epochs_done());
  trainer.picture(
      "loss", [&] { return loss_figure(pupil.curves(), counted, end, loss); },
      "The loss while the model learns, and that of models that count",
      fmt::format(
          "At the end the GPT is {}. These look at n − 1 characters, and have counted what came next. The large "
          "dot is the loss on all text never seen, those before it on an eighth.",
          beaten(counted, loss)));
  const Tokens line = pupil.spelling().encode(shown_line);
  const Tensor weights = looks_at(pupil.model(), line);
  const HeadAt before = most_at(weights, Place::before);
  trainer.open_viewer("shakespeare",
                      {"A line that the model never learned from. This head looks most at the character "
                       "right before each; that alone is what a model of pairs of characters knows. "
                       "Move the slider, or train longer, to see heads look further back.",
                       fmt::format("decoder.layers.{}.attention", before.layer), static_cast<int>(before.head)});
  if (trainer.quick()) return;  // it has learned little more than pairs of characters: there is nothing to see
  if (characters)
    trainer.picture(
        "context", [&] { return context_figure(each, counted); }, "The loss by how much of the text is seen",
        about_context(to_vector(mean(each, 0))) +
            " The band is what chance may have moved it by, in 95 of 100 cases. The dots are the n-gram models, which "
            "always see n − 1: one below the curve makes more of as many characters.");
  std::vector<std::string> words;
  for (const std::int64_t token : line) words.push_back(pupil.spelling().text_of(token));
  trainer.picture(
      "heads", [&] { return heads_figure(weights, words); }, "Heads that look at one place, on a line never seen",
      fmt::format("A row is a token that is read; it looks at itself and at those before it. Here {}.",
                  most_on_previous(weights)));
}

void run(Trainer& trainer, const Settings& settings) {
  const Corpus corpus{read_file(example_data("tinyshakespeare.txt"))};
  const Spelling characters = characters_of(corpus);
  Spelling spelling = settings.characters() ? characters : byte_pairs_of(corpus, pieces);
  if (spelling.encode(settings.prompt).empty()) fail<ValueError>("--prompt is empty: it needs a character at least");
  Pupil pupil(corpus, std::move(spelling), trainer);
  pupil.learn(trainer);
  write(pupil.model(), pupil.spelling(), settings, trainer.seed());

  const NgramModels ngrams(corpus.to_learn(), longest_ngram, characters.size());
  const std::vector<double> counted = ngrams.losses(corpus.text, corpus.border());
  const Tensor each = pupil.test_losses();
  const double loss = pupil.test_loss(each);
  say_table(trainer, counted, loss);
  trainer.at_most("nats a character, on text never seen", loss, trainer.quick() ? 2.6 : trainer.full() ? 1.55 : 1.88);
  trainer.at_most("n-grams: distance of a sum of probabilities from 1",
                  error_of_sums(ngrams, corpus.to_test(), characters), 1e-12);
  draw(trainer, pupil, settings.characters(), counted, each, loss);
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("shakespeare", "A small GPT learns to write like Shakespeare, beside models that count",
                  {.epochs = 2000,
                   .quick_epochs = 150,
                   .learning_rate = 1e-3,
                   .full_epochs = 4600,
                   .full = "A larger model that reads 256 characters; it takes long",
                   .unit = "step"});
  Settings settings;
  trainer.options().choice("--tokens", settings.tokens, "What the model reads and writes",
                           {"characters", "byte_pairs"});
  trainer.options().text("--prompt", settings.prompt, "The text that it goes on with when the training is over",
                         "TEXT");
  trainer.options().option("--temperature", settings.temperature, "0: always the likeliest token; 1: as it was learned",
                           0, 10);
  trainer.options().option("--length", settings.length, "How many tokens it writes", 0, 100000);
  return trainer.main(argc, argv, [&] { run(trainer, settings); });
}
