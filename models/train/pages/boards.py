"""A book's boards: the training room's men on squares, frames and coordinates that we control.

The men, hatching and their variation are those of the training boards (`../pieces.py`,
`../art.py`, `../board.py`, `../textures.py`); here each board is a block to be pasted on a page:
the squares in the middle, around them frame, coordinates and the mark of the side to move.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

import art as artwork
import board as drawing
import marks
import pieces
import textures
from positions import from_fen

from .text import SYMBOLS, font

DARKS = ["hatched", "dotted", "gray", "blank"]
FRAMES = ["single", "double", "thick", "none"]


@dataclass
class Look:
    """How one book draws its boards. Lengths are in squares."""

    name: str  # the piece set
    family: str
    art: dict
    darks: str
    dark_seed: int
    frame: str
    gap: float  # between squares and frame
    line: float  # thickness of the frame
    coordinates: str  # none, left, right, both, files, ranks
    letters: str  # lower, upper
    face: str  # font of the coordinates
    grid: bool
    style: drawing.Style
    dark_strength: float = 1.0  # ink of the dark squares: below about 0.45 a threshold loses them


def shading(piece_set) -> float:
    """How much of the men is gray rather than ink or paper, 0 .. 1: screen art has over a half."""
    shares = []
    for man in piece_set.art.values():
        ink, inside = man[..., 0], man[..., 1] > 0.5
        shares.append(float((4 * ink * (1 - ink))[inside].mean()))
    return float(np.mean(shares))


def random_look(rng, piece_set, face: str, darks: str | None = None, frame: str | None = None, varied: bool = True) -> Look:
    """A look for a book; `varied` redraws the men a little (see `art.vary`)."""
    style = drawing.random_style(rng, screen=False)
    # Pages are read whole by people: men fill their squares, no hand-drawn wobble.
    style.scale = float(rng.uniform(0.82, 1.0))
    style.elastic_each, style.paper, style.light_tone = 0.0, 1.0, 1.0
    style.ink, style.dark_ink = 0.0, 0.0
    style.cover = 1.0 if style.cover < 0.8 else style.cover
    style.shift_each, style.turn_each = min(style.shift_each, 0.02), min(style.turn_each, 1.5)
    men = artwork.vary(rng, piece_set.art, piece_set.print_like) if varied else dict(piece_set.art)
    darks = darks or str(rng.choice(DARKS, p=[0.55, 0.15, 0.26, 0.04]))
    frame = frame or str(rng.choice(FRAMES, p=[0.5, 0.2, 0.15, 0.15]))
    if darks == "blank" and frame == "none":
        frame = "single"
    coordinates = str(rng.choice(["none", "left", "right", "both", "files", "ranks"], p=[0.55, 0.27, 0.03, 0.09, 0.03, 0.03]))
    return Look(
        piece_set.name, piece_set.family, men, darks, int(rng.integers(1 << 31)), frame,
        float(rng.choice([0, 0, rng.uniform(0.03, 0.12)])), float(rng.uniform(0.015, 0.05)),
        coordinates, str(rng.choice(["lower", "lower", "upper"])), face, rng.random() < 0.15, style,
    )  # fmt: skip


def dark_ink(look: Look, side: int, square: int) -> np.ndarray:
    """The dark squares' ink over the whole board, the same for each board of the book."""
    rng = np.random.default_rng(look.dark_seed)
    if look.darks == "blank":
        return np.zeros((side, side), np.float32)
    if look.darks == "gray":
        return np.full((side, side), rng.uniform(0.25, 0.6), np.float32)
    if look.darks == "dotted":
        return (textures.halftone if rng.random() < 0.75 else textures.stipple)(rng, side, square)
    return textures.hatching(rng, side, square)


def squares(look: Look, square: int) -> np.ndarray:
    """The bare 8 x 8 squares, 0 ink .. 1 paper."""
    dark = np.add.outer(np.arange(8), np.arange(8)) % 2
    mask = np.kron(dark, np.ones((square, square))).astype(np.float32)
    return 1 - dark_ink(look, 8 * square, square) * mask * np.float32(look.dark_strength)


def crisp(man: np.ndarray) -> np.ndarray:
    """Art enlarged for a fine page: edges made sharp again."""
    return np.clip((man - 0.5) * 2.2 + 0.5, 0, 1)


