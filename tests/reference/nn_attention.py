"""Attention in PyTorch's words: nn.MultiheadAttention itself, the formulas of the variants, and regression."""

import math

import torch
import torch.nn.functional as F
from nn_record import draw, record
from nn_scores import HEADS, PLAIN, SOME, attention, dot
from torch import nn
from torch.nn.utils.stateless import functional_call

# --- variants ---------------------------------------------------------------------------------------------------------


def relu_weights(scores, keep):
    keep = torch.ones_like(scores) if keep is None else keep.to(scores.dtype)
    return scores.relu() * keep / keep.sum(-1, keepdim=True)


def sigmoid_weights(scores, keep):
    keep = torch.ones_like(scores) if keep is None else keep.to(scores.dtype)
    return (scores - keep.sum(-1, keepdim=True).log()).sigmoid() * keep


def talking(name):
    parameters = {"score.mix_scores": draw(name + "/p", 3, 3), "score.mix_weights": draw(name + "/r", 3, 3)}
    inputs = {n: draw(f"{name}/{n}", *shape) for n, shape in zip("qkv", HEADS)}

    def function(i, p):
        mixed = torch.einsum("hg,bgij->bhij", p["score.mix_scores"], dot(i["q"], i["k"]))
        weights = torch.einsum("hg,bgij->bhij", p["score.mix_weights"], mixed.softmax(-1))
        return {"weights": weights, "output": weights @ i["v"]}

    return record(name, function, inputs, parameters)


def differential(name):
    inputs = {n: draw(f"{name}/{n}", *shape) for n, shape in zip("qkv", PLAIN)}

    def function(i, p):
        (q1, q2), (k1, k2) = i["q"].chunk(2, -1), i["k"].chunk(2, -1)
        weights = dot(q1, k1).softmax(-1) - p["score.lambda"] * dot(q2, k2).softmax(-1)
        return {"weights": weights, "output": weights @ i["v"]}

    return record(name, function, inputs, {"score.lambda": draw(name + "/l")})


