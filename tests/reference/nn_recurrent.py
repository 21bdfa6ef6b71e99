"""Recurrent networks: PyTorch's kernels; and written out what it has not, a GRU whose reset gate comes first."""

import torch
from nn_record import draw, record
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

KERNELS = {"rnn": torch._VF.rnn_tanh, "rnn relu": torch._VF.rnn_relu, "gru": torch._VF.gru, "lstm": torch._VF.lstm}
GATES = {"rnn": 1, "rnn relu": 1, "gru": 3, "gru first": 3, "lstm": 4}


def weight_names(layers, directions, bias=True):
    suffixes = [f"_l{layer}{reverse}" for layer in range(layers) for reverse in ("", "_reverse")[:directions]]
    kinds = ["weight_ih", "weight_hh"] + (["bias_ih", "bias_hh"] if bias else [])
    return [[kind + suffix for kind in kinds] for suffix in suffixes]


def weights(name, gates, size, hidden, layers, directions, bias):
    found = {}
    for number, names in enumerate(weight_names(layers, directions, bias)):
        width = size if number < directions else directions * hidden
        shapes = [(gates * hidden, width), (gates * hidden, hidden), (gates * hidden,), (gates * hidden,)]
        found |= {key: draw(name + key, *shape, low=-0.9, high=0.9) for key, shape in zip(names, shapes)}
    return found


def gru_reset_first(x, h, p, lengths):
    """One layer, one direction: Cho et al., 2014, in PyTorch's order of gates, a step at a time."""
    outputs = []
    state = h[0]
    for t in range(x.shape[1]):
        given = x[:, t] @ p["weight_ih_l0"].T + p["bias_ih_l0"]
        r_given, z_given, n_given = given.chunk(3, 1)
        r_weight, z_weight, n_weight = p["weight_hh_l0"].chunk(3)
        r_bias, z_bias, n_bias = p["bias_hh_l0"].chunk(3)
        r = torch.sigmoid(r_given + state @ r_weight.T + r_bias)
        z = torch.sigmoid(z_given + state @ z_weight.T + z_bias)
        n = torch.tanh(n_given + (r * state) @ n_weight.T + n_bias)
        real = torch.ones(len(x), 1, dtype=torch.bool) if lengths is None else (t < lengths).unsqueeze(1)
        state = torch.where(real, (1 - z) * n + z * state, state)
        outputs.append(torch.where(real, state, torch.zeros_like(state)))
    return torch.stack(outputs, 1), state.unsqueeze(0)


def run(kind, x, states, flat, lengths, layers, directions, bias):
    """A module's forward: output, and final states."""
    states = states if len(states) > 1 else states[0]
    options = (bias, layers, 0.0, False, directions == 2)
    if lengths is None:
        return KERNELS[kind](x, states, flat, *options, True)
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    order, back = packed.sorted_indices, packed.unsorted_indices
    sort = lambda h: h.index_select(1, order)
    ordered = tuple(map(sort, states)) if isinstance(states, tuple) else sort(states)
    data, *finals = KERNELS[kind](packed.data, packed.batch_sizes, ordered, flat, *options)
    output, _ = pad_packed_sequence(PackedSequence(data, packed.batch_sizes, order, back), batch_first=True,
                                    total_length=x.shape[1])
    return output, *(h.index_select(1, back) for h in finals)


