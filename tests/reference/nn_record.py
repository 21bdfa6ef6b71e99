"""Records of modules, losses and optimisers: what goes in and comes out, by name.

A record is made from a function (inputs, parameters) -> outputs, all three dictionaries of tensors. It is run in f64,
whose numbers are stored, and in f32, of which only the distance to them is.
"""

import random

import torch
from make import deviation, in_dtype, random_like, stored

FLOOR = 0.1  # smaller numbers are sums of larger ones that cancel: their errors are measured as if they were this large


def draw(name, *shape, low=-1.5, high=1.5):
    """Random numbers of few digits, from a seed of their own: a new record changes no other one's numbers."""
    generator = random.Random(name)
    count = torch.Size(shape).numel()
    values = [round(generator.uniform(low, high), 3) for _ in range(count)]
    return torch.tensor(values, dtype=torch.float64).reshape(shape)


def run(function, inputs, parameters, cotangents, dtype):
    """The outputs, and the gradients of Σ ⟨output, cotangent⟩ with respect to all floats that went in."""
    names, values = list(inputs) + list(parameters), in_dtype([*inputs.values(), *parameters.values()], dtype)
    given = dict(zip(names, values))
    outputs = function({n: given[n] for n in inputs}, {n: given[n] for n in parameters})
    leaves = {n: x for n, x in given.items() if x.requires_grad}
    pairs = [(y, cotangents[n].to(y.dtype)) for n, y in outputs.items() if n in cotangents and y.requires_grad]
    if not pairs:
        return outputs, {}
    found = torch.autograd.grad([y for y, _ in pairs], list(leaves.values()), [c for _, c in pairs], allow_unused=True)
    return outputs, {n: torch.zeros_like(x) if g is None else g for (n, x), g in zip(leaves.items(), found)}


def record(name, function, inputs, parameters=None, numbers=None, differentiate=True):
    """`numbers` are options that the test reads from the record, such as a kernel size."""
    parameters = parameters or {}
    assert not inputs.keys() & parameters.keys(), f"{name}: inputs and parameters need different names"
    outputs, _ = run(function, inputs, parameters, {}, torch.float64)
    generator = random.Random(name)
    cotangents = {n: random_like(y.detach(), generator) for n, y in outputs.items()
                  if differentiate and y.is_floating_point() and y.requires_grad}
    outputs, gradients = run(function, inputs, parameters, cotangents, torch.float64)
    outputs32, gradients32 = run(function, inputs, parameters, cotangents, torch.float32)
    all_stored = lambda tensors: {n: stored(x) for n, x in tensors.items()}
    errors = lambda found, expected: {n: deviation(found[n], expected[n], FLOOR) for n in expected}
    return {
        "name": name,
        "numbers": numbers or {},
        "inputs": all_stored(inputs),
        "parameters": all_stored(parameters),
        "outputs": all_stored(outputs),
        "cotangents": all_stored(cotangents),
        "gradients": all_stored(gradients),
        "f32": {"outputs": errors(outputs32, outputs), "gradients": errors(gradients32, gradients)},
    }
