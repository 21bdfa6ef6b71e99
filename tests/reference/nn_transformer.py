"""Layers of transformers: PyTorch's own nn.TransformerEncoderLayer, TransformerDecoderLayer and nn.Transformer, with
the parameters under our names."""

import torch
from nn_record import draw, record
from torch import nn
from torch.nn.utils.stateless import functional_call

MODEL, HIDDEN, HEADS = 4, 6, 2


def attention(name):
    sizes = {f"{name}.{n}.weight": (MODEL, MODEL) for n in ("w_q", "w_k", "w_v", "w_o")}
    return sizes | {f"{name}.{n}.bias": (MODEL,) for n in ("w_q", "w_k", "w_v", "w_o")}


def layer_sizes(cross):
    sizes = attention("attention") | (attention("cross") if cross else {})
    sizes |= {"feed_forward.up.weight": (HIDDEN, MODEL), "feed_forward.up.bias": (HIDDEN,),
              "feed_forward.down.weight": (MODEL, HIDDEN), "feed_forward.down.bias": (MODEL,)}
    for part in ["attention"] + ["cross"] * cross + ["feed_forward"]:
        sizes |= {f"norm_{part}.weight": (MODEL,), f"norm_{part}.bias": (MODEL,)}
    return sizes


def drawn(name, sizes):
    return {n: draw(f"{name}/{n}", *size, low=-0.7, high=0.7) for n, size in sizes.items()}


def theirs(p, cross, ours="", names=""):
    """The parameters of one layer, p[ours + …], under PyTorch's names."""

    def packed(part, name):
        of = lambda n, kind: p[f"{ours}{part}.{n}.{kind}"]
        return {f"{names}{name}.in_proj_{kind}": torch.cat([of(n, kind) for n in ("w_q", "w_k", "w_v")])
                for kind in ("weight", "bias")} | {
                    f"{names}{name}.out_proj.{kind}": of("w_o", kind) for kind in ("weight", "bias")}

    result = packed("attention", "self_attn") | (packed("cross", "multihead_attn") if cross else {})
    pairs = {"feed_forward.up": "linear1", "feed_forward.down": "linear2", "norm_attention": "norm1",
             "norm_feed_forward": "norm3" if cross else "norm2"} | ({"norm_cross": "norm2"} if cross else {})
    return result | {f"{names}{b}.{kind}": p[f"{ours}{a}.{kind}"] for a, b in pairs.items()
                     for kind in ("weight", "bias")}


def hidden_keys(lengths, count):
    return torch.arange(count) >= lengths.unsqueeze(1)


def later(count):
    return torch.ones(count, count, dtype=torch.bool).triu(1)


def options(pre, gelu):
    return {"dropout": 0.0, "activation": "gelu" if gelu else "relu", "batch_first": True, "norm_first": pre}


def encoder_layer(name, pre, gelu=False, lengths=None, causal=False):
    module = nn.TransformerEncoderLayer(MODEL, HEADS, HIDDEN, **options(pre, gelu))
    inputs = {"x": draw(name, 2, 3, MODEL)} | ({"lengths": torch.tensor(lengths)} if lengths else {})

    def function(i, p):
        masks = {"src_mask": later(3) if causal else None,
                 "src_key_padding_mask": hidden_keys(i["lengths"], 3) if lengths else None}
        y = functional_call(module, theirs(p, False), (i["x"],), masks)
        return {"y": without_padding(y, i.get("lengths"))}

    return record(name, function, inputs, drawn(name, layer_sizes(False)),
                  {"pre": int(pre), "gelu": int(gelu), "causal": int(causal)})


def without_padding(y, lengths):
    """What comes out at padded positions is not compared: nobody is to look at it."""
    return y if lengths is None else y.masked_fill(hidden_keys(lengths, y.shape[1]).unsqueeze(-1), 0)


def decoder_layer(name, pre, gelu=False, lengths=None):
    module = nn.TransformerDecoderLayer(MODEL, HEADS, HIDDEN, **options(pre, gelu))
    inputs = {"x": draw(name, 2, 3, MODEL), "memory": draw(name + "/memory", 2, 4, MODEL)}
    inputs |= {"lengths": torch.tensor(lengths)} if lengths else {}

    def function(i, p):
        masks = {"tgt_mask": later(3), "memory_key_padding_mask": hidden_keys(i["lengths"], 4) if lengths else None}
        return {"y": functional_call(module, theirs(p, True), (i["x"], i["memory"]), masks)}

    return record(name, function, inputs, drawn(name, layer_sizes(True)), {"pre": int(pre), "gelu": int(gelu)})


def both(name, pre):
    """nn.Transformer: two layers each, with norms at the ends; the source is padded."""
    module = nn.Transformer(MODEL, HEADS, 2, 2, HIDDEN, **options(pre, False))
    sizes = {f"{stack}.layers.{n}.{key}": size for stack, cross in (("encoder", False), ("decoder", True))
             for n in range(2) for key, size in layer_sizes(cross).items()}
    sizes |= {f"{stack}.norm.{kind}": (MODEL,) for stack in ("encoder", "decoder") for kind in ("weight", "bias")}
    inputs = {"source": draw(name, 2, 3, MODEL), "target": draw(name + "/target", 2, 2, MODEL),
              "lengths": torch.tensor([3, 2])}

    def function(i, p):
        named = {key: p[key] for key in p if ".norm." in key}
        for stack, cross in (("encoder", False), ("decoder", True)):
            for n in range(2):
                named |= theirs(p, cross, f"{stack}.layers.{n}.", f"{stack}.layers.{n}.")
        hidden = hidden_keys(i["lengths"], 3)
        return {"y": functional_call(module, named, (i["source"], i["target"]), {
            "tgt_mask": later(2), "src_key_padding_mask": hidden, "memory_key_padding_mask": hidden})}

    return record(name, function, inputs, drawn(name, sizes), {"pre": int(pre)})


RECORDS = [
    encoder_layer("encoder layer/post, relu", pre=False),
    encoder_layer("encoder layer/pre, gelu, causal", pre=True, gelu=True, causal=True),
    encoder_layer("encoder layer/post, gelu, padded", pre=False, gelu=True, lengths=[2, 3]),
    encoder_layer("encoder layer/pre, relu, padded, causal", pre=True, lengths=[3, 1], causal=True),
    decoder_layer("decoder layer/post, relu", pre=False),
    decoder_layer("decoder layer/pre, gelu, padded memory", pre=True, gelu=True, lengths=[4, 1]),
    both("transformer/post", pre=False),
    both("transformer/pre", pre=True),
]
