"""The bars: what must be how fast, compared with whom.

A measurement is named WHAT/tTHREADS/WHO, as in square/NN/512/t2/openblas; braces stand for each of several words. A bar
compares `regard` with a peer, as the geometric mean of peer's time ÷ our time over its shapes (`mean`: at least that)
and shape by shape (`each`: at least that). A peer "a|b" is whichever of the two is the faster at each shape. A bar
with no peer is a time in seconds (`at_most`), or all the memory that a program has ever had (`mebibytes`).
"""

import dataclasses
import itertools
import re


@dataclasses.dataclass(frozen=True)
class Bar:
    name: str
    what: str
    peer: str = ""
    mean: float = 0.0
    each: float = 0.0
    at_most: float = 0.0
    mebibytes: float = 0.0
    threads: tuple = (1, 2)


SQUARES = "square/{NN,NT,TN}/{128,256,512,1024,2048}"
ATTENTION = "attention/{QK,PV}/{64x64x32,32x128x64,16x512x64,8x1024x64}"
TORCH = "torch_default|torch_tuned"

READ = "{64x24x128,16x64x256}"
HEADS = "{32x64x128x4,16x128x256x8,4x512x512x8,1x2048x512x8}"

BARS = [
    Bar("squares", SQUARES, "openblas", mean=1.05, each=0.97),
    Bar("squares", SQUARES, "eigen", mean=1.15),
    Bar("squares", SQUARES, "openblas|onednn", mean=0.92, each=0.85),
    Bar("squares", "square/NN/{64,128,256,512,1024,2048}", "ort", mean=1.05, each=0.97),
    Bar("square-4096", "square/NN/4096", "openblas", mean=0.93),
    Bar("squares-f64", "square_f64/NN/{256,512,1024,2048}", "openblas", mean=0.95),
    Bar("kernel-16", "kernel/16", "openblas", mean=0.75, threads=(1,)),
    Bar("kernel-32", "kernel/32", "openblas", mean=0.85, threads=(1,)),
    Bar("kernel-64", "kernel/64", "openblas", mean=1.0, threads=(1,)),
    Bar("small-products", "square/NN/{16,32}", TORCH, each=2.0),
    Bar("small-products", "square/NN/{64,128}", TORCH, each=1.1),
    Bar("attention", ATTENTION, "openblas", mean=1.2, threads=(1,)),
    Bar("attention", ATTENTION, "openblas_split", mean=1.1, threads=(2,)),
    Bar("attention", ATTENTION, "onednn", mean=0.9, threads=(2,)),
    Bar("attention", ATTENTION, TORCH, mean=1.5, threads=(2,)),
    Bar("attention", ATTENTION, "ort", mean=1.05),
    Bar("linear", "linear/{y,dx,dw}/{512,2048}", "openblas", mean=1.0),
    Bar("memory-bound", "pointwise/{exp,add,multiply,sum}", "torch_tuned", each=0.85, threads=(2,)),
    Bar("compute-bound", "pointwise/{sigmoid,gelu,softmax,layer_norm}", "torch_tuned", each=1.0, threads=(2,)),
    Bar("tanh", "pointwise/tanh", "torch_tuned", each=2.5, threads=(2,)),
    Bar("allocating", "pointwise/{exp,add,multiply,sigmoid,gelu,softmax,layer_norm,tanh}", "torch_default", each=3.0,
        threads=(2,)),
    Bar("functions", "{pointwise,in_caches}/{exp,sigmoid,softmax,gelu,gelu_tanh}", "ort", each=1.0),
    Bar("functions", "{pointwise,in_caches}/tanh", "ort", each=0.9),
    Bar("strided", "strided/{exp_transposed,exp_every_second,add_transposed,add_row,add_column,sum_transposed}",
        "contiguous", each=0.33),
    Bar("parallel-for", "parallel_for/{nothing,meeting}", at_most=2e-6, threads=(2,)),
    Bar("after-idleness", "after_idleness/256", "one_thread", each=1.5, threads=(2,)),
    Bar("recycling", "recycling/64MiB", at_most=20e-6),
    Bar("small-graph", "graph/{1,64}", TORCH, each=5.0),
    Bar("small-graph", "graph/4096", TORCH, each=3.0),
    Bar("scalar-chain", "chain/{tanh,multiply,add_number}/{1000,20000}", TORCH, each=5.0, threads=(1,)),
    Bar("fused-attention", "dot_product/32x64x128x4", "torch_tuned", each=1.8, threads=(2,)),
    Bar("fused-attention", "dot_product/16x128x256x8", "torch_tuned", each=2.0, threads=(2,)),
    Bar("fused-attention", "dot_product/4x512x512x8", "torch_tuned", each=1.6, threads=(2,)),
    Bar("fused-attention", "dot_product/1x2048x512x8", "torch_tuned", each=1.4, threads=(2,)),
    Bar("fused-attention", "dot_product_causal/1x2048x512x8", "torch_tuned", each=2.3, threads=(2,)),
    Bar("causal", "causal/{forward,gradient}/16x128x256x8", "full", each=1.0),
    Bar("distance-prior", "distance_prior/1x2048x512x8", "plain", each=1 / 1.5, threads=(2,)),
    Bar("today", "today/{sinks,sinks_alone}", "plain", each=1 / 1.1, threads=(1,)),
    Bar("today", "today/{forgetting,forgetting_alone}", "plain", each=1 / 1.2, threads=(1,)),
    Bar("today", "today/{gates_by_head,qk_norm}", "plain", each=1 / 1.1, threads=(1,)),
    Bar("today", "today/gates_by_feature", "plain", each=1 / 1.25, threads=(1,)),
    Bar("today", "today/latent", "plain", each=1 / 0.95, threads=(1,)),
    Bar("today", "today/four_documents", "plain", each=1 / 0.9, threads=(1,)),
    Bar("today", "today/differential", "plain", each=1 / 1.6, threads=(1,)),
    Bar("fused-attention-forward", f"dot_product_forward/{HEADS}", "torch_tuned", each=1.8, threads=(2,)),
    Bar("multi-head", f"multi_head/{HEADS}", "torch_tuned", each=1.5, threads=(2,)),
    Bar("additive-attention", "additive/{16x64x64,8x128x128}", "torch_tuned", each=3.0, threads=(2,)),
    Bar("recurrent", f"{{gru,lstm}}/{READ}", "torch_tuned", each=1.5, threads=(2,)),
    Bar("recurrent-forward", f"{{gru,lstm}}_forward/{READ}", "torch_tuned", each=1.5),
    Bar("recurrent-forward", f"{{gru,lstm}}_forward/{READ}", "ort", each=1.0),
    Bar("duals", "duals/{gaussian,additive,l1}", "by_hand", each=0.67, threads=(2,)),
    Bar("regression", "regression/6000", "torch_default", each=100, threads=(2,)),
    Bar("regression", "regression/6000", "torch_tuned", each=30, threads=(2,)),
    Bar("regression-by-duals", "regression_by_duals/6000", "torch_default", each=60, threads=(2,)),
    Bar("regression-by-duals", "regression_by_duals/6000", "torch_tuned", each=20, threads=(2,)),
    Bar("translation-step", "translation_step", "torch_tuned", each=2.0, threads=(2,)),
    Bar("gpt-step", "gpt_step", "torch_tuned", each=2.0, threads=(2,)),
    # A token of 15M weights, and of 260K, where what is not multiplying shows; 64 tokens, or a prompt of 512.
    Bar("writing", "write_64/15M", at_most=64 / 200),
    Bar("writing", "write_64/260K", at_most=64 / 3000),
    Bar("reading", "read_512/15M", at_most=512 / 2000),
    # What the matrix of all pairs would take: 137 MiB, 64 MiB with its hidden features, 8 GiB, for which the bar is
    # 32 KiB a position, and 2 GiB with a table of numbers by distance that learns, for which it is 36.
    Bar("footprint", "{regression,regression_by_duals}/6000", mebibytes=40, threads=(2,)),
    Bar("footprint", "additive/8x128x128", mebibytes=40, threads=(2,)),
    Bar("footprint", "length/16384", mebibytes=512, threads=(2,)),
    Bar("footprint", "length_learned/8192", mebibytes=288, threads=(2,)),
]

# Measured for the picture: `regard` and whoever else there is.
DRAWN = {
    "ladder": "ladder/1024",
    "attention-ladder": "attention_ladder/{forward,gradient}/1024",
    "curve": "square/NN/{16,32,64,128,256,512,1024,2048,4096}",
    "limits": "limits/{multiply_add,triad}",
    "length": "length/{512,1024,2048,4096,8192}",
    "length_composed": "length_composed/{512,1024,2048,4096}",
    "length_learned": "length_learned/{512,1024,2048,4096,8192}",
}


def shapes(what):
    """"square/{NN,NT}/16" → ["square/NN/16", "square/NT/16"]"""
    parts = [part[1:-1].split(",") if part[:1] == "{" else [part] for part in re.split(r"(\{[^}]*\})", what)]
    return ["".join(choice) for choice in itertools.product(*parts)]
