// A Transformer translates number words: "four hundred twenty-one" is read word by word, "vierhunderteinundzwanzig" is
// written letter by letter. What is right is beyond dispute, so every translation can be checked. German says ones
// before tens, so a head of the decoder that looks at what is written next has to look back. With --tsv FILE the same
// model learns from pairs of sentences.
#include "examples/trainers/number_words.h"
#include "examples/trainers/trainer.h"
#include "examples/trainers/translation_exam.h"
#include "nn/losses.h"
#include "nn/optim/schedule.h"
#include "nn/text/teacher_forcing.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>

using namespace regard;
using namespace regard::nn;

namespace {

struct Settings {
  std::string tsv, pieces = "words", say;

  bool numbers() const { return tsv.empty(); }
};

TranslationTask task_of(const Settings& settings, bool quick) {
  if (settings.numbers() && settings.pieces != "words")
    fail<ValueError>("--pieces {}: German number words are written in letters; it is for --tsv", settings.pieces);
  if (settings.numbers()) return number_task(quick ? 999 : largest_named, quick ? 200 : 4000);
  return pair_task(example_data(settings.tsv), {.byte_pairs = settings.pieces == "byte_pairs"});
}

// Sentences are few, and are learned by heart unless that is made hard.
TranslatorOptions options_of(const Settings& settings, bool quick) {
  TranslatorOptions options{.longest = longest_text};
  if (!settings.numbers()) options.dropout = 0.2, options.label_smoothing = 0.1;
  if (quick) options.width = 64;
  return options;
}

void require_translatable(const Language& language, const std::string& text) {
  if (const auto word = language.unknown(text))
    fail<ValueError>("--say: nothing that is learned from has '{}', so it cannot be translated", *word);
  const std::int64_t length = std::ssize(language.encode(text));
  if (length == 0) fail<ValueError>("--say: there is nothing to translate");
  if (length > longest_text)
    fail<ValueError>("--say: the text has {} tokens; those that are learned from have {} at most", length,
                     longest_text);
}

// A text and its translation, looked at while the model learns.
void view(Trainer& trainer, const Translator& translator, const Example& one) {
  const Language &from = translator.source, &to = translator.target;
  const Tokens read = from.encode(one.source), right = to.encode(one.right[0]);
  std::vector<std::string> source, target;
  for (const std::int64_t token : read) source.push_back(from.piece(token));
  for (const std::int64_t token : right) target.push_back(to.piece(token));
  std::vector<std::string> so_far = target;  // what is read when a token is to be written
  so_far.insert(so_far.begin(), "⟨begin⟩");
  target.emplace_back("∎");
  const TeacherForced forced =
      teacher_forcing(pad_right({right}, to.padding), {.begin = to.begin, .end = to.end, .padding = to.padding});
  trainer.view("translate", std::vector<TokenList>{{"written", target}, {"so far", so_far}, {"read", source}},
               translator.model, {.queries = "written", .keys = "so far", .memory = "read"}, [=](auto& model) {
                 const Encoded memory = model.encode(unsqueeze(token_tensor(read), 0));
                 return cross_entropy_loss(model.decode(forced.input, memory), forced.target);
               });
}

void learn(Trainer& trainer, Translator& translator, const TranslationTask& task) {
  Lessons lessons(task.lessons, {.size = 64, .padding = task.source.padding}, trainer.seed());
  const optim::WarmupCosine schedule{trainer.learning_rate(), trainer.epochs() / 10, trainer.epochs()};
  trainer.set_fingerprint(task.fingerprint);
  trainer.train({{"model", translator.model}, {"optimizer", translator.optimizer}},
                [&](std::int64_t step) { return translator.learn(lessons.at(step), schedule(step)); });
}

void say_candidates(const Trainer& trainer, const Translator& translator, const std::string& text) {
  trainer.say(fmt::format("\n{}: what a beam of 4 finds, and the logarithm of its probability", text));
  for (const Hypothesis& one : translator.candidates(text, 4))
    trainer.say(fmt::format("  {:8.3f}  {}", one.log_probability, translator.target.decode(one.tokens)));
}

void say_mistakes(const Trainer& trainer, const Exam& exam, const std::vector<Example>& examples) {
  int shown = 0;
  for (std::size_t i = 0; i < examples.size() && shown < 5; ++i) {
    if (exam.is_right[i]) continue;
    trainer.say(fmt::format("{}\n{}\n  said:  {}\n  right: {}", ++shown == 1 ? "\nsome mistakes" : "",
                            examples[i].source, exam.said[i], join_words(examples[i].right, " | ")));
  }
}

std::vector<std::string> with_end(std::vector<std::string> pieces) {
  pieces.back() = "∎";
  return pieces;
}

// One head of the decoder, large.
plot::Figure head_of(const Translator& translator, const std::string& text, const Crossing& head) {
  const Looks looks = translator.looks(text, translator.translate({text})[0]);
  plot::Figure figure({.width = 1000, .height = 250});
  figure.axes().heatmap(select(select(looks.weights, 0, head.layer), 0, head.head),
                        {.title = head.ones > 0.5 ? "German says the ones before the tens, and looks there first"
                                                  : "where the decoder looks while it writes",
                         .x = "written",
                         .y = "read",
                         .x_tokens = with_end(looks.target),
                         .y_tokens = looks.source,
                         .map = plot::Colormap::weights,
                         .square = false});
  return figure;
}

plot::Figure alignments(const Translator& translator, const std::vector<std::string>& texts) {
  plot::Figure figure({.columns = static_cast<int>(texts.size()), .shared_colors = true});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Looks looks = translator.looks(texts[i], translator.translate({texts[i]})[0]);
    figure.axes(0, static_cast<int>(i))
        .heatmap(mean(select(looks.weights, 0, -1), 0), {.title = texts[i],
                                                         .x_tokens = with_end(looks.target),
                                                         .y_tokens = looks.source,
                                                         .map = plot::Colormap::weights});
  }
  return figure;
}

