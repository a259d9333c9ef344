"""Figures that look like boards and are none: their pages must yield nothing that is accepted.

Each function returns a picture, float32 0 ink .. 1 paper; `side` is the width in pixels, `points`
the same width in points (for the size of type).
"""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

import textures

from .text import font

SERIF = "LiberationSerif-Regular.ttf"


def sheet(width: int, height: int):
    """An empty figure and its pen."""
    image = Image.new("L", (int(width), int(height)), 255)
    return image, ImageDraw.Draw(image)


def to_float(image: Image.Image) -> np.ndarray:
    return np.asarray(image, np.float32) / 255


def crossword(rng, side: float, points: float) -> np.ndarray:
    """A crossword: black cells in half-turn symmetry, small numbers."""
    cells = int(rng.choice([9, 11, 13, 15]))
    cell = side / cells
    black = rng.random((cells, cells)) < 0.2
    black |= black[::-1, ::-1]
    image, pen = sheet(side + 3, side + 3)
    number = 1
    for row in range(cells):
        for file in range(cells):
            box = [file * cell, row * cell, (file + 1) * cell, (row + 1) * cell]
            pen.rectangle(box, fill=0 if black[row, file] else 255, outline=0, width=max(1, int(cell / 30)))
            if not black[row, file] and (row == 0 or black[row - 1, file]):
                pen.text((box[0] + cell * 0.08, box[1] + cell * 0.04), str(number), 0, font(SERIF, int(cell * 0.33)))
                number += 1
    return to_float(image)


def table(rng, side: float, points: float) -> np.ndarray:
    """A tournament table: ruled rows, names, figures."""
    rows, files = int(rng.integers(7, 14)), int(rng.integers(7, 12))
    height = side / points * 13
    image, pen = sheet(side, rows * height + 3)
    first = side * 0.3
    cell = (side - first) / files
    names = ["Adler", "Brandt", "Costa", "Dahl", "Egger", "Ferri", "Grau", "Hollis", "Ivens", "Jansen", "Keller", "Lund", "Moreno", "Novak"]
    letters = font(SERIF, int(height * 0.7))
    for row in range(rows):
        y = row * height
        pen.line([(0, y), (side, y)], 0, max(1, int(height / 25)))
        pen.text((height * 0.3, y + height / 2), f"{row + 1}. {names[row]}", 0, letters, anchor="lm")
        for file in range(files):
            mark = "—" if row == file else str(rng.choice(["1", "0", "½"]))
            pen.text((first + (file + 0.5) * cell, y + height / 2), mark, 0, letters, anchor="mm")
    pen.line([(0, rows * height), (side, rows * height)], 0, 2)
    for file in range(files + 1):
        pen.line([(first + file * cell, 0), (first + file * cell, rows * height)], 0, max(1, int(height / 25)))
    return to_float(image)


