"""Writes unicode_ranges.cpp, the table behind character_class.h, from Python's database of Unicode.

    python3 examples/published/unicode_ranges.py > examples/published/unicode_ranges.cpp
"""

import sys
import unicodedata

# White space is a property of its own in Unicode, which Python's database does not hold. It never changes.
SPACE = [(0x9, 0xD), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
         (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)]


def ranges(category):
    found = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code))[0] != category:
            continue
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def table(name, found):
    lines, line = [], ""
    for first, last in found:
        entry = f"{{0x{first:X}, 0x{last:X}}}"
        if len(line) + len(entry) + 7 > 120:
            lines.append(line)
            line = ""
        line += ", " * bool(line) + entry
    lines.append(line)
    body = ",\n    ".join(lines)
    return f"constexpr CodeRange {name}[] = {{\n    {body}}};\n"


print(f"""// Made by unicode_ranges.py from Unicode {unicodedata.unidata_version}.
// clang-format off
#include "examples/published/unicode_ranges.h"

namespace regard::nn {{
namespace {{
""")
print(table("letter_table", ranges("L")))
print(table("digit_table", ranges("N")))
print(table("space_table", SPACE))
print("""}  // namespace

std::span<const CodeRange> letter_ranges() { return letter_table; }
std::span<const CodeRange> digit_ranges() { return digit_table; }
std::span<const CodeRange> space_ranges() { return space_table; }

}  // namespace regard::nn""")
