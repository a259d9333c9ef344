#!/usr/bin/env python3
"""Exports a checkpoint to ONNX with its description, and stores reference boards for parity tests.

Writes squares.onnx (input `board` N x 1 x 288 x 288 gray 0..255; outputs `logits` N x 64 x 13 and
`features` N x D), squares.json beside it and, on demand, reference boards. Calibration values of an
earlier squares.json are kept until `calibrate.py` replaces them.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import re
import time
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch

import evaluate
import warp
from pieces import CLASSES

OPSET = 18
# Before any calibration: doubtful by default.
DEFAULTS = {"temperature": 1.0, "accept_threshold": 0.99}


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def to_onnx(checkpoint: str, path: Path) -> None:
    """The averaged net, batch normalization folded by the runtime, dynamic batch."""
    net = evaluate.Checkpoint(checkpoint).net.to(memory_format=torch.contiguous_format)
    board = torch.zeros(2, 1, warp.SIZE, warp.SIZE)
    axes = {"board": {0: "n"}, "logits": {0: "n"}, "features": {0: "n"}}
    torch.onnx.export(net, (board,), str(path), input_names=["board"], output_names=["logits", "features"], dynamic_axes=axes, opset_version=OPSET, dynamo=False)
    onnx.checker.check_model(str(path))


def next_version(path: Path) -> str:
    """squares-YYYYMMDD-N, N counting the day's exports."""
    today = datetime.date.today().strftime("%Y%m%d")
    number = 1
    if path.exists():
        match = re.fullmatch(r"squares-(\d{8})-(\d+)", json.loads(path.read_text()).get("version", ""))
        if match and match.group(1) == today:
            number = int(match.group(2)) + 1
    return f"squares-{today}-{number}"


def write_reference(net, folder: Path, boards, labels, count: int = 4) -> None:
    """`count` boards as PNG and the logits that ONNX Runtime gives in Python."""
    folder.mkdir(parents=True, exist_ok=True)
    logits, features = evaluate.predict(net, boards[:count])
    for i in range(count):
        cv2.imwrite(str(folder / f"board{i}.png"), boards[i])
        content = {
            "labels": "".join(CLASSES[v] for v in labels[i]),
            "logits": [[round(float(v), 5) for v in row] for row in logits[i]],
            "features": [round(float(v), 5) for v in features[i]],
        }
        (folder / f"board{i}.json").write_text(json.dumps(content) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", help="work/net.pt or the like")
    parser.add_argument("--out", default="..", help="folder of squares.onnx and squares.json")
    parser.add_argument("--reference", default="reference", help="folder of the reference boards; empty: none")
    parser.add_argument("--boards", default="work/boards", help="folder of chunks that the reference boards come from")
    parser.add_argument("--prefix", default="val")
    args = parser.parse_args()

    path = Path(args.out) / "squares.onnx"
    description = path.with_suffix(".json")
    to_onnx(args.checkpoint, path)
    net = evaluate.Onnx(str(path))
    boards, labels, _, _ = evaluate.stored(args.boards, args.prefix, 1)
    ours, _ = evaluate.predict(evaluate.Checkpoint(args.checkpoint), boards[:8])
    theirs, _ = evaluate.predict(net, boards[:8])
    start = time.process_time()
    for board in boards[8:40]:
        net(board[None])
    spent = (time.process_time() - start) / 32 * 1000
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, {spent:.1f} ms CPU a board, greatest deviation from torch {np.abs(ours - theirs).max():.1e}")
    values = dict(DEFAULTS)
    if description.exists():
        values.update(json.loads(description.read_text()))
    values.update(
        version=next_version(description),
        input={"size": warp.SIZE, "square": warp.SQUARE, "margin": warp.MARGIN},
        classes=CLASSES,
        sha256=sha256(path),
    )
    description.write_text(json.dumps(values, indent=1) + "\n")
    if args.reference:
        write_reference(net, Path(args.reference), boards, labels)


if __name__ == "__main__":
    main()
