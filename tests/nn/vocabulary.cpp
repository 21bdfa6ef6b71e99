// Words and characters as numbers, and back.
#include "nn/text/vocabulary.h"

#include "nn/text/characters.h"
#include "tests/catch.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/error_case.h"

namespace regard::nn {

namespace {

using Words = std::vector<std::string>;

const SpecialTokens usual_specials{.padding = "<pad>", .begin = "<bos>", .end = "<eos>", .unknown = "<unk>"};

}  // namespace

TEST_CASE("vocabulary: special tokens first, then the words in their order") {
  const Vocabulary v({"a", "b"}, usual_specials);
  CHECK(v.size() == 6);
  CHECK(v.padding() == 0);
  CHECK(v.begin() == 1);
  CHECK(v.end() == 2);
  CHECK(v.unknown() == 3);
  CHECK(v["b"] == 5);
  CHECK(v["c"] == 3);
  CHECK(v.word(4) == "a");
  CHECK_FALSE(v.find("c"));
  CHECK(v.encode({"b", "x", "a"}) == Tokens{5, 3, 4});
  CHECK(v.decode({1, 5, 3, 4, 2, 0, 0}) == Words{"b", "<unk>", "a"});
  CHECK(v.is_special(3));
  CHECK_FALSE(v.is_special(4));
}

TEST_CASE("vocabulary: the words of a text, frequent ones first, equal ones by their bytes") {
  const Words text{"the", "cat", "the", "a", "cat", "the", "b", "<pad>"};
  const Vocabulary all = Vocabulary::of_text(text);
  CHECK(all.decode({0, 1, 2, 3, 4}) == Words{"the", "cat", "<pad>", "a", "b"});
  const Vocabulary some = Vocabulary::of_text(text, {.special = {.padding = "<pad>"}, .min_count = 2});
  CHECK(some.size() == 3);
  CHECK(some["the"] == 1);
  CHECK(some["cat"] == 2);
}

TEST_CASE("vocabulary: what is unknown is said") {
  const Vocabulary v({"a", "b"});
  check_errors({
      {[&] { v["c\n"]; }, "ValueError",
       "vocabulary: the word \"c\\n\" is not among its 2 (a vocabulary with an unknown token takes it for that)"},
      {[&] { v.word(2); }, "ValueError", "vocabulary: token 2 is outside its 2 words"},
      {[&] {
         v.decode({0, -1});
       },
       "ValueError", "vocabulary: token -1 is outside its 2 words"},
      {[&] { v.padding(); }, "ValueError",
       "vocabulary: it has no padding token (SpecialTokens{.padding = …} gives it one)"},
      {[&] {
         Vocabulary({"a", "b", "a"});
       },
       "ValueError", "vocabulary: it has the word \"a\" twice"},
      {[&] { Vocabulary({"<pad>"}, usual_specials); }, "ValueError", "vocabulary: it has the word \"<pad>\" twice"},
  });
}

TEST_CASE("characters: those of a text, in the order of their code points") {
  const CharacterTokenizer characters("hello größe 😀");
  CHECK(characters.vocabulary().decode({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) ==
        Words{" ", "e", "g", "h", "l", "o", "r", "ß", "ö", "😀"});
  CHECK(characters.encode("hö😀") == Tokens{3, 8, 9});
  CHECK(characters.decode({3, 8, 9}) == "hö😀");
  check_errors({
      {[&] {
         characters.encode(
             "hell"
             "é");
       },
       "ValueError", "characters: \"é\", at byte 4 of the text, is not among the 10 characters of the vocabulary"},
      {[&] { characters.encode("h\xFF"); }, "ValueError", "characters: the text is not UTF-8: byte 1 of it is 0xFF"},
      {[&] { CharacterTokenizer("\xE2\x82"); }, "ValueError",
       "characters: the text is not UTF-8: byte 0 of it is 0xE2"},
  });
}

TEST_CASE("characters: with an unknown token nothing is an error") {
  const CharacterTokenizer characters("ab", usual_specials);
  CHECK(characters.encode("aéb") == Tokens{4, 3, 5});
  CHECK(characters.decode({1, 4, 3, 5, 2, 0}) == "a<unk>b");
}

TEST_CASE("characters: Shakespeare has 65 of them, and comes back from their numbers") {
  const std::string text = read_file(example_data / "tinyshakespeare.txt");
  const CharacterTokenizer made(text);
  CHECK(made.vocabulary().size() == 65);
  const Tokens tokens = made.encode(text);
  CHECK(tokens.size() == 1115394);
  CHECK(Tokens(tokens.begin(), tokens.begin() + 5) == Tokens{18, 47, 56, 57, 58});  // "First", as nanoGPT numbers them
  CHECK((made.decode(tokens) == text));
}

}  // namespace regard::nn
