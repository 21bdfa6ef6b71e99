// The tokenizer of llama2.c: its file, and texts encoded as by looking at all neighbours each time (make_text.py).
#include "examples/published/sentence_pieces.h"

#include "tests/catch.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <cstring>

namespace regard::nn {

namespace {

SentencePieces stories() { return SentencePieces::load(example_data / "tok512.bin"); }

std::string number(const void* bytes, std::size_t size) { return {static_cast<const char*>(bytes), size}; }
std::string entry(float score, std::int32_t length, const std::string& piece) {
  return number(&score, 4) + number(&length, 4) + piece;
}
std::string entry(const std::string& piece) { return entry(0, static_cast<std::int32_t>(piece.size()), piece); }

// A file with the 259 pieces that every one begins with.
std::string pieces_file(const std::string& more, std::uint32_t longest = 6) {
  std::string bytes = number(&longest, 4) + entry("<unk>") + entry("<s>") + entry("</s>");
  for (int byte = 0; byte < 256; ++byte) bytes += entry(fmt::format("<0x{:02X}>", byte));
  return bytes + more;
}

}  // namespace

TEST_CASE("sentence pieces: a file is read, and written as it was") {
  const Folder folder;
  const SentencePieces pieces = stories();
  CHECK(pieces.size() == 512);
  CHECK(pieces.piece(1) == "\n<s>\n");
  CHECK(pieces.piece(261) == " a");
  CHECK(pieces.score(261) == -2);
  pieces.save(folder / "x");
  CHECK(read_file(folder / "x") == read_file(example_data / "tok512.bin"));
}

TEST_CASE("sentence pieces: texts are encoded as by merging the plain way, and decoded") {
  const Json reference = load_json("text.json");
  const SentencePieces pieces = stories();
  CHECK(list_in(*reference.find("sentence_pieces")).size() == 31);
  for (const Json& pair : list_in(*reference.find("sentence_pieces"))) {
    const std::string& text = text_in(list_in(pair)[0]);
    CAPTURE(text);
    Tokens tokens = pieces.encode(text);
    CHECK(tokens == tokens_in(list_in(pair)[1]));
    CHECK(pieces.decode(tokens) == (text.empty() ? "" : " " + text));
    tokens.insert(tokens.begin(), SentencePieces::begin);
    CHECK(pieces.decode(tokens) == text);
  }
}

TEST_CASE("sentence pieces: the published texts, token by token") {
  const Json reference = load_json("stories260K.json");
  const SentencePieces pieces = stories();
  CHECK(list_in(reference).size() == 3);
  for (const Json& story : list_in(reference)) {
    const Tokens tokens = tokens_in(*story.find("tokens"));
    CHECK(pieces.decode(tokens) == text_in(*story.find("text")));
    std::string printed;
    for (std::size_t i = 1; i < tokens.size(); ++i) printed += pieces.text_of(tokens[i], tokens[i - 1]);
    CHECK(printed == text_in(*story.find("text")));
    Tokens prompt = pieces.encode(text_in(*story.find("prompt")));
    prompt.insert(prompt.begin(), SentencePieces::begin);
    CHECK(prompt == Tokens(tokens.begin(), tokens.begin() + story.find("prompt_length")->size()));
  }
}

TEST_CASE("sentence pieces: every row of bytes comes back; begin and end have no text") {
  const SentencePieces pieces = stories();
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  Tokens tokens = pieces.encode(all);
  tokens.insert(tokens.begin(), 1);
  tokens.push_back(2);
  CHECK(pieces.decode(tokens) == all);
  CHECK(pieces.decode({1, 2, 1}) == "");
}

TEST_CASE("sentence pieces: the highest score first, and of equal ones the one further left") {
  const std::string more = entry(0, 1, " ") + entry(0, 1, "a") + entry(0, 1, "b") + entry(-1, 2, "ab") +
                           entry(-1, 2, "ba") + entry(-3, 2, "aa") + entry(-2, 3, "aba");
  const SentencePieces pieces = SentencePieces::parse(pieces_file(more), "x", 266);
  const std::int64_t blank = 259, a = 260, b = 261, ab = 262, ba = 263, aa = 264, aba = 265;
  CHECK(pieces.encode("ab") == Tokens{blank, ab});
  CHECK(pieces.encode("aba") == Tokens{blank, aba});    // ab, then aba
  CHECK(pieces.encode("bab") == Tokens{blank, ba, b});  // equal scores: the left one
  CHECK(pieces.encode("aaa") == Tokens{blank, aa, a});
  CHECK(pieces.encode("aab") == Tokens{blank, a, ab});  // ab before aa
}

TEST_CASE("sentence pieces: a vocabulary without bytes has the unknown piece for what it does not know") {
  const std::string file = number("\x06\0\0", 4) + entry("<unk>") + entry("<s>") + entry("</s>") + entry(0, 1, " ") +
                           entry(0, 1, "a") + entry(-1, 2, " a") + entry(-2, 2, "aa");
  const SentencePieces pieces = SentencePieces::parse(file, "x");
  CHECK(pieces.size() == 7);
  CHECK(pieces.encode("aa") == Tokens{5, 4});
  CHECK(pieces.encode("xéa") == Tokens{3, 0, 4});
  CHECK(pieces.decode({1, 5, 0, 6}) == "a<unk>aa");
}

TEST_CASE("sentence pieces: what cannot be is said") {
  const SentencePieces pieces = stories();
  check_errors({
      {[&] { pieces.decode({512}); }, "ValueError", "sentence pieces: token 512 is outside the 512 there are"},
      {[&] { pieces.score(-1); }, "ValueError", "sentence pieces: token -1 is outside the 512 there are"},
      {[&] { SentencePieces::parse(read_file(example_data / "tok512.bin"), "x", 32000); }, "IoError",
       "load: x: it has 512 pieces, and the model a vocabulary of 32000: it is the tokenizer of another model"},
  });
}

TEST_CASE("sentence pieces: files that are not what they should be") {
  const auto parse = [](const std::string& bytes) { return [bytes] { SentencePieces::parse(bytes, "x"); }; };
  CHECK(SentencePieces::parse(pieces_file(""), "x").size() == 259);
  std::string but_one = pieces_file("");
  but_one.replace(but_one.find("<0x41>"), 6, "<0x4A>");
  check_errors({
      {parse(but_one), "IoError",
       "load: x: it has the piece <0x00>, and not the piece <0x41>: bytes are there all or none"},
      {parse(""), "IoError", "load: x: it starts with the 4 bytes of a length, and ends after 0"},
      {parse("abc"), "IoError", "load: x: it starts with the 4 bytes of a length, and ends after 3"},
      {parse(pieces_file("").substr(0, 4)), "IoError",
       "load: x: it has 0 pieces, and the first three are unknown, begin and end"},
      {parse(pieces_file("1234567")), "IoError", "load: x: piece 259 is cut off"},
      {parse(pieces_file(entry(0, 3, "ab"))), "IoError",
       "load: x: piece 259 has 3 bytes, and the file 2 more: it is cut off"},
      {parse(pieces_file(entry(0, -1, ""))), "IoError", "load: x: piece 259 has -1 bytes, where the longest has 6"},
      {parse(pieces_file(entry(0, 7, "1234567"))), "IoError",
       "load: x: piece 259 has 7 bytes, where the longest has 6"},
      {parse(pieces_file(entry(0, INT32_MAX, "1"), UINT32_MAX)), "IoError",
       "load: x: piece 259 has 2147483647 bytes, and the file 1 more: it is cut off"},
      {parse(pieces_file(entry(NAN, 1, "1"))), "IoError", "load: x: piece 259 has the score nan"},
      {parse(pieces_file(entry(-INFINITY, 1, "1"))), "IoError", "load: x: piece 259 has the score -inf"},
  });
}

}  // namespace regard::nn
