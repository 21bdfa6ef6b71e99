"""Losses, in PyTorch's words."""

import torch
import torch.nn.functional as F
from nn_record import draw, record


REDUCTIONS = ["mean", "sum", "none"]  # as numbers 0, 1, 2


def regression(name, function, shape, reduction="mean"):
    return record(name, lambda i, p: {"loss": function(i["prediction"], i["target"], reduction=reduction)},
                  {"prediction": draw(name + "/p", *shape), "target": draw(name + "/t", *shape)},
                  numbers={"reduction": REDUCTIONS.index(reduction)})


def binary(name, low, high, targets, pos_weight=None, reduction="mean"):
    shape = (3, len(targets))
    weights = torch.tensor([pos_weight] * len(targets) if isinstance(pos_weight, float) else pos_weight or [1])

    def function(i, p):
        return {"loss": F.binary_cross_entropy_with_logits(
            i["logits"], i["target"], reduction=reduction,
            pos_weight=weights.to(i["logits"].dtype) if pos_weight else None)}

    inputs = {"logits": draw(name, *shape, low=low, high=high),
              "target": torch.tensor([targets] * 3, dtype=torch.float64)}
    one_for_all = pos_weight if isinstance(pos_weight, float) else 0.0
    return record(name, function, inputs | ({"weights": weights} if isinstance(pos_weight, list) else {}),
                  numbers={"reduction": REDUCTIONS.index(reduction), "pos weight": one_for_all})


def cross_entropy(name, shape, classes, smoothing=0.0, ignore=-100, reduction="mean", axis=-1, weight=None):
    def function(i, p):
        logits = i["logits"] if axis == 1 else i["logits"].reshape(-1, shape[-1])
        classes = i["classes"] if axis == 1 else i["classes"].reshape(-1)
        loss = F.cross_entropy(logits, classes, ignore_index=ignore, label_smoothing=smoothing, reduction=reduction,
                               weight=weight and logits.new_tensor(weight))
        return {"loss": loss.reshape(i["classes"].shape) if reduction == "none" else loss}

    inputs = {"logits": draw(name, *shape, low=-4, high=4), "classes": torch.tensor(classes)}
    return record(name, function, inputs | ({"weights": torch.tensor(weight)} if weight else {}),
                  numbers={"smoothing": smoothing, "ignore": ignore, "reduction": REDUCTIONS.index(reduction),
                           "axis": axis})


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
    regression("mse/sum", F.mse_loss, (3, 4), "sum"),
    regression("mse/none", F.mse_loss, (3, 4), "none"),
    regression("l1/sum", F.l1_loss, (3, 4), "sum"),
    regression("l1/none", F.l1_loss, (3, 4), "none"),
    binary("binary/weight of yes", -3, 3, [0.0, 1.0, 0.3, 0.8], pos_weight=2.5),
    binary("binary/weight of yes, sum", -3, 3, [0.0, 1.0, 0.3], pos_weight=0.5, reduction="sum"),
    binary("binary/weights of yes, one for each", -3, 3, [0.0, 1.0, 0.3], pos_weight=[1, 3, 7]),
    binary("binary/none", -3, 3, [0.0, 1.0, 0.3], reduction="none"),
    cross_entropy("cross entropy/sum", (2, 3, 4), [[1, 0, 3], [3, 0, 0]], smoothing=0.2, ignore=0, reduction="sum"),
    cross_entropy("cross entropy/none", (2, 3, 4), [[1, 0, 3], [3, 0, 0]], smoothing=0.2, ignore=0, reduction="none"),
    cross_entropy("cross entropy/second axis", (2, 4, 3), [[1, 0, 3], [3, 2, 2]], axis=1),
    cross_entropy("cross entropy/second axis, none", (2, 3, 2, 2), [[[1, 0], [2, 2]], [[0, 0], [1, 2]]], ignore=2,
                  smoothing=0.1, reduction="none", axis=1),
    cross_entropy("cross entropy/weights", (4, 5), [0, 4, 2, 2], weight=[1, 2, 3, 1, 5]),
    cross_entropy("cross entropy/weights, smoothing and padding", (2, 3, 4), [[1, 0, 3], [3, 2, 0]], smoothing=0.2,
                  ignore=0, weight=[4, 1, 3, 2]),
    cross_entropy("cross entropy/weights, sum", (2, 3, 4), [[1, 0, 3], [3, 2, 0]], smoothing=0.2, ignore=0,
                  reduction="sum", weight=[4, 1, 3, 2]),
    cross_entropy("cross entropy/weights, second axis, none", (2, 4, 3), [[1, 0, 3], [3, 2, 2]], smoothing=0.1, axis=1,
                  reduction="none", weight=[4, 1, 3, 2]),
]
