"""Every case of tests/cases in PyTorch's words: {family: {case id: function of the inputs}}.

Written from PyTorch's documentation, not from our formulas: that is what makes it a reference. A result that
our library gives as numbers where PyTorch has booleans is converted to the dtype our headers promise.
"""

import torch
import torch.nn.functional as F

ARITHMETIC = {
    "add/same-shape": lambda a, b: a + b,
    "add/broadcast": lambda a, b: a + b,
    "add/scalar-tensor": lambda a, b: torch.add(a, b),
    "add/same-value-twice": lambda a: torch.add(a, a),
    "subtract/same-shape": lambda a, b: torch.sub(a, b),
    "subtract/broadcast": lambda a, b: a - b,
    "multiply/same-shape": lambda a, b: torch.mul(a, b),
    "multiply/broadcast": lambda a, b: a * b,
    "multiply/same-value-twice": lambda a: torch.mul(a, a),
    "divide/same-shape": lambda a, b: torch.div(a, b),
    "divide/broadcast": lambda a, b: a / b,
    "divide/number-over": lambda a: 2.0 / a,
    "affine/add-number": lambda a: torch.add(a, 1.5),
    "affine/subtract-number": lambda a: torch.sub(a, 1.5),
    "affine/number-minus": lambda a: torch.rsub(a, 1.5),
    "affine/times-number": lambda a: torch.mul(a, -2.5),
    "affine/over-number": lambda a: torch.div(a, 3.0),
    "affine/negated": lambda a: torch.neg(a),
    "pow/same-shape": lambda a, b: torch.pow(a, b),
    "pow/broadcast": lambda a, b: torch.pow(a, b),
    "pow/cube": lambda a: torch.pow(a, 3),
    "pow/root": lambda a: torch.pow(a, 0.4),
    "pow/inverse": lambda a: torch.reciprocal(a),
    "maximum/same-shape": lambda a, b: torch.maximum(a + 0.25, b),
    "maximum/broadcast": lambda a, b: torch.maximum(a + 0.25, b),
    "maximum/number": lambda a: torch.clamp_min(a, 0.3),
    "minimum/same-shape": lambda a, b: torch.minimum(a + 0.25, b),
    "minimum/broadcast": lambda a, b: torch.minimum(a, b + 0.25),
    "minimum/number": lambda a: torch.clamp_max(a, 0.3),
    "remainder/same-shape": torch.remainder,
    "remainder/broadcast-of-signs": lambda a, b: torch.remainder(torch.cat((a, -a), 1), -b[:2]),
    "remainder/number": lambda a: torch.remainder(a, 4),
    "where/number": lambda c, a: torch.where(c.bool(), a, -1.5) + torch.where(c.bool(), 2.0, a),
    "where/same-shape": lambda c, a, b: torch.where(c.bool(), a, b),
    "where/broadcast": lambda c, a, b: torch.where(c.bool(), a, b),
    "equal/indexes": lambda a, b: torch.eq(a, b).to(a.dtype),
    "not_equal/indexes": lambda a, b: torch.ne(a, b).to(a.dtype),
    "less/broadcast": lambda a, b: torch.lt(a, b).to(a.dtype),
    "less_equal/indexes": lambda a, b: torch.le(a, b).to(a.dtype),
    "greater/broadcast": lambda a, b: torch.gt(a, b).to(a.dtype),
    "greater_equal/indexes": lambda a, b: torch.ge(a, b).to(a.dtype),
}

