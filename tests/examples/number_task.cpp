// The numbers that are learned from, and those that are held out.
#include "examples/trainers/number_words.h"
#include "examples/trainers/translation_tasks.h"
#include "tests/catch.h"

#include <algorithm>
#include <set>

namespace regard {

namespace {

// The words of one pass of the lessons, as texts.
std::vector<std::string> texts_of_pass(const TranslationTask& task, std::size_t kind, std::uint64_t seed) {
  Generator generator(seed);
  std::vector<std::string> texts;
  const Language& language = kind == 0 ? task.source : task.target;
  const Lessons::Pairs pairs = task.lessons(generator);
  for (const nn::Tokens& tokens : pairs[kind]) texts.push_back(language.decode(tokens));
  return texts;
}

}  // namespace

TEST_CASE("number task: what is held out is never learned from, and its words are") {
  for (const std::int64_t largest : {std::int64_t{999}, largest_named}) {
    CAPTURE(largest);
    const TranslationTask task = number_task(largest, 200);
    CHECK(task.held_out.size() == 200);
    std::set<std::string> seen, words;
    for (std::uint64_t seed = 0; seed < 3; ++seed)
      for (const std::string& text : texts_of_pass(task, 0, seed)) {
        seen.insert(text);
        for (const std::string& word : words_of(text)) words.insert(word);
      }
    std::set<std::string> below_twenty;
    for (std::int64_t number = 0; number < 20; ++number) below_twenty.insert(in_english(number));
    for (const Example& example : task.held_out) {
      CAPTURE(example.source);
      CHECK_FALSE(seen.contains(task.source.decode(task.source.encode(example.source))));
      CHECK_FALSE(below_twenty.contains(example.source));
      CHECK(std::ranges::all_of(words_of(example.source),
                                [&](const std::string& word) { return word == "-" || words.contains(word); }));
    }
  }
}

TEST_CASE("number task: 421 is held out, and translations are right") {
  const TranslationTask task = number_task(999, 100);
  const auto is_421 = [](const Example& one) { return one.source == "four hundred twenty-one"; };
  const auto found = std::ranges::find_if(task.held_out, is_421);
  REQUIRE(found != task.held_out.end());
  CHECK(found->right == std::vector<std::string>{"vierhunderteinundzwanzig"});
  CHECK(task.target.decode(task.target.encode(found->right[0])) == found->right[0]);
}

TEST_CASE("number task: a pass follows from its generator, and its pairs belong together") {
  const TranslationTask task = number_task(999, 100);
  const std::vector<std::string> english = texts_of_pass(task, 0, 7), german = texts_of_pass(task, 1, 7);
  CHECK(english == texts_of_pass(task, 0, 7));
  CHECK(english != texts_of_pass(task, 0, 8));
  REQUIRE(english.size() == german.size());
  std::set<std::pair<std::string, std::string>> right;
  for (std::int64_t number = 0; number < 1000; ++number)
    right.emplace(task.source.decode(task.source.encode(in_english(number))), in_german(number));
  for (std::size_t i = 0; i < english.size(); ++i) CHECK(right.contains({english[i], german[i]}));
}

TEST_CASE("number task: words that it does not know are named") {
  const TranslationTask task = number_task(999, 100);
  CHECK(task.source.unknown("four hundred twenty-one") == std::nullopt);
  CHECK(task.source.unknown("Four Hundred  twenty one") == std::nullopt);
  CHECK(task.source.unknown("four hundred and one") == "and");
}

}  // namespace regard