def linear(name):
    inputs = {n: draw(f"{name}/{n}", *shape) for n, shape in zip("qkv", PLAIN)}

    def function(i, p):
        q, k = F.elu(i["q"]) + 1, F.elu(i["k"]) + 1
        weights = q @ k.transpose(-2, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        return {"weights": weights, "output": weights @ i["v"]}

    return record(name, function, inputs)


VARIANTS = [
    attention("soft cap/plain", lambda q, k, p: 0.9 * (dot(q, k) / 0.9).tanh(), PLAIN, numbers={"cap": 0.9}),
    attention("relu weights/masked", dot, PLAIN, keep=SOME, weigh=relu_weights),
    attention("sigmoid weights/masked", dot, PLAIN, keep=SOME, weigh=sigmoid_weights),
    talking("talking heads/three"),
    differential("differential/plain"),
    linear("linear attention/plain"),
]

# --- multi-head, and regression ---------------------------------------------------------------------------------------


def multi_head(name, shapes, model, heads, bias=True, keep=None, lengths=None, causal=False):
    """nn.MultiheadAttention with the parameters under our names; its masks say what to leave out."""
    (_, _, q_size), (_, keys, k_size), (_, _, v_size) = shapes
    module = nn.MultiheadAttention(model, heads, bias=bias, kdim=k_size, vdim=v_size, batch_first=True)
    sizes = {"w_q": q_size, "w_k": k_size, "w_v": v_size, "w_o": model}
    parameters = {f"{n}.weight": draw(f"{name}/{n}", model, size, low=-0.5, high=0.5) for n, size in sizes.items()}
    if bias:
        parameters |= {f"{n}.bias": draw(f"{name}/{n}/b", model) for n in sizes}
    inputs = {n: draw(f"{name}/{n}", *shape) for n, shape in zip("qkv", shapes)}
    if lengths:
        inputs["lengths"] = torch.tensor(lengths)

    def function(i, p):
        theirs = {"out_proj.weight": p["w_o.weight"]}
        if k_size == v_size == model:
            theirs["in_proj_weight"] = torch.cat([p["w_q.weight"], p["w_k.weight"], p["w_v.weight"]])
        else:
            theirs |= {f"{n}_proj_weight": p[f"w_{n}.weight"] for n in "qkv"}
        if bias:
            theirs["in_proj_bias"] = torch.cat([p["w_q.bias"], p["w_k.bias"], p["w_v.bias"]])
            theirs["out_proj.bias"] = p["w_o.bias"]
        left_out = torch.ones(shapes[0][1], keys, dtype=torch.bool).triu(1) if causal else None
        padding = torch.arange(keys) >= i["lengths"].unsqueeze(1) if lengths else None
        output, weights = functional_call(module, theirs, (i["q"], i["k"], i["v"]), {
            "attn_mask": left_out, "key_padding_mask": padding, "average_attn_weights": False})
        return {"output": output, "weights": weights}

    return record(name, function, inputs, parameters, {"heads": heads, "model": model, "causal": int(causal)})


def grouped(name, heads, groups, width):
    model = heads * width
    sizes = {"w_q": model, "w_k": groups * width, "w_v": groups * width, "w_o": model}
    parameters = {f"{n}.weight": draw(f"{name}/{n}", size, model, low=-0.5, high=0.5) for n, size in sizes.items()}

    def function(i, p):
        cut = lambda n, count: F.linear(i["x"], p[n + ".weight"]).unflatten(-1, (count, width)).transpose(1, 2)
        again = lambda x: x.repeat_interleave(heads // groups, dim=1)
        weights = dot(cut("w_q", heads), again(cut("w_k", groups))).softmax(-1)
        mixed = (weights @ again(cut("w_v", groups))).transpose(1, 2).flatten(-2)
        return {"output": F.linear(mixed, p["w_o.weight"]), "weights": weights}

    return record(name, function, {"x": draw(name, 2, 5, model)}, parameters,
                  {"heads": heads, "groups": groups, "model": model})


def regression(name, count, leave_out, per_key):
    def function(i, p):
        scores = -((i["x"].unsqueeze(1) - i["x"]) * p["score.w"]).square() / 2
        if leave_out:
            scores = scores.masked_fill(torch.eye(count, dtype=torch.bool), -math.inf)
        weights = scores.softmax(-1)
        fitted = weights @ i["y"]
        return {"fitted": fitted.unsqueeze(1), "weights": weights, "loss": F.mse_loss(fitted, i["y"])}

    return record(name, function, {"x": draw(name + "/x", count), "y": draw(name + "/y", count)},
                  {"score.w": draw(name + "/w", *([count] if per_key else []), low=1, high=3)},
                  {"leave out": int(leave_out), "per key": int(per_key)})


LARGE, SELF = ((2, 7, 16),) * 3, ((2, 5, 8),) * 3
CROSS = ((2, 3, 8), (2, 5, 6), (2, 5, 10))
RECORDS = VARIANTS + [
    multi_head("multi-head/self", LARGE, 16, 4),
    multi_head("multi-head/one head", SELF, 8, 1),
    multi_head("multi-head/causal", SELF, 8, 4, causal=True),
    multi_head("multi-head/padded", SELF, 8, 2, lengths=[3, 5]),
    multi_head("multi-head/causal and padded", SELF, 8, 2, lengths=[3, 5], causal=True),
    multi_head("multi-head/cross", CROSS, 8, 2),
    multi_head("multi-head/cross, no bias, padded", CROSS, 8, 4, bias=False, lengths=[5, 2]),
    grouped("grouped/two of four", 4, 2, 3),
    grouped("grouped/one of three", 3, 1, 2),
    regression("regression/leave one out", 9, True, False),
    regression("regression/leaking", 9, False, False),
    regression("regression/w per key", 9, True, True),
]
