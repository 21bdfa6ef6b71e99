"""Optimisers: where two parameters are after each of several steps. Schedules: the rate of each step."""

import torch
from nn_record import draw, record

STEPS = 6


def optimizer(name, kind, rates=(0.1,) * STEPS, **options):
    """The loss changes from step to step, and so do the gradients. At step 2 the second parameter has none."""

    def function(i, p):
        a, b = (i[n].detach().clone().requires_grad_() for n in "ab")
        optim = kind([a, b], lr=rates[0], **options)
        path = []
        for t, rate in enumerate(rates):
            for group in optim.param_groups:
                group["lr"] = rate
            optim.zero_grad(set_to_none=True)
            loss = (i["slopes"][t, :3] * a + 0.5 * a * a).sum()
            if t != 2:
                loss = loss + (i["slopes"][t, 3:] * torch.sin(b)).sum()
            loss.backward()
            optim.step()
            path.append(torch.cat([a, b]).detach())
        return {"path": torch.stack(path)}

    inputs = {"a": draw("optim/a", 3), "b": draw("optim/b", 2), "slopes": draw("optim/slopes", STEPS, 5)}
    numbers = {f"rate {t}": rate for t, rate in enumerate(rates)}
    betas = options.pop("betas", None)
    numbers |= {key: float(value) for key, value in options.items()}
    if betas:
        numbers |= {"beta1": betas[0], "beta2": betas[1]}
        options["betas"] = betas
    return record(name, function, inputs, numbers=numbers, differentiate=False)


def schedule(name, make, start, count, **numbers):
    """`make` gives PyTorch's schedule for an optimiser."""

    def function(i, p):
        optim = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=start)
        plan, rates = make(optim), []
        for _ in range(count):
            rates.append(optim.param_groups[0]["lr"])
            optim.step()
            plan.step()
        return {"rates": torch.tensor(rates, dtype=i["like"].dtype)}

    return record(name, function, {"like": torch.zeros(count, dtype=torch.float64)},
                  numbers={"start": start} | numbers, differentiate=False)


lr = torch.optim.lr_scheduler


def inverse_sqrt(warmup):
    return lambda t: min((t + 1) / warmup, (warmup / (t + 1)) ** 0.5)


def warmup_cosine(optim):
    rise = lr.LambdaLR(optim, lambda t: (t + 1) / 4)
    fall = lr.CosineAnnealingLR(optim, T_max=6, eta_min=0.05)
    return lr.SequentialLR(optim, [rise, fall], milestones=[4])


RECORDS = [
    optimizer("sgd/plain", torch.optim.SGD),
    optimizer("sgd/decay", torch.optim.SGD, weight_decay=0.2),
    optimizer("sgd/momentum", torch.optim.SGD, momentum=0.8, weight_decay=0.1),
    optimizer("sgd/changing rate", torch.optim.SGD, rates=(0.3, 0.2, 0.1, 0.1, 0.05, 0.4), momentum=0.5),
    optimizer("adam/plain", torch.optim.Adam),
    optimizer("adam/all options", torch.optim.Adam, betas=(0.7, 0.9), eps=1e-3, weight_decay=0.3),
    optimizer("adam/changing rate", torch.optim.Adam, rates=(0.3, 0.2, 0.1, 0.1, 0.05, 0.4)),
    optimizer("adamw/plain", torch.optim.AdamW, weight_decay=0.01),
    optimizer("adamw/all options", torch.optim.AdamW, betas=(0.7, 0.9), eps=1e-3, weight_decay=0.3),
    optimizer("rmsprop/plain", torch.optim.RMSprop),
    optimizer("rmsprop/all options", torch.optim.RMSprop, alpha=0.7, eps=1e-3, momentum=0.6, weight_decay=0.3),
    schedule("linear/whole", lambda o: lr.LinearLR(o, 1.0, 0.1, 7), 0.5, 10, total=7, end=0.05),
    schedule("inverse sqrt/four", lambda o: lr.LambdaLR(o, inverse_sqrt(4)), 0.5, 12, warmup=4),
    schedule("warmup cosine/four", warmup_cosine, 0.5, 11, warmup=4, total=10, end=0.05),
]
