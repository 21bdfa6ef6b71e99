"""Losses, in PyTorch's words."""

import torch
import torch.nn.functional as F
from nn_record import draw, record


def regression(name, function, shape):
    return record(name, lambda i, p: {"loss": function(i["prediction"], i["target"])},
                  {"prediction": draw(name + "/p", *shape), "target": draw(name + "/t", *shape)})


def binary(name, low, high, targets):
    shape = (3, len(targets))
    return record(name, lambda i, p: {"loss": F.binary_cross_entropy_with_logits(i["logits"], i["target"])},
                  {"logits": draw(name, *shape, low=low, high=high),
                   "target": torch.tensor([targets] * 3, dtype=torch.float64)})


def cross_entropy(name, shape, classes, smoothing=0.0, ignore=-100):
    def function(i, p):
        rows = i["logits"].reshape(-1, shape[-1])
        return {"loss": F.cross_entropy(rows, i["classes"].reshape(-1), ignore_index=ignore, label_smoothing=smoothing)}

    return record(name, function, {"logits": draw(name, *shape, low=-4, high=4), "classes": torch.tensor(classes)},
                  numbers={"smoothing": smoothing, "ignore": ignore})


RECORDS = [
    regression("mse/matrix", F.mse_loss, (3, 4)),
    regression("mse/one number", F.mse_loss, ()),
    regression("l1/matrix", F.l1_loss, (3, 4)),
    binary("binary/usual", -3, 3, [0.0, 1.0, 0.3, 0.8]),
    binary("binary/far out", -400, 400, [0.0, 1.0, 0.5]),
    cross_entropy("cross entropy/rows", (4, 5), [0, 4, 2, 2]),
    cross_entropy("cross entropy/sequence", (2, 3, 4), [[1, 0, 3], [3, 2, 2]]),
    cross_entropy("cross entropy/padding", (2, 3, 4), [[1, 0, 3], [3, 0, 0]], ignore=0),
    cross_entropy("cross entropy/smoothing", (4, 5), [0, 4, 2, 2], smoothing=0.1),
    cross_entropy("cross entropy/smoothing and padding", (4, 5), [0, -1, 2, -1], smoothing=0.3, ignore=-1),
]
