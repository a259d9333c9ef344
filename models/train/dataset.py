#!/usr/bin/env python3
"""Makes boards with labels and stores them in chunks that training reads.

A chunk NAME is three files, plain arrays so that training can map them: NAME_x.npy (boards, uint8,
n x 288 x 288), NAME_y.npy (labels, int8, n x 64), NAME_z.json (set, family, pixels a square).
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

import one_thread  # first

import cv2
import numpy as np

import board
import degrade
import designs
import pieces
import positions
import warp

CHUNK = 500
cv2.setNumThreads(1)


def smooth(picture: np.ndarray) -> np.ndarray:
    """The picture without its margin, smoothed so that noise and hatching count little."""
    return cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 1.6)[warp.MARGIN : -warp.MARGIN, warp.MARGIN : -warp.MARGIN]


def cells(smoothed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The middles of the 64 squares, each as a row of unit length and mean 0, and their deviations."""
    rows = smoothed.reshape(8, 32, 8, 32)[:, 2:30, :, 2:30].transpose(0, 2, 1, 3).reshape(64, -1)
    rows = rows - rows.mean(1, keepdims=True)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / (length + 1e-3), length[:, 0] / np.sqrt(rows.shape[1])


def readable(picture: np.ndarray, clean: np.ndarray, labels: np.ndarray, least: float = 0.4, lead: float = 0.0) -> bool:
    """Whether a person could read it: every man must still resemble its clean drawing.

    Correlation of each occupied square with the same square of the drawing before wear; men that
    drowned in black or vanished in white fall under `least`. With `lead` above 0 that much must also
    be left of what tells a man from every other man, and from the empty square, that the clean board
    shows on squares of the same colour: what even one who knows the type cannot tell apart is no
    fair question.
    """
    at = np.flatnonzero(labels)
    ideal = smooth(clean)
    (worn, deviation), (drawn, _) = cells(smooth(picture)), cells(ideal)
    worn, men = worn[at], drawn[at]
    alike = (worn * men).sum(1)
    if not ((alike > least).all() and (deviation[at] > 0.08 * picture.astype(np.float32).std()).all()):
        return False
    if not lead:
        return True
    # The eye forgives men that stand a little beside their place.
    shifted = [cells(np.roll(ideal, (dy, dx), (0, 1)))[0].T for dy in (-3, -1, 0, 1, 3) for dx in (-3, -1, 0, 1, 3)]
    alike, told = (np.max([rows @ squares for squares in shifted], 0) for rows in (worn, men))
    own = alike[np.arange(len(at)), at][:, None]
    tone = np.add.outer(np.arange(8), np.arange(8)).reshape(64) % 2
    rival = ((labels[:, None] != labels[None]) & (tone[:, None] == tone[None]))[at]
    return bool((own - alike > lead * (1 - told))[rival].all())


