"""Small random models of the families that examples/published reads, and what they say, by the papers' formulas.

    sudo apt install python3-torch            # Debian 12: version 1.13
    /usr/bin/python3 tests/reference/make_published.py

data/published/NAME/   as such a model is downloaded: config.json, and its weights in BF16; those of llama3 in two files
                       with an index; "wordy" has as many tokens as the tokenizers of make_tokenizers.py.
data/published/logits.json: the logits behind each token of a text, in f64.
"""

import json
import math
import pathlib
import struct

import torch

FOLDER = pathlib.Path(__file__).parent / "data" / "published"
VOCABULARY = 24
TEXT = [3, 17, 5, 22, 0, 9, 9, 14, 2, 20]

COMMON = {"architectures": ["SmallForCausalLM"], "attention_bias": False, "attention_dropout": 0.0, "bos_token_id": 0,
          "eos_token_id": 1, "initializer_range": 0.02, "max_position_embeddings": 64, "num_attention_heads": 4,
          "num_key_value_heads": 2, "torch_dtype": "bfloat16", "transformers_version": "4.51.0", "use_cache": True,
          "vocab_size": VOCABULARY}

CONFIGS = {
    "llama2": COMMON | {"model_type": "llama", "hidden_act": "silu", "hidden_size": 16, "intermediate_size": 24,
                        "num_hidden_layers": 2, "rms_norm_eps": 1e-5, "rope_scaling": None, "rope_theta": 10000.0,
                        "tie_word_embeddings": False, "mlp_bias": False, "pretraining_tp": 1},
    "llama3": COMMON | {"model_type": "llama", "hidden_act": "silu", "hidden_size": 32, "intermediate_size": 24,
                        "num_hidden_layers": 2, "rms_norm_eps": 1e-5, "rope_theta": 500.0, "head_dim": 8,
                        "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                                         "original_max_position_embeddings": 32, "rope_type": "llama3"},
                        "tie_word_embeddings": True, "mlp_bias": False, "eos_token_id": [1, 2]},
    "qwen2": {k: v for k, v in COMMON.items() if k != "attention_bias"} | {
        "model_type": "qwen2", "hidden_act": "silu", "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2,
        "rms_norm_eps": 1e-6, "rope_theta": 1000000.0, "tie_word_embeddings": True, "use_sliding_window": False,
        "sliding_window": 64, "max_window_layers": 2},
    "qwen3": COMMON | {"model_type": "qwen3", "hidden_act": "silu", "hidden_size": 16, "intermediate_size": 24,
                       "num_hidden_layers": 2, "head_dim": 8, "rms_norm_eps": 1e-6, "rope_scaling": None,
                       "rope_theta": 1000000.0, "tie_word_embeddings": False, "use_sliding_window": False,
                       "sliding_window": None, "max_window_layers": 2},
    "gemma3": COMMON | {"model_type": "gemma3_text", "hidden_activation": "gelu_pytorch_tanh", "hidden_size": 12,
                        "intermediate_size": 16, "num_hidden_layers": 6, "head_dim": 8, "rms_norm_eps": 1e-6,
                        "rope_scaling": None, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
                        "query_pre_attn_scalar": 5, "sliding_window": 4, "sliding_window_pattern": 6,
                        "attn_logit_softcapping": None, "final_logit_softcapping": None,
                        "cache_implementation": "hybrid", "tie_word_embeddings": True},
    "wordy": COMMON | {"model_type": "llama", "hidden_act": "silu", "hidden_size": 8, "intermediate_size": 8,
                       "num_hidden_layers": 1, "rms_norm_eps": 1e-5, "tie_word_embeddings": True, "vocab_size": 336,
                       "eos_token_id": [326, 327], "num_attention_heads": 2, "num_key_value_heads": 1},
    "gpt_oss": COMMON | {"model_type": "gpt_oss", "hidden_act": "silu", "attention_bias": True, "hidden_size": 12,
                         "intermediate_size": 10, "num_hidden_layers": 2, "head_dim": 8, "rms_norm_eps": 1e-5,
                         "num_local_experts": 5, "num_experts_per_tok": 2, "experts_per_token": 2, "swiglu_limit": 7.0,
                         "sliding_window": 4, "layer_types": ["sliding_attention", "full_attention"],
                         "rope_theta": 150.0, "initial_context_length": 32, "tie_word_embeddings": False,
                         "rope_scaling": {"rope_type": "yarn", "factor": 8.0, "beta_fast": 4.0, "beta_slow": 1.0,
                                          "original_max_position_embeddings": 32, "truncate": False},
                         "output_router_logits": False, "router_aux_loss_coef": 0.9},
}


# --- Weights ---------------------------------------------------------------------------------------------------------


