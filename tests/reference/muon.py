"""The numbers of tests/nn/muon.cpp: Muon by its formula, in lists of Python's own numbers.

    python3 tests/reference/muon.py

PyTorch has torch.optim.Muon from 2.9 on. It orthogonalises in bfloat16, so its own numbers agree to two digits only;
what is written down here is its formula, with its names for the options, in f64.
"""
import math


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def turned(a):
    return [list(column) for column in zip(*a)]


def mixed(*terms):  # sums of factors times matrices
    rows, columns = len(terms[0][1]), len(terms[0][1][0])
    return [[sum(factor * a[i][j] for factor, a in terms) for j in range(columns)] for i in range(rows)]


def orthogonalized(g):
    x = turned(g) if len(g) > len(g[0]) else g
    length = math.sqrt(sum(number * number for row in x for number in row))
    x = mixed((1 / max(length, 1e-7), x))
    for _ in range(5):
        gram = product(x, turned(x))
        x = mixed((3.4445, x), (1, product(mixed((-4.7750, gram), (2.0315, product(gram, gram))), x)))
    return turned(x) if len(g) > len(g[0]) else x


def muon(w, gradients, rate, momentum, decay):
    rows, columns = len(w), len(w[0])
    scale = math.sqrt(max(1, rows / columns))  # adjust_lr_fn="original"
    buffer = mixed((0, w))
    for g in gradients:
        buffer = mixed((momentum, buffer), (1 - momentum, g))
        update = mixed((1 - momentum, g), (momentum, buffer))  # nesterov=True
        w = mixed((1 - rate * decay, w), (-rate * scale, orthogonalized(update)))
    return w


start = [[1.0, -0.5], [0.25, 2.0], [-1.5, 0.75]]
slopes = [[[0.5, -1.0], [2.0, 0.25], [-0.75, 1.5]], [[1.0, 0.5], [-0.25, -2.0], [0.125, 0.375]]]
print(muon(start, slopes, rate=0.1, momentum=0.9, decay=0.5))
print("2 by 3, turned", orthogonalized(turned(slopes[0])))
