// The dictionary of pronunciations, and how wrong a pronunciation is.
#include "examples/trainers/pronunciations.h"

#include "examples/trainers/trainer.h"
#include "tensor/error.h"
#include "tensor/io/file.h"
#include "tests/catch.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace regard {

namespace {

std::vector<std::string> ways(const Dictionary& dictionary, std::size_t word) {
  std::vector<std::string> all;
  for (const nn::Tokens& way : dictionary.words.at(word).spoken)
    all.push_back(join_words(dictionary.phonemes.decode(way), " "));
  return all;
}

nn::Tokens tokens(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("pronunciations: words of letters, each with all its ways, without stress") {
  const Folder folder;
  write_file(folder / "some.dict",
             "'bout B AW1 T\n"
             "read R EH1 D\n"
             "read(2) R IY1 D  # now\n"
             "read(3) R EH2 D\n"
             "a AH0\r\n"
             "naïve N AY2 IY1 V\n"
             "\n");
  const Dictionary dictionary = read_dictionary(folder / "some.dict");
  REQUIRE(dictionary.words.size() == 2);
  CHECK(dictionary.words[0].letters == "a");
  CHECK(ways(dictionary, 0) == std::vector<std::string>{"AH"});
  CHECK(dictionary.words[1].letters == "read");
  CHECK(ways(dictionary, 1) == std::vector<std::string>{"R EH D", "R IY D"});
  CHECK(dictionary.letters.size() == 26 + 3);
  CHECK(dictionary.phonemes.size() == 5 + 3);  // AH D EH IY R
  CHECK(dictionary.letters.decode(spelled(dictionary, "read")) == std::vector<std::string>{"r", "e", "a", "d"});
  CHECK(right_way(dictionary, "read") == "R EH D");
  CHECK(right_way(dictionary, "aread") == "not in the dictionary");
}

TEST_CASE("pronunciations: the whole dictionary") {
  const Dictionary dictionary = read_dictionary(example_data("cmudict.dict"));
  CHECK(dictionary.words.size() == 117493);
  CHECK(std::ssize(std::ranges::max(dictionary.words, {}, [](const Word& w) { return w.letters.size(); }).letters) ==
        longest_word);
  std::int64_t most = 0;
  for (const Word& word : dictionary.words)
    for (const nn::Tokens& way : word.spoken) most = std::max(most, std::ssize(way));
  CHECK(most == longest_pronunciation);
  CHECK(dictionary.phonemes.size() == 39 + 3);
}

TEST_CASE("pronunciations: files that are not a dictionary") {
  const Folder folder;
  const std::filesystem::path silent = folder / "silent.dict", none = folder / "none.dict";
  write_file(silent, "a AH0\nread\n");
  write_file(none, "42 F AO1 R T IY0 T UW1\n");
  check_errors({
      {[&] { read_dictionary(silent); }, "IoError", silent.string() + ": there are no phonemes behind 'read'"},
      {[&] { read_dictionary(none); }, "IoError", none.string() + ": there are no words in it"},
  });
  CHECK(error_of([] { read_dictionary("nowhere.dict"); }).first == "IoError");
}

TEST_CASE("pronunciations: words that are held out are in no pair, and the others are in one for each way") {
  const Folder folder;
  write_file(folder / "some.dict", "a AH0\na(2) EY1\nb B IY1\nc S IY1\nd D IY1\n");
  const Dictionary dictionary = read_dictionary(folder / "some.dict");
  const Lexicon lexicon = hold_out(dictionary, 2);
  REQUIRE(lexicon.unseen.size() == 2);
  std::vector<std::string> letters;
  for (const nn::Tokens& spelling : lexicon.pairs[0])
    letters.push_back(join_words(dictionary.letters.decode(spelling), ""));
  std::size_t expected = 0;
  for (const Word& word : dictionary.words) {
    const bool unseen = std::ranges::find(lexicon.unseen, word.letters, &Word::letters) != lexicon.unseen.end();
    CHECK(std::ranges::count(letters, word.letters) == (unseen ? 0 : std::ssize(word.spoken)));
    expected += unseen ? 0 : word.spoken.size();
  }
  CHECK(lexicon.pairs[1].size() == expected);
}

TEST_CASE("pronunciations: words that somebody types") {
  CHECK(checked_word("Phone") == "phone");
  const std::string not_letters = " is not a word of the letters a to z, which are all that is learned";
  check_errors({
      {[] { checked_word("naïve"); }, "ValueError", "--word: 'naïve'" + not_letters},
      {[] { checked_word("two words"); }, "ValueError", "--word: 'two words'" + not_letters},
      {[] { checked_word(""); }, "ValueError", "--word: ''" + not_letters},
      {[] { checked_word(std::string(29, 'a')); }, "ValueError",
       "--word: '" + std::string(29, 'a') + "' has 29 letters; the longest word of the dictionary has 28"},
  });
}

TEST_CASE("pronunciations: the distance of two sequences") {
  CHECK(edit_distance(tokens("kitten"), tokens("sitting")) == 3);   // k→s, e→i, +g
  CHECK(edit_distance(tokens("sunday"), tokens("saturday")) == 3);  // +a, +t, n→r
  CHECK(edit_distance(tokens("flaw"), tokens("lawn")) == 2);        // −f, +n
  CHECK(edit_distance(tokens(""), tokens("abc")) == 3);
  CHECK(edit_distance(tokens("abc"), tokens("")) == 3);
  CHECK(edit_distance(tokens(""), tokens("")) == 0);
  CHECK(edit_distance(tokens("same"), tokens("same")) == 0);
  CHECK(edit_distance(tokens("ab"), tokens("ba")) == 2);
}

TEST_CASE("pronunciations: a word is held against the way to say it that is nearest") {
  const Word word{"read", {tokens("abcd"), tokens("xyz")}};
  const auto errors = [&](const std::string& said) {
    const Errors found = errors_of(word, tokens(said));
    return std::pair(found.wrong, found.of);
  };
  CHECK(errors("abcd") == std::pair<std::int64_t, std::int64_t>(0, 4));
  CHECK(errors("xyy") == std::pair<std::int64_t, std::int64_t>(1, 3));
  CHECK(errors("abc") == std::pair<std::int64_t, std::int64_t>(1, 4));
  CHECK(errors("") == std::pair<std::int64_t, std::int64_t>(4, 4));
}

TEST_CASE("pronunciations: a share of wrong phonemes, and its interval") {
  CHECK_THROWS_WITH(phoneme_error({}, 1), "phoneme_error: there are no words");
  const Interval some = phoneme_error({{1, 4}, {2, 6}}, 1);
  CHECK(some.value == Approx(0.3));  // 3 of 10, and not the mean of 1/4 and 1/3
  CHECK(some.low == Approx(0.25));
  CHECK(some.high == Approx(1.0 / 3));

  // One phoneme a word, one of ten wrong: a share of n has the deviation √(0.1 · 0.9/n), and 95 of 100 lie within 1.96
  // of these.
  std::vector<Errors> words(1000, Errors{0, 1});
  for (std::size_t i = 0; i < words.size(); i += 10) words[i].wrong = 1;
  const Interval share = phoneme_error(words, 1);
  const double reach = 1.96 * std::sqrt(0.1 * 0.9 / 1000);
  CHECK(share.value == Approx(0.1));
  CHECK(share.low == Approx(0.1 - reach).margin(0.15 * reach));
  CHECK(share.high == Approx(0.1 + reach).margin(0.15 * reach));
  CHECK(share_right(words) == Approx(0.9));
  CHECK(share_right({}) == 0);
}

}  // namespace regard