def shapes(c):
    e, f, h, g = (c[k] for k in ("hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads"))
    d, kind = c.get("head_dim", e // h), c["model_type"]
    layer = {"input_layernorm.weight": [e],
             "self_attn.q_proj.weight": [h * d, e], "self_attn.k_proj.weight": [g * d, e],
             "self_attn.v_proj.weight": [g * d, e], "self_attn.o_proj.weight": [e, h * d],
             "post_attention_layernorm.weight": [e], "mlp.gate_proj.weight": [f, e], "mlp.up_proj.weight": [f, e],
             "mlp.down_proj.weight": [e, f]}
    if kind == "qwen2":
        layer |= {f"self_attn.{x}_proj.bias": [n * d] for x, n in (("q", h), ("k", g), ("v", g))}
    if kind in ("qwen3", "gemma3_text"):
        layer |= {"self_attn.q_norm.weight": [d], "self_attn.k_norm.weight": [d]}
    if kind == "gpt_oss":
        layer = {name: shape for name, shape in layer.items() if "mlp" not in name}
        layer |= {f"self_attn.{x}_proj.bias": [n] for x, n in (("q", h * d), ("k", g * d), ("v", g * d), ("o", e))}
        n = c["num_local_experts"]
        layer |= {"self_attn.sinks": [h], "mlp.router.weight": [n, e], "mlp.router.bias": [n],
                  "mlp.experts.gate_up_proj": [n, e, 2 * f], "mlp.experts.gate_up_proj_bias": [n, 2 * f],
                  "mlp.experts.down_proj": [n, f, e], "mlp.experts.down_proj_bias": [n, e]}
    if kind == "gemma3_text":
        layer |= {"pre_feedforward_layernorm.weight": [e], "post_feedforward_layernorm.weight": [e]}
    all_of_it = {"model.embed_tokens.weight": [c["vocab_size"], e], "model.norm.weight": [e]}
    for i in range(c["num_hidden_layers"]):
        all_of_it |= {f"model.layers.{i}.{name}": shape for name, shape in layer.items()}
    if not c["tie_word_embeddings"]:
        all_of_it["lm_head.weight"] = [c["vocab_size"], e]
    return all_of_it


def draw(c, generator):
    weights = {}
    for name, shape in shapes(c).items():
        w = torch.randn(shape, generator=generator, dtype=torch.float64)
        if "norm" in name:
            w = 0.3 * w + (0 if c["model_type"] == "gemma3_text" else 1)
        elif len(shape) == 3:  # what comes out has to be clamped here and there
            w = w * (4.0 if "up" in name else 1.0) / math.sqrt(shape[1])
        elif len(shape) == 2 and "bias" not in name:
            w = w * (1.5 if "embed" in name else 1.0) / math.sqrt(shape[1])
        weights[name] = w.to(torch.bfloat16)
    return weights


def write_safetensors(path, weights):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, w in weights.items():
        piece = w.view(torch.int16).numpy().astype("<i2").tobytes()
        header[name] = {"dtype": "BF16", "shape": list(w.shape), "data_offsets": [len(data), len(data) + len(piece)]}
        data += piece
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


# --- What a model computes -------------------------------------------------------------------------------------------


def frequencies(c, base):
    d = c.get("head_dim", c["hidden_size"] // c["num_attention_heads"])
    plain = [base ** (-2 * j / d) for j in range(d // 2)]
    scaling = c.get("rope_scaling")
    if not scaling:
        return plain
    if scaling["rope_type"] == "yarn":
        return yarn(plain, base, scaling)
    scaled = []
    for w in plain:  # Llama 3.1: long waves are slowed down, short ones stay, and between them there is a ramp
        length = 2 * math.pi / w
        trained = scaling["original_max_position_embeddings"]
        low, high, factor = scaling["low_freq_factor"], scaling["high_freq_factor"], scaling["factor"]
        if length < trained / high:
            scaled.append(w)
        elif length > trained / low:
            scaled.append(w / factor)
        else:
            smooth = (trained / length - low) / (high - low)
            scaled.append((1 - smooth) * w / factor + smooth * w)
    return scaled


def yarn(plain, base, scaling):  # many turns within the trained length stay, few are slowed down; a ramp in j
    trained, factor = scaling["original_max_position_embeddings"], scaling["factor"]
    pair_of = lambda turns: len(plain) * math.log(trained / (2 * math.pi * turns)) / math.log(base)
    low, high = max(pair_of(scaling["beta_fast"]), 0), min(pair_of(scaling["beta_slow"]), 2 * len(plain) - 1)
    slowed = [min(max((j - low) / (high - low), 0), 1) for j in range(len(plain))]
    return [w * (1 - s) + w / factor * s for w, s in zip(plain, slowed)]


def rotate(x, angles):  # (L, D), angles (L, D/2): feature j goes with feature j + D/2
    a, b = x.chunk(2, -1)
    return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)


def logits(c, weights):
    w = {name: x.to(torch.float64) for name, x in weights.items()}
    gemma, gpt_oss = (c["model_type"] == kind for kind in ("gemma3_text", "gpt_oss"))
    eps = c["rms_norm_eps"]
    heads, groups = c["num_attention_heads"], c["num_key_value_heads"]
    d, length = c.get("head_dim", c["hidden_size"] // heads), len(TEXT)
    positions = torch.arange(length, dtype=torch.float64)[:, None]

    def norm(x, name):
        gain = w[name] + 1 if gemma else w[name]
        return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * gain

    def attention(x, i):
        at = f"model.layers.{i}.self_attn."
        q, k, v = (x @ w[f"{at}{n}_proj.weight"].T + w.get(f"{at}{n}_proj.bias", 0.0) for n in "qkv")
        in_window = (gemma and (i + 1) % c["sliding_window_pattern"] != 0) or (gpt_oss and i % 2 == 0)
        base = c["rope_local_base_freq"] if gemma and in_window else c["rope_theta"]
        times = 1 + 0.1 * math.log(c["rope_scaling"]["factor"]) if gpt_oss else 1  # of queries and keys alike
        angles = positions * torch.tensor(frequencies(c, base), dtype=torch.float64)
        outputs = []
        for h in range(heads):
            g = h // (heads // groups)
            qh, kh, vh = q[:, h * d:(h + 1) * d], k[:, g * d:(g + 1) * d], v[:, g * d:(g + 1) * d]
            if f"{at}q_norm.weight" in w:
                qh, kh = norm(qh, f"{at}q_norm.weight"), norm(kh, f"{at}k_norm.weight")
            scores = rotate(qh, angles) @ rotate(kh, angles).T / math.sqrt(c.get("query_pre_attn_scalar", d)) * times**2
            for a in range(length):
                for b in range(length):
                    if b > a or (in_window and a - b >= c["sliding_window"]):
                        scores[a, b] = -math.inf
            weights = torch.softmax(scores, -1)
            if gpt_oss:
                weights = torch.exp(scores) / (torch.exp(scores).sum(-1, keepdim=True) + torch.exp(w[f"{at}sinks"][h]))
            outputs.append(weights @ vh)
        return torch.cat(outputs, -1) @ w[f"{at}o_proj.weight"].T + w.get(f"{at}o_proj.bias", 0.0)

    def mixture(x, i):
        at = f"model.layers.{i}.mlp."
        rows = []
        for row in x @ w[at + "router.weight"].T + w[at + "router.bias"]:
            best = sorted(range(len(row)), key=lambda e: -row[e])[:c["num_experts_per_tok"]]
            gates = torch.softmax(row[best], -1)
            total = 0
            for share, e in zip(gates, best):
                both = x[len(rows)] @ w[at + "experts.gate_up_proj"][e] + w[at + "experts.gate_up_proj_bias"][e]
                limit = c["swiglu_limit"]
                gate, up = both[0::2].clamp(max=limit), both[1::2].clamp(-limit, limit)
                made = gate * torch.sigmoid(1.702 * gate) * (up + 1)
                total = total + share * (made @ w[at + "experts.down_proj"][e] + w[at + "experts.down_proj_bias"][e])
            rows.append(total)
        return torch.stack(rows)

    def feed_forward(x, i):
        up, gate, down = (w[f"model.layers.{i}.mlp.{n}_proj.weight"].T for n in ("up", "gate", "down"))
        z = x @ gate
        if gemma:
            z = 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
        else:
            z = z * torch.sigmoid(z)
        return (z * (x @ up)) @ down

    x = w["model.embed_tokens.weight"][TEXT] * (math.sqrt(c["hidden_size"]) if gemma else 1)
    for i in range(c["num_hidden_layers"]):
        at = f"model.layers.{i}."
        added = attention(norm(x, at + "input_layernorm.weight"), i)
        x = x + (norm(added, at + "post_attention_layernorm.weight") if gemma else added)
        before = "pre_feedforward_layernorm.weight" if gemma else "post_attention_layernorm.weight"
        added = (mixture if gpt_oss else feed_forward)(norm(x, at + before), i)
        x = x + (norm(added, at + "post_feedforward_layernorm.weight") if gemma else added)
    x = norm(x, "model.norm.weight")
    return x @ w.get("lm_head.weight", w["model.embed_tokens.weight"]).T


said = {"text": TEXT}
for number, (name, config) in enumerate(CONFIGS.items()):
    weights = draw(config, torch.Generator().manual_seed(number))
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    if name == "llama3":
        halves = [{n: x for n, x in weights.items() if (".layers.1." in n) == second} for second in (False, True)]
        files = [f"model-0000{i + 1}-of-00002.safetensors" for i in range(2)]
        for file, half in zip(files, halves):
            write_safetensors(folder / file, half)
        index = {"metadata": {"total_size": sum(2 * x.numel() for x in weights.values())},
                 "weight_map": {n: files[n in halves[1]] for n in weights}}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")
    else:
        write_safetensors(folder / "model.safetensors", weights)
    if name != "wordy":
        said[name] = logits(config, weights).tolist()
(FOLDER / "logits.json").write_text(
    json.dumps(said, separators=(",", ":")).replace("]],", "]],\n").replace("],[", "],\n[") + "\n")
