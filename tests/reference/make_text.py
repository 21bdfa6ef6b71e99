"""Reference values for nn/text: data/text.json, which tests/nn/text_*.cpp read.

    sudo apt install python3-regex
    /usr/bin/python3 tests/reference/make_text.py

Words are cut by GPT-2's pattern itself, in the package regex, whose tables of Unicode are its own. Tokens are found the
slow and plain way: look at all neighbours, merge the first ones, look again.
"""

import json
import pathlib
import random
import struct
import unicodedata

import regex

FOLDER = pathlib.Path(__file__).parent
EXAMPLES = FOLDER.parent.parent / "examples" / "data"
PATTERN = regex.compile(r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+""")

TEXTS = ["", " ", "  ", "\n", "Hello, world!", "I'll say it's John's, they've said we're 42", "'s", "''s", " 's",
         "don'T", "a  b", "a   b", "a \n b", "a\n\nb", "a\t b ", "tail  ", "  head", "3.14 km²", "½ Ⅷ 四 5️⃣",
         "naïve café größe",
         "Привет, мир 2024!", "日本語のテキスト", "a\u00a0b \u2028 c\u3000d", "x\u0301y", "👩‍👩‍👧 ok", "'re're'", "…—–"]


def random_texts(count):
    draw = random.Random(2024)
    assigned = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
    usual = list("abcdeXYZ 0123'.,-\n\t\r") + [" "] * 8 + ["'s", "'ll", "'re", "  ", "\u00a0", "é", "ß", "中", "٣"]
    return ["".join(draw.choice(usual if draw.random() < 0.8 else assigned) for _ in range(draw.randrange(1, 40)))
            for _ in range(count)]


def classes():
    """How many code points of each class Python's Unicode has, by the tables of regex, which know of newer ones too."""
    kinds = {"L": regex.compile(r"\p{L}"), "N": regex.compile(r"\p{N}"), "S": regex.compile(r"\s")}
    counts = {kind: 0 for kind in "LNSM"}
    sums = {kind: 0 for kind in "LNSM"}
    for code in range(0x110000):
        if unicodedata.category(chr(code)) in ("Cn", "Cs"):
            continue
        kind = next((k for k, pattern in kinds.items() if pattern.match(chr(code))), "M")
        counts[kind] += 1
        sums[kind] = (sums[kind] * 31 + code) % 2**31
    unassigned = [[code, code] for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cn", "Cs")]
    ranges = []
    for first, last in unassigned:
        if ranges and ranges[-1][1] == first - 1:
            ranges[-1][1] = last
        else:
            ranges.append([first, last])
    return {"counts": counts, "sums": sums, "left_out": ranges}


def byte_table():
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printable]
    return {b: chr(b) for b in printable} | {b: chr(256 + i) for i, b in enumerate(others)}


def byte_pairs(texts):
    vocabulary = json.loads((EXAMPLES / "bpe" / "vocab.json").read_text(encoding="utf-8"))
    lines = (EXAMPLES / "bpe" / "merges.txt").read_text(encoding="utf-8").splitlines()
    ranks = {tuple(line.split(" ")): rank for rank, line in enumerate(lines)}
    table = byte_table()

    def word(text):
        parts = [table[b] for b in text.encode()]
        while len(parts) > 1:
            rank, place = min((ranks.get(pair, len(ranks)), i) for i, pair in enumerate(zip(parts, parts[1:])))
            if rank == len(ranks):
                break
            parts[place : place + 2] = ["".join(parts[place : place + 2])]
        return [vocabulary[part] for part in parts]

    return [[token for piece in PATTERN.findall(text) for token in word(piece)] for text in texts]


def sentence_pieces(texts):
    data, place, pieces = (EXAMPLES / "tok512.bin").read_bytes(), 4, []
    while place < len(data):
        score, length = struct.unpack_from("<fi", data, place)
        pieces.append((data[place + 8 : place + 8 + length], score))
        place += 8 + length
    numbers = {piece: i for i, (piece, _) in enumerate(pieces)}

    def encode(text):
        tokens = []
        for character in " " + text if text else "":
            piece = character.encode()
            tokens += [numbers[piece]] if piece in numbers else [b + 3 for b in piece]
        while True:
            best = None
            for i in range(len(tokens) - 1):
                union = numbers.get(pieces[tokens[i]][0] + pieces[tokens[i + 1]][0])
                if union is not None and (best is None or pieces[union][1] > pieces[best[1]][1]):
                    best = (i, union)
            if best is None:
                return tokens
            tokens[best[0] : best[0] + 2] = [best[1]]

    return [encode(text) for text in texts]


if __name__ == "__main__":
    texts = TEXTS + random_texts(300)
    stories = ["Once upon a time, there was a little girl named Lily.", "Zoo", "One day, a dog",
               "One day, a ßig dög – «saw» 12 things…"]
    assert all("".join(PATTERN.findall(text)) == text for text in texts)
    result = {
        "words": [PATTERN.findall(text) for text in texts],
        "classes": classes(),
        "byte_pairs": byte_pairs(texts),
        "sentence_pieces": [[text, tokens] for text, tokens in zip(stories + TEXTS, sentence_pieces(stories + TEXTS))],
    }
    text = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
    (FOLDER / "data" / "text.json").write_text(text + "\n", encoding="utf-8")
    print(len(text), "characters")
