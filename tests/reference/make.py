"""Computes with PyTorch what regard's operations should give, and stores it beside this file.

    python3 tests/reference/make.py build/tests/gradcheck

The inputs of the table of cases come from `gradcheck --inputs`, those of the extra cases from extra.py. Every case
has its cotangent and its directions from a seed of its own, so that a new case changes no other one's numbers.
"""

import json
import math
import pathlib
import random
import subprocess
import sys

import torch
from cases import FAMILIES
from extra import FLOOR, LARGER, POINTS, Extra

DTYPES = {"f32": torch.float32, "f64": torch.float64, "i64": torch.int64}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def number(value):
    """The shortest text that reads back as this number; what JSON has no number for becomes a string."""
    if not math.isfinite(value):
        return str(value)
    return int(value) if value.is_integer() and abs(value) < 1e15 and str(value) != "-0.0" else value


def numbers(tensor):
    """Row-major."""
    values = tensor.detach().clone().flatten().tolist()  # clone(): gradients known to be 0 have no memory
    shorter = (lambda v: float(f"{v:.9g}")) if tensor.dtype == torch.float32 else float
    return [number(shorter(value)) for value in values]


def stored(tensor):
    return {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data": numbers(tensor)}


def random_like(tensor, generator):
    """Numbers of both signs, none of them small."""
    values = [round(generator.uniform(0.5, 1.5) * generator.choice((-1, 1)), 3) for _ in range(tensor.numel())]
    return torch.tensor(values, dtype=torch.float64).reshape(tensor.shape)


def grad(outputs, inputs, vectors, **options):
    """torch.autograd.grad, with zeros for what does not depend on an input."""
    pairs = [(y, v.to(y.dtype)) for y, v in zip(outputs, vectors) if y.requires_grad]
    if not pairs:
        return [torch.zeros_like(x) for x in inputs]
    found = torch.autograd.grad([y for y, _ in pairs], inputs, [v for _, v in pairs], allow_unused=True, **options)
    return [torch.zeros_like(x) if g is None else g for x, g in zip(inputs, found)]


def in_dtype(inputs, dtype):
    return [x.detach().to(dtype).requires_grad_() if x.is_floating_point() else x for x in inputs]


def first_order(function, inputs, dtype, cotangent):
    """The output, and the gradients of the float inputs if it has any."""
    inputs = in_dtype(inputs, dtype)
    output = function(*inputs)
    if not output.requires_grad:
        return output, []
    return output, grad([output], [x for x in inputs if x.requires_grad], [cotangent])


def second_order(function, inputs, cotangent, generator):
    """With s = Σ ⟨gradient, direction⟩: ∂s/∂inputs, which is second derivatives, and ∂s/∂cotangent, which is slopes."""
    inputs = in_dtype(inputs, torch.float64)
    leaves = [x for x in inputs if x.requires_grad]
    cotangent = cotangent.clone().requires_grad_()
    gradients = grad([function(*inputs)], leaves, [cotangent], create_graph=True)
    directions = [random_like(x, generator) for x in leaves]
    return directions, grad(gradients, leaves + [cotangent], directions)


def deviation(found, expected, floor):
    """The largest error relative to its number, or to the floor if that is larger. The suite measures the same way."""
    found, expected = found.detach().double(), expected.detach().double()
    error = (found - expected).abs() / expected.abs().clamp_min(max(floor, 1e-300))
    same = (found == expected) | (found.isnan() & expected.isnan())
    return float(torch.where(same, torch.zeros_like(error), error).max()) if error.numel() else 0.0


def case_record(case_id, case):
    """f64, second order and how far PyTorch's own f32 is from it."""
    generator = random.Random(case_id)
    with torch.no_grad():
        cotangent = random_like(case.function(*case.inputs), generator)
    output, gradients = first_order(case.function, case.inputs, torch.float64, cotangent)
    output32, gradients32 = first_order(case.function, case.inputs, torch.float32, cotangent)
    record = {
        "case": case_id,
        "floor": case.floor,
        "inputs": [stored(x) for x in case.inputs],
        "output": stored(output),
        "f32": {"dtype": NAMES[output32.dtype], "output": deviation(output32, output, case.floor)},
    }
    if gradients:
        directions, second = second_order(case.function, case.inputs, cotangent, generator)
        record["cotangent"] = numbers(cotangent)
        record["gradients"] = [numbers(g) for g in gradients]
        record["directions"] = [numbers(d) for d in directions]
        record["second"] = [numbers(s) for s in second]
        record["f32"]["gradients"] = [deviation(*pair, case.floor) for pair in zip(gradients32, gradients)]
    return record


def point_record(case_id, case, dtype):
    """One dtype by itself: what overflows in f32 need not in f64."""
    inputs = [x.to(dtype) if x.is_floating_point() else x for x in case.inputs]
    with torch.no_grad():
        cotangent = random_like(case.function(*inputs), random.Random(case_id))
    output, gradients = first_order(case.function, inputs, dtype, cotangent)
    record = {"case": case_id, "floor": case.floor, "inputs": [stored(x) for x in inputs], "output": stored(output)}
    if gradients:
        record |= {"cotangent": numbers(cotangent), "gradients": [numbers(g) for g in gradients]}
    return record


def table_cases(gradcheck):
    """{family: {case id: Extra}}, with the inputs that gradcheck prints. Both sides must know the same cases."""
    printed = json.loads(subprocess.run([gradcheck, "--inputs"], check=True, capture_output=True).stdout)
    read = lambda x: torch.tensor(x["data"], dtype=DTYPES[x["dtype"]]).reshape(x["shape"])
    inputs = {row["case"]: [read(x) for x in row["inputs"]] for row in printed}
    known = {case_id for family in FAMILIES.values() for case_id in family}
    if inputs.keys() != known:
        sys.exit(f"make.py: cases without a PyTorch function: {sorted(inputs.keys() - known)}; "
                 f"PyTorch functions without a case: {sorted(known - inputs.keys())}")
    return {name: {case_id: Extra(function, inputs[case_id], FLOOR) for case_id, function in family.items()}
            for name, family in FAMILIES.items()}


def write(family, records):
    """One record a line: a case that changes is one changed line."""
    path = pathlib.Path(__file__).parent / "data" / f"{family}.json"
    path.parent.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(record, separators=(",", ":"), allow_nan=False) for record in records)
    path.write_text(f'{{"torch":"{torch.__version__}","records":[\n{lines}\n]}}\n')
    print(f"{path}: {len(records)} records, {path.stat().st_size / 1024:.0f} KiB")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    families = table_cases(sys.argv[1]) | {"larger": LARGER}
    for family, cases in families.items():
        write(family, [case_record(case_id, case) for case_id, case in cases.items()])
    for dtype in ("f64", "f32"):
        write(f"points_{dtype}", [point_record(case_id, case, DTYPES[dtype]) for case_id, case in POINTS.items()])


if __name__ == "__main__":
    main()
