"""Writes unicode_tables.cpp, the tables behind character_class.h and normal_form.h, from Python's database of Unicode.

    python3 examples/published/unicode_tables.py > examples/published/unicode_tables.cpp
"""

import sys
import unicodedata

CODES = [c for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF]
NO_SYLLABLES = [c for c in CODES if not 0xAC00 <= c <= 0xD7A3]

# White space is a property of its own in Unicode, which Python's database does not hold. It never changes.
SPACE = {*range(0x9, 0xE), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}

CAPITAL, SMALL, ALTERNATING, CASELESS, ACCENT, DIGIT, WHITE = range(7)  # as in CodeKind


def kind(code):
    category = unicodedata.category(chr(code))
    known = {"Lu": CAPITAL, "Lt": CAPITAL, "Ll": SMALL, "L": CASELESS, "M": ACCENT, "N": DIGIT}
    return WHITE if code in SPACE else known.get(category, known.get(category[0]))


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
        if found and found[-1][1:] == (code - 1, value):
            found[-1] = (found[-1][0], code, value)
        else:
            found.append((code, code, value))
    return found


def with_alternating(found):  # Āā Ăă Ąą: one range in place of six
    joined = []
    for first, last, value in found:
        begin, end, before = joined[-1] if joined else (0, -1, None)
        follows = first == last == end + 1
        starts = before == CAPITAL and begin == end and value == SMALL
        goes_on = before == ALTERNATING and value == (first - begin) % 2
        if follows and (starts or goes_on):
            joined[-1] = (begin, last, ALTERNATING)
        else:
            joined.append((first, last, value))
    return joined


def table(of, name, rows):
    lines, line = [], ""
    for row in rows:
        entry = "{" + ", ".join(f"0x{x:X}" if x > 9 else str(x) for x in row) + "}"
        if len(line) + len(entry) + 8 > 120:
            lines.append(line)
            line = ""
        line += ", " * bool(line) + entry
    lines.append(line)
    body = ",\n    ".join(lines)
    return f"constexpr {of} {name}_table[] = {{\n    {body}}};\n"


TABLES = {
    "kinds": ("CodeRange", with_alternating(ranges((c, kind(c)) for c in CODES if kind(c) is not None))),
    "composed_codes": ("CodeParts", [(c, *parts(c)) for c in NO_SYLLABLES if len(parts(c)) == 2 and is_stable(c)]),
    "one_way_codes": ("CodeParts", [(c, *(parts(c) + [0])[:2]) for c in NO_SYLLABLES
                                    if parts(c) and not is_stable(c) and not is_compatible_ideograph(c)]),
    "combining_classes": ("CodeRange", ranges((c, unicodedata.combining(chr(c)))
                                              for c in CODES if unicodedata.combining(chr(c)))),
    "unknown_codes": ("CodeRange", ranges((c, 0) for c in CODES if not is_stable(c) and is_compatible_ideograph(c))),
}
print(f"""// Made by unicode_tables.py from Unicode {unicodedata.unidata_version}.
// clang-format off
#include "examples/published/unicode_tables.h"

namespace regard::nn {{
namespace {{
""")
for name, (of, rows) in TABLES.items():
    print(table(of, name, rows))
print("}  // namespace\n")
for name, (of, rows) in TABLES.items():
    print(f"std::span<const {of}> {name}() {{ return {name}_table; }}")
print("\n}  // namespace regard::nn")
