#pragma once

#include <string>
#include <string_view>
#include <vector>

// What programs must know of terminals, so that nothing they draw is wider than the window.
namespace regard::terminal {

// How many columns the terminal has that a stream goes to, such as STDERR_FILENO; 0 if it goes elsewhere. It is asked
// each time, as a window may change its size.
int columns(int stream);

// How many columns a text in UTF-8 takes. Characters of East Asia take two, an accent on the letter before it none.
int columns_of(std::string_view text);

// As much of the text, from its begin, as fits into so many columns.
std::string begin_of(std::string_view text, int columns);

// The text in lines of no more than so many columns, broken between words. A word that is longer is broken, too.
std::vector<std::string> lines_of(std::string_view text, int columns);

// The text and blanks behind it, so many columns together.
std::string padded(const std::string& text, int columns);

// Writes to standard error. That nobody can read what a program has to say is no reason to end it.
void note(const std::string& text);

}  // namespace regard::terminal
