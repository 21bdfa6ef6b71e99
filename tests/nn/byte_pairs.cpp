// Byte pairs: trained, against the merges that others found; encoded, against plain merging (make_text.py).
#include "examples/published/byte_pairs.h"

#include "examples/published/byte_alphabet.h"
#include "tensor/random/generator.h"
#include "tests/catch.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <filesystem>

namespace regard::nn {

namespace {

using std::string_literals::operator""s;

const std::filesystem::path bpe = example_data / "bpe";

// The merges that training finds, as "left right".
std::vector<std::string> merges_of(const std::string& text, std::int64_t merges) {
  const Folder folder;
  BytePairs::train(text, {.vocabulary = 256 + merges}).save(folder.path());
  std::vector<std::string> lines;
  std::string all = read_file(folder / "merges.txt");
  for (std::size_t end; (end = all.find('\n')) != std::string::npos; all.erase(0, end + 1))
    lines.push_back(all.substr(0, end));
  return lines;
}

std::string bytes_of_everything() {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

}  // namespace

TEST_CASE("byte pairs: training finds 243 of 243 merges, and the vocabulary of 500") {
  const Folder folder;
  const BytePairs trained =
      BytePairs::train(read_file(bpe / "corpus.en"), {.vocabulary = 500, .special = {"<|endoftext|>"}});
  CHECK(trained.merge_count() == 243);
  trained.save(folder.path());
  CHECK(read_file(folder / "merges.txt") == read_file(bpe / "merges.txt"));
  const BytePairs stored = BytePairs::load(bpe);
  REQUIRE(stored.size() == 500);
  REQUIRE(trained.size() == 500);
  bool same = true;
  for (std::int64_t token = 0; token < 500; ++token) same = same && trained.bytes(token) == stored.bytes(token);
  CHECK(same);
  CHECK(stored.special("<|endoftext|>") == 0);
}

TEST_CASE("byte pairs: the most frequent pair first, and of equal ones the later one in the dictionary") {
  // "lo" and "ow" are there 7 times, "low" is merged from "ow" (o > l); the rest as counted by hand.
  CHECK(merges_of("low low low low low lower lower", 4) == std::vector<std::string>{"o w", "l ow", "Ġ low", "e r"});
  CHECK(merges_of("ab cd", 10) == std::vector<std::string>{"c d", "a b", "Ġ cd"});  // and then there are no pairs left
  // Equally frequent with the same first piece: the second decides. Bytes are compared as numbers: é is above z.
  CHECK(merges_of("ab ac", 1) == std::vector<std::string>{"a c"});
  CHECK(merges_of("zz\n\xC3\xA9", 1) == std::vector<std::string>{"Ã ©"});
}

TEST_CASE("byte pairs: overlapping pairs are counted at each place and merged from the left") {
  CHECK(merges_of("aaa", 2) == std::vector<std::string>{"a a", "aa a"});
  CHECK(merges_of("aaaa", 2) == std::vector<std::string>{"a a", "aa aa"});
  CHECK(merges_of("ababab", 3) == std::vector<std::string>{"a b", "ab ab", "abab ab"});
}

TEST_CASE("byte pairs: special tokens cut the text, and are one token") {
  const BytePairs pairs = BytePairs::train("ab<|end|>ab", {.vocabulary = 260, .special = {"<|end|>", "<|end|>2"}});
  CHECK(pairs.size() == 259);  // no more pairs: neither "b<" nor what is inside of the special token was counted
  const std::int64_t end = pairs.special("<|end|>"), two = pairs.special("<|end|>2"), ab = 258;
  CHECK(pairs.encode("ab<|end|>ab") == Tokens{ab, end, ab});
  CHECK(pairs.encode("<|end|><|end|>2") == Tokens{end, two});  // the longer one where both begin
  CHECK(pairs.encode("<|end|>", SpecialText::ordinary).size() == 7);
  CHECK(pairs.decode({end, ab, two}) == "<|end|>ab<|end|>2");
  CHECK(pairs.encode("").empty());
}

TEST_CASE("byte pairs: texts are encoded as by merging the plain way") {
  const Json reference = load_json("text.json");
  const JsonList &texts = list_in(*reference.find("words")), &tokens = list_in(*reference.find("byte_pairs"));
  REQUIRE(texts.size() == tokens.size());
  const BytePairs pairs = BytePairs::load(bpe);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string text;
    for (const Json& word : list_in(texts[i])) text += text_in(word);
    CAPTURE(text);
    CHECK(pairs.encode(text) == tokens_in(tokens[i]));
    CHECK(pairs.decode(tokens_in(tokens[i])) == text);
  }
}

TEST_CASE("byte pairs: every row of bytes comes back") {
  const BytePairs pairs = BytePairs::load(bpe);
  CHECK(pairs.decode(pairs.encode(bytes_of_everything())) == bytes_of_everything());
  const Generator generator(7);
  std::string noise;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto [bits, more] = generator.at(i);
    noise += more % 2 == 0 ? static_cast<char>(bits) : " the  and\n<|endoftext|>"[bits % 22];
    if (i % 20 == 0) CHECK(pairs.decode(pairs.encode(noise)) == noise);
  }
  const std::string shakespeare = read_file(example_data / "tinyshakespeare.txt");
  const Tokens tokens = pairs.encode(shakespeare);
  CHECK(tokens.size() == 632248);
  CHECK((pairs.decode(tokens) == shakespeare));
}

