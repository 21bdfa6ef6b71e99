"""Computes with PyTorch what regard's modules should give, and stores it in data/nn_*.json.

    python3 tests/reference/nn_make.py [family…]

A family is a file nn_<family>.py with a list RECORDS of records (see nn_record.py); its checks are in nn_<family>.cpp.
"""

import importlib
import pathlib
import sys

import torch
from make import write


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    here = pathlib.Path(__file__).parent
    helpers = {"nn_make", "nn_record"}
    families = sys.argv[1:] or sorted(p.stem[3:] for p in here.glob("nn_*.py") if p.stem not in helpers)
    for family in families:
        write(f"nn_{family}", importlib.import_module(f"nn_{family}").RECORDS)


if __name__ == "__main__":
    main()
