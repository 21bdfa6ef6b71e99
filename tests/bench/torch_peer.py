"""PyTorch's side of the measurements: reads [key, seconds] a line, answers with the seconds of one execution."""

import ctypes
import gc
import json
import sys
import time

import torch
import torch_models
from torch.nn import functional

MILLIONS_16 = (4096, 4096)


def uniform(*shape, dtype=torch.float32):
    return torch.rand(*shape, dtype=dtype) * 2 - 1


def square(layout, size):
    n = int(size)
    a, b = uniform(n, n), uniform(n, n)
    left, right = a.T if layout[0] == "T" else a, b.T if layout[1] == "T" else b
    return lambda: torch.mm(left, right)


def attention(product, shape):
    batch, length, width = map(int, shape.split("x"))
    if product == "QK":
        q, k = uniform(batch, length, width), uniform(batch, length, width).transpose(1, 2)
        return lambda: torch.bmm(q, k)
    p, v = uniform(batch, length, length), uniform(batch, length, width)
    return lambda: torch.bmm(p, v)


def pointwise(name):
    x, y = uniform(*MILLIONS_16), uniform(*MILLIONS_16)
    rows = x.view(-1, 1024)
    scale, shift = uniform(1024), uniform(1024)
    return {
        "exp": lambda: torch.exp(x),
        "tanh": lambda: torch.tanh(x),
        "sigmoid": lambda: torch.sigmoid(x),
        "gelu": lambda: functional.gelu(x),
        "add": lambda: x + y,
        "multiply": lambda: x * y,
        "sum": lambda: x.sum(),
        "softmax": lambda: torch.softmax(rows, -1),
        "layer_norm": lambda: functional.layer_norm(rows, (1024,), scale, shift),
    }[name]


def graph(size):
    a, b, c = (uniform(int(size)).requires_grad_() for _ in range(3))

    def run():
        for x in (a, b, c):
            x.grad = None
        (a * b + c).tanh().sum().backward()

    return run


def chain(name, length):
    step = {
        "tanh": lambda y, x: torch.tanh(y),
        "multiply": lambda y, x: y * x,
        "add_number": lambda y, x: y + 1.0,
    }[name]

    def run():
        x = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
        y = x
        for _ in range(int(length)):
            y = step(y, x)
        y.backward()

    return run


def leaves(count, *shape):
    return [uniform(*shape).requires_grad_() for _ in range(count)]


def backward(output, gradient, inputs):
    for x in inputs:
        x.grad = None
    output().backward(gradient)


