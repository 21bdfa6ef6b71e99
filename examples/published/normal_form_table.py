"""Writes normal_form_table.cpp, the tables behind normal_form.h, from Python's database of Unicode.

    python3 examples/published/normal_form_table.py > examples/published/normal_form_table.cpp
"""

import sys
import unicodedata

CODES = [c for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF and not 0xAC00 <= c <= 0xD7A3]


def parts(code):  # what it decomposes into, canonically, in one step
    text = unicodedata.decomposition(chr(code))
    return [] if text.startswith("<") else [int(x, 16) for x in text.split()]


def is_stable(code):  # NFC leaves it as it is
    return unicodedata.normalize("NFC", chr(code)) == chr(code)


def is_compatible_ideograph(code):
    return 0xF900 <= code <= 0xFAFF or 0x2F800 <= code <= 0x2FA1F


def ranges(values):  # of pairs (code, value)
    found = []
    for code, value in values:
        if found and found[-1][1] == code - 1 and found[-1][2:] == value:
            found[-1] = (found[-1][0], code, *value)
        else:
            found.append((code, code, *value))
    return found


def table(kind, name, rows):
    lines, line = [], ""
    for row in rows:
        entry = "{" + ", ".join(f"0x{x:X}" for x in row) + "}"
        if len(line) + len(entry) + 8 > 120:
            lines.append(line)
            line = ""
        line += ", " * bool(line) + entry
    lines.append(line)
    body = ",\n    ".join(lines)
    return f"constexpr {kind} {name}[] = {{\n    {body}}};\n"


composed = [(c, *parts(c)) for c in CODES if len(parts(c)) == 2 and is_stable(c)]
one_way = [(c, *(parts(c) + [0])[:2]) for c in CODES
           if parts(c) and not is_stable(c) and not is_compatible_ideograph(c)]
unknown = ranges((c, ()) for c in CODES if not is_stable(c) and is_compatible_ideograph(c))
classes = ranges((c, (unicodedata.combining(chr(c)),)) for c in CODES if unicodedata.combining(chr(c)))

print(f"""// Made by normal_form_table.py from Unicode {unicodedata.unidata_version}.
// clang-format off
#include "examples/published/normal_form_table.h"

namespace regard::nn {{
namespace {{
""")
print(table("CodeParts", "composed", composed))
print(table("CodeParts", "one_way", one_way))
print(table("CodeClasses", "classes", classes))
print(table("CodeClasses", "unknown", [(first, last, 0) for first, last in unknown]))
print("""}  // namespace

std::span<const CodeParts> composed_codes() { return composed; }
std::span<const CodeParts> one_way_codes() { return one_way; }
std::span<const CodeClasses> combining_classes() { return classes; }
std::span<const CodeClasses> unknown_codes() { return unknown; }

}  // namespace regard::nn""")