POINTWISE = {
    "exp/matrix": torch.exp,
    "exp/scalar": torch.exp,
    "log/matrix": torch.log,
    "sqrt/matrix": torch.sqrt,
    "rsqrt/matrix": torch.rsqrt,
    "square/matrix": torch.square,
    "sin/matrix": torch.sin,
    "cos/matrix": torch.cos,
    "tanh/matrix": torch.tanh,
    "tanh/permuted-cube": lambda x: x.permute(2, 0, 1).tanh(),
    "erf/matrix": torch.special.erf,
    "sigmoid/matrix": torch.sigmoid,
    "softplus/matrix": F.softplus,
    "silu/matrix": F.silu,
    "gelu/matrix": F.gelu,
    "gelu_tanh/matrix": lambda x: F.gelu(x, approximate="tanh"),
    "relu/both-sides": F.relu,
    "leaky_relu/both-sides": lambda x: F.leaky_relu(x, 0.2),
    "abs/both-sides": torch.abs,
    "clamp/inside-and-outside": lambda x: torch.clamp(x, -0.7, 0.8),
    "clamp/from-below": lambda x: torch.clamp(x, min=-0.7),
    "clamp/from-above": lambda x: torch.clamp(x, max=0.8),
    "is_nan/none": lambda x: torch.isnan(x).to(x.dtype),
    "to/same-dtype": lambda x: x.to(torch.float64),
}

REDUCTIONS = {
    "sum/all": torch.sum,
    "sum/one-axis": lambda x: x.sum(1),
    "sum/two-axes-kept": lambda x: x.sum((0, -1), keepdim=True),
    "sum/scalar": torch.sum,
    "sum_to/broadcast-axes": lambda x: x.sum_to_size(3, 1),
    "prod/all": torch.prod,
    "prod/one-axis": lambda x: x.prod(1),
    "prod/two-axes-kept": lambda x: x.prod(2, keepdim=True).prod(0, keepdim=True),
    "mean/all": torch.mean,
    "mean/last-axis-kept": lambda x: x.mean(-1, keepdim=True),
    "var/biased": lambda x: torch.var(x, -1, unbiased=False),
    "var/unbiased": lambda x: torch.var(x, (0, 2), unbiased=True, keepdim=True),
    "max/all": torch.amax,
    "max/one-axis": lambda x: torch.amax(x, 1),
    "max/two-axes-kept": lambda x: torch.amax(x, (0, 2), keepdim=True),
    "min/all": torch.amin,
    "min/one-axis": lambda x: torch.amin(x, 0),
    "logsumexp/all": lambda x: torch.logsumexp(x, (0, 1)),
    "logsumexp/one-axis": lambda x: torch.logsumexp(x, 0),
    "logsumexp/two-axes-kept": lambda x: torch.logsumexp(x, (1, 2), keepdim=True),
    "argmax/last-axis": lambda x: torch.argmax(x, -1),
    "argmax/first-axis-kept": lambda x: torch.argmax(x, 0, keepdim=True),
    "argmin/last-axis": lambda x: torch.argmin(x, -1),
    "argmin/first-axis-kept": lambda x: torch.argmin(x, 0, keepdim=True),
    "all/two-axes": lambda x: x.bool().all(2).all(0).to(x.dtype),
    "any/last-axis-kept": lambda x: x.bool().any(1, keepdim=True).to(x.dtype),
    "softmax/last-axis": lambda x: F.softmax(x, -1),
    "softmax/first-axis": lambda x: F.softmax(x, 0),
    "softmax/middle-axis": lambda x: F.softmax(x, 1),
    "log_softmax/last-axis": lambda x: F.log_softmax(x, -1),
    "log_softmax/middle-axis": lambda x: F.log_softmax(x, 1),
}

VIEWS = {
    "identity/itself": torch.clone,
    "reshape/with-leftover": lambda x: x.reshape(3, -1),
    "reshape/of-transposed": lambda x: x.t().reshape(6),
    "flatten/inner-axes": lambda x: torch.flatten(x, 1),
    "permute/three-axes": lambda x: torch.permute(x, (2, 0, 1)),
    "transpose/last-two": lambda x: x.mT,
    "transpose/outer-two": lambda x: torch.swapaxes(x, 0, 2),
    "squeeze/one-axis": lambda x: torch.squeeze(x, 1),
    "squeeze/all-axes": torch.squeeze,
    "unsqueeze/at-the-end": lambda x: x[..., None],
    "unsqueeze/of-scalar": lambda x: torch.unsqueeze(x, 0),
    "expand/axis-of-one": lambda x: x.expand(2, 4, 3),
    "expand/new-axes": lambda x: torch.broadcast_to(x, (2, 2, 3)),
    "slice/from-the-end": lambda x: x[-3:-1],
    "slice/with-step": lambda x: x[:, 1::3],
    "place/with-step": lambda x: torch.index_add(x.new_zeros(2, 8), 1, torch.tensor([1, 4, 7]), x),
    "select/one-row": lambda x: torch.select(x, 0, -1),
    "slice/several-axes": lambda x: x[1:-1, :, ::2],
    "flip/first-axis": torch.flipud,
    "repeat_interleave/first-axis": lambda x: torch.repeat_interleave(x, 3, dim=0),
    "repeat_interleave/last-axis": lambda x: x.repeat_interleave(2, -1),
}

