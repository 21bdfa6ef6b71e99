#pragma once

#include <string>
#include <string_view>

namespace regard::nn {

// The text in the normal form NFC. Unicode can write é as one character or as two, e and a mark, and to a tokenizer
// these are different texts. In NFC marks of a letter stand in one order, and what has a character of its own is that.
// Keyboards write so; names of files on a Mac, and some converters, do not. Bytes that are not UTF-8 stay as they are.
// Old ideographs that NFC replaces by others are refused by number: the table of these is left out.
std::string in_nfc(std::string_view text);

}  // namespace regard::nn