def scaled_dot_product(q, k, v, hidden=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    return torch.softmax(scores, -1) @ v


def dot_product(shape, causal=False):
    batch, length, width, heads = map(int, shape.split("x"))
    q, k, v = leaves(3, batch, heads, length, width // heads)
    gradient = uniform(*q.shape)
    hidden = torch.ones(length, length).triu(1).bool() if causal else None
    return lambda: backward(lambda: scaled_dot_product(q, k, v, hidden), gradient, (q, k, v))


def dot_product_forward(shape):
    batch, length, width, heads = map(int, shape.split("x"))
    q, k, v = (uniform(batch, heads, length, width // heads) for _ in range(3))
    return lambda: scaled_dot_product(q, k, v)


def multi_head(shape):
    batch, length, width, heads = map(int, shape.split("x"))
    module = torch.nn.MultiheadAttention(width, heads, batch_first=True)
    x = uniform(batch, length, width).requires_grad_()
    gradient = uniform(batch, length, width)
    return lambda: backward(lambda: module(x, x, x, need_weights=False)[0], gradient, (x, *module.parameters()))


def additive(shape):
    batch, length, hidden = map(int, shape.split("x"))
    q, k, v = leaves(3, batch, length, hidden)
    (w,) = leaves(1, hidden)
    gradient = uniform(batch, length, hidden)

    def output():
        scores = torch.tanh(q.unsqueeze(2) + k.unsqueeze(1)) @ w
        return torch.softmax(scores, -1) @ v

    return lambda: backward(output, gradient, (q, k, v, w))


def regression(count):
    n = int(count)
    x = torch.rand(n) * 5
    y = 2 * torch.sin(x) + (torch.rand(n) - 0.5)
    hidden = torch.eye(n).bool()
    w = torch.full((n,), 2.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1)

    def run():
        optimizer.zero_grad()
        scores = -(((x.unsqueeze(1) - x) * w) ** 2) / 2
        fitted = torch.softmax(scores.masked_fill(hidden, float("-inf")), -1) @ y
        torch.nn.functional.mse_loss(fitted, y).backward()
        optimizer.step()

    return run


def recurrent(kind, shape):
    batch, length, width = map(int, shape.split("x"))
    module = kind(width, width, batch_first=True)
    return module, uniform(batch, length, width), uniform(batch, length, width)


def read(kind, shape):
    module, x, gradient = recurrent(kind, shape)
    x.requires_grad_()
    return lambda: backward(lambda: module(x)[0], gradient, (x, *module.parameters()))


def read_forward(kind, shape):
    module, x, _ = recurrent(kind, shape)

    def run():
        with torch.no_grad():
            module(x)

    return run


def attention_decoder(shape):
    batch, source, target, width = map(int, shape.split("x"))
    w_q, w_k, w_v = (torch.nn.Linear(*size, bias=False) for size in ((width, width), (2 * width, width), (width, 1)))
    cell = torch.nn.GRUCell(3 * width, width)
    (states,), (x,) = leaves(1, batch, source, 2 * width), leaves(1, batch, target, width)
    (h,) = leaves(1, batch, width)
    gradient = uniform(batch, target, 3 * width)

    def output():
        keys, state, found = w_k(states), h, []
        for step in x.unbind(1):
            scores = w_v(torch.tanh(w_q(state).unsqueeze(1) + keys)).transpose(1, 2)
            context = torch.bmm(torch.softmax(scores, -1), states).squeeze(1)
            state = cell(torch.cat((step, context), -1), state)
            found.append(torch.cat((state, context), -1))
        return torch.stack(found, 1)

    parameters = [p for module in (w_q, w_k, w_v, cell) for p in module.parameters()]
    return lambda: backward(output, gradient, (states, x, h, *parameters))


MAKERS = {
    "attention_decoder": attention_decoder,
    "gru": lambda shape: read(torch.nn.GRU, shape),
    "lstm": lambda shape: read(torch.nn.LSTM, shape),
    "gru_forward": lambda shape: read_forward(torch.nn.GRU, shape),
    "lstm_forward": lambda shape: read_forward(torch.nn.LSTM, shape),
    "dot_product": dot_product,
    "dot_product_causal": lambda shape: dot_product(shape, causal=True),
    "dot_product_forward": dot_product_forward,
    "multi_head": multi_head,
    "additive": additive,
    "regression": regression,
    "regression_by_duals": regression,
    "translation_step": torch_models.translation,
    "gpt_step": torch_models.gpt,
    "square": square,
    "attention": attention,
    "pointwise": pointwise,
    "graph": graph,
    "chain": chain,
}


def time_of(run, at_least):
    """After a warm-up: the mean of so many executions that they take at_least seconds."""
    start = time.perf_counter()
    warmups = 0
    while warmups < 2 or time.perf_counter() - start < at_least / 2:
        run()
        warmups += 1
    count = 0
    start = time.perf_counter()
    while True:
        run()
        count += 1
        if (taken := time.perf_counter() - start) >= at_least:
            return taken / count


def blas_setter():
    """A BLAS with a pool of threads of its own does not hear of PyTorch's setting: it must be told as well."""
    try:
        return ctypes.CDLL("libblas.so.3").openblas_set_num_threads
    except (OSError, AttributeError):
        return lambda count: None


set_blas_threads = blas_setter()
gc.disable()
print(json.dumps(torch.__version__), flush=True)
for line in sys.stdin:
    key, at_least = json.loads(line)
    kind, *arguments, threads = key.split("/")
    torch.set_num_threads(int(threads[1:]))
    set_blas_threads(int(threads[1:]))
    run = MAKERS[kind](*arguments)
    print(json.dumps(time_of(run, at_least)), flush=True)