JOINING = {
    "cat/three-parts": lambda a, b, c: torch.cat((a, b, c), 1),
    "cat/same-value-twice": lambda a: torch.cat((a, a), 0),
    "stack/new-last-axis": lambda a, b: torch.stack((a, b), -1),
    "stack/new-first-axis": lambda a, b: torch.stack((a, b)),
    "split/uneven": lambda x: torch.mul(x.split((2, 3), 1)[0], x.split((2, 3), 1)[1][:, 1:]),
    "pad/both-axes": lambda x: F.pad(x, (2, 1, 1, 0), value=0.5),
}

INDEXING = {
    "gather/last-axis": lambda i, x: torch.gather(x, 1, i),
    "gather/first-axis": lambda i, x: torch.gather(x, 0, i),
    "index_select/rows-repeated": lambda i, x: F.embedding(i, x),
    "index_select/columns": lambda i, x: torch.index_select(x, -1, i),
    "scatter_add/last-axis": lambda i, x, s: torch.scatter_add(x, 1, i, s),
    "scatter_add/first-axis": lambda i, x, s: torch.scatter_add(x, 0, i, s),
    "masked_fill/same-shape": lambda m, x: x.masked_fill(m.bool(), 7),
    "masked_fill/broadcast-mask": lambda m, x: x.masked_fill(m.bool(), -1),
    "tril/square": torch.tril,
    "tril/batch-above-diagonal": lambda x: torch.tril(x, 1),
    "triu/wide": torch.triu,
    "triu/below-diagonal": lambda x: torch.triu(x, -1),
    "one_hot/matrix": lambda i: F.one_hot(i, 4).to(torch.float32),
}

ORDER = {
    "cumsum/last-axis": lambda x: torch.cumsum(x, -1),
    "cumsum/first-axis": lambda x: torch.cumsum(x, 0),
    "cumprod/last-axis": lambda x: torch.cumprod(x, -1),
    "cumprod/first-axis": lambda x: torch.cumprod(x, 0),
    "sort/ascending": lambda x: torch.sort(x, 1).values,
    "sort/descending": lambda x: torch.sort(x, 0, descending=True).values,
    "argsort/ascending": lambda x: torch.argsort(x, 1),
    "argsort/descending": lambda x: torch.argsort(x, 0, descending=True),
    "topk/two-of-five": lambda x: torch.topk(x, 2, 1).values,
}

PRODUCTS = {
    "matmul/matrices": torch.mm,
    "matmul/batch": torch.bmm,
    "matmul/broadcast-batch": torch.matmul,
    "matmul/broadcast-left": torch.matmul,
    "matmul/broadcast-right": lambda a, b: torch.tensordot(a, b, 1),
    "matmul/row-times-matrix": torch.matmul,
    "matmul/row-times-batch": torch.matmul,
    "matmul/matrix-times-column": torch.mv,
    "matmul/row-times-column": torch.inner,
    "matmul/with-transposed": lambda a, b: F.linear(a, b),
    "matmul/with-itself": lambda a: torch.linalg.matrix_power(a, 2),
    "bmm/batch": torch.bmm,
    "outer/vectors": torch.outer,
    "einsum/scores": lambda q, k: torch.einsum("bqd,bkd->bqk", q, k),
    "einsum/outputs": lambda w, v: torch.einsum("hqk,khd->qhd", w, v),
    "einsum/outer": lambda a, b: torch.einsum("i,j", a, b),
    "einsum/trace": lambda x: torch.einsum("ii", x),
    "einsum/diagonals": lambda a, b: torch.einsum("ibi,ib->bi", a, b),
    "einsum/three-operands": lambda a, b, c: torch.einsum("i,ij,jb->b", a, b, c),
    "einsum/sums": lambda a, b: torch.einsum("ijk,jl->j", a, b),
    "linear/rows": F.linear,
    "linear/batch": F.linear,
    "linear/vector": F.linear,
    "linear/no-bias": F.linear,
}



