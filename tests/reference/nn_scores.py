"""Scores and positions, by their formulas in PyTorch's words."""

import math

import torch
import torch.nn.functional as F
from nn_record import draw, record


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
    attention("additive/bias and mask", additive, MIXED, additive_parameters("additive/bias", 4, 2, 6, True),
              keep=SOME),
    attention("bilinear/plain", lambda q, k, p: q @ p["score.weight"] @ k.transpose(-2, -1), MIXED,
              {"score.weight": draw("bilinear", 4, 2)}),
    attention("cosine/plain", cosine, PLAIN, {"score.log_temperature": draw("cosine")}),
    attention("squared l2/plain", lambda q, k, p: -distance2(q, k), PLAIN),
    attention("l1/plain", lambda q, k, p: -torch.cdist(q, k, p=1), PLAIN),
    attention("gaussian/one", gaussian, PLAIN, {"score.w": draw("gaussian")}),
    attention("gaussian/per key", gaussian, PLAIN, {"score.w": draw("gaussian/per", 5)}, keep=SOME),
]

# --- positions --------------------------------------------------------------------------------------------------------


def turned(x, interleaved, positions=None):
    """As complex numbers, multiplied by e^(i·position·ω)."""
    length, size = x.shape[-2:]
    positions = torch.arange(length) if positions is None else torch.tensor(positions)
    pairs = x.unflatten(-1, (size // 2, 2)) if interleaved else x.unflatten(-1, (2, size // 2)).transpose(-2, -1)
    frequency = 10000.0 ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    angle = positions.double().unsqueeze(-1) * frequency
    complex_dtype = torch.complex64 if x.dtype == torch.float32 else torch.complex128
    turn = torch.polar(torch.ones_like(angle), angle).to(complex_dtype)
    result = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * turn)
    return (result if interleaved else result.transpose(-2, -1)).flatten(-2)


def rotary(interleaved):
    return lambda q, k, p: dot(turned(q, interleaved), turned(k, interleaved))


PACKED = [[[0, 1, 2, 0, 1]], [[0, 0, 1, 2, 3]]]  # two documents in one sequence, and one that is padded on the left


def rotary_given(q, k, p):
    return dot(turned(q, False, PACKED), turned(k, False, PACKED))


def rotary_in_part(q, k, p):
    part = lambda x: torch.cat([turned(x[..., :4], True), x[..., 4:]], -1)
    return dot(part(q), part(k))


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
        share = (distance.clamp(min=1).double() / exact).log() / math.log(furthest / exact)
        wide = exact + (share * (count - exact)).long()
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
    attention("rotary/given positions", rotary_given, HEADS),
    attention("rotary/four of six features", rotary_in_part, HEADS),
    attention("alibi/three heads", alibi([1 / 16, 1 / 256, 1 / 4]), HEADS),
    attention("t5/both", t5(True, 8, 9), LONG, {"score.table": draw("t5", 8, 2)},
              {"buckets": 8, "furthest": 9, "both": 1}),
    attention("t5/causal", t5(False, 8, 15), LONG, {"score.table": draw("t5c", 8, 2)},
              {"buckets": 8, "furthest": 15, "both": 0}),
    sinusoidal("sinusoidal/even", 6, 4, 0),
    sinusoidal("sinusoidal/odd, later", 3, 5, 11),
    record("learned/rows", lambda i, p: {"y": i["x"] + p["table"][2:5]}, {"x": draw("learned", 2, 3, 4)},
           {"table": draw("learned/t", 7, 4)}, {"offset": 2}),
]

RECORDS = SCORES + POSITIONS
