"""Cases beyond the table: LARGER, of awkward sizes, and POINTS, where arithmetic is at its edge.

Both are {case id: Extra}; tests/reference/extra.cpp holds our side of them under the same ids.
"""

import itertools
import math
import random
from typing import Callable, NamedTuple

import torch
import torch.nn.functional as F
from cases import delta_rule

inf, nan = math.inf, math.nan

# Of random numbers near 1: smaller ones are sums of larger ones that cancel, and have the errors of those.
FLOOR = 0.1


class Extra(NamedTuple):
    function: Callable
    inputs: list  # tensors, f64 or i64
    floor: float = 0  # errors of numbers below this are measured as if they had this size


def draw(case_id, *recipes):
    """Inputs with a fixed seed; three decimals are as random as sixteen, and shorter to store."""
    generator = random.Random(case_id)
    return [recipe(generator) for recipe in recipes]


def filled(shape, number, dtype=torch.float64):
    return torch.tensor([number() for _ in range(math.prod(shape))], dtype=dtype).reshape(shape)


def real(*shape):
    return lambda g: filled(shape, lambda: round(g.gauss(0, 1.5), 3))


def positive(*shape):
    return lambda g: filled(shape, lambda: round(g.uniform(0.2, 3), 3))


def indexes(bound, *shape):
    return lambda g: filled(shape, lambda: g.randrange(bound), torch.int64)


def distinct(*shape):
    def recipe(g):
        count = math.prod(shape)
        return torch.tensor([0.01 * k for k in g.sample(range(count), count)], dtype=torch.float64).reshape(shape)

    return recipe


def larger_cases():
    vector, above_zero = [real(37)], [positive(37)]
    matrix, empty = [real(3, 65)], [real(0, 3)]
    cases = {
        "exp/37": (torch.exp, vector),
        "log/37": (torch.log, above_zero),
        "sqrt/37": (torch.sqrt, above_zero),
        "rsqrt/37": (torch.rsqrt, above_zero),
        "square/37": (torch.square, vector),
        "sin/37": (torch.sin, vector),
        "cos/37": (torch.cos, vector),
        "tanh/37": (torch.tanh, vector),
        "erf/37": (torch.erf, vector),
        "sigmoid/37": (torch.sigmoid, vector),
        "softplus/37": (F.softplus, vector),
        "silu/37": (F.silu, vector),
        "gelu/37": (F.gelu, vector),
        "gelu_tanh/37": (lambda x: F.gelu(x, approximate="tanh"), vector),
        "pow/37": (torch.pow, [positive(37), real(37)]),
        "divide/5x1-over-7": (torch.div, [real(5, 1), positive(7)]),
        "sum/3x65": (lambda x: x.sum(0), matrix),
        "mean/523": (torch.mean, [real(523)]),
        "var/3x65": (lambda x: x.var(-1, unbiased=True), matrix),
        "max/4x33": (lambda x: x.amax(1), [distinct(4, 33)]),
        "logsumexp/3x65": (lambda x: x.logsumexp(-1), matrix),
        "softmax/3x65": (lambda x: x.softmax(-1), matrix),
        "softmax/65x3": (lambda x: x.softmax(0), [real(65, 3)]),
        "log_softmax/3x65": (lambda x: x.log_softmax(-1), matrix),
        "cumsum/2x65": (lambda x: x.cumsum(1), [real(2, 65)]),
        "prod/3x65": (lambda x: x.prod(1), [positive(3, 65)]),
        "cumprod/2x65": (lambda x: x.cumprod(1), [positive(2, 65)]),
        "sort/3x33": (lambda x: x.sort(-1).values, [distinct(3, 33)]),
        "topk/2x40": (lambda x: x.topk(5, 1).values, [distinct(2, 40)]),
        "gather/4x19": (lambda i, x: x.gather(1, i), [indexes(19, 4, 11), real(4, 19)]),
        "scatter_add/3x50": (lambda i, x, s: x.scatter_add(1, i, s), [indexes(7, 3, 50), real(3, 7), real(3, 50)]),
        "matmul/17x33x9": (torch.matmul, [real(17, 33), real(33, 9)]),
        "matmul/batches": (torch.matmul, [real(3, 1, 5, 7), real(2, 7, 4)]),
        "matmul/row-65": (torch.matmul, [real(65), real(65, 3)]),
        # more steps than go into one chunk; keys of length 1, or the memory would grow
        "delta_rule/70-steps": (
            lambda q, k, v, state, beta, decay: delta_rule(True, True)(
                q, F.normalize(k, dim=-1), v, state, torch.sigmoid(beta), -F.softplus(decay)),
            [real(1, 70, 2), real(1, 70, 2), real(1, 70, 2), real(1, 2, 2), real(1, 70), real(1, 70, 2)],
        ),
        # nothing at all, in every family
        "exp/empty": (torch.exp, empty),
        "add/empty": (torch.add, [real(0, 3), real(1)]),
        "sum/empty": (lambda x: x.sum(0), empty),
        "logsumexp/empty": (lambda x: x.logsumexp(0), empty),
        "softmax/no-rows": (lambda x: x.softmax(-1), empty),
        "softmax/empty-rows": (lambda x: x.softmax(0), empty),
        "cumsum/empty": (lambda x: x.cumsum(0), empty),
        "topk/none": (lambda x: x.topk(0, 1).values, [distinct(2, 3)]),
        "slice/none": (lambda x: x[2:2], [real(3, 2)]),
        "cat/empty-part": (lambda a, b: torch.cat((a, b), 1), [real(2, 0), real(2, 3)]),
        "gather/none": (lambda i, x: x.gather(1, i), [indexes(3, 2, 0), real(2, 3)]),
        "index_select/none": (lambda i, x: x.index_select(0, i), [indexes(3, 0), real(3, 2)]),
        "matmul/no-rows": (torch.matmul, [real(0, 3), real(3, 2)]),
        "matmul/no-inner": (torch.matmul, [real(2, 0), real(0, 3)]),
        "matmul/no-columns-batch": (torch.matmul, [real(2, 3, 4), real(4, 0)]),
        "matmul/no-inner-batch": (torch.matmul, [real(2, 3, 0), real(0, 4)]),
    }
    return {name: Extra(function, draw(name, *recipes), FLOOR) for name, (function, recipes) in cases.items()}


