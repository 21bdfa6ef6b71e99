"""Losses, in PyTorch's words."""

import torch
import torch.nn.functional as F
from nn_record import draw, record


REDUCTIONS = ["mean", "sum", "none"]  # as numbers 0, 1, 2


def regression(name, function, shape, reduction="mean"):
    return record(name, lambda i, p: {"loss": function(i["prediction"], i["target"], reduction=reduction)},
                  {"prediction": draw(name + "/p", *shape), "target": draw(name + "/t", *shape)},
                  numbers={"reduction": REDUCTIONS.index(reduction)})


def cross_entropy(name, shape, classes, smoothing=0.0, ignore=-100, reduction="mean", weight=None):
    def function(i, p):
        logits, classes = i["logits"].reshape(-1, shape[-1]), i["classes"].reshape(-1)
        loss = F.cross_entropy(logits, classes, ignore_index=ignore, label_smoothing=smoothing, reduction=reduction,
                               weight=weight and logits.new_tensor(weight))
        return {"loss": loss.reshape(i["classes"].shape) if reduction == "none" else loss}

    inputs = {"logits": draw(name, *shape, low=-4, high=4), "classes": torch.tensor(classes)}
    return record(name, function, inputs | ({"weights": torch.tensor(weight)} if weight else {}),
                  numbers={"smoothing": smoothing, "ignore": ignore, "reduction": REDUCTIONS.index(reduction)})


RECORDS = [
    regression("mse/matrix", F.mse_loss, (3, 4)),
    regression("mse/one number", F.mse_loss, ()),
    regression("l1/matrix", F.l1_loss, (3, 4)),
    cross_entropy("cross entropy/rows", (4, 5), [0, 4, 2, 2]),
    cross_entropy("cross entropy/sequence", (2, 3, 4), [[1, 0, 3], [3, 2, 2]]),
    cross_entropy("cross entropy/padding", (2, 3, 4), [[1, 0, 3], [3, 0, 0]], ignore=0),
    cross_entropy("cross entropy/smoothing", (4, 5), [0, 4, 2, 2], smoothing=0.1),
    cross_entropy("cross entropy/smoothing and padding", (4, 5), [0, -1, 2, -1], smoothing=0.3, ignore=-1),
    regression("mse/sum", F.mse_loss, (3, 4), "sum"),
    regression("mse/none", F.mse_loss, (3, 4), "none"),
    regression("l1/sum", F.l1_loss, (3, 4), "sum"),
    regression("l1/none", F.l1_loss, (3, 4), "none"),
    cross_entropy("cross entropy/sum", (2, 3, 4), [[1, 0, 3], [3, 0, 0]], smoothing=0.2, ignore=0, reduction="sum"),
    cross_entropy("cross entropy/none", (2, 3, 4), [[1, 0, 3], [3, 0, 0]], smoothing=0.2, ignore=0, reduction="none"),
    cross_entropy("cross entropy/weights", (4, 5), [0, 4, 2, 2], weight=[1, 2, 3, 1, 5]),
    cross_entropy("cross entropy/weights, smoothing and padding", (2, 3, 4), [[1, 0, 3], [3, 2, 0]], smoothing=0.2,
                  ignore=0, weight=[4, 1, 3, 2]),
    cross_entropy("cross entropy/weights, sum", (2, 3, 4), [[1, 0, 3], [3, 2, 0]], smoothing=0.2, ignore=0,
                  reduction="sum", weight=[4, 1, 3, 2]),
]