class Maker:
    """Draws samples: board, wear, scan, warp."""

    def __init__(self, sets: list, pool: int = positions.GAME_POOL, drawn: float = 0.0):
        """`drawn`: share of the sets that are designs drawn from nothing (see `designs`)."""
        self.pick = designs.Picker(sets, drawn) if drawn else pieces.Picker(sets)
        self.positions = positions.Positions(pool=pool)

    def sample(self, rng, least: float = 12.5, one_set: bool = False, clear: bool = False):
        """One board: uint8 288 x 288, 64 labels, the set, pixels a square.

        `least`: fewest pixels of a square in the scan. `one_set`: the men are of one set, as books
        print them; else a board may mix several. `clear`: only what one who knows the type can read
        (training keeps harder ones, which teach doubt).
        """
        resemblance = (0.55, 0.35) if clear else (0.4, 0.0)
        # Chosen once: crowded boards fail more often and would grow rare otherwise.
        placement = self.positions(rng)
        while True:
            piece_set = self.pick(rng)
            screen = rng.random() < (0.06 if piece_set.print_like else 0.4)
            by_hand = not screen and rng.random() < 0.14
            style = board.pen_and_ink(rng) if by_hand else board.random_style(rng, screen)
            clean, corners = board.draw(rng, piece_set, placement, style, None if one_set else self.pick)
            ideal = warp.rectify(clean, corners) * 255
            for _ in range(4):
                worn = clean if screen else degrade.printed(rng, clean, style.square)
                scan, size = degrade.scanned(rng, worn, style.square, screen, degrade.native_size(rng, least))
                ratio = np.float32(scan.shape[0] / clean.shape[0])
                picture = warp.to_input(rng, scan, corners * ratio, style.square * ratio)
                if readable(picture, ideal, placement, *resemblance):
                    return picture, placement, piece_set, size

    def chunk(self, seed: int, count: int, **kind):
        """`count` samples (see `sample`), repeatable by `seed`."""
        rng = np.random.default_rng(seed)
        boards = np.empty((count, warp.SIZE, warp.SIZE), np.uint8)
        labels, notes = np.empty((count, 64), np.int8), []
        for i in range(count):
            boards[i], labels[i], piece_set, size = self.sample(rng, **kind)
            notes.append([piece_set.name, piece_set.family, round(size, 2)])
        return boards, labels, notes


def save(path: Path, boards, labels, notes) -> None:
    """Writes a chunk; the boards last and by renaming, so that a reader sees whole chunks only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(f"{path}_y.npy", labels)
    Path(f"{path}_z.json").write_text(json.dumps(notes))
    part = f"{path}_part.npy"
    np.save(part, boards)
    os.replace(part, f"{path}_x.npy")


def load(path: Path, mapped: bool = True):
    """A chunk written by `save`: boards, labels, notes."""
    stem = str(path).removesuffix("_x.npy")
    boards = np.load(stem + "_x.npy", mmap_mode="r" if mapped else None)
    return boards, np.load(stem + "_y.npy"), json.loads(Path(stem + "_z.json").read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pieces", default=os.environ.get("FENWATCH_PIECES", "work/pieces"), help="folder of piece sets")
    parser.add_argument("--out", default="work/boards", help="folder for the chunks")
    parser.add_argument("--name", default="train", help="prefix of the chunks' names")
    parser.add_argument("--chunks", type=int, default=100)
    parser.add_argument("--count", type=int, default=CHUNK, help="boards a chunk")
    parser.add_argument("--first", type=int, default=0, help="number of the first chunk (its seed follows from it)")
    parser.add_argument("--step", type=int, default=1, help="distance of the numbers: several processes share the work")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--least", type=float, default=12.5, help="fewest pixels of a square in the scan")
    parser.add_argument("--one-set", action="store_true", help="no mixing of sets on a board: for measuring")
    parser.add_argument("--clear", action="store_true", help="only boards that one who knows the type can read: for measuring")
    parser.add_argument("--families", choices=["all", "train", "held"], default="all", help="which families of the rotation")
    parser.add_argument("--drawn", type=float, default=0.0, help="share of sets drawn from nothing: for training only")
    parser.add_argument("--rotation", type=int, default=0, help="which quarter of the families is held out")
    args = parser.parse_args()

    held = pieces.held_out(args.rotation)
    chosen = {"all": {}, "train": {"without": held}, "held": {"families": held}}[args.families]
    maker = Maker(pieces.load(args.pieces, **chosen), drawn=args.drawn)
    for number in range(args.first, args.first + args.chunks * args.step, args.step):
        path = Path(args.out) / f"{args.name}{number:04d}"
        if Path(f"{path}_x.npy").exists():
            continue
        start = time.process_time()
        save(path, *maker.chunk(args.seed + number, args.count, least=args.least, one_set=args.one_set, clear=args.clear))
        print(f"{path.name}: {args.count} boards, {(time.process_time() - start) * 1000 / args.count:.0f} ms each", flush=True)


if __name__ == "__main__":
    main()