TEST_CASE("byte pairs: a word of 200,000 bytes takes a moment") {
  const BytePairs pairs = BytePairs::train(std::string(64, 'a'), {.vocabulary = 262});
  const Tokens tokens = pairs.encode(std::string(1 << 18, 'a'));
  CHECK(tokens == Tokens(1 << 12, pairs.size() - 1));  // pieces of 64
}

TEST_CASE("byte pairs: saved and loaded again, with names that JSON has to escape") {
  const Folder folder;
  const BytePairs made =
      BytePairs::train("\"\"\"\" \\\\\\ größe größe", {.vocabulary = 270, .special = {"\"end\"\n", "<größe>"}});
  made.save(folder.path());
  const BytePairs loaded = BytePairs::load(folder.path());
  REQUIRE(loaded.size() == made.size());
  for (std::int64_t token = 0; token < made.size(); ++token) CHECK(loaded.bytes(token) == made.bytes(token));
  const std::string text = "größe \"\"\"\\\\ \"end\"\n<größe>";
  CHECK(loaded.encode(text) == made.encode(text));
  CHECK(loaded.special("<größe>") == 1);
}

TEST_CASE("byte pairs: files of others have a first line with a version, and other numbers") {
  const std::string plain = read_file(bpe / "vocab.json"), merges = read_file(bpe / "merges.txt");
  CHECK(BytePairs::parse(plain, "#version: 0.2\n" + merges, "x").merge_count() == 243);
  std::string turned = plain;
  const auto change = [&](const std::string& from, const std::string& to) {
    turned.replace(turned.find(from), from.size(), to);
  };
  change("\"<|endoftext|>\": 0", "\"<|endoftext|>\": 499");
  change("\"Ġver\": 499", "\"Ġver\": 0");
  const BytePairs pairs = BytePairs::parse(turned, merges, "x");
  CHECK(pairs.special("<|endoftext|>") == 499);
  CHECK(pairs.encode(" ver<|endoftext|>") == Tokens{0, 499});
}

TEST_CASE("byte pairs: two ways to make one piece") {
  const std::string plain = read_file(bpe / "vocab.json");
  std::string larger = plain.substr(0, plain.rfind('\n'));
  larger += ",\"ab\": 500, \"bc\": 501, \"abc\": 502}";
  const BytePairs pairs = BytePairs::parse(larger, read_file(bpe / "merges.txt") + "b c\na b\na bc\nab c\n", "x");
  CHECK(pairs.encode("abc") == Tokens{502});
  CHECK(pairs.encode("ab") == Tokens{500});
  CHECK(pairs.decode({502}) == "abc");
}

