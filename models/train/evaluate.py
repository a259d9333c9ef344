#!/usr/bin/env python3
"""Measures a net: stored boards of held-out families, and labelled scans by book.

Squares: share of the 64 squares right. Boards: share with all 64 right.
"""

from __future__ import annotations

import argparse
import collections
from pathlib import Path

import cv2
import numpy as np
import torch

import dataset
import labelled
import warp
from net import SquaresNet
from pieces import CLASSES


class Checkpoint:
    """A training checkpoint as a function boards -> (logits, features)."""

    def __init__(self, path: str):
        self.net = SquaresNet().eval()
        self.net.load_state_dict(torch.load(path, weights_only=True)["average"])
        self.net = self.net.to(memory_format=torch.channels_last)

    @torch.no_grad()
    def __call__(self, boards: np.ndarray):
        batch = torch.from_numpy(boards)[:, None].float().contiguous(memory_format=torch.channels_last)
        logits, features = self.net(batch)
        return logits.numpy(), features.numpy()


class Onnx:
    """The exported net, run as the reader runs it."""

    def __init__(self, path: str, threads: int = 1):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def __call__(self, boards: np.ndarray):
        return self.session.run(["logits", "features"], {"board": boards[:, None].astype(np.float32)})


def open_net(path: str):
    return Onnx(path) if path.endswith(".onnx") else Checkpoint(path)


def predict(net, boards: np.ndarray, batch: int = 16):
    """Logits n x 64 x 13 and features n x D of uint8 boards n x 288 x 288."""
    parts = [net(np.ascontiguousarray(boards[i : i + batch])) for i in range(0, len(boards), batch)]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def softmax(logits: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    scaled = logits / temperature
    scaled = np.exp(scaled - scaled.max(-1, keepdims=True))
    return scaled / scaled.sum(-1, keepdims=True)


def zoomed(boards: np.ndarray, inset: float) -> np.ndarray:
    """Stored boards as if their corners had been `inset` squares further inside."""
    if not inset:
        return boards
    zoom, centre = 8 / (8 - 2 * inset), warp.SIZE / 2 - 0.5
    matrix = np.float32([[zoom, 0, centre * (1 - zoom)], [0, zoom, centre * (1 - zoom)]])
    return np.stack([cv2.warpAffine(board, matrix, (warp.SIZE, warp.SIZE), borderMode=cv2.BORDER_REPLICATE) for board in boards])


def table(title: str, logits, labels, groups) -> None:
    """Squares and boards right: all, and by group."""
    wrong = logits.argmax(-1) != labels
    taken = labels > 0

    def line(name, which):
        print(
            f"  {name:24s} {which.sum():5d} boards | squares {1 - wrong[which].mean():.4f} | men {1 - wrong[which][taken[which]].mean() if taken[which].any() else 1:.4f}"
            f" | boards {(wrong[which].sum(1) == 0).mean():.3f} | at most one wrong {(wrong[which].sum(1) <= 1).mean():.3f}"
        )

    print(title)
    line("all", np.ones(len(labels), bool))
    groups = np.asarray(groups)
    for name in sorted(set(groups)):
        line(str(name), groups == name)


def confusions(logits, labels, most: int = 12) -> str:
    """The commonest errors, as true>read:count."""
    read = logits.argmax(-1)
    counts = collections.Counter(zip(labels[read != labels].tolist(), read[read != labels].tolist()))
    return " ".join(f"{CLASSES[a]}>{CLASSES[b]}:{n}" for (a, b), n in counts.most_common(most))


def stored(pattern_folder: str, prefix: str, most: int | None = None):
    """The stored chunks of one prefix (at most `most`): boards, labels, families, pixels a square."""
    chunks = [dataset.load(p) for p in sorted(Path(pattern_folder).glob(f"{prefix}[0-9][0-9][0-9][0-9]_x.npy"))[:most]]
    if not chunks:
        raise FileNotFoundError(f"{pattern_folder}: no chunk of {prefix}")
    notes = [note for chunk in chunks for note in chunk[2]]
    families, native = np.array([n[1] for n in notes]), np.array([n[2] for n in notes])
    return np.concatenate([c[0] for c in chunks]), np.concatenate([c[1] for c in chunks]), families, native


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", help="checkpoint (.pt) or exported net (.onnx)")
    parser.add_argument("--boards", default="work/boards", help="folder of stored chunks")
    parser.add_argument("--prefix", default="val", help="stored chunks to measure on, comma separated; empty: none")
    parser.add_argument("--labels", nargs="*", default=[], help="label files of scans")
    parser.add_argument("--errors", action="store_true", help="list every scan with errors")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    net = open_net(args.net)
    for prefix in filter(None, args.prefix.split(",")):
        boards, labels, families, native = stored(args.boards, prefix)
        logits, _ = predict(net, boards)
        table(f"{prefix}: stored boards, by family", logits, labels, families)
        if np.ptp(native) > 1:
            table("  by pixels a square", logits, labels, [f"{a:02d}.." for a in (native // 8 * 8).astype(int)])
        print("  confusions", confusions(logits, labels))
    if args.labels:
        scans = labelled.load(args.labels)
        logits, _ = predict(net, scans.boards)
        table("labelled scans, by book", logits, scans.labels, scans.books)
        print("  confusions", confusions(logits, scans.labels))
        if args.errors:
            probabilities, read = softmax(logits), logits.argmax(-1)
            for i in np.flatnonzero((read != scans.labels).any(1)):
                at = np.flatnonzero(read[i] != scans.labels[i])
                print("  ", scans.names[i], " ".join(f"{'abcdefgh'[s % 8]}{8 - s // 8}:{CLASSES[scans.labels[i, s]]}>{CLASSES[read[i, s]]}({probabilities[i, s].max():.2f})" for s in at))


if __name__ == "__main__":
    main()
