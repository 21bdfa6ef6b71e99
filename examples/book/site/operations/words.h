#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/operations/sources.h"

namespace regard::site {

// A text as Markdown that shows just this text, also in a table.
std::string as_markdown(std::string_view text);

// 1.25e-16 as "1.2·10⁻¹⁶"
std::string power_of_ten(double number);

// 1234567 as "1,234,567"
std::string with_commas(long number);

// "1 case", "2 cases"
std::string counted(long number, std::string_view what);

// 1.5e9 elements per second as "1,500 million"
std::string per_second(double elements);
std::string in_millions(double number);  // "1,500"

// A comment as Markdown: its lines as paragraphs, and the formulas of those that are indented below each other.
std::string comment_as_markdown(const std::vector<std::string>& comment);

// A block of code with a link to where it stands.
std::string code_block(const std::string& file, int line, const std::vector<std::string>& code);

}  // namespace regard::site
