// A text, cut as others cut it, and its tokens.
#include "examples/trainers/corpus.h"

#include "tests/catch.h"
#include "tests/given.h"

using namespace regard;

TEST_CASE("A corpus: nine tenths are there to learn from, and the rest to measure with") {
  const Corpus ten{"abcdefghij"};
  CHECK(ten.to_learn() == "abcdefghi");
  CHECK(ten.to_test() == "j");
  const Corpus nineteen{"abcdefghijklmnopqrs"};  // int(19·0.9) = 17
  CHECK(nineteen.to_learn().size() == 17);
  CHECK(nineteen.to_test() == "rs");
  // The sizes that nanoGPT reports of tiny Shakespeare.
  const Corpus as_long{std::string(1115394, ' ')};
  CHECK(as_long.to_learn().size() == 1003854);
  CHECK(as_long.to_test().size() == 111540);
}

TEST_CASE("A corpus in characters, and in byte pairs of the part that is there to learn from") {
  const Corpus corpus{"to be to be to be to be to be to be, or not: zz zz"};
  const Spelling characters = characters_of(corpus);
  CHECK(characters.size() == 10);  // blank , : b e n o r t z
  CHECK(characters.encode("to").size() == 2);
  CHECK(characters.text_of(characters.encode("z")[0]) == "z");

  const Spelling pairs = byte_pairs_of(corpus, 259);  // three merges
  CHECK(pairs.size() == 259);
  std::string text;
  double length = 0;
  for (const std::int64_t token : pairs.encode(corpus.text)) {
    text += pairs.text_of(token);
    length += pairs.lengths.at({token});
  }
  CHECK(text == corpus.text);
  CHECK(length == static_cast<double>(corpus.text.size()));
  CHECK(pairs.encode(" to be").size() < 6);
  CHECK(pairs.encode("zz").size() == 2);  // it stands in the other part only
}

TEST_CASE("Losses of tokens of different lengths, by the character") {
  const Spelling spelling{{}, {}, f64({1, 3})};
  const Tensor tokens = tensor({{0, 1}, {1, 1}}, DType::i64);
  CHECK(per_character(f64({{1, 2}, {3, 4}}), tokens, spelling) == Approx(1.0));  // 10 nats, 1 + 3·3 characters
}

TEST_CASE("Windows: all of a text one after another, each place with the token that comes next") {
  const Windows windows = all_windows(arange(8), 3);
  CHECK(identical(windows.read, tensor({{0, 1, 2}, {3, 4, 5}}, DType::i64)));
  CHECK(identical(windows.next, tensor({{1, 2, 3}, {4, 5, 6}}, DType::i64)));
  CHECK(all_windows(arange(7), 3).read.shape() == Shape{2, 3});
  CHECK(all_windows(arange(6), 3).read.shape() == Shape{1, 3});  // nothing comes after the second
}

TEST_CASE("Windows that begin anywhere begin everywhere, and never reach over the end") {
  Generator generator(1);
  const Windows windows = random_windows(arange(6), 200, 3, generator);
  REQUIRE(windows.read.shape() == Shape{200, 3});
  std::vector<int> times(6);
  for (std::int64_t i = 0; i < 200; ++i) {
    const double begin = windows.read.at({i, 0});
    ++times[static_cast<std::size_t>(begin)];
    for (std::int64_t j = 0; j < 3; ++j) {
      CHECK(windows.read.at({i, j}) == begin + static_cast<double>(j));
      CHECK(windows.next.at({i, j}) == begin + static_cast<double>(j) + 1);
    }
  }
  CHECK(times[0] > 40);
  CHECK(times[1] > 40);
  CHECK(times[2] > 40);
  CHECK(times[0] + times[1] + times[2] == 200);
}

TEST_CASE("Windows: a text that is too short for one is an error") {
  Generator generator(1);
  CHECK(all_windows(arange(4), 3).read.shape() == Shape{1, 3});
  CHECK(random_windows(arange(4), 2, 3, generator).read.shape() == Shape{2, 3});
  CHECK_THROWS_WITH(all_windows(arange(3), 3),
                    "all_windows: a text of 3 tokens is too short for a window of 3 and the token behind it");
  CHECK_THROWS_WITH(random_windows(arange(3), 2, 3, generator),
                    "random_windows: a text of 3 tokens is too short for a window of 3 and the token behind it");
}