def masked(x, keep, scale):
    """softmax of scale·x where keep is not 0; PyTorch's NaN for a row that keeps nothing is our 0."""
    return torch.softmax((scale * x).masked_fill(keep == 0, -torch.inf), -1).nan_to_num(0)


def turned(pairs):
    """(…, 3, P, 2) as complex numbers, times e^(iφ) for the angles of tests/cases/fused.cpp."""
    angles = torch.tensor([[0, 0], [1, 0.1], [-2, 0.2]], dtype=pairs.dtype)
    return torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * torch.exp(1j * angles))


FUSED = {
    "layer_norm/rows": lambda x, w, b: F.layer_norm(x, (4,), w, b),
    "layer_norm/batch": lambda x, w, b: F.layer_norm(x, (3,), w, b, eps=0.1),
    "rms_norm/rows": lambda x, w: x / torch.sqrt(x.square().mean(-1, keepdim=True) + 1e-6) * w,
    "rms_norm/batch": lambda x, w: x / torch.sqrt(x.square().mean(-1, keepdim=True) + 0.1) * w,
    "rotate_pairs/neighbours": lambda x: turned(x.unflatten(-1, (2, 2))).flatten(-2),
    "rotate_pairs/halves-and-rest": lambda x: torch.cat(
        [turned(x[..., :4].unflatten(-1, (2, 2)).transpose(-1, -2)).transpose(-1, -2).flatten(-2), x[..., 4:]], -1),
    "cross_entropy/classes": lambda x, c: F.cross_entropy(x, c, reduction="none"),
    "cross_entropy/smoothed": lambda x, c: F.cross_entropy(x, c, reduction="none", label_smoothing=0.2),
    "cross_entropy/ignored-class": lambda x, c: F.cross_entropy(x, c, reduction="none", ignore_index=1),
    "cross_entropy/weights-of-classes": lambda x, c: F.cross_entropy(
        x, c, x.new_tensor([0.5, 2, 3]), reduction="none", ignore_index=1),
    "cross_entropy/weights-smoothed": lambda x, c: F.cross_entropy(
        x, c, x.new_tensor([0.5, 2, 3, 0]), reduction="none", label_smoothing=0.2),
    "masked_softmax/same-shape": lambda x, keep: masked(x, keep, 0.7),
    "masked_softmax/broadcast": lambda x, keep: masked(x, keep, 1.5),
}



def with_log_sum(scores, v):
    """Attention, and log Σ eˢ beside it."""
    return torch.cat([torch.softmax(scores, -1) @ v, torch.logsumexp(scores, -1, keepdim=True)], -1)


def attend(scores, v, keep=None):
    """Rows of a table that keeps nothing are made of finite numbers first, so that no NaN is differentiated."""
    if keep is None:
        return torch.softmax(scores, -1) @ v
    blind = ~keep.any(-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~(keep | blind), -torch.inf), -1)
    return weights.masked_fill(blind, 0) @ v


def table(*rows):
    return torch.tensor(rows, dtype=torch.bool)


def below_lengths(*lengths):  # (B, Lq, 1) of them against 4 keys
    return torch.arange(4) < torch.tensor(lengths).unsqueeze(-1)


def alibi(q, k, v):
    i, j = torch.arange(1, 4).unsqueeze(1), torch.arange(4)
    slopes = torch.tensor([0.5, 0.25], dtype=q.dtype).reshape(2, 1, 1)
    return attend(q @ k.mT - slopes * (i - j).abs(), v)


def distance_prior(q, k, v, sigma):
    i, j = torch.arange(1, 4).unsqueeze(1), torch.arange(4)
    return attend(q @ k.mT - ((i - j) / sigma.reshape(2, 1, 1)) ** 2 / 2, v)