def sequence(name, shape, hidden, lengths=None, layers=1, bidirectional=False, bias=True, given=True):
    """`given`: with initial states; a name is "kind/what is special"."""
    kind = name.split("/")[0]
    directions = 2 if bidirectional else 1
    batch, kinds = (shape[0] if len(shape) == 3 else 1), (("h", "c") if kind == "lstm" else ("h",))
    state = (layers * directions, batch, hidden) if len(shape) == 3 else (layers * directions, hidden)
    inputs = {"x": draw(name, *shape)}
    if given:
        inputs |= {key: draw(name + "/" + key, *state, low=-1, high=1) for key in kinds}
    if lengths is not None:
        inputs["lengths"] = torch.tensor(lengths)
    parameters = weights(name + "/", GATES[kind], shape[-1], hidden, layers, directions, bias)

    def function(i, p):
        x, batched = i["x"], len(shape) == 3
        x = x if batched else x.unsqueeze(0)
        zeros = torch.zeros(layers * directions, batch, hidden, dtype=x.dtype)
        states = tuple((i[key] if batched else i[key].unsqueeze(1)) if given else zeros for key in kinds)
        if kind == "gru first":
            output, *finals = gru_reset_first(x, states[0], p, i.get("lengths"))
        else:
            flat = [p[key] for names in weight_names(layers, directions, bias) for key in names]
            output, *finals = run(kind, x, states, flat, i.get("lengths"), layers, directions, bias)
        if not batched:
            output, finals = output.squeeze(0), [h.squeeze(1) for h in finals]
        return {"y": output} | dict(zip(["h_n", "c_n"], finals))

    return record(name, function, inputs, parameters,
                  {"hidden": hidden, "layers": layers, "bidirectional": int(bidirectional)})


def cell(name, size, hidden):
    kind = name.split("/")[0].removesuffix(" cell")
    function = {"rnn": torch._VF.rnn_tanh_cell, "rnn relu": torch._VF.rnn_relu_cell, "gru": torch._VF.gru_cell,
                "lstm": torch._VF.lstm_cell}[kind]
    shapes = {"weight_ih": (size,), "weight_hh": (hidden,), "bias_ih": (), "bias_hh": ()}
    parameters = {key: draw(name + key, GATES[kind] * hidden, *shape, low=-0.9, high=0.9)
                  for key, shape in shapes.items()}
    inputs = {"x": draw(name, 3, size)} | {key: draw(name + "/" + key, 3, hidden)
                                           for key in ("h", "c")[:2 if kind == "lstm" else 1]}

    def step(i, p):
        states = (i["h"], i["c"]) if kind == "lstm" else i["h"]
        after = function(i["x"], states, *(p[key] for key in shapes))
        return {"h_n": after[0], "c_n": after[1]} if kind == "lstm" else {"h_n": after}

    return record(name, step, inputs, parameters, {"hidden": hidden})


RECORDS = [
    *(record_of(kind + special, *sizes, **options)
      for record_of, special, sizes, options in [
          (cell, " cell/step", (3, 4), {}),
          (sequence, "/plain", ((2, 4, 3), 5), {"given": False}),
          (sequence, "/initial states", ((3, 3, 2), 4), {}),
          (sequence, "/one step", ((2, 1, 3), 4), {}),
          (sequence, "/without bias", ((2, 3, 3), 4), {"bias": False}),
          (sequence, "/without batch", ((4, 3), 2), {"layers": 2, "bidirectional": True}),
          (sequence, "/lengths", ((4, 5, 3), 4), {"lengths": [3, 5, 1, 4]}),
          (sequence, "/two layers", ((2, 4, 3), 4), {"layers": 2}),
          (sequence, "/two directions", ((2, 4, 3), 4), {"bidirectional": True}),
          (sequence, "/two directions with lengths", ((3, 4, 3), 4), {"bidirectional": True, "lengths": [2, 4, 1]}),
          (sequence, "/all together", ((4, 6, 3), 5), {"layers": 2, "bidirectional": True, "lengths": [4, 1, 6, 3]}),
          (sequence, "/wide", ((9, 3, 5), 19), {}),
      ]
      for kind in ("rnn", "rnn relu", "gru", "lstm")),
    sequence("gru first/plain", (2, 4, 3), 5, given=False),
    sequence("gru first/initial states and lengths", (4, 5, 3), 4, lengths=[3, 5, 1, 4]),
    sequence("gru first/wide", (9, 3, 5), 19),
]
