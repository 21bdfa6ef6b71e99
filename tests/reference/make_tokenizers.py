"""Small tokenizers of the kinds that examples/published reads, and what they make of some texts, the slow way.

    python3 tests/reference/make_tokenizers.py

data/tokenizers/bytes.json    a tokenizer.json of bytes, with GPT-2's pattern; the others are put in its place
data/tokenizers/pieces.json   a tokenizer.json of pieces, as Llama 2 has it; Gemma puts no blank in front
data/tokenizers/pieces.model  the same pieces as a tokenizer.model of SentencePiece
data/tokenizers/ids.json      for each kind: its pre_tokenizer or normalizer, texts, their tokens, and how they are cut
data/tokenizers/normal_forms.json   texts, and the same in the normal form NFC, as Python's database of Unicode has it
"""

import json
import pathlib
import random
import re
import struct
import unicodedata

FOLDER = pathlib.Path(__file__).parent / "data" / "tokenizers"

CORPUS = ("Once upon a time there was a little girl. She's happy, and they'll play; it isn't raining in the year 1234. "
          "größer als 12 Äpfel\n\n\tthe end of the story, the end ") * 3
TEXTS = ["", "a", " ", "  ", "Once upon a time", " Once  upon   a time ", "She's SHE'S they'LL I'm we'Ve 'tis",
         "1234567 and 12 or 3.14159", "12 345", "größer, Ärger, naïve", "日本語のテキスト", "tab\tand\n\nlines\r\n  next \n",
         "a;b--c!!!\n\nd", "x = foo(bar[0], 'baz');\n    return x\n", "😀 emoji 👍🏽!", "<|end|>the end<|end|>", "½ Ⅷ ²",
         "trailing blanks   ", "\n", "\n\n \n x", "the<s>end", "re're 'd'D",
         # Capitals and small letters, and what is neither: title letters, accents, letters without case.
         "camelCase HTTPServer XMLHttpRequest2 iPhone", "NASA's ISN'T WE'LLs o'Re'd 'It it'\u017fo",
         "ǅungla ǅUNGLA aǅb Ǆǆ", "e\u0301t E\u0301T \u0301A \u0301\u0301 !\u0301b !!\u0301b\n\u0301AB", "日本ABC語abc語D",
         "ªbº Aʰ ʰA Aʰb AʰB", "Ёлка ПРИВЕТмир'S", "हिन्दी में", "12345678 a1B22c333D",
         "path/to/File //\n/\n!/\r\n/x ./\n", "_Word \tWord \u00a0WORD", "\nWord\rword 1\nA", "don\u2019t DON\u2019T",
         "x  \n \t Y   ", "A B c D\n", "  \u2003A", "ĀāĂă ĀĂ ĸŁ"]

