"""Writes safetensors files from the public description of the format, with Python's standard library alone.

    python3 tests/reference/make_safetensors.py            writes data/{canonical,foreign,narrow,wide}.safetensors
    python3 tests/reference/make_safetensors.py check FILE reads FILE, and compares it with the same content

canonical: laid out as the format's public implementation does it. What we write has to be these bytes.
foreign:   the same content as another writer may lay it out. What we read has to be the same.
narrow:    elements of fewer bytes than ours.
wide:      the same numbers in F32 and I64. Reading either has to give the same.
"""

import json
import pathlib
import struct
import sys

CODES = {"F32": "f", "F64": "d", "I64": "q", "F16": "e", "I32": "i", "I16": "h", "I8": "b", "U8": "B", "BOOL": "B"}

# name: (dtype, shape, elements)
CONTENT = {
    "layers.0.weight": ("F32", [2, 3], [1.0, -2.5, 3.25, 0.0, -0.0, 1e-40]),
    "layers.0.bias": ("F32", [3], [float("inf"), float("-inf"), 2.0**-149]),
    "layers.10.weight": ("F32", [1, 1, 1, 1, 1, 1], [7.0]),
    "layers.2.weight": ("F32", [1], [8.0]),
    "precise": ("F64", [2], [0.1, -1e300]),
    "scalar": ("F64", [], [2.0**-1074]),
    "tokens": ("I64", [4], [0, -1, 2**63 - 1, -(2**63)]),
    "nothing": ("F32", [2, 0, 3], []),
    "a \"quoted\" name\twith \\ and \x01": ("F32", [1], [9.0]),
    "größe 注意": ("I64", [1], [42]),
}
# name: (dtype, the one it is widened to, elements). Halves are given as bits: 0, −0, the smallest and the largest below
# normal, the smallest normal, 1, its neighbour, −2, the largest, ±∞, NaN.
HALVES = [0x0000, 0x8000, 0x0001, 0x03FF, 0x0400, 0x3C00, 0x3C01, 0xC000, 0x7BFF, 0x7C00, 0xFC00, 0x7E00]
NARROW = {
    "half": ("F16", "F32", [struct.unpack("<e", struct.pack("<H", bits))[0] for bits in HALVES]),
    "brain": ("BF16", "F32", [0.0, -0.0, 1.0, -2.5, 255 * 2.0**120, 2.0**-126, 2.0**-133, float("inf"), float("nan")]),
    "four": ("I32", "I64", [0, -1, 2**31 - 1, -(2**31)]),
    "two": ("I16", "I64", [0, -1, 2**15 - 1, -(2**15)]),
    "one": ("I8", "I64", [0, -1, 127, -128]),
    "byte": ("U8", "I64", [0, 1, 127, 128, 255]),
    "truth": ("BOOL", "I64", [1, 0, 0, 1, 1]),
}
METADATA = {"made by": "hand, \"carefully\"\n"}


def packed(dtype, elements):
    if dtype == "BF16":  # the upper half of an f32: the elements above lose nothing
        return b"".join(struct.pack("<f", element)[2:] for element in elements)
    return struct.pack(f"<{len(elements)}{CODES[dtype]}", *elements)


def layout(names):
    header, data = {}, b""
    for name in names:
        dtype, shape, elements = CONTENT[name]
        piece = packed(dtype, elements)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(piece)]}
        data += piece
    return header, data


def canonical():
    order = ["I64", "F64", "F32"]  # larger elements first, then by name
    header, data = layout(sorted(CONTENT, key=lambda name: (order.index(CONTENT[name][0]), name.encode())))
    header = {"__metadata__": METADATA, **header}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def foreign():
    header, data = layout(sorted(CONTENT, key=lambda name: len(name)))  # elements are not aligned
    header = dict(reversed(header.items()))
    header["__metadata__"] = METADATA
    text = json.dumps(header, indent=1, sort_keys=False).encode()
    text += b"\n" if len(text) % 2 == 0 else b""  # an odd length
    return struct.pack("<Q", len(text)) + text + data


def narrow_or_wide(which):
    header, data = {}, b""
    for name, (narrow, wide, elements) in NARROW.items():
        dtype = {"narrow": narrow, "wide": wide}[which]
        piece = packed(dtype, elements)
        header[name] = {"dtype": dtype, "shape": [len(elements)], "data_offsets": [len(data), len(data) + len(piece)]}
        data += piece
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def check(path):
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    data = data[8 + length :]
    assert header.pop("__metadata__") == METADATA
    assert header.keys() == CONTENT.keys()
    for name, (dtype, shape, elements) in CONTENT.items():
        begin, end = header[name]["data_offsets"]
        assert (header[name]["dtype"], header[name]["shape"]) == (dtype, shape), name
        assert data[begin:end] == packed(dtype, elements), name
    print(f"{path}: as it should be")


if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent / "data"
    if sys.argv[1:2] == ["check"]:
        check(sys.argv[2])
    else:
        (folder / "canonical.safetensors").write_bytes(canonical())
        (folder / "foreign.safetensors").write_bytes(foreign())
        for which in ("narrow", "wide"):
            (folder / f"{which}.safetensors").write_bytes(narrow_or_wide(which))
