"""Writes files of llama2.c from the description of the format, with Python's standard library alone.

    python3 tests/reference/make_llama2c.py

data/llama2c_v{0,1,2}.bin          a small model of random numbers in each version
data/llama2c_v{0,1,2}.safetensors  the tensors that reading it has to give, under Hugging Face's names
"""

import json
import pathlib
import random
import struct

DIM, HIDDEN, LAYERS, HEADS, KV, VOCABULARY, POSITIONS = 8, 12, 2, 4, 2, 10, 6
SIZE = DIM // HEADS
GROUP = 16  # of 8-bit numbers; rows of down have 12, so groups reach over them

# In the order of version 0, in which lm_head comes last, behind the tables.
KINDS = [("model.embed_tokens", None, (VOCABULARY, DIM)), ("input_layernorm", LAYERS, (DIM,)),
         ("self_attn.q_proj", LAYERS, (DIM, DIM)), ("self_attn.k_proj", LAYERS, (KV * SIZE, DIM)),
         ("self_attn.v_proj", LAYERS, (KV * SIZE, DIM)), ("self_attn.o_proj", LAYERS, (DIM, DIM)),
         ("post_attention_layernorm", LAYERS, (DIM,)), ("mlp.gate_proj", LAYERS, (HIDDEN, DIM)),
         ("mlp.down_proj", LAYERS, (DIM, HIDDEN)), ("mlp.up_proj", LAYERS, (HIDDEN, DIM)), ("model.norm", None, (DIM,)),
         ("lm_head", None, (VOCABULARY, DIM))]


def names(kind):
    name, layers, _ = kind
    return [f"{name}.weight"] if layers is None else [f"model.layers.{n}.{name}.weight" for n in range(layers)]


def count(shape):
    return shape[0] * (shape[1] if len(shape) == 2 else 1)


def floats(numbers):
    return struct.pack(f"<{len(numbers)}f", *numbers)


def write(version, tied):
    draw = random.Random(version)
    kinds = [kind for kind in KINDS if kind[0] != "lm_head" or not tied]
    if version > 0:
        kinds = [k for k in kinds if len(k[2]) == 1] + [k for k in kinds if len(k[2]) == 2]
    vocabulary = VOCABULARY if tied or version else -VOCABULARY
    sizes = struct.pack("<7i", DIM, HIDDEN, LAYERS, HEADS, KV, vocabulary, POSITIONS)
    if version == 0:
        data = sizes
    else:
        data = struct.pack("<Ii", 0x616B3432, version) + sizes + struct.pack("<B", tied)
        data += struct.pack("<i", GROUP) if version == 2 else b""
        data = data.ljust(256, b"\0")
    tensors = {}
    for kind in kinds:
        if version == 0 and kind[0] == "lm_head":
            data += floats([7.0] * (POSITIONS * SIZE))
        for name in names(kind):
            n = count(kind[2])
            if version == 2 and len(kind[2]) == 2:
                whole = [draw.randrange(-127, 128) for _ in range(n)]
                scales = [2.0 ** draw.randrange(-9, -3) for _ in range(n // GROUP)]  # products lose nothing
                data += struct.pack(f"<{n}b", *whole) + floats(scales)
                numbers = [q * scales[i // GROUP] for i, q in enumerate(whole)]
            else:
                numbers = [draw.gauss(0, 1) for _ in range(n)]
                if version == 2:  # so that F16 and BF16 hold all numbers of this file
                    numbers = [round(number * 16) / 16 for number in numbers]
                data += floats(numbers)
            tensors[name] = (kind[2], floats(numbers))
    if version == 0 and tied:
        data += floats([7.0] * (POSITIONS * SIZE))
    return data, tensors


def safetensors(tensors):
    header, data = {}, b""
    for name, (shape, piece) in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [len(data), len(data) + len(piece)]}
        data += piece
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent / "data"
    for version, tied in ((0, False), (1, False), (2, True)):
        data, tensors = write(version, tied)
        (folder / f"llama2c_v{version}.bin").write_bytes(data)
        (folder / f"llama2c_v{version}.safetensors").write_bytes(safetensors(tensors))
