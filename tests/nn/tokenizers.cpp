// Tokenizers of published models: files, and tokens of texts, that an independent script made the slow way
// (make_tokenizers.py).
#include "examples/published/normal_form.h"
#include "examples/published/tokenizer.h"

#include "tests/catch.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <filesystem>

namespace regard::nn {

namespace {

const std::filesystem::path tokenizers = reference_data / "tokenizers";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}
std::string of_bytes() { return read_file(tokenizers / "bytes.json"); }
std::string of_pieces() { return read_file(tokenizers / "pieces.json"); }
const std::string strip = R"(,{"type":"Strip","content":" ","start":1,"stop":0})";
PublishedTokenizer with_part(const std::string& file, const std::string& key, const Json& part) {
  Json changed = parse_json(file, {.file = "x", .part = "the file", .depth = 8});
  std::get<JsonObject>(changed.value)[key] = part;
  return PublishedTokenizer::parse(to_json(changed), "x");
}

// A file with one of its parts replaced, and the texts that the script has for that.
int check_texts(const std::string& kind, const PublishedTokenizer& tokenizer) {
  const Json file = load_json("tokenizers/ids.json");
  int checked = 0;
  for (const Json& pair : list_in(*file.find(kind)->find("ids"))) {
    const std::string& text = text_in(list_in(pair)[0]);
    CAPTURE(kind, text);
    const Tokens tokens = tokenizer.encode(text);
    CHECK(tokens == tokens_in(list_in(pair)[1]));
    const bool hides_names = kind == "llama2" || kind == "gemma";
    CHECK(tokenizer.decode(tokens) == (hides_names && text == "the<s>end" ? "theend" : text));
    ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("word patterns: texts are cut as the regular expressions cut them") {
  const Json file = load_json("tokenizers/ids.json");
  using enum WordPattern;
  for (const auto& [name, pattern] :
       {std::pair{"gpt2", gpt2}, std::pair{"single_digits", gpt2_single_digits}, std::pair{"llama3", llama3},
        std::pair{"qwen", qwen}, std::pair{"gpt_oss", gpt_oss}}) {
    const JsonList &texts = list_in(*file.find(name)->find("ids")), &cuts = list_in(*file.find(name)->find("words"));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAPTURE(name, i);
      std::vector<std::string> words, right;
      for (const Json& word : list_in(cuts[i])) right.push_back(text_in(word));
      for (std::string_view rest = text_in(list_in(texts[i])[0]); !rest.empty();) {
        words.emplace_back(rest.substr(0, first_piece(rest, pattern)));
        rest.remove_prefix(words.back().size());
      }
      CHECK(words == right);
    }
  }
}

TEST_CASE("tokenizer.json: bytes, cut as by GPT-2, SmolLM, Llama 3, Qwen and gpt-oss") {
  const std::string file = of_bytes();
  const Json ids = load_json("tokenizers/ids.json");
  for (const std::string kind : {"gpt2", "single_digits", "llama3", "qwen", "gpt_oss"})
    CHECK(check_texts(kind, with_part(file, "pre_tokenizer", *ids.find(kind)->find("pre_tokenizer"))) == 39);
  // The piece " whole" is made by no merge.
  CHECK(PublishedTokenizer::parse(file, "x").encode(" whole").size() > 1);
  const std::string whole = with(file, "\"ignore_merges\":false", "\"ignore_merges\":true");
  CHECK(PublishedTokenizer::parse(whole, "x").encode(" whole").size() == 1);
}

TEST_CASE("tokenizer.json: pieces with bytes, as Llama 2 and Gemma have them; tokenizer.model: the same") {
  const Json ids = load_json("tokenizers/ids.json");
  for (const std::string kind : {"llama2", "gemma"}) {
    const std::string file = kind == "llama2" ? of_pieces() : with(of_pieces(), strip, "");
    CHECK(check_texts(kind, with_part(file, "normalizer", *ids.find(kind)->find("normalizer"))) == 39);
  }
  const Folder folder;
  std::filesystem::copy_file(tokenizers / "pieces.model", folder / "tokenizer.model");
  CHECK(check_texts("model", PublishedTokenizer::load(folder.path())) == 39);
}

TEST_CASE("normal form: NFC as Python's database of Unicode has it, and bytes that are no text stay") {
  const Json file = load_json("tokenizers/normal_forms.json");
  for (const Json& pair : list_in(file)) {
    const std::string &text = text_in(list_in(pair)[0]), &right = text_in(list_in(pair)[1]);
    CHECK(in_nfc(text) == right);
    CHECK(in_nfc(right) == right);
  }
  CHECK(in_nfc("e\xCC\x81\xFF\xCC\x81") == "\xC3\xA9\xFF\xCC\x81");
  CHECK_THROWS_WITH(in_nfc("\xEF\xA4\x80"),
                    "in_nfc: U+F900 is another ideograph in the normal form NFC, and which one "
                    "is not known here");
}

TEST_CASE("tokenizer.json: with NFC texts that look alike are the same tokens, and names of tokens stay apart") {
  const std::string file = of_bytes(), decomposed =
                                           "gro\xCC\x88\xC3\x9F"
                                           "er";
  const PublishedTokenizer plain = PublishedTokenizer::parse(file, "x"),
                           nfc = PublishedTokenizer::parse(
                               with(file, "\"normalizer\":null", "\"normalizer\":{\"type\":\"NFC\"}"), "x");
  CHECK(nfc.encode(decomposed) == plain.encode("größer"));
  CHECK(plain.encode(decomposed) != plain.encode("größer"));
  // Alone ">" and the stroke behind it would be one character, "≯".
  Tokens apart = plain.encode("<|end|>");
  for (const std::int64_t token : plain.encode("\xCC\xB8")) apart.push_back(token);
  CHECK(nfc.encode("<|end|>\xCC\xB8") == apart);
}

// A published vocabulary has up to half a million merges. Here each piece is two bytes of its own.
TEST_CASE("tokenizer.json: many merges") {
  Json changed = parse_json(of_bytes(), {.file = "x", .part = "the file", .depth = 8});
  auto& model = std::get<JsonObject>(std::get<JsonObject>(changed.value)["model"].value);
  auto& vocabulary = std::get<JsonObject>(model["vocab"].value);
  auto& merges = std::get<JsonList>(model["merges"].value);
  std::vector<std::string> letters;
  for (const auto& [piece, token] : vocabulary)
    if (piece.size() == 2 && static_cast<unsigned char>(piece[0]) >= 0xC2) letters.push_back(piece);
  std::uint64_t next = vocabulary.size() + 1;  // one is an added token's
  for (const std::string& a : letters)
    for (const std::string& b : letters) {
      if (!vocabulary.try_emplace(a + b, Json{next}).second) continue;
      merges.push_back(Json{JsonList{Json{a}, Json{b}}});
      ++next;
    }
  CHECK(merges.size() > 10'000);
  CHECK(PublishedTokenizer::parse(to_json(changed), "x").size() == static_cast<std::int64_t>(next));
}

TEST_CASE("tokenizer.json: what is not known is an error that names it") {
  const std::string bytes = of_bytes(), pieces = of_pieces();
  const auto refused = [](const std::string& text, const std::string& message) {
    return ErrorCase{[text] { PublishedTokenizer::parse(text, "x"); }, "IoError", "load: x: " + message};
  };
  check_errors({
      refused(with(bytes, "\"BPE\"", "\"WordPiece\""), "model: the type \"WordPiece\" cannot be read"),
      refused(with(bytes, "\"dropout\":null", "\"dropout\":0.1"), "model: dropout is 0.1, which cannot be read"),
      refused(with(bytes, "\"fuse_unk\"", "\"new_key\":1,\"fuse_unk\""),
              "model: new_key is 1, and this key is not known"),
      refused(with(bytes, "\"lstrip\":false", "\"lstrip\":true"), "added_tokens: lstrip is true, which cannot be read"),
      refused(with(bytes, "\"normalizer\":null", "\"normalizer\":{\"type\":\"NFKC\"}"),
              "normalizer: the type \"NFKC\", as it is used here, cannot be read"),
      refused(with(bytes, "\"add_prefix_space\":false", "\"add_prefix_space\":true"),
              "pre_tokenizer: add_prefix_space is true, which cannot be read"),
      refused(with(bytes, R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})",
                   R"({"type":"Split","pattern":{"Regex":"\\w+"},"behavior":"Isolated","invert":false})"),
              "pre_tokenizer: the pattern \"\\\\w+\" cannot be read"),
      refused(with(bytes, "\"id\":327", "\"id\":328"), "no piece has the number 327"),
      refused(with(pieces, "\"ids\":[1]", "\"ids\":[\"x\"]"), "post_processor: \"x\" is no number of a token"),
      refused(with(pieces, "\"ids\":[1]", "\"ids\":[1000]"), "post_processor: 1000 is no number of a token"),
      refused(with(pieces, "\"fuse_unk\":true,\"byte_fallback\":true", "\"fuse_unk\":false,\"byte_fallback\":false"),
              "model: an unknown token for each character cannot be read"),
      refused(with(pieces, "\"normalizer\":", "\"normalizer\":null,\"old\":"),
              "it is neither of bytes (a pre_tokenizer ByteLevel) nor writes blanks as ▁"),
      refused(with(bytes, R"("decoder":{"type":"ByteLevel")", R"("decoder":{"type":"WordPiece")"),
              "decoder: add_prefix_space is true, and this key is not known"),
      refused(
          with(bytes, R"("decoder":{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})",
               R"("decoder":{"type":"Fuse"})"),
          "decoder: Fuse is not ByteLevel, as this kind of tokenizer is decoded here"),
      refused(
          with(pieces, strip, ""),
          "decoder: Replace, ByteFallback, Fuse is not Replace, ByteFallback, Fuse, Strip, as this kind of tokenizer "
          "is decoded here"),
      refused(with(pieces, R"("start":1)", R"("start":2)"), "decoder: start is 2, which cannot be read"),
      refused("[]", "the file is [], and no object"),
  });
}

TEST_CASE("tokenizer.model: what is not known, cut off or no such file is an error") {
  const std::string model = read_file(tokenizers / "pieces.model");
  const auto refused = [](const std::string& bytes, const std::string& message) {
    return ErrorCase{[bytes] { SentencePieces::parse_model(bytes, "x"); }, "IoError", "load: x: " + message};
  };
  // The last fields: … 3 → kind, …, then {1: identity, 3: front, 4: joined, 5: written}.
  const std::string front = "\x18\x01\x20", joined("\x20\x00\x28\x01", 4), kind = "corpus.txt\x18\x02";
  check_errors({
      refused(with(model, kind, "corpus.txt\x18\x01"),
              "its pieces are of the kind unigram, and BPE is all that can be read"),
      refused(with(model, joined, "\x20\x01\x28\x01"),
              "it makes one of several blanks (remove_extra_whitespaces), which is not known here"),
      refused(model.substr(0, 2), "a field has 14 bytes, and 0 are left: it is cut off"),
      refused("", "it does not hold pieces, their kind, and what is done to a text before: this is no tokenizer.model"),
      refused("\x0b", "it has a field of the type 3: this is no tokenizer.model"),
  });
  bool all = true;
  for (std::size_t length = 0; length < model.size(); ++length)
    all = all && error_of([&] { SentencePieces::parse_model(model.substr(0, length), "x"); }).first == "IoError";
  CHECK(all);
  // One more TrainerSpec: BPE, and texts begin with another piece, or with none.
  const auto first = [&](const std::string& number) {
    const std::string inside = "\x18\x02\xC8\x02" + number;
    return SentencePieces::parse_model(model + "\x12" + static_cast<char>(inside.size()) + inside, "x").first();
  };
  CHECK(SentencePieces::parse_model(model, "x").first() == 1);
  CHECK(first("\x02") == 2);
  CHECK(first("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") == -1);
  CHECK_THROWS_AS(first("\xff\x7f"), IoError);
  const SentencePieces none = SentencePieces::parse_model(with(model, front, std::string("\x18\x00\x20", 3)), "x");
  CHECK(none.decode(none.encode("the end")) == "the end");
}

}  // namespace regard::nn