def ornament(rng, side: float, points: float) -> np.ndarray:
    """A chequered band or tile pattern that has no 8 x 8 squares of its own."""
    rows = int(rng.choice([2, 3, 4, 5]))
    cell = max(4, int(side / rng.integers(14, 30)))
    files = int(side // cell)
    pattern = np.kron(np.add.outer(np.arange(rows), np.arange(files)) % 2, np.ones((cell, cell)))
    return 1 - pattern.astype(np.float32)


def lattice(rng, side: float, rows: int, files: int, dark=None, line: float = 0.03) -> tuple:
    """A bare board with hatched dark squares; returns picture, pen's image and the square."""
    square = max(6, int(side / max(rows, files)))
    hatch = textures.hatching(rng, square * max(rows, files), square)[: rows * square, : files * square]
    if rng.random() < 0.3:
        hatch = np.full_like(hatch, rng.uniform(0.3, 0.9))
    dark = np.add.outer(np.arange(rows), np.arange(files)) % 2 if dark is None else dark
    picture = 1 - hatch * np.kron(dark, np.ones((square, square))).astype(np.float32)
    picture = np.pad(picture, max(1, int(line * square)), constant_values=0)
    return picture, square


def draughts(rng, side: float, points: float) -> np.ndarray:
    """A draughts board with men as discs, 8 x 8 or 10 x 10."""
    size = int(rng.choice([8, 8, 10]))
    picture, square = lattice(rng, side, size, size)
    image = Image.fromarray((picture * 255).astype(np.uint8))
    pen, edge = ImageDraw.Draw(image), (picture.shape[0] - size * square) / 2
    on_dark = int(rng.random() < 0.8)
    for row in range(size):
        for file in range(size):
            filled = row < size // 2 - 1 or row > size // 2
            if (row + file) % 2 != on_dark or rng.random() > (0.8 if filled else 0.1):
                continue
            x, y, r = edge + (file + 0.5) * square, edge + (row + 0.5) * square, square * 0.36
            white = row > size // 2
            pen.ellipse([x - r, y - r, x + r, y + r], fill=255 if white else 0, outline=0, width=max(1, int(square / 20)))
            if white:
                pen.ellipse([x - r * 0.7, y - r * 0.7, x + r * 0.7, y + r * 0.7], outline=0, width=max(1, int(square / 30)))
    return to_float(image)


def empty_board(rng, side: float, points: float) -> np.ndarray:
    """A chess board without men."""
    return lattice(rng, side, 8, 8)[0]


def half_board(rng, side: float, points: float) -> np.ndarray:
    """A part of a board or one of another size, without men."""
    rows, files = [(4, 8), (8, 4), (5, 5), (6, 6), (8, 12), (10, 10)][int(rng.integers(6))]
    return lattice(rng, side, rows, files)[0]


def numbers(rng, side: float, points: float) -> np.ndarray:
    """A square of numbers: a knight's tour, a magic square, a sudoku."""
    size = int(rng.choice([4, 5, 8, 8, 9]))
    cell = side / size
    image, pen = sheet(side + 3, side + 3)
    letters = font(SERIF, int(cell * 0.5))
    order = rng.permutation(size * size) + 1
    shaded = rng.random() < 0.3
    for at in range(size * size):
        row, file = divmod(at, size)
        box = [file * cell, row * cell, (file + 1) * cell, (row + 1) * cell]
        pen.rectangle(box, fill=205 if shaded and (row + file) % 2 else 255, outline=0, width=max(1, int(cell / 40)))
        if size != 9 or rng.random() < 0.35:
            value = order[at] if size != 9 else order[at] % 9 + 1
            pen.text(((file + 0.5) * cell, (row + 0.5) * cell), str(value), 0, letters, anchor="mm")
    return to_float(image)


def picture(rng, side: float, points: float) -> np.ndarray:
    """A halftone photograph: soft shapes in a dot screen, with a border."""
    width, height = int(side), int(side * rng.uniform(0.6, 1.1))
    size = max(width, height)
    tone = 0.5 + 0.25 * textures.smooth_noise(rng, size, size, 5) + 0.12 * textures.smooth_noise(rng, size, size, 17)
    x, y = textures.grid(size, size)
    for _ in range(3):  # heads or hills
        cx, cy, r = rng.uniform(0.2, 0.8) * size, rng.uniform(0.3, 0.9) * size, rng.uniform(0.1, 0.3) * size
        tone += rng.uniform(-0.4, 0.4) * (((x - cx) ** 2 + (y - cy) ** 2 * rng.uniform(0.5, 2)) < r * r)
    pitch = max(3.0, side / points * 0.9)
    screen = (np.cos((x + y) * 4.4 / pitch) + np.cos((x - y) * 4.4 / pitch)) / 4 + 0.5
    out = np.clip((tone - screen) * 4 + 0.5, 0, 1)[:height, :width].astype(np.float32)
    out[:2], out[-2:], out[:, :2], out[:, -2:] = 0, 0, 0, 0
    return out


def figure(rng, side: float, points: float) -> np.ndarray:
    """A geometric drawing: circle with numbers, triangle, rays."""
    image, pen = sheet(side, side)
    middle, r, stroke = side / 2, side * 0.38, max(1, int(side / 200))
    pen.ellipse([middle - r, middle - r, middle + r, middle + r], outline=0, width=stroke)
    count = int(rng.integers(3, 13))
    letters = font(SERIF, int(side * 0.06))
    for i in range(count):
        turn = 2 * np.pi * i / count
        end = (middle + r * np.cos(turn), middle + r * np.sin(turn))
        pen.text((middle + r * 1.13 * np.cos(turn), middle + r * 1.13 * np.sin(turn)), str(i + 1), 0, letters, anchor="mm")
        pen.line([(middle, middle) if rng.random() < 0.5 else (middle - r, middle), end], 0, stroke)
    return to_float(image)


KINDS = {
    "crossword": crossword, "table": table, "ornament": ornament, "draughts": draughts, "empty_board": empty_board,
    "half_board": half_board, "numbers": numbers, "picture": picture, "figure": figure,
}  # fmt: skip


def draw(rng, side: float, points: float, kind: str | None = None):
    """A figure and its kind, `side` pixels wide (`points` in type)."""
    kind = kind or str(rng.choice(list(KINDS)))
    return kind, KINDS[kind](rng, int(side), points).astype(np.float32)
