// Models that learn to pronounce: alike on any number of threads, and words side by side or alone.
#include "examples/trainers/pupil.h"

#include "examples/trainers/lessons.h"
#include "nn/attention/scores/additive.h"
#include "tensor/io/file.h"
#include "tensor/ops/reduce.h"
#include "tests/catch.h"
#include "tests/tensor/folder.h"
#include "tests/tensor/threads.h"

namespace regard {

namespace {

constexpr std::int64_t size = 32, together = 64;

Dictionary small_dictionary() {
  const Folder folder;
  write_file(folder / "some.dict",
             "bad B AE1 D\nbed B EH1 D\ncab K AE1 B\ndeed D IY1 D\nfed F EH1 D\nface F EY1 S\nfacade F AH0 S AA1 D\n");
  return read_dictionary(folder / "some.dict");
}

nn::Seq2SeqOptions options_of(const Dictionary& dictionary) {
  return {.source_count = dictionary.letters.size(),
          .target_count = dictionary.phonemes.size(),
          .embedding = size,
          .hidden = size};
}

Pupil attending(const Dictionary& dictionary) {
  Generator g(1);
  nn::AttentionDecoder decoder(nn::AdditiveScore({.query_size = size, .key_size = 2 * size, .hidden = size}, g),
                               ResetGate::after_product, {.in = size, .hidden = size, .memory = 2 * size}, g);
  return {"attending", std::move(decoder), options_of(dictionary), g};
}

Pupil remembering(const Dictionary& dictionary) {
  Generator g(1);
  nn::SummaryDecoder decoder(ResetGate::after_product, {.in = size, .hidden = size, .memory = 2 * size}, g);
  return {"remembering", std::move(decoder), options_of(dictionary), g};
}

std::vector<double> learn(Pupil& pupil, const Dictionary& dictionary, int steps) {
  const Lexicon lexicon = hold_out(dictionary, 0);
  Lessons::Pairs pairs;  // again and again, so that there is work for several threads
  for (std::int64_t i = 0; i < together; ++i)
    for (std::size_t kind = 0; kind < 2; ++kind)
      pairs[kind].push_back(lexicon.pairs[kind][static_cast<std::size_t>(i) % lexicon.pairs[kind].size()]);
  Lessons lessons([&](Generator&) { return pairs; }, {.size = together, .padding = dictionary.letters.padding()}, 1);
  const nn::Vocabulary& v = dictionary.phonemes;
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) {
    const auto [letters, phonemes] = lessons.at(step);
    const auto forced = nn::teacher_forcing(phonemes, {.begin = v.begin(), .end = v.end(), .padding = v.padding()});
    losses.push_back(pupil.learn(letters, forced, 1e-2));
  }
  return losses;
}

std::vector<std::string> letters_of(const std::vector<Word>& words) {
  std::vector<std::string> all;
  for (const Word& word : words) all.push_back(word.letters);
  return all;
}

void check_learns(Pupil pupil, const Dictionary& dictionary) {
  CAPTURE(pupil.name);
  const std::vector<double> losses = learn(pupil, dictionary, 60);
  CHECK(losses.back() < 0.1 * losses.front());
  CHECK(share_right(pupil.examine(dictionary, dictionary.words)) == 1);
  const std::vector<Answer> answers = pupil.say(dictionary, letters_of(dictionary.words));
  for (std::size_t i = 0; i < dictionary.words.size(); ++i) {
    CHECK(answers[i].phonemes == dictionary.words[i].spoken[0]);
    CHECK(pupil.say(dictionary, {dictionary.words[i].letters})[0].phonemes == answers[i].phonemes);
  }
}

}  // namespace

TEST_CASE("pupils: both models learn a few words by heart, and say them alone as among others") {
  const Dictionary dictionary = small_dictionary();
  check_learns(attending(dictionary), dictionary);
  check_learns(remembering(dictionary), dictionary);
}

TEST_CASE("pupils: where one looks is a row for each phoneme and a column for each letter") {
  const Dictionary dictionary = small_dictionary();
  auto pupil = attending(dictionary);
  learn(pupil, dictionary, 60);
  const std::vector<Answer> answers = pupil.say(dictionary, {"bad", "facade"});
  CHECK(answers[0].looks.shape() == Shape{3, 3});
  CHECK(answers[1].looks.shape() == Shape{5, 6});
  for (const Answer& answer : answers)
    for (const double whole : to_vector(sum(answer.looks, 1))) CHECK(whole == Approx(1));
  CHECK_FALSE(remembering(dictionary).say(dictionary, {"bad"})[0].looks.defined());
}

TEST_CASE("pupils: learn the same on any number of threads, to the last bit") {
  const Dictionary dictionary = small_dictionary();
  const auto run = [&](int threads) {
    const Threads count(threads);
    auto with = attending(dictionary);
    auto without = remembering(dictionary);
    return std::pair(learn(with, dictionary, 5), learn(without, dictionary, 5));
  };
  const auto one = run(1), two = run(2), three = run(3);
  CHECK(one == two);
  CHECK(one == three);
}

}  // namespace regard