GPT2 = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
NEWER = (r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"""
         r"""|\s+(?!\S)|\s+""")
FRONT, END = r"[^\r\n\p{L}\p{N}]?", "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
CAPITALS, SMALL = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
GPT_OSS = (f"{FRONT}{CAPITALS}*{SMALL}+{END}|{FRONT}{CAPITALS}+{SMALL}*{END}"
           r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def characters(kind):  # of all texts, as the inside of a class
    known = sorted(set("".join(TEXTS) + CORPUS))
    return "".join(re.escape(c) for c in known if unicodedata.category(c).startswith(kind))


def words(pattern, text):
    python = pattern.replace(r"\p{L}+", f"[{characters('L')}]+").replace(r"\p{L}", characters("L"))
    python = re.sub(r"(?<!\[)(?<!\\S)\\p\{N\}(?=[+{|])", lambda _: f"[{characters('N')}]", python)
    return re.findall(re.sub(r"\\p\{(\w+)\}", lambda kind: characters(kind[1]), python), text)


def merge_all(pieces, ranks):
    while True:
        found = [(ranks[pair], i) for i, pair in enumerate(zip(pieces, pieces[1:])) if pair in ranks]
        if not found:
            return pieces
        i = min(found)[1]
        pieces = pieces[:i] + [pieces[i] + pieces[i + 1]] + pieces[i + 2:]


def train(rows, count):
    ranks = {}
    for rank in range(count):
        pairs = {}
        for row in rows:
            for pair in zip(row, row[1:]):
                pairs[pair] = pairs.get(pair, 0) + 1
        best = max(sorted(pairs), key=lambda pair: pairs[pair])
        ranks[best] = rank
        rows = [merge_all(row, {best: 0}) for row in rows]
    return ranks


def cut(text, special):  # (is special, part), the earliest and of those the longest first
    parts = re.split("(" + "|".join(map(re.escape, sorted(special, key=len, reverse=True))) + ")", text)
    return [(i % 2 == 1, part) for i, part in enumerate(parts) if part]


# --- Bytes -----------------------------------------------------------------------------------------------------------

printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
written = {b: chr(b) for b in printable}
written |= {b: chr(256 + i) for i, b in enumerate(b for b in range(256) if b not in printable)}


def write(text):
    return [written[b] for b in text.encode()]


byte_ranks = train([write(word) for word in words(GPT2, CORPUS)], 70)
names = [written[b] for b in range(256)] + [a + b for a, b in byte_ranks] + [written[ord(" ")] + "whole"]
vocabulary = {name: i for i, name in enumerate(names)}
end = len(vocabulary)
ADDED = {"special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}


def split_before(pattern):
    return {"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False},
        LEVEL | {"use_regex": False}]}


kinds = {
    "gpt2": (LEVEL, lambda text: words(GPT2, text)),
    "single_digits": ({"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, LEVEL]},
                      lambda text: [w for part in re.split(f"([{characters('N')}])", text) for w in words(GPT2, part)]),
    "llama3": (split_before(NEWER % "{1,3}"), lambda text: words(NEWER % "{1,3}", text)),
    "qwen": (split_before(NEWER % ""), lambda text: words(NEWER % "", text)),
    "gpt_oss": (split_before(GPT_OSS), lambda text: words(GPT_OSS, text)),
}
bytes_json = {
    "version": "1.0", "truncation": None, "padding": None,
    "added_tokens": [{"id": end, "content": "<|end|>"} | ADDED],
    "normalizer": None, "pre_tokenizer": LEVEL,
    "post_processor": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True},
    "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
    "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "",
              "end_of_word_suffix": "", "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
              "vocab": vocabulary, "merges": [f"{a} {b}" for a, b in byte_ranks]}}


def byte_ids(text, cut_words):
    ids = []
    for special, part in cut(text, ["<|end|>"]):
        for word in [] if special else cut_words(part):
            ids += [vocabulary[piece] for piece in merge_all(write(word), byte_ranks)]
        ids += [end] if special else []
    return ids


# --- Pieces ----------------------------------------------------------------------------------------------------------

known = sorted(set(CORPUS.replace(" ", "▁")) - set("1ö"))
piece_ranks = train([list(CORPUS[:105].replace(" ", "▁"))], 60)
piece_ranks = {pair: rank for pair, rank in piece_ranks.items() if set("".join(pair)) <= set(known)}
pieces = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)]
pieces += list(dict.fromkeys(a + b for a, b in piece_ranks)) + known
number = {piece: i for i, piece in reversed(list(enumerate(pieces)))}
PREPEND, REPLACE = ({"type": "Prepend", "prepend": "▁"},
                    {"type": "Replace", "pattern": {"String": " "}, "content": "▁"})
pieces_json = {
    "version": "1.0", "truncation": None, "padding": None,
    "added_tokens": [{"id": i, "content": pieces[i]} | ADDED for i in range(3)],
    "normalizer": {"type": "Sequence", "normalizers": [PREPEND, REPLACE]}, "pre_tokenizer": None,
    "post_processor": {"type": "TemplateProcessing",
                       "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                                  {"Sequence": {"id": "A", "type_id": 0}}],
                       "pair": [],
                       "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
    "decoder": {"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
    "model": {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
              "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True, "vocab": number,
              "merges": [[a, b] for a, b in piece_ranks]}}


def piece_ids(text, front, special):
    ids = [1]
    for is_special, part in cut(text, special):
        if is_special:
            ids.append(number[part])
            continue
        row = []
        for c in (front + part).replace(" ", "▁"):
            row += [c] if c in number else [f"<0x{b:02X}>" for b in c.encode()]
        ids += [number[piece] for piece in merge_all(row, piece_ranks)]
    return ids


def scored_ids(text):  # of all neighbours whose union is a piece the one of the highest score; of equal ones the first
    row, scores = [], {piece: score(i) for i, piece in enumerate(pieces) if i >= 259}
    for c in (" " + text).replace(" ", "▁") if text else "":
        row += [c] if c in number else [f"<0x{b:02X}>" for b in c.encode()]
    while found := [(-scores[a + b], i) for i, (a, b) in enumerate(zip(row, row[1:])) if a + b in scores]:
        i = min(found)[1]
        row = row[:i] + [row[i] + row[i + 1]] + row[i + 2:]
    return [1] + [number[piece] for piece in row]


def score(i):
    return 0.0 if i < 259 else float(258 - i)


def varint(n):
    return bytes([n & 127 | 128]) + varint(n >> 7) if n > 127 else bytes([n])


def field(n, value):  # a whole number, an f32, or bytes
    if isinstance(value, float):
        return varint(n << 3 | 5) + struct.pack("<f", value)
    return varint(n << 3) + varint(value) if isinstance(value, int) else varint(n << 3 | 2) + varint(len(value)) + value


def model_file(kind=2, **normalizer):
    message = b""
    for i, piece in enumerate(pieces):
        what = {0: 2, 1: 3, 2: 3}.get(i, 6 if i < 259 else 1)
        inside = field(1, piece.encode()) + field(2, score(i)) + (field(3, what) if what != 1 else b"")
        message += field(1, inside)
    trainer = field(1, b"corpus.txt") + field(3, kind) + field(4, len(pieces)) + field(10, 0.9995) + field(35, 1)
    rules = field(1, b"identity") + field(3, normalizer.get("front", 1)) + field(4, 0) + field(5, 1)
    return message + field(2, trainer) + field(3, rules)


FOLDER.mkdir(exist_ok=True)
for name, content in {"bytes.json": bytes_json, "pieces.json": pieces_json}.items():
    (FOLDER / name).write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n")
(FOLDER / "pieces.model").write_bytes(model_file())
said = {name: {"pre_tokenizer": part, "ids": [[text, byte_ids(text, words_of)] for text in TEXTS],
               "words": [[word for word in words_of(text) if word] for text in TEXTS]}
        for name, (part, words_of) in kinds.items()}
all_special = ["<s>", "</s>"]
said["llama2"] = {"normalizer": pieces_json["normalizer"], "ids": [[t, piece_ids(t, " ", all_special)] for t in TEXTS]}
said["gemma"] = {"normalizer": REPLACE, "ids": [[t, piece_ids(t, "", all_special)] for t in TEXTS]}
said["model"] = {"ids": [[t, scored_ids(t)] for t in TEXTS]}
text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
(FOLDER / "ids.json").write_text(text.replace("]],[", "]],\n[").replace("},", "},\n") + "\n")


def forms():
    stands_for = [c for c in range(0x110000) if unicodedata.decomposition(chr(c))[:1] not in ("", "<")]
    stands_for += range(0xAC00, 0xD7A4, 97)  # Korean syllables
    known = [chr(c) for c in stands_for if not (0xF900 <= c <= 0xFAFF or 0x2F800 <= c <= 0x2FA1F)]
    marks = "\u0300\u0301\u0302\u0323\u0327\u0328\u031b\u0338\u0345\u05b4\u064b\u0651\u09be\u0e49\u3099\u1161\u11a8"
    letters = "aeouÅệ<>=ąΑאب\u09c7ดか\u1100각각|"
    draw = random.Random(1)
    mixed = ["".join(draw.choice(letters if draw.random() < 0.4 else marks) for _ in range(8)) for _ in range(300)]
    texts = ["".join(known), "|".join(unicodedata.normalize("NFD", c) for c in known), "|".join(mixed)]
    return [[text, unicodedata.normalize("NFC", text)] for text in texts]


(FOLDER / "normal_forms.json").write_text(json.dumps(forms(), ensure_ascii=False).replace("], [", "],\n[") + "\n")
