"""PyTorch's time for an operation in the chains of scalar_chain.cpp: the median of five runs, in nanoseconds."""

import statistics
import time

import torch

torch.set_num_threads(1)
STEPS = {
    "chain_tanh": lambda y, x: torch.tanh(y),
    "chain_multiply": lambda y, x: y * x,
    "chain_add_number": lambda y, x: y + 1.0,
}


def nanoseconds_an_operation(step, length):
    start = time.perf_counter()
    x = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(length):
        y = step(y, x)
    y.backward()
    del y
    return (time.perf_counter() - start) / length * 1e9


for name, step in STEPS.items():
    for length in (1000, 200000):
        runs = [nanoseconds_an_operation(step, length) for _ in range(5)]
        print(f"{name}/{length:<7} {statistics.median(runs):8.0f} ns an operation")
