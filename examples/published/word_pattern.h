#pragma once

#include <string_view>

namespace regard::nn {

// How GPT-2 cuts a text before it looks for pairs of bytes, so that no piece reaches over the border of two words. Its
// pattern, of which the first alternative that fits is taken:
//
//   's 't 'd 'm 'll 've 're    ends of English words
//    ?letters                  a word, with the blank in front of it where there is one
//    ?digits                   a number
//    ?marks                    anything else that is not white space
//   white space                but not its last character where something follows: a blank there begins the next piece
//
// The pieces, one after another, are the text again, whatever bytes it holds.

// The length, in bytes, of the piece that a text begins with. The text is not empty.
std::size_t first_piece(std::string_view text);

}  // namespace regard::nn
