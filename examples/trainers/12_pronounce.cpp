// From letters to phonemes: how is a word said that nobody has seen? Two models read the letters in both directions and
// write phonemes. One has to remember the whole word in a single vector; the other looks at all letters again before
// each phoneme (Bahdanau, Cho, Bengio 2014). On long words the difference shows.
#include "examples/trainers/lessons.h"
#include "examples/trainers/pupil.h"
#include "examples/trainers/trainer.h"
#include "nn/attention/scores/additive.h"
#include "nn/optim/schedule.h"

using namespace regard;
using namespace regard::nn;

namespace {

constexpr std::int64_t shortest_drawn = 3, shortest_long = 12, longest_long = 16;
constexpr std::int64_t fewest_drawn = 20;  // words of a length, for a point in the picture

struct Sizes {
  std::int64_t embedding, hidden, batch, held_out;
};

Sizes sizes_of(const Trainer& trainer) {
  if (trainer.quick()) return {.embedding = 32, .hidden = 64, .batch = 64, .held_out = 1000};
  return {.embedding = 64, .hidden = trainer.full() ? 256 : 128, .batch = 128, .held_out = 5000};
}

Seq2SeqOptions options_of(const Dictionary& dictionary, const Sizes& sizes) {
  return {.source_count = dictionary.letters.size(),
          .target_count = dictionary.phonemes.size(),
          .embedding = sizes.embedding,
          .hidden = sizes.hidden,
          .dropout = 0.1};
}

Pupil attending(const Dictionary& dictionary, const Sizes& s, Generator& g) {
  AttentionDecoder decoder(AdditiveScore({.query_size = s.hidden, .key_size = 2 * s.hidden, .hidden = s.hidden}, g),
                           ResetGate::after_product, {.in = s.embedding, .hidden = s.hidden, .memory = 2 * s.hidden},
                           g);
  return {"with attention", std::move(decoder), options_of(dictionary, s), g};
}

Pupil remembering(const Dictionary& dictionary, const Sizes& s, Generator& g) {
  SummaryDecoder decoder(ResetGate::after_product, {.in = s.embedding, .hidden = s.hidden, .memory = 2 * s.hidden}, g);
  return {"with one vector", std::move(decoder), options_of(dictionary, s), g};
}

std::vector<std::string> letters_of(const std::string& word) {
  std::vector<std::string> letters;
  for (const char c : word) letters.emplace_back(1, c);
  return letters;
}

// The word that is looked at while the model learns, with one right way to say it.
void view(Trainer& trainer, const Pupil& pupil, const Dictionary& dictionary, const std::string& spelling) {
  const auto word = std::ranges::find(dictionary.words, spelling, &Word::letters);
  if (word == dictionary.words.end()) return;  // asked for, and not in the dictionary
  const Vocabulary& phonemes = dictionary.phonemes;
  const TeacherForced forced =
      teacher_forcing(pad_right({word->spoken[0]}, phonemes.padding()),
                      {.begin = phonemes.begin(), .end = phonemes.end(), .padding = phonemes.padding()});
  std::vector<std::string> said = phonemes.decode(word->spoken[0]), letters = letters_of(spelling);
  said.emplace_back("∎");
  const PaddedTokens source = pad_right({spelled(dictionary, spelling)}, dictionary.letters.padding());
  trainer.view("pronounce", std::vector<TokenList>{{"said", said}, {"letters", letters}}, pupil.model,
               {.queries = "said", .memory = "letters"}, [=](auto& model) {
                 const Variable logits = model(source.tokens, source.lengths, forced.input).logits;
                 return cross_entropy_loss(logits, forced.target);
               });
}

struct Class {
  Pupil with, without;
};

void teach(Trainer& trainer, Class& pupils, const Dictionary& dictionary, const Lexicon& lexicon, std::int64_t batch) {
  Lessons lessons([&](Generator&) { return lexicon.pairs; }, {.size = batch, .padding = dictionary.letters.padding()},
                  trainer.seed());
  const optim::WarmupCosine schedule{trainer.learning_rate(), trainer.epochs() / 20, trainer.epochs()};
  const Vocabulary& phonemes = dictionary.phonemes;
  const TeacherForcingOptions tokens{.begin = phonemes.begin(), .end = phonemes.end(), .padding = phonemes.padding()};
  trainer.train({{"with", pupils.with.model},
                 {"with.optimizer", pupils.with.optimizer},
                 {"without", pupils.without.model},
                 {"without.optimizer", pupils.without.optimizer}},
                [&](std::int64_t step) {
                  const auto [letters, spoken] = lessons.at(step);
                  const TeacherForced forced = teacher_forcing(spoken, tokens);
                  const double loss = pupils.with.learn(letters, forced, schedule(step));
                  pupils.without.learn(letters, forced, schedule(step));
                  return loss;
                });
}

// The errors of one model in words held out.
struct Report {
  std::string name;
  const std::vector<Word>& words;
  std::vector<Errors> errors;
  Interval all = phoneme_error(errors, 1), in_long = phoneme_error(of_length(shortest_long, longest_long), 1);

