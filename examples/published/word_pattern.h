#pragma once

#include <optional>
#include <string_view>

namespace regard::nn {

// How a text is cut before pairs of bytes are looked for, so that no piece reaches over the border of two words. Of the
// alternatives of a pattern the first one that fits is taken. GPT-2's pattern:
//
//   's 't 'd 'm 'll 've 're    ends of English words
//    ?letters                  a word, with the blank in front of it where there is one
//    ?digits                   a number
//    ?marks                    anything else that is not white space
//   white space                but not its last character where something follows: a blank there begins the next piece
//
// Llama 3's, and Qwen's but for the numbers:
//
//   's 't …                    in capitals, too
//   .?letters                  in front of a word may also be a mark or a tab, but no line break
//   digits                     up to three together; Qwen takes them one by one
//    ?marks line breaks        with the line breaks behind them
//   white space line break     up to the last line break in white space
//   white space                as above
//
// That of gpt-oss begins another word where a capital follows a small letter: camelCase is two.
//
//   .?Capitals small 's …       letters, of which the last are small, and an end of an English word, in capitals, too;
//   .?CAPITALS 's …            or capitals alone. Accents, and letters without case, may be either
//   digits, ?marks, …          as in Llama 3; behind marks may also be strokes, /
//
// The pieces, one after another, are the text again, whatever bytes it holds.
enum class WordPattern {
  gpt2,
  gpt2_single_digits,  // each digit is cut off before, as SmolLM has it
  llama3,
  qwen,
  gpt_oss,
};

// The length, in bytes, of the piece that a text begins with. The text is not empty.
std::size_t first_piece(std::string_view text, WordPattern pattern = WordPattern::gpt2);

// The pattern that a regular expression in a tokenizer.json stands for, if it is one of these.
std::optional<WordPattern> pattern_of_regex(std::string_view regex);

}  // namespace regard::nn
