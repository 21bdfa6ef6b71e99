"""Attention, in PyTorch's words: nn.MultiheadAttention itself, and the formulas of scores, positions and variants."""

import math

import torch
import torch.nn.functional as F
from nn_record import draw, record
from torch import nn
from torch.nn.utils.stateless import functional_call


def weights_of(scores, keep):
    return (scores if keep is None else scores.masked_fill(keep == 0, -math.inf)).softmax(-1)


def attention(name, score, shapes, parameters=None, numbers=None, keep=None, weigh=weights_of):
    """`score` is a function of (q, k, parameters, numbers); `shapes` those of q, k, v."""
    inputs = {n: draw(f"{name}/{n}", *shape) for n, shape in zip("qkv", shapes)}
    if keep is not None:
        inputs["keep"] = torch.tensor(keep)

    def function(i, p):
        weights = weigh(score(i["q"], i["k"], p), i.get("keep"))
        return {"weights": weights, "output": weights @ i["v"]}

    return record(name, function, inputs, parameters, numbers)


def dot(q, k, p=None):
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def distance2(q, k):
    return (q.unsqueeze(-2) - k.unsqueeze(-3)).square().sum(-1)


# --- scores -----------------------------------------------------------------------------------------------------------

def additive(q, k, p):
    inside = F.linear(q, p["score.w_q.weight"]).unsqueeze(-2) + F.linear(
        k, p["score.w_k.weight"], p.get("score.w_k.bias")).unsqueeze(-3)
    return F.linear(inside.tanh(), p["score.w_v.weight"]).squeeze(-1)


def additive_parameters(name, q, k, hidden, bias):
    found = {"score.w_q.weight": draw(name + "/wq", hidden, q), "score.w_k.weight": draw(name + "/wk", hidden, k),
             "score.w_v.weight": draw(name + "/wv", 1, hidden)}
    return found | ({"score.w_k.bias": draw(name + "/b", hidden)} if bias else {})


def cosine(q, k, p):
    return F.cosine_similarity(q.unsqueeze(-2), k.unsqueeze(-3), dim=-1) / p["score.log_temperature"].exp()


def gaussian(q, k, p):
    return -distance2(q, k) * p["score.w"].square() / 2


SOME = [[1, 0, 1, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 1, 0]]
PLAIN = ((2, 3, 4), (2, 5, 4), (2, 5, 3))
MIXED = ((2, 3, 4), (2, 5, 2), (2, 5, 3))

SCORES = [
    attention("dot/plain", dot, PLAIN),
    attention("dot/masked", dot, PLAIN, keep=SOME),
    attention("dot/scale", lambda q, k, p: 0.7 * q @ k.transpose(-2, -1), PLAIN, numbers={"scale": 0.7}),
    attention("dot/heads", dot, ((2, 4, 7, 8), (2, 4, 9, 8), (2, 4, 9, 5))),
    attention("additive/plain", additive, MIXED, additive_parameters("additive", 4, 2, 6, False)),
    attention("additive/bias and mask", additive, MIXED, additive_parameters("additive/bias", 4, 2, 6, True), keep=SOME),
    attention("bilinear/plain", lambda q, k, p: q @ p["score.weight"] @ k.transpose(-2, -1), MIXED,
              {"score.weight": draw("bilinear", 4, 2)}),
    attention("cosine/plain", cosine, PLAIN, {"score.log_temperature": draw("cosine")}),
    attention("squared l2/plain", lambda q, k, p: -distance2(q, k), PLAIN),
    attention("l1/plain", lambda q, k, p: -torch.cdist(q, k, p=1), PLAIN),
    attention("gaussian/one", gaussian, PLAIN, {"score.w": draw("gaussian")}),
    attention("gaussian/per key", gaussian, PLAIN, {"score.w": draw("gaussian/per", 5)}, keep=SOME),
]

# --- positions --------------------------------------------------------------------------------------------------------


def turned(x, offset, interleaved):
    """As complex numbers, multiplied by e^(i·position·ω)."""
    length, size = x.shape[-2:]
    pairs = x.unflatten(-1, (size // 2, 2)) if interleaved else x.unflatten(-1, (2, size // 2)).transpose(-2, -1)
    frequency = 10000.0 ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    angle = torch.outer(torch.arange(offset, offset + length, dtype=torch.float64), frequency)
    turn = torch.polar(torch.ones_like(angle), angle).to(torch.complex64 if x.dtype == torch.float32 else torch.complex128)
    result = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * turn)
    return (result if interleaved else result.transpose(-2, -1)).flatten(-2)


def rotary(interleaved):
    return lambda q, k, p: dot(turned(q, 0, interleaved), turned(k, 0, interleaved))


def ahead(q, k):
    return torch.arange(k.shape[-2]) - torch.arange(q.shape[-2]).unsqueeze(1)


def alibi(slopes):
    return lambda q, k, p: dot(q, k) - q.new_tensor(slopes).reshape(-1, 1, 1) * ahead(q, k).abs()


def t5(both, buckets, furthest):
    def score(q, k, p):
        distance = ahead(q, k)
        count = buckets // 2 if both else buckets
        first = torch.where(distance > 0, count, 0) if both else torch.zeros_like(distance)
        distance = distance.abs() if both else (-distance).clamp(min=0)
        exact = count // 2
        # Exactly on the border of a bucket, f32 logarithms may round either way: they are taken in f64.
        wide = exact + ((distance.clamp(min=1).double() / exact).log() / math.log(furthest / exact) * (count - exact)).long()
        index = first + torch.where(distance < exact, distance, wide.clamp(max=count - 1))
        return q @ k.transpose(-2, -1) + p["score.table"][index].permute(2, 0, 1)

    return score


def sinusoidal(name, length, size, offset):
    def function(i, p):
        x = i["x"]
        angle = torch.outer(torch.arange(offset, offset + length, dtype=torch.float64),
                            10000.0 ** (-(torch.arange(size) // 2 * 2).double() / size))
        table = torch.where(torch.arange(size) % 2 == 0, angle.sin(), angle.cos())
        return {"y": x + table.to(x.dtype)}

    return record(name, function, {"x": draw(name, 2, length, size)}, numbers={"offset": offset})


HEADS = ((2, 3, 5, 6), (2, 3, 5, 6), (2, 3, 5, 4))
LONG = ((1, 2, 22, 2), (1, 2, 22, 2), (1, 2, 22, 1))
POSITIONS = [
    attention("rotary/interleaved", rotary(True), HEADS),
    attention("rotary/halves", rotary(False), HEADS),
    attention("alibi/three heads", alibi([1 / 16, 1 / 256, 1 / 4]), HEADS),
    attention("t5/both", t5(True, 8, 9), LONG, {"score.table": draw("t5", 8, 2)}, {"buckets": 8, "furthest": 9, "both": 1}),
    attention("t5/causal", t5(False, 8, 15), LONG, {"score.table": draw("t5c", 8, 2)},
              {"buckets": 8, "furthest": 15, "both": 0}),
    sinusoidal("sinusoidal/even", 6, 4, 0),
    sinusoidal("sinusoidal/odd, later", 3, 5, 11),
    record("learned/rows", lambda i, p: {"y": i["x"] + p["table"][2:5]}, {"x": draw("learned", 2, 3, 4)},
           {"table": draw("learned/t", 7, 4)}, {"offset": 2}),
]

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
RECORDS = SCORES + POSITIONS + VARIANTS + [
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
