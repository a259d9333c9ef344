"""Boards from scans with labels: for measuring only, never for training.

A label file: {"root": folder, "pages": [{"file", "source", "diagrams": [{"bbox": [x0, y0, x1, y1] or
"corners": 4 x 2, "placement": FEN placement, "orientation": "white_bottom" | "black_bottom"}]}]}.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

import positions
import warp


@dataclass
class Labelled:
    """Warped boards (n x 288 x 288), labels (n x 64), the book and name of each, pixels a square."""

    boards: np.ndarray
    labels: np.ndarray
    books: np.ndarray
    names: list[str]
    native: np.ndarray


def corners_of(diagram: dict):
    """The outer corners, 4 x 2, or None where the label has none."""
    if diagram.get("corners"):
        return np.float32(diagram["corners"]).reshape(4, 2)
    if diagram.get("bbox"):
        x0, y0, x1, y1 = diagram["bbox"]
        return np.float32([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    return None


def moved(corners: np.ndarray, inset: float) -> np.ndarray:
    """The corners moved inwards by `inset` squares, in the board's own perspective."""
    plain = np.float32([[0, 0], [8, 0], [8, 8], [0, 8]])
    matrix = cv2.getPerspectiveTransform(plain, np.float32(corners))
    return cv2.perspectiveTransform((plain + inset * np.sign(4 - plain))[None], matrix)[0]


def load(files, inset: float = 0.0) -> Labelled:
    """All diagrams with corners of the label files; corners moved inwards by `inset` squares."""
    boards, labels, books, names, native = [], [], [], [], []
    for file in files:
        file = Path(file)
        content = json.loads(file.read_text(encoding="utf-8"))
        for page in content["pages"]:
            picture = None
            for number, diagram in enumerate(page["diagrams"], 1):
                corners = corners_of(diagram)
                if corners is None or not diagram.get("placement"):
                    continue
                if picture is None:
                    path = file.parent / content.get("root", ".") / page["file"]
                    picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
                    if picture is None:
                        raise FileNotFoundError(f"{path}: missing or unreadable")
                label = positions.from_fen(diagram["placement"])
                if diagram.get("orientation") == "black_bottom":
                    label = label[::-1]
                boards.append(warp.rectify(picture, moved(corners, inset) if inset else corners))
                labels.append(label)
                books.append(page.get("source") or file.stem)
                names.append(f"{page['file']}#{number}")
                native.append(float(np.linalg.norm(corners[1] - corners[0])) / 8)
    return Labelled(np.stack(boards), np.stack(labels), np.array(books), names, np.array(native))