def by_distance(q, k, v, numbers):
    i, j = torch.arange(3).unsqueeze(1), torch.arange(4)
    bias = numbers[(i - j).abs().clamp(max=2)].permute(2, 0, 1)
    return attend(q @ k.mT + bias, v, torch.ones(3, 4, dtype=torch.bool).tril())


def sum_capped(q, k, v, w, cap):
    return attend(cap * torch.tanh(0.7 * q @ k.mT / cap) + torch.tanh(q.unsqueeze(2) + k.unsqueeze(1)) @ w, v)


def regression(x, y, w, leave_one_out):
    x, y = x.to(w.dtype), y.to(w.dtype)
    scores = -(((x.unsqueeze(1) - x) * w) ** 2) / 2
    if leave_one_out:
        scores = scores.masked_fill(torch.eye(len(x), dtype=torch.bool), -torch.inf)
    return F.mse_loss(torch.softmax(scores, -1) @ y, y)


ATTENTION = {
    "fused_attention/dot": lambda q, k, v: attend(0.7 * q @ k.mT, v),
    "fused_attention/dot-causal-heads": lambda q, k, v: attend(
        0.7 * q @ k.mT, v, torch.ones(3, 3, dtype=torch.bool).tril()
    ),
    "fused_attention/dot-lengths": lambda q, k, v: attend(q @ k.mT, v, below_lengths([2, 2, 2], [3, 0, 3])),
    "fused_attention/dot-bias-table": lambda q, k, v, bias: attend(
        q @ k.mT + bias, v, table([1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 1, 1])
    ),
    "fused_attention/additive": lambda q, k, v, w: attend(torch.tanh(q.unsqueeze(1) + k) @ w, v),
    "fused_attention/l1-per-key": lambda q, k, v, w: attend(-(w * (q.unsqueeze(1) - k).abs()).sum(-1), v),
    "fused_attention/slopes": alibi,
    "fused_attention/distance-prior-per-head": distance_prior,
    "fused_attention/table-by-distance": by_distance,
    "fused_attention/sum-capped": sum_capped,
    "fused_attention_and_log_sum/dot": lambda q, k, v: with_log_sum(0.7 * q @ k.mT, v),
    "fused_attention_and_log_sum/bias-causal-shared-heads": lambda q, k, v, bias: with_log_sum(
        (q @ k.mT + bias).masked_fill(torch.ones(3, 3).triu(1) == 1, -torch.inf), v),
    "fused_attention/l2-per-head": lambda q, k, v, w: attend(
        (w.unsqueeze(-2) * (q.unsqueeze(-2) - k.unsqueeze(-3)) ** 2).sum(-1), v
    ),
    "regression_loss/leave-one-out": lambda x, y, w: regression(x, y, w, True),
    "regression_loss/leaking": lambda x, y, w: regression(x, y, w, False),
    "regression_loss/one-width": lambda x, y, w: regression(x, y, w, True),
}

def states(step, p, initial, lengths=None, reverse=False):
    """All states of a recurrent network, the initial ones among them: step(p of one step, states) -> states."""
    now, found = initial, [initial]
    for t in reversed(range(len(p))) if reverse else range(len(p)):
        after = step(p[t], now)
        real = torch.ones(p.shape[1], 1, dtype=torch.bool) if lengths is None else (t < torch.tensor(lengths))[:, None]
        now = [torch.where(real, new, old) for new, old in zip(after, now)]
        found.append(now)
    return [torch.stack(kind) for kind in zip(*(reversed(found) if reverse else found))]


def rnn(activation, **options):
    return lambda p, h, w, b: states(lambda p, h: [activation(p + h[0] @ w.T + b)], p, [h], **options)[0]


def gru(reset_first, **options):
    def function(p, initial, w, b):
        def step(p, before):
            (h,), (p_r, p_z, p_n), (w_r, w_z, w_n), (b_r, b_z, b_n) = before, p.chunk(3, 1), w.chunk(3), b.chunk(3)
            r, z = torch.sigmoid(p_r + h @ w_r.T + b_r), torch.sigmoid(p_z + h @ w_z.T + b_z)
            n = torch.tanh(p_n + ((r * h) @ w_n.T + b_n if reset_first else r * (h @ w_n.T + b_n)))
            return [(1 - z) * n + z * h]

        return states(step, p, [initial], **options)[0]

    return function