  std::vector<Errors> of_length(std::int64_t shortest, std::int64_t longest) const {
    std::vector<Errors> some;
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (std::ssize(words[i].letters) >= shortest && std::ssize(words[i].letters) <= longest)
        some.push_back(errors[i]);
    return some;
  }
};

std::string in_percent(const Interval& share) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", 100 * share.value, 100 * share.low, 100 * share.high);
}

void say(const Trainer& trainer, const Report& report) {
  trainer.say(fmt::format("{:<16} wrong phonemes {}; in words of {} to {} letters {}; whole words right {:.1f} %",
                          report.name, in_percent(report.all), shortest_long, longest_long, in_percent(report.in_long),
                          100 * share_right(report.errors)));
}

void judge(Trainer& trainer, const Report& with, const Report& without) {
  if (trainer.quick()) return trainer.at_most("wrong phonemes, with attention", with.all.value, 0.5);
  const double far = with.in_long.value;
  const std::string words = fmt::format("words of {} to {} letters", shortest_long, longest_long);
  trainer.at_most("wrong phonemes in " + words + ", with attention", far, 0.1);
  trainer.at_least("those without attention, in these", without.in_long.value / std::max(far, 1e-9), 1.5);
}

bool is_right(const Dictionary& dictionary, const std::string& spelling, const Answer& answer) {
  const auto word = std::ranges::find(dictionary.words, spelling, &Word::letters);
  return word != dictionary.words.end() && errors_of(*word, answer.phonemes).wrong == 0;
}

plot::Figure alignments(const std::vector<std::string>& words, const std::vector<Answer>& answers,
                        const Dictionary& dictionary) {
  const int count = static_cast<int>(words.size()), columns = std::min(count, 2);
  plot::Figure figure({.rows = (count + columns - 1) / columns,
                       .columns = columns,
                       .width = 350.0 * columns,
                       .height = 225.0 * ((count + columns - 1) / columns),
                       .shared_colors = true});
  for (int i = 0; i < count; ++i) {
    const auto& [said, looks] = answers[static_cast<std::size_t>(i)];
    const std::string& word = words[static_cast<std::size_t>(i)];
    if (said.empty()) continue;
    const std::string says = word + ": " + join_words(dictionary.phonemes.decode(said), " ");
    const bool right = is_right(dictionary, word, answers[static_cast<std::size_t>(i)]);
    figure.axes(i / columns, i % columns)
        .heatmap(looks, {.title = says + (right ? ", right" : "; right: " + right_way(dictionary, word)),
                         .x = "letters",
                         .y = "phonemes said",
                         .x_tokens = letters_of(word),
                         .y_tokens = dictionary.phonemes.decode(said),
                         .map = plot::Colormap::weights});
  }
  return figure;
}

// Returns what is drawn of the longest words: their letters, and how many of 100 phonemes are wrong.
std::pair<double, double> draw(plot::Axes& axes, const Report& report, const plot::Color& color) {
  std::vector<double> lengths, shares, low, high;
  for (std::int64_t length = shortest_drawn; length <= longest_long; ++length) {
    const std::vector<Errors> errors = report.of_length(length, length);
    if (std::ssize(errors) < fewest_drawn) continue;
    const Interval share = phoneme_error(errors, 1);
    lengths.push_back(static_cast<double>(length));
    shares.push_back(100 * share.value), low.push_back(100 * share.low), high.push_back(100 * share.high);
  }
  axes.band(lengths, low, high, {.color = color, .alpha = 0.2})
      .line(lengths, shares, {.label = report.name, .color = color, .width = 2});
  return {lengths.back(), shares.back()};
}

