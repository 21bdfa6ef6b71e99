"""A second reader of examples/data/stories260K.bin, with NumPy and nothing else; PyTorch is not needed.

    sudo apt install python3-numpy
    /usr/bin/python3 tests/reference/make_stories.py

data/stories260K/    the same model as Hugging Face stores a Llama: config.json and model.safetensors, rows of q and k
                     in halves. Both loaders have to give the same tensors.
data/stories260K.json  what the model says, computed in f64: the logits behind some prompts, and the tokens that it
                     continues them with, each time the likeliest one. The texts are the ones published with the model.
"""

import json
import pathlib
import struct

import numpy as np

FOLDER = pathlib.Path(__file__).parent
EXAMPLES = FOLDER.parent.parent / "examples" / "data"

# (prompt, how many tokens are generated, what the text begins with)
PROMPTS = [
    ("", 100, "Once upon a time, there was a little girl named Lily. She loved to play outside in the park. One day, "
              "she saw a big, red ball. She wanted to play with it, but it was too high.\nLily's mom said,"),
    ("Zoo", 100, "Zoo was a little girl named Lily. She loved to play outside in the park. One day, she saw a big, red "
                 "ball. She wanted to play with it, but she didn't want to play with"),
    ("One day, a dog", 40, "One day, a dog"),
]


def read_model():
    data = (EXAMPLES / "stories260K.bin").read_bytes()
    dim, hidden, layers, heads, kv, vocabulary, positions = struct.unpack_from("<7i", data)
    assert vocabulary > 0  # tied
    size, place = dim // heads, 28

    def take(*shape):
        nonlocal place
        count = int(np.prod(shape))
        place += 4 * count
        return np.frombuffer(data, "<f4", count, place - 4 * count).reshape(shape)

    m = {"embedding": take(vocabulary, dim), "attention_norm": take(layers, dim), "q": take(layers, dim, dim),
         "k": take(layers, kv * size, dim), "v": take(layers, kv * size, dim), "o": take(layers, dim, dim),
         "mlp_norm": take(layers, dim), "gate": take(layers, hidden, dim), "down": take(layers, dim, hidden),
         "up": take(layers, hidden, dim), "norm": take(dim)}
    take(2 * positions, size // 2)
    assert place == len(data)
    sizes = {"dim": dim, "hidden": hidden, "layers": layers, "heads": heads, "kv": kv, "vocabulary": vocabulary,
             "positions": positions, "size": size}
    return sizes, m


# --- As Hugging Face stores it ---------------------------------------------------------------------------------------


def halves(rows, heads):
    pairs = rows.reshape(heads, rows.shape[0] // heads // 2, 2, rows.shape[1])
    return pairs.transpose(0, 2, 1, 3).reshape(rows.shape)


def write_hugging_face(s, m):
    tensors = {"model.embed_tokens.weight": m["embedding"], "model.norm.weight": m["norm"]}
    for n in range(s["layers"]):
        layer = f"model.layers.{n}."
        tensors[layer + "input_layernorm.weight"] = m["attention_norm"][n]
        tensors[layer + "self_attn.q_proj.weight"] = halves(m["q"][n], s["heads"])
        tensors[layer + "self_attn.k_proj.weight"] = halves(m["k"][n], s["kv"])
        tensors[layer + "self_attn.v_proj.weight"] = m["v"][n]
        tensors[layer + "self_attn.o_proj.weight"] = m["o"][n]
        tensors[layer + "post_attention_layernorm.weight"] = m["mlp_norm"][n]
        for name in ("gate", "down", "up"):
            tensors[layer + f"mlp.{name}_proj.weight"] = m[name][n]
    header, pieces, place = {"__metadata__": {"format": "pt"}}, [], 0
    for name, x in sorted(tensors.items()):
        piece = np.ascontiguousarray(x, "<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(x.shape), "data_offsets": [place, place + len(piece)]}
        place += len(piece)
        pieces.append(piece)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "bos_token_id": 1,
              "eos_token_id": 2, "hidden_size": s["dim"], "intermediate_size": s["hidden"],
              "num_hidden_layers": s["layers"], "num_attention_heads": s["heads"], "num_key_value_heads": s["kv"],
              "vocab_size": s["vocabulary"], "max_position_embeddings": s["positions"], "rms_norm_eps": 1e-5,
              "rope_theta": 10000.0, "rope_scaling": None, "tie_word_embeddings": True, "torch_dtype": "float32",
              "use_cache": True, "transformers_version": "4.31.0"}
    folder = FOLDER / "data" / "stories260K"
    folder.mkdir(exist_ok=True)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + b"".join(pieces))
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


# --- What it says ----------------------------------------------------------------------------------------------------


def norm(x, weight):
    return weight * x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-5)


