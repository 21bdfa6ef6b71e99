"""Layers, in PyTorch's words. (RMSNorm is younger than PyTorch 1.13, and written out.)"""

import torch
import torch.nn.functional as F
from nn_record import draw, record


def linear(name, shape, size_out, bias=True):
    parameters = {"weight": draw(name + "/w", size_out, shape[-1])}
    if bias:
        parameters["bias"] = draw(name + "/b", size_out)
    return record(name, lambda i, p: {"y": F.linear(i["x"], p["weight"], p.get("bias"))}, {"x": draw(name, *shape)},
                  parameters)


def embedding(name, indexes, count, size):
    return record(name, lambda i, p: {"y": F.embedding(i["indexes"], p["weight"])},
                  {"indexes": torch.tensor(indexes)}, {"weight": draw(name, count, size)})


def layer_norm(name, shape, epsilon, bias=True):
    size = shape[-1:]
    parameters = {"weight": draw(name + "/w", *size)}
    if bias:
        parameters["bias"] = draw(name + "/b", *size)
    return record(name, lambda i, p: {"y": F.layer_norm(i["x"], size, p["weight"], p.get("bias"), epsilon)},
                  {"x": draw(name, *shape)}, parameters, {"epsilon": epsilon})


def rms_norm(name, shape, epsilon):
    def function(i, p):
        return {"y": i["x"] / torch.sqrt(i["x"].pow(2).mean(-1, keepdim=True) + epsilon) * p["weight"]}

    return record(name, function, {"x": draw(name, *shape)}, {"weight": draw(name + "/w", shape[-1])},
                  {"epsilon": epsilon})


def swiglu(name, shape, hidden, bias=False):
    sizes = {"gate": (hidden, shape[-1]), "up": (hidden, shape[-1]), "down": (shape[-1], hidden)}
    parameters = {key + ".weight": draw(name + key, *size) for key, size in sizes.items()}
    if bias:
        parameters |= {key + ".bias": draw(name + key + "b", size[0]) for key, size in sizes.items()}

    def function(i, p):
        part = lambda key, x: F.linear(x, p[key + ".weight"], p.get(key + ".bias"))
        return {"y": part("down", F.silu(part("gate", i["x"])) * part("up", i["x"]))}

    return record(name, function, {"x": draw(name, *shape)}, parameters, {"hidden": hidden, "bias": int(bias)})


def activation(name, function):
    return record("activation/" + name, lambda i, p: {"y": function(i["x"])},
                  {"x": draw("activation", 2, 9, low=-3, high=3)})


def pair(value):
    return value if isinstance(value, tuple) else (value, value)


def conv1d(name, shape, out, kernel, stride=1, padding=0, dilation=1, groups=1, bias=True):
    parameters = {"weight": draw(name + "/w", out, shape[1] // groups, kernel)}
    if bias:
        parameters["bias"] = draw(name + "/b", out)

    def function(i, p):
        return {"y": F.conv1d(i["x"], p["weight"], p.get("bias"), stride, padding, dilation, groups)}

    return record(name, function, {"x": draw(name, *shape)}, parameters,
                  {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups})


def conv2d(name, shape, out, kernel, stride=1, padding=0, dilation=1, groups=1, bias=True):
    parameters = {"weight": draw(name + "/w", out, shape[1] // groups, *pair(kernel))}
    if bias:
        parameters["bias"] = draw(name + "/b", out)
    options = {"stride": pair(stride), "padding": pair(padding), "dilation": pair(dilation)}
    numbers = {f"{key} {axis}": value[k]
               for key, value in options.items() for k, axis in enumerate(("height", "width"))}

    def function(i, p):
        return {"y": F.conv2d(i["x"], p["weight"], p.get("bias"), groups=groups, **options)}

    return record(name, function, {"x": draw(name, *shape)}, parameters, numbers | {"groups": groups})


def pool(name, function, shape, kernel, stride, padding=0):
    options = {"kernel": pair(kernel), "stride": pair(stride), "padding": pair(padding)}
    numbers = {f"{key} {axis}": value[k]
               for key, value in options.items() for k, axis in enumerate(("height", "width"))}
    return record(name, lambda i, p: {"y": function(i["x"], *options.values())}, {"x": draw(name, *shape)},
                  numbers=numbers)


RECORDS = [
    linear("linear/rows", (3, 4), 5),
    linear("linear/without bias", (2, 3, 4), 2, bias=False),
    linear("linear/one vector", (4,), 3),
    linear("linear/one row", (1, 7), 1),
    embedding("embedding/repeated", [[0, 2, 2], [4, 0, 2]], 5, 3),
    embedding("embedding/one", 3, 4, 2),
    layer_norm("layer norm/rows", (3, 5), 1e-5),
    layer_norm("layer norm/large epsilon", (2, 3, 4), 0.5),
    rms_norm("rms norm/rows", (3, 5), 1e-6),
    rms_norm("rms norm/large epsilon", (2, 3, 4), 0.5),
    layer_norm("layer norm/without bias", (3, 5), 1e-5, bias=False),
    swiglu("swiglu/rows", (2, 3, 4), 5),
    swiglu("swiglu/with bias", (3, 4), 6, bias=True),
    activation("relu", F.relu),
    activation("gelu", F.gelu),
    activation("gelu tanh", lambda x: F.gelu(x, approximate="tanh")),
    activation("silu", F.silu),
    activation("tanh", torch.tanh),
    activation("sigmoid", torch.sigmoid),
    conv1d("conv1d/plain", (2, 3, 7), 4, 3),
    conv1d("conv1d/all options", (2, 4, 9), 6, 3, stride=2, padding=3, dilation=2, groups=2),
    conv1d("conv1d/depthwise, no bias", (1, 3, 5), 3, 2, groups=3, bias=False),
    conv2d("conv2d/plain", (2, 3, 5, 6), 4, 3),
    conv2d("conv2d/one by one", (2, 3, 2, 2), 2, 1),
    conv2d("conv2d/padding", (1, 2, 4, 3), 2, 3, padding=1),
    conv2d("conv2d/all options", (2, 4, 7, 8), 6, (3, 2), stride=(2, 3), padding=(1, 2), dilation=(2, 1), groups=2),
    conv2d("conv2d/depthwise, no bias", (2, 3, 4, 4), 6, 2, groups=3, bias=False),
    pool("max pool/plain", F.max_pool2d, (2, 2, 4, 6), 2, 2),
    pool("max pool/padding", F.max_pool2d, (1, 2, 5, 4), (3, 2), (2, 1), (1, 1)),
]