def draw_frame(image: np.ndarray, look: Look, left: int, square: int) -> float:
    """The lines around the squares; returns how far they reach beyond them, in squares."""
    if look.frame == "none":
        return 0.0
    thick = max(1, round(look.line * square * (3 if look.frame == "thick" else 1)))
    inner, right = left - round(look.gap * square), left + 8 * square + round(look.gap * square)
    band(image, inner, right, thick)
    reach = (left - inner + thick) / square
    if look.frame == "double":
        space = max(2, round(0.09 * square))
        outer = max(1, round(look.line * square * 1.8))
        band(image, inner - thick - space, right + thick + space, outer)
        reach += (space + outer) / square
    return reach


def band(image: np.ndarray, low: int, high: int, thick: int) -> None:
    """A square ring of ink lying outside low..high."""
    a, b = max(0, low - thick), high + thick
    image[a:low, a:b] = image[high:b, a:b] = 0
    image[a:b, a:low] = image[a:b, high:b] = 0


def draw_signs(image: np.ndarray, look: Look, left: int, square: int, reach: float, black_below: bool, mark, mark_side: str, mark_end: str) -> None:
    """Coordinates and the mark of the side to move, set in type."""
    sheet = Image.new("L", (image.shape[1], image.shape[0]), 255)
    pen = ImageDraw.Draw(sheet)
    letters = font(look.face, round(0.42 * square))
    files, ranks = "abcdefgh", "87654321"
    if look.letters == "upper":
        files = files.upper()
    if black_below:
        files, ranks = files[::-1], ranks[::-1]
    off, bottom, right = (reach + 0.15) * square, left + 8 * square, left + 8 * square
    kind = look.coordinates
    for i in range(8):
        middle = left + (i + 0.5) * square
        if kind in ("left", "right", "both", "files"):
            pen.text((middle, bottom + off), files[i], 0, letters, anchor="mt")
            if kind == "both":
                pen.text((middle, left - off), files[i], 0, letters, anchor="mb")
        if kind in ("left", "both", "ranks"):
            pen.text((left - off, middle), ranks[i], 0, letters, anchor="rm")
        if kind in ("right", "both"):
            pen.text((right + off, middle), ranks[i], 0, letters, anchor="lm")
    if mark:
        # The mark stands at the end of the board of the side it names, in some books always at one end.
        below = (mark in "□○△▽") != black_below if mark_end == "own" else mark_end == "bottom"
        sign = font(SYMBOLS, round(0.7 * square)) if mark >= "\u25a0" else font(look.face, round(0.75 * square))
        y = bottom - 0.45 * square if below else left + 0.45 * square
        beside = 0.55 if kind == "both" or kind == mark_side else 0.0
        x = right + off + beside * square if mark_side == "right" else left - off - beside * square
        pen.text((x, y), mark, 0, sign, anchor="lm" if mark_side == "right" else "rm")
    image *= np.asarray(sheet, np.float32) / 255


def draw(rng, look: Look, placement: str, square: int, black_below: bool = False, mark=None, mark_side="right", mark_end="own"):
    """A board as a block: picture (0 ink .. 1 paper) and the squares' outer corners, 4 x 2.

    `placement` is the FEN field from White's side. Corners are continuous coordinates (pixel i
    covers i..i+1), clockwise from the picture's top left.
    """
    classes = from_fen(placement)
    if black_below:
        classes = classes[::-1]
    left = round(1.75 * square)
    image = np.ones((8 * square + 2 * left,) * 2, np.float32)
    image[left : left + 8 * square, left : left + 8 * square] = squares(look, square)
    if look.grid or look.darks == "blank" and look.dark_seed % 2:
        marks.grid_lines(np.random.default_rng(look.dark_seed), image, left, square)
    style = look.style
    style.square = square
    men = drawing.men_at_size(np.random.default_rng(look.dark_seed), look.art, style)
    if style.scale * square > pieces.ART_SIZE:
        men = {index: crisp(man) for index, man in men.items()}
    for at in np.flatnonzero(classes):
        row, file = divmod(int(at), 8)
        shift = np.array(style.shift) + (rng.normal(0, style.shift_each, 2) if style.shift_each else 0)
        centre = (left + (file + 0.5 + shift[0]) * square, left + (row + 0.5 + shift[1]) * square)
        dark = (row + file) % 2 == 1
        if style.block and dark:
            drawing.patch(rng, image, centre, style)
        drawing.place(rng, image, men[int(classes[at])], centre, style, dark)
    reach = draw_frame(image, look, left, square)
    draw_signs(image, look, left, square, reach, black_below, mark, mark_side, mark_end)
    corners = np.float64([[0, 0], [8, 0], [8, 8], [0, 8]]) * square + left
    return np.clip(image, 0, 1), corners

