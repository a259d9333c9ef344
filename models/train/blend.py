#!/usr/bin/env python3
"""Blends two checkpoints of one line of training: weights in between.

A net that trained on from another reads new type better and some old type worse, and is less sure of both. Weights between
the two keep most of what each reads (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022). Both must have the
same normalization, as a checkpoint of `recover.py` and what `train.py --init` made of it.
"""

from __future__ import annotations

import argparse

import torch


def blend(first: dict, second: dict, share: float) -> dict:
    """`share` of the second, the rest of the first; counters are the second's."""
    return {name: value.lerp(second[name], share) if value.dtype.is_floating_point else second[name] for name, value in first.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", help="checkpoint that the training began with")
    parser.add_argument("second", help="checkpoint that it ended with")
    parser.add_argument("--share", type=float, default=0.6, help="share of the second")
    parser.add_argument("--out", default="work/blend.pt")
    args = parser.parse_args()
    first, second = (torch.load(path, weights_only=True)["average"] for path in (args.first, args.second))
    torch.save({"average": blend(first, second, args.share)}, args.out)


if __name__ == "__main__":
    main()