def rotate(x, size):  # (length, heads, size): each pair (2i, 2i + 1) by position · 10000^(−2i/size)
    angles = np.arange(len(x))[:, None] * 10000.0 ** (-np.arange(0, size, 2) / size)
    c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
    a, b = x[..., 0::2], x[..., 1::2]
    return np.stack([a * c - b * s, a * s + b * c], -1).reshape(x.shape)


def logits(tokens, s, m):
    length, size = len(tokens), s["size"]
    x = m["embedding"][tokens]
    for n in range(s["layers"]):
        h = norm(x, m["attention_norm"][n])
        q = rotate((h @ m["q"][n].T).reshape(length, s["heads"], size), size)
        k = rotate((h @ m["k"][n].T).reshape(length, s["kv"], size), size)
        v = (h @ m["v"][n].T).reshape(length, s["kv"], size)
        k, v = (np.repeat(y, s["heads"] // s["kv"], axis=1) for y in (k, v))
        scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(size)
        scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        x = x + np.einsum("hqk,khd->qhd", weights, v).reshape(length, -1) @ m["o"][n].T
        h = norm(x, m["mlp_norm"][n])
        gate = h @ m["gate"][n].T
        x = x + (gate / (1 + np.exp(-gate)) * (h @ m["up"][n].T)) @ m["down"][n].T
    return norm(x, m["norm"]) @ m["embedding"].T


def read_pieces():
    data, place, pieces = (EXAMPLES / "tok512.bin").read_bytes(), 4, []
    while place < len(data):
        _, length = struct.unpack_from("<fi", data, place)
        pieces.append(data[place + 8 : place + 8 + length])
        place += 8 + length
    return pieces


def text_of(tokens, pieces):
    text = b""
    for previous, token in zip(tokens, tokens[1:]):
        piece = bytes([token - 3]) if 3 <= token < 259 else pieces[token]
        text += piece[1:] if previous == 1 and piece.startswith(b" ") else piece
    return text.decode()


def record(prompt, count, beginning, s, m, encoded, pieces):
    tokens = [1] + encoded
    behind_prompt = None
    while len(tokens) < 1 + len(encoded) + count:
        out = logits(tokens, s, m)
        behind_prompt = out if behind_prompt is None else behind_prompt
        tokens.append(int(np.argmax(out[-1])))
        best = np.sort(out[-1])[-2:]
        assert best[1] - best[0] > 1e-4, "the two likeliest are too close to tell in f32"
        assert tokens[-1] != 1
    text = text_of(tokens, pieces)
    assert text.startswith(beginning), text
    print(repr(text))
    return {"prompt": prompt, "tokens": tokens, "prompt_length": 1 + len(encoded), "text": text,
            "logits": [[float(f"{x:.17g}") for x in row] for row in behind_prompt[-2:]]}


if __name__ == "__main__":
    sizes, model = read_model()
    write_hugging_face(sizes, model)
    wide = {name: x.astype(np.float64) for name, x in model.items()}
    stored = pathlib.Path(FOLDER / "data" / "text.json").read_text(encoding="utf-8")
    encodings = dict((text, tokens) for text, tokens in json.loads(stored)["sentence_pieces"])
    pieces = read_pieces()
    records = [record(prompt, count, beginning, sizes, wide, encodings[prompt], pieces)
               for prompt, count, beginning in PROMPTS]
    (FOLDER / "data" / "stories260K.json").write_text(json.dumps(records, separators=(",", ":")) + "\n")