def lstm(**options):
    def function(p, h, c, w, b):
        def step(p, before):
            i, f, g, o = (p + before[0] @ w.T + b).chunk(4, 1)
            c = torch.sigmoid(f) * before[1] + torch.sigmoid(i) * torch.tanh(g)
            return [torch.sigmoid(o) * torch.tanh(c), c]

        return torch.stack(states(step, p, [h, c], **options))

    return function


def additive_decoder(reset_first, keep):
    def function(p, h, keys, values, w_q, w, w_c, w_hh, b):
        hidden, kept = [h], torch.tensor(keep, dtype=torch.bool)
        contexts, weights = [], []
        for p_t in p:
            scores = torch.tanh((h @ w_q.T).unsqueeze(1) + keys) @ w
            alpha = torch.softmax(scores.masked_fill(~kept, float("-inf")), -1)
            context = (alpha.unsqueeze(1) @ values).squeeze(1)
            h = gru(reset_first)((p_t + context @ w_c.T).unsqueeze(0), h, w_hh, b)[1]
            hidden.append(h), contexts.append(context), weights.append(alpha)
        return torch.cat([torch.stack(part).flatten() for part in (hidden, contexts, weights)])

    return function


def delta_rule(corrects, fades):
    """The recurrence as Yang et al. write it (2024, "Gated Delta Networks"), with I − β·k·kᵀ as a matrix."""

    def function(q, k, v, state, *more):
        outputs = []
        for t in range(q.shape[1]):
            key, value = k[:, t, :, None], v[:, t, None, :]
            if fades:
                decay = torch.exp(more[-1][:, t])
                state = decay.reshape(decay.shape[0], -1, 1) * state
            if corrects:
                beta = more[0][:, t, None, None]
                state = (torch.eye(key.shape[1]) - beta * key @ key.mT) @ state + beta * key @ value
            else:
                state = state + key @ value
            outputs.append((state.mT @ q[:, t, :, None]).mT)
        return torch.cat(outputs + [state], 1)

    return function


RECURRENT = {
    "rnn/tanh": rnn(torch.tanh),
    "rnn/tanh-reverse-lengths": rnn(torch.tanh, lengths=[3, 1], reverse=True),
    "rnn/relu": rnn(torch.relu),
    "gru/reset-after": gru(False),
    "gru/reset-after-lengths": gru(False, lengths=[3, 1]),
    "gru/reset-after-reverse-lengths": gru(False, lengths=[3, 1], reverse=True),
    "gru/reset-before": gru(True),
    "gru/reset-before-lengths": gru(True, lengths=[3, 1]),
    "gru/reset-before-reverse": gru(True, reverse=True),
    "lstm/steps": lstm(),
    "lstm/lengths": lstm(lengths=[3, 1]),
    "lstm/reverse-lengths": lstm(lengths=[3, 1], reverse=True),
    "additive_decoder/all-keys": additive_decoder(False, [[1, 1, 1], [1, 1, 1]]),
    "additive_decoder/some-keys": additive_decoder(False, [[1, 1, 0], [0, 1, 1]]),
    "additive_decoder/one-key-for-all": additive_decoder(True, [[1, 1, 1], [0, 0, 1]]),
    "delta_rule/linear": delta_rule(False, False),
    "delta_rule/gated": delta_rule(False, True),
    "delta_rule/gated-per-feature": delta_rule(False, True),
    "delta_rule/delta": delta_rule(True, False),
    "delta_rule/gated-delta": delta_rule(True, True),
    "delta_rule/gated-delta-per-feature": delta_rule(True, True),
}

FAMILIES = {
    "arithmetic": ARITHMETIC,
    "pointwise": POINTWISE,
    "reductions": REDUCTIONS,
    "views": VIEWS,
    "joining": JOINING,
    "indexing": INDEXING,
    "order": ORDER,
    "products": PRODUCTS,
    "fused": FUSED,
    "attention": ATTENTION,
    "recurrent": RECURRENT,
}