void show_numbers(Trainer& trainer, const Translator& translator, const Exam& exam, const std::string& asked) {
  trainer.at_least("numbers held out whose name is right, letter by letter", exam.exact, trainer.quick() ? 0.7 : 0.99);
  const Crossing head = clearest_crossing(translator, numbers_that_cross(400, 499));
  const std::string where = fmt::format("Layer {}, head {}", head.layer + 1, head.head + 1);
  trainer.say(
      fmt::format("{} looks back most clearly: {:.2f} of its weight is on the ones where they begin, and then "
                  "{:.2f} on the tens",
                  where, head.ones, head.tens));
  trainer.at_least("weight of that head on the ones, and then on the tens", std::min(head.ones, head.tens),
                   trainer.quick() ? 0.5 : 0.9);
  trainer.open_viewer("translate",
                      {"While the letters on the left are written, the decoder looks at the English words on "
                       "the right; of all heads this one looks back most clearly. German says the ones "
                       "before the tens: where that is learned, the lines cross. Move the slider to see "
                       "when.",
                       fmt::format("decoder.layers.{}.cross", head.layer), static_cast<int>(head.head)});
  trainer.picture(
      "head", [&] { return head_of(translator, asked.empty() ? in_english(421) : asked, head); },
      where + ": where it looks in English while a German letter is written",
      fmt::format(
          "Each column is a letter and sums to 1; ∎ is the end. English has the tens before the ones, German the "
          "ones before the tens. Of all heads this one looks back most clearly: over the names of 421 to 499, {:.0f} % "
          "of its weight is on the ones when their first letter is written, and {:.0f} % on the tens when theirs is.",
          100 * head.ones, 100 * head.tens));
}

// Longer ones, of which there is more to see: those that are right before others.
std::vector<Example> to_be_drawn(const Exam& exam, const std::vector<Example>& examples) {
  std::vector<Example> chosen;
  for (const bool right : {true, false})
    for (std::size_t i = 0; i < examples.size() && chosen.size() < 3; ++i)
      if (exam.is_right[i] == right && words_of(examples[i].source).size() > 3) chosen.push_back(examples[i]);
  return chosen;
}

void show_sentences(Trainer& trainer, const Translator& translator, const Exam& exam, const TranslationTask& task,
                    const std::string& asked) {
  trainer.say(
      fmt::format("BLEU {:.4f}; of the same translations, each taken for that of another text, {:.4f}; {:.1f} % "
                  "are what somebody wrote",
                  exam.bleu, exam.bleu_of_others, 100 * exam.exact));
  trainer.at_least("BLEU of texts held out", exam.bleu, trainer.quick() ? 0.03 : 0.1);
  trainer.at_least("that, less the BLEU of translations of other texts", exam.bleu - exam.bleu_of_others,
                   trainer.quick() ? 0.02 : 0.05);
  std::vector<std::string> texts, sources;
  for (const Example& one : to_be_drawn(exam, task.held_out)) {
    texts.push_back(one.source);
    if (!one.attribution.empty()) sources.push_back(fmt::format("“{}”: {}", one.source, one.attribution));
  }
  if (!asked.empty()) texts = {asked}, sources.clear();
  if (texts.empty()) return;
  trainer.picture(
      "alignments", [&] { return alignments(translator, texts); },
      "Where the decoder looks in a text while it writes the words of its translation",
      fmt::format(
          "A mean over the heads of the last layer; each column is a word that the model writes and sums to 1, ∎ "
          "is the end. {}{}",
          asked.empty() ? "None of these texts was learned from. " : "", join_words(sources, "; ")));
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("translate", "Number words from English to German, or sentences: a Transformer that translates",
                  {.epochs = 2000, .quick_epochs = 400, .learning_rate = 2e-3, .unit = "step"});
  Settings settings;
  trainer.data("--tsv", settings.tsv,
               "Learn from pairs of sentences: a text, a tab and its translation on each line; eng-fra.txt is there",
               "FILE");
  trainer.options().choice("--pieces", settings.pieces, "What the tokens of sentences are", {"words", "byte_pairs"});
  trainer.options().text("--say", settings.say, "A text to translate, such as \"four hundred twenty-one\"", "TEXT");
  return trainer.main(argc, argv, [&] {
    if (!settings.numbers()) trainer.rename("translate_pairs");
    const TranslationTask task = task_of(settings, trainer.quick());
    if (!settings.say.empty()) require_translatable(task.source, settings.say);
    Generator generator(trainer.seed());
    Translator translator(task.source, task.target, options_of(settings, trainer.quick()), generator);
    trainer.say(
        fmt::format("{} parameters; {} texts held out", parameter_count(translator.model), task.held_out.size()));
    if (task.left_out > 0)
      trainer.say(fmt::format("{} pairs left out, which have more than {} words", task.left_out, longest_text));

    const auto shown = std::ranges::find(task.held_out, in_english(421), &Example::source);
    view(trainer, translator, shown == task.held_out.end() ? task.held_out[0] : *shown);
    learn(trainer, translator, task);
    const std::string some = settings.numbers() ? in_english(421) : task.held_out[0].source;
    say_candidates(trainer, translator, settings.say.empty() ? some : settings.say);
    const Exam exam = examine(translator, task.held_out);
    say_mistakes(trainer, exam, task.held_out);
    if (settings.numbers())
      show_numbers(trainer, translator, exam, settings.say);
    else
      show_sentences(trainer, translator, exam, task, settings.say);
  });
}