LINE = [0.0, -0.0, 0.5, -0.5, 1, -1, -3, 5, -5, 30, -30, 88.6, -88.6, 400, -400, 709.7, -745]
LINE += [1e-30, -1e-30, 1e30, -1e30, inf, -inf, nan]
PAIRS = list(zip(*itertools.product([0.0, -0.0, 1, 2, -2, 0.5, 1e-30, 1e30, inf, -inf, nan], repeat=2)))
ROWS = [[1, 3, 3, 2], [nan, 1, 2, 3], [inf, 1, inf, 2], [-inf, -inf, -inf, -inf], [-inf, 0, 1, -inf],
        [400, -400, 399, 0], [1e30, -1e29, 1, 0], [inf, -inf, 0, 1], [0.0, -0.0, 0.0, -0.0], [1e-30, 2e-30, -1e-30, 3]]
ZEROS = [[2, 3, 5, 4], [0, 3, 5, 4], [2, 3, 0, 4], [2, 3, 5, 0], [2, 0, 5, 0], [0, 0, 0, 3], [0, 0, 0, 0]]
MASK = [[1, 0, 1, 0]] * len(ROWS)


def point_cases():
    line, pairs, rows = [LINE], PAIRS, [ROWS]
    powers = {f"pow/number{c:+}": (lambda x, c=c: torch.pow(x, c), line) for c in (0, 1, 2, 3, -1, 0.5, -0.5, 2.5)}
    compared = {name: (lambda a, b, f=f: f(a, b).to(a.dtype), pairs) for name, f in {
        "equal/edges": torch.eq, "not_equal/edges": torch.ne, "less/edges": torch.lt,
        "less_equal/edges": torch.le, "greater/edges": torch.gt, "greater_equal/edges": torch.ge}.items()}
    cases = powers | compared | {
        "add/edges": (torch.add, pairs),
        "subtract/edges": (torch.sub, pairs),
        "multiply/edges": (torch.mul, pairs),
        "divide/edges": (torch.div, pairs),
        "pow/edges": (torch.pow, pairs),
        "maximum/edges": (torch.maximum, pairs),
        "minimum/edges": (torch.minimum, pairs),
        "maximum/number-edges": (lambda x: torch.maximum(x, x.new_tensor(0.5)), line),
        "divide/number-over-edges": (lambda x: 2 / x, line),
        "affine/edges": (lambda x: torch.sub(x * -2.5, 1.5), line),
        "where/edges": (lambda c, x, y: torch.where(c.bool(), x, y), [MASK, ROWS, ROWS[::-1]]),
        "exp/edges": (torch.exp, line),
        "log/edges": (torch.log, line),
        "sqrt/edges": (torch.sqrt, line),
        "rsqrt/edges": (torch.rsqrt, line),
        "square/edges": (torch.square, line),
        "sin/edges": (torch.sin, line),
        "cos/edges": (torch.cos, line),
        "tanh/edges": (torch.tanh, line),
        "erf/edges": (torch.erf, line),
        "sigmoid/edges": (torch.sigmoid, line),
        "softplus/edges": (lambda x: F.softplus(x, threshold=40), line),  # by default it cuts off at 20, for speed
        "silu/edges": (F.silu, line),
        "gelu/edges": (F.gelu, line),
        "gelu_tanh/edges": (lambda x: F.gelu(x, approximate="tanh"), line),
        "relu/edges": (torch.relu, line),
        "leaky_relu/edges": (lambda x: F.leaky_relu(x, 0.2), line),
        "abs/edges": (torch.abs, line),
        "clamp/edges": (lambda x: torch.clamp(x, -0.5, 0.5), line),
        "is_nan/edges": (lambda x: torch.isnan(x).to(x.dtype), line),
        "to/other-dtype": (lambda x: x.double() if x.dtype == torch.float32 else x.float(), line),
        "sum/edges": (lambda x: x.sum(-1), rows),
        "mean/edges": (lambda x: x.mean(-1), rows),
        "mean/empty": (lambda x: x.mean(0), [[[]]]),
        "var/edges": (lambda x: x.var(-1, unbiased=False), rows),
        "var/one-element": (lambda x: x.var(0, unbiased=True), [[[2, -1]]]),
        "max/edges": (lambda x: x.amax(-1), rows),
        "min/edges": (lambda x: x.amin(-1), rows),
        "logsumexp/edges": (lambda x: x.logsumexp(-1), rows),
        "argmax/edges": (lambda x: x.argmax(-1), rows),
        "softmax/edges": (lambda x: x.softmax(-1), rows),
        "log_softmax/edges": (lambda x: x.log_softmax(-1), rows),
        "cumsum/edges": (lambda x: x.cumsum(-1), rows),
        "prod/zeros": (lambda x: x.prod(-1), [ZEROS]),
        "cumprod/zeros": (lambda x: x.cumprod(-1), [ZEROS]),
        "sort/edges": (lambda x: x.sort(dim=-1, stable=True).values, rows),
        "sort/descending-edges": (lambda x: x.sort(dim=-1, stable=True, descending=True).values, rows),
        "argsort/edges": (lambda x: x.sort(dim=-1, stable=True).indices, rows),
        "argsort/descending-edges": (lambda x: x.sort(dim=-1, stable=True, descending=True).indices, rows),
        "topk/edges": (lambda x: x.topk(2, -1).values, [[[nan, 1, inf, -inf], [-inf, 5, nan, 3], [0, -1, -inf, 2]]]),
        "masked_fill/edges": (lambda m, x: x.masked_fill(m.bool(), -inf), [MASK, ROWS]),
        "tril/edges": (torch.tril, [[[1, nan, inf], [nan, 1, -inf], [inf, 2, 3]]]),
        "pad/edges": (lambda x: F.pad(x, (1, 0), value=-inf), [[[nan, inf], [0, 1]]]),
        "matmul/edges": (torch.matmul, [[[0, 1, inf], [2, nan, 1], [1, 2, 3]], [[inf, 1], [0, 2], [3, -1]]]),
    }
    masks = ("where/edges", "masked_fill/edges")
    # 1 + erf x, 1 − tanh²x and y·(g − Σ g·y) cancel where they are small: no digits are left of them.
    floors = dict.fromkeys(("gelu/edges", "gelu_tanh/edges", "tanh/edges", "softmax/edges"), 1)
    return {
        name: Extra(function, [torch.tensor(data, dtype=torch.int64 if name in masks and i == 0 else torch.float64)
                               for i, data in enumerate(inputs)], floors.get(name, 0))
        for name, (function, inputs) in cases.items()
    }


LARGER = larger_cases()
POINTS = point_cases()
