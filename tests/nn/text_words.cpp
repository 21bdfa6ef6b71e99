// Characters of UTF-8, their classes, and GPT-2's words, against the pattern itself: tests/reference/make_text.py.
#include "examples/published/character_class.h"
#include "examples/published/word_pattern.h"
#include "nn/text/unicode.h"
#include "tests/catch.h"
#include "tests/nn/text_data.h"

namespace regard::nn {

namespace {

using std::string_literals::operator""s;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    words.emplace_back(text.substr(0, first_piece(text)));
    text.remove_prefix(words.back().size());
  }
  return words;
}

}  // namespace

TEST_CASE("unicode: every code point is written as UTF-8 and read again") {
  bool all = true;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    const std::string bytes = to_utf8(code);
    const Character read = first_character(bytes + "x");
    all = all && read.code == code && read.bytes == bytes.size();
  }
  CHECK(all);
  CHECK(to_utf8(U'é') == "\xC3\xA9");
  CHECK(to_utf8(U'€') == "\xE2\x82\xAC");
  CHECK(to_utf8(U'😀') == "\xF0\x9F\x98\x80");
}

TEST_CASE("unicode: bytes that are not UTF-8 are one broken character each") {
  for (const std::string& bytes :
       {"\x80"s, "\xBF"s, "\xC0\x80"s, "\xC1\xBF"s, "\xC3"s, "\xC3("s, "\xE0\x80\x80"s, "\xE0\x9F\xBF"s,
        "\xED\xA0\x80"s, "\xED\xBF\xBF"s, "\xE2\x82"s, "\xE2\x28\xA1"s, "\xF0\x80\x80\x80"s, "\xF0\x8F\xBF\xBF"s,
        "\xF4\x90\x80\x80"s, "\xF0\x9F\x98"s, "\xF5\x80\x80\x80"s, "\xFE"s, "\xFF"s}) {
    const Character read = first_character(bytes);
    CHECK(read.code == not_a_character);
    CHECK(read.bytes == 1);
  }
}

TEST_CASE("unicode: letters, digits and white space of all of Unicode") {
  const Json reference = load_json("text.json");
  const Json& expected = *reference.find("classes");
  const std::map<CharacterClass, std::string> names{{CharacterClass::letter, "L"},
                                                    {CharacterClass::digit, "N"},
                                                    {CharacterClass::space, "S"},
                                                    {CharacterClass::mark, "M"}};
  std::map<std::string, std::int64_t> counts, sums;
  char32_t code = 0;
  const auto count_to = [&](char32_t end) {
    for (; code < end; ++code) {
      const std::string& name = names.at(class_of(code));
      ++counts[name];
      sums[name] = (sums[name] * 31 + code) % (std::int64_t{1} << 31);
    }
  };
  for (const Json& range : list_in(*expected.find("left_out"))) {
    count_to(static_cast<char32_t>(list_in(range)[0].size()));
    code = static_cast<char32_t>(list_in(range)[1].size()) + 1;
  }
  count_to(0x110000);
  for (const auto& [kind, name] : names) {
    CAPTURE(name);
    CHECK(counts[name] == expected.find("counts")->find(name)->size());
    CHECK(sums[name] == expected.find("sums")->find(name)->size());
  }
}

TEST_CASE("words: cut as GPT-2's pattern cuts them") {
  const Json expected = load_json("text.json");
  const JsonList& all = list_in(*expected.find("words"));
  CHECK(all.size() == 327);
  for (const Json& words : all) {
    std::string text;
    std::vector<std::string> pieces;
    for (const Json& word : list_in(words)) pieces.push_back(text_in(word));
    for (const std::string& piece : pieces) text += piece;
    CAPTURE(text);
    CHECK(words_of(text) == pieces);
  }
}

TEST_CASE("words: bytes that are not UTF-8 are marks, and none gets lost") {
  CHECK(words_of("ab\xFF\xFE c") == std::vector<std::string>{"ab", "\xFF\xFE", " c"});
  CHECK(words_of(" \x80") == std::vector<std::string>{" \x80"});
  CHECK(words_of("\0\0a"s) == std::vector<std::string>{"\0\0"s, "a"});
}

}  // namespace regard::nn
