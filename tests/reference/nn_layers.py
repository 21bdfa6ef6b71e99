"""Layers, in PyTorch's words."""

import torch.nn.functional as F
from nn_record import draw, record


def linear(name, shape, size_out, bias=True):
    parameters = {"weight": draw(name + "/w", size_out, shape[-1])}
    if bias:
        parameters["bias"] = draw(name + "/b", size_out)
    return record(name, lambda i, p: {"y": F.linear(i["x"], p["weight"], p.get("bias"))}, {"x": draw(name, *shape)},
                  parameters)


RECORDS = [
    linear("linear/rows", (3, 4), 5),
    linear("linear/without bias", (2, 3, 4), 2, bias=False),
    linear("linear/one vector", (4,), 3),
    linear("linear/one row", (1, 7), 1),
]