TEST_CASE("byte pairs: what cannot be is said") {
  const BytePairs pairs = BytePairs::load(bpe);
  const Folder folder;
  check_errors({
      {[&] {
         pairs.decode({3, 500});
       },
       "ValueError", "byte pairs: token 500 is outside the 500 there are"},
      {[&] { pairs.bytes(-1); }, "ValueError", "byte pairs: token -1 is outside the 500 there are"},
      {[&] { pairs.special("<s>"); }, "ValueError", "byte pairs: there is no special token \"<s>\""},
      {[] { BytePairs::train("a", {.vocabulary = 256, .special = {"<s>"}}); }, "ValueError",
       "byte pairs: a vocabulary of 256 is smaller than the 257 bytes and special tokens in it"},
      {[] {
         BytePairs::train("a", {.vocabulary = 300, .special = {"<s>", "<s>"}});
       },
       "ValueError", "byte pairs: the special token \"<s>\" is empty, or there twice"},
      {[] { BytePairs::train("a", {.vocabulary = 300, .special = {""}}); }, "ValueError",
       "byte pairs: the special token \"\" is empty, or there twice"},
      {[&] { BytePairs::train("ab", {.vocabulary = 258, .special = {"ab"}}).save(folder.path()); }, "no exception", ""},
      {[&] { BytePairs::train("abab", {.vocabulary = 258, .special = {"b"}}).save(folder.path()); }, "ValueError",
       "save: the special token \"b\" has the name of a piece"},
  });
}

TEST_CASE("byte pairs: files that are not what they should be") {
  const std::string vocabulary = read_file(bpe / "vocab.json"), merges = read_file(bpe / "merges.txt");
  const auto words = [&](const std::string& text) { return [=] { BytePairs::parse(text, merges, "x"); }; };
  const auto lines = [&](const std::string& text) { return [=] { BytePairs::parse(vocabulary, text, "x"); }; };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = vocabulary;
    return words(changed.replace(changed.find(from), from.size(), to));
  };
  check_errors({
      {words(""), "IoError", "load: x/vocab.json: the file is not JSON (it goes wrong at byte 1 of it)"},
      {words("[1]"), "IoError", "load: x/vocab.json: it has to map pieces to numbers, and is [1]"},
      {words("{\"a\":[1]}"), "IoError", "load: x/vocab.json: the file is nested more than 1 deep"},
      {words("{\"a\":0}"), "IoError", "load: x/vocab.json: the piece \"!\" is not in vocab.json"},
      {with("\"<|endoftext|>\": 0", "\"<|endoftext|>\": 500"), "IoError",
       "load: x/vocab.json: the piece \"<|endoftext|>\" has the number 500, where there are 500 pieces"},
      {with("\"<|endoftext|>\": 0", "\"<|endoftext|>\": -1"), "IoError",
       "load: x/vocab.json: the piece \"<|endoftext|>\" has the number -1, where there are 500 pieces"},
      {with("\"<|endoftext|>\": 0", "\"<|endoftext|>\": 1"), "IoError",
       "load: x/vocab.json: the piece \"<|endoftext|>\" is empty, or has the number of \"!\""},
      {with("\"<|endoftext|>\": 0", "\"\": 0"), "IoError",
       "load: x/vocab.json: the piece \"\" is empty, or has the number of \"\""},
      {lines("Ġ"), "IoError", "load: x/merges.txt: line 1 is not two pieces with a blank between them"},
      {lines("Ġ t\n\nĠ a"), "IoError", "load: x/merges.txt: line 2 is not two pieces with a blank between them"},
      {lines("Ġ t x"), "IoError", "load: x/merges.txt: line 1 is not two pieces with a blank between them"},
      {lines("Ġ "), "IoError", "load: x/merges.txt: line 1 is not two pieces with a blank between them"},
      {lines("Ġt he"), "IoError", "load: x/merges.txt: the piece \"Ġt\" is merged before it is made"},
      {lines("Ġ t\nĠ t"), "IoError", "load: x/merges.txt: \"Ġ\" and \"t\" are merged twice"},
      {lines("q q"), "IoError", "load: x/merges.txt: the piece \"qq\" is not in vocab.json"},
      {lines("qq q"), "IoError", "load: x/merges.txt: the piece \"qq\" is not in vocab.json"},
  });
}

TEST_CASE("byte pairs: each byte has a written form of its own, which is read back; another is none") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(bytes_of_written(written(all)) == all);
  CHECK(bytes_of_written("€") == std::nullopt);
}

}  // namespace regard::nn