void show(Trainer& trainer, const Report& with, const Report& without) {
  trainer.picture(
      "by_length",
      [&] {
        plot::Figure figure;
        const auto [letters, wrong] = draw(figure.axes(), with, plot::color_of_attention);
        const double wrong_without = draw(figure.axes(), without, plot::color_of_gru).second;
        figure.axes()
            .title(fmt::format("{} letters: {:.0f} % are wrong with one vector, {:.0f} % with attention", letters,
                               wrong_without, wrong))
            .x_label("letters of the word")
            .y_label("wrong phonemes, %");
        return figure;
      },
      "Wrong phonemes in words that were held out, by their length",
      fmt::format(
          "A vector of one size has to hold words of all sizes. With attention {} are wrong in words of {} to {} "
          "letters, with one vector {}. The bands hold 95 of 100 samples of as many words. Phonemes too many "
          "count as wrong, so it can be more than 100 %. Lengths with fewer than {} words are not drawn.",
          in_percent(with.in_long), shortest_long, longest_long, in_percent(without.in_long), fewest_drawn));
}

// Words whose letters say little of their sounds: the first two that are said right, and the first two that are not.
std::vector<std::string> telling_words(const Pupil& pupil, const Dictionary& dictionary) {
  const std::vector<std::string> all{"phone",  "thought", "knight", "queue", "light",  "photo",
                                     "island", "nation",  "chorus", "when",  "spring", "letter"};
  const std::vector<Answer> answers = pupil.say(dictionary, all);
  std::vector<std::string> chosen;
  for (const bool right : {true, false}) {
    int taken = 0;
    for (std::size_t i = 0; i < all.size() && taken < 2; ++i)
      if (is_right(dictionary, all[i], answers[i]) == right) chosen.push_back(all[i]), ++taken;
  }
  return chosen;
}

// Those, or what was asked for.
void show_words(Trainer& trainer, const Pupil& pupil, const Dictionary& dictionary,
                const std::vector<std::string>& asked) {
  const std::vector<std::string> words = asked.empty() ? telling_words(pupil, dictionary) : asked;
  const std::vector<Answer> answers = pupil.say(dictionary, words);
  for (std::size_t i = 0; i < words.size(); ++i)
    trainer.say(fmt::format("{}: {}", words[i], join_words(dictionary.phonemes.decode(answers[i].phonemes), " ")));
  trainer.picture(
      "alignments", [&] { return alignments(words, answers, dictionary); },
      "Which letters the model looks at before it writes a phoneme",
      "Each row is a phoneme that it says, each column a letter; a row sums to 1. The viewer shows one word while it "
      "is "
      "given the right phonemes so far.");
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("pronounce", "Letters to phonemes: a recurrent model with attention, and one without",
                  {.epochs = 4000,
                   .quick_epochs = 300,
                   .learning_rate = 3e-3,
                   .full_epochs = 16000,
                   .full = "Models twice as wide, and four times the steps",
                   .unit = "step"});
  std::vector<std::string> asked;
  trainer.options().words("--word", asked, "Words to pronounce, such as phone knight: with --load, those you like");
  return trainer.main(argc, argv, [&] {
    for (std::string& word : asked) word = checked_word(word);
    const Sizes sizes = sizes_of(trainer);
    const Dictionary dictionary = read_dictionary(example_data("cmudict.dict"));
    const Lexicon lexicon = hold_out(dictionary, sizes.held_out);
    trainer.say(fmt::format("{} words; {} pairs to learn from; {} words held out", dictionary.words.size(),
                            lexicon.pairs[0].size(), lexicon.unseen.size()));
    Generator generator(trainer.seed());
    Class pupils{attending(dictionary, sizes, generator), remembering(dictionary, sizes, generator)};
    trainer.say(fmt::format("{} parameters with attention, {} with one vector", parameter_count(pupils.with.model),
                            parameter_count(pupils.without.model)));

    view(trainer, pupils.with, dictionary, asked.empty() ? "thought" : asked[0]);
    teach(trainer, pupils, dictionary, lexicon, sizes.batch);
    show_words(trainer, pupils.with, dictionary, asked);
    trainer.open_viewer("pronounce",
                        {"Before each phoneme, on the left, the model looks at the letters, on the right. It "
                         "is given the right phonemes so far, so what stands on the left is right, and not "
                         "what the model would say by itself. See how much weight the letters get that are not "
                         "heard.",
                         "", -1, 1});
    const auto report = [&](const auto& pupil) {
      return Report{pupil.name, lexicon.unseen, pupil.examine(dictionary, lexicon.unseen)};
    };
    const Report with = report(pupils.with), without = report(pupils.without);
    say(trainer, with);
    say(trainer, without);
    judge(trainer, with, without);
    show(trainer, with, without);
  });
}
