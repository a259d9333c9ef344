"""Piece art: loading sets of drawings, grouping them into type families, choosing among them.

A set is a folder with twelve pictures `wP.png` ... `bK.png` (128 x 128, gray or colour, with
alpha). In memory one man is a float32 array H x W x 2: channel 0 is *ink* (0 none .. 1 black),
channel 1 is *body* (0 outside the man .. 1 inside or inked).

A family is a type design: all digitizations and redrawings of one design belong to it, so that a
family left out of training is really unseen. `families.tsv` lists them.
"""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

HERE = Path(__file__).resolve().parent
FAMILIES_FILE = HERE / "families.tsv"
CLASSES = ".PNBRQKpnbrqk"
FILES = [None] + ["w" + c for c in "PNBRQK"] + ["b" + c for c in "PNBRQK"]
# Twice the usual square of 48 px: a man is drawn at about its square's size, so this keeps detail.
ART_SIZE = 96


@dataclass(frozen=True)
class PieceSet:
    """One set of drawings: `art[1..12]` in class order (see `CLASSES`)."""

    name: str
    family: str
    print_like: bool
    art: dict


def read_families(path: Path = FAMILIES_FILE) -> list[dict]:
    """The rows of `families.tsv`: set, family, print_like, channel, licence, source."""
    with open(path, newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle, delimiter="\t"))


def load_man(path: Path) -> np.ndarray:
    """One picture with alpha as ink and body, ART_SIZE x ART_SIZE x 2."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(f"{path}: missing or unreadable piece picture")
    picture = picture.astype(np.float32) / 255.0
    body = picture[..., 3]
    ink = body - picture[..., :3].mean(-1) * body
    return cv2.resize(np.dstack([ink, body]), (ART_SIZE, ART_SIZE), interpolation=cv2.INTER_AREA)


def load_set(folder: Path, name: str, family: str, print_like: bool) -> PieceSet:
    """The twelve men of one folder."""
    art = {i: load_man(folder / f"{FILES[i]}.png") for i in range(1, 13)}
    return PieceSet(name, family, print_like, art)


def load(folder: str | os.PathLike, families=None, without=None) -> list[PieceSet]:
    """All listed sets found in `folder`; `families` keeps only those, `without` leaves those out."""
    folder, sets = Path(folder), []
    for row in read_families():
        if families is not None and row["family"] not in families:
            continue
        if without is not None and row["family"] in without:
            continue
        if (folder / row["set"]).is_dir():
            sets.append(
                load_set(folder / row["set"], row["set"], row["family"], row["print_like"] == "yes")
            )
    if not sets:
        raise FileNotFoundError(f"{folder}: no piece set of families.tsv found")
    return sets


def held_out(rotation: int, parts: int = 4) -> set[str]:
    """The families of one part of `parts`, print-like and screen ones dealt out evenly.

    The order is that of a fixed shuffle, so that neither alphabet nor origin decides.
    """
    by_family: dict[str, bool] = {}
    for row in read_families():
        by_family[row["family"]] = by_family.get(row["family"], False) or row["print_like"] == "yes"
    left: set[str] = set()
    for kind in (True, False):
        names = sorted(name for name, printed in by_family.items() if printed == kind)
        np.random.default_rng(11).shuffle(names)
        left.update(names[rotation % parts :: parts])
    return left


class Picker:
    """Draws a set: first a family (print-like ones three times as often), then one of its sets."""

    def __init__(self, sets: list[PieceSet], print_weight: float = 3.0):
        groups: dict[str, list[PieceSet]] = {}
        for piece_set in sets:
            groups.setdefault(piece_set.family, []).append(piece_set)
        self.groups = list(groups.values())
        # A family with many redrawings varies more in itself: its weight grows, but slowly.
        weights = np.array(
            [
                (print_weight if any(s.print_like for s in group) else 1.0) * len(group) ** 0.35
                for group in self.groups
            ]
        )
        self.weights = np.cumsum(weights / weights.sum())

    def __call__(self, rng: np.random.Generator) -> PieceSet:
        index = min(int(np.searchsorted(self.weights, rng.random())), len(self.groups) - 1)
        group = self.groups[index]
        return group[int(rng.integers(len(group)))]
