"""Drawing a clean board: paper, dark squares, men, frame, signs. Wear and scanning come later.

The picture is float32, 0 black .. 1 white, before any degradation. Frame of coordinates: pixels,
x to the right, y down, the top left pixel covers 0..1.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

import art as artwork
import marks
import textures
from pieces import PieceSet


@dataclass
class Style:
    """What a board looks like, apart from its men's drawings. Lengths are in squares."""

    square: int = 48  # pixels of a square in the drawing
    margin: float = 0.75  # paper around the board
    screen: bool = False  # a screenshot or modern print in flat tones
    by_hand: bool = False  # pen and ink: puzzle books, newspapers, notebooks
    paper: float = 0.95
    ink: float = 0.05  # gray of full ink
    dark_ink: float = 0.1  # gray of the hatching
    light_tone: float = 1.0  # light squares against paper
    scale: float = 1.0  # size of the men's drawing box
    aspect: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    shift_each: float = 0.0  # deviation of each man's own shift
    turn_each: float = 0.0  # degrees, deviation
    size_each: float = 0.0  # relative deviation of each man's size
    size_kind: float = 0.0  # the same by kind of man
    elastic_each: float = 0.0  # hand-drawn: each man bent by this share
    halo: float = 0.0  # paper left around men on dark squares
    cover: float = 1.0  # 1: the man hides the hatching; 0: it runs through him
    block: float = 0.0  # paper patch around men on dark squares, half side (0: none)
    grid: bool = False
    frame: bool = True
    coordinates: str = ""  # "", "outside", "inside"
    caption: bool = False
    signs: bool = False
    highlights: int = 0
    extra: dict = field(default_factory=dict)


def random_style(rng: np.random.Generator, screen: bool | None = None, square: int = 48) -> Style:
    """A style as varied as a century of books."""
    if screen is None:
        screen = rng.random() < 0.09
    style = Style(square=square, screen=screen)
    style.scale = rng.uniform(0.72, 1.12) if rng.random() < 0.8 else rng.uniform(0.6, 0.85)
    style.aspect = float(np.exp(rng.normal(0, 0.05)))
    style.shift = tuple(rng.normal(0, 0.025, 2))
    style.shift_each = float(rng.choice([0, 0.012, 0.03, 0.05]))
    style.turn_each = float(rng.choice([0, 0, 1.5, 3.5]))
    style.coordinates = "outside" if rng.random() < 0.25 else ""
    style.caption = rng.random() < 0.35
    style.signs = rng.random() < 0.09
    if screen:
        style.paper, style.light_tone = rng.uniform(0.78, 1.0), rng.uniform(0.75, 1)
        style.ink = rng.uniform(0, 0.25)
        style.dark_ink = 0.0
        style.grid = rng.random() < 0.1
        style.highlights = int(rng.integers(1, 4)) if rng.random() < 0.3 else 0
        style.coordinates = str(rng.choice(["", "inside", "outside"]))
        style.frame = rng.random() < 0.5
        style.halo = rng.uniform(0, 0.05) if rng.random() < 0.2 else 0.0
        return style
    style.paper = rng.uniform(0.84, 1.0)
    style.ink = rng.uniform(0, 0.15)
    style.dark_ink = style.ink + (rng.uniform(0, 0.3) if rng.random() < 0.5 else 0.0)
    style.light_tone = 1 - (rng.uniform(0.03, 0.15) if rng.random() < 0.08 else 0.0)
    style.size_each = float(rng.choice([0, 0, 0.02, 0.05]))
    style.size_kind = float(rng.choice([0, 0.04, 0.1]))
    style.elastic_each = rng.uniform(0.005, 0.025) if rng.random() < 0.15 else 0.0
    style.grid = rng.random() < 0.3
    style.frame = rng.random() < 0.85
    u = rng.random()
    if u < 0.38:
        style.halo = rng.uniform(0.015, 0.08)
    elif u < 0.5:
        style.block = rng.uniform(0.3, 0.52)
    v = rng.random()
    if v < 0.1:
        style.cover = rng.uniform(0, 0.25)
    elif v < 0.3:
        style.cover = rng.uniform(0.25, 0.9)
    return style


def pen_and_ink(rng: np.random.Generator, square: int = 48) -> Style:
    """A board drawn with the pen: ruled lines, sparse hatching, every man a little different."""
    style = random_style(rng, False, square)
    style.by_hand, style.grid = True, rng.random() < 0.85
    style.paper, style.dark_ink = rng.uniform(0.9, 1.0), style.ink
    style.elastic_each = rng.uniform(0.008, 0.035)
    style.shift_each, style.turn_each = rng.uniform(0.01, 0.05), rng.uniform(0, 4)
    style.size_each = rng.uniform(0, 0.07)
    style.cover = 1.0 if rng.random() < 0.6 else rng.uniform(0, 0.9)
    style.halo = rng.uniform(0.02, 0.09) if rng.random() < 0.5 else 0.0
    return style


def squares(rng: np.random.Generator, style: Style) -> np.ndarray:
    """The bare board of 8 x 8 squares without margin."""
    side = 8 * style.square
    if style.screen:
        light = style.light_tone
        dark = 1 - rng.uniform(0.3, 0.75) / light
        ink = np.full((side, side), np.clip(dark, 0.1, 0.8), np.float32)
        if rng.random() < 0.2:
            ink += textures.smooth_noise(rng, side, side, int(rng.integers(8, 80))) * 0.04
        board = np.full((side, side), light, np.float32)
    else:
        ink = textures.dark_squares(rng, side, style.square, style.by_hand)
        board = np.full((side, side), style.paper * style.light_tone, np.float32)
        if rng.random() < 0.06:
            board *= 1 - 0.25 * textures.stipple(rng, side, style.square)
    ink = ink * textures.checker(rng, style.square)
    board = board * (1 - ink) + (0 if style.screen else style.dark_ink) * ink
    for _ in range(style.highlights):
        row, file, size = *rng.integers(0, 8, 2), style.square
        board[row * size : (row + 1) * size, file * size : (file + 1) * size] *= rng.uniform(0.7, 1)
    return board


def place(rng, image: np.ndarray, man: np.ndarray, centre, style: Style, dark: bool) -> None:
    """Prints one man, already at size, with its centre at `centre` (x, y)."""
    if style.elastic_each:
        man = artwork.elastic(rng, man, style.elastic_each, 4)
    height, width = man.shape[:2]
    pad = int(round(style.halo * style.square)) + 2
    turn = float(rng.normal(0, style.turn_each)) if style.turn_each else 0.0
    zoom = float(np.exp(rng.normal(0, style.size_each))) if style.size_each else 1.0
    corner = np.floor([centre[0] - width / 2 - pad, centre[1] - height / 2 - pad]).astype(int)
    move = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), turn, zoom)
    move[:, 2] += np.array(centre) - (width / 2, height / 2) - corner
    box = (width + 2 * pad + 1, height + 2 * pad + 1)
    man = cv2.warpAffine(man, move, box, flags=cv2.INTER_LINEAR)
    x0, y0 = max(0, corner[0]), max(0, corner[1])
    x1, y1 = min(image.shape[1], corner[0] + box[0]), min(image.shape[0], corner[1] + box[1])
    if x1 <= x0 or y1 <= y0:
        return
    man = man[y0 - corner[1] : y1 - corner[1], x0 - corner[0] : x1 - corner[0]]
    region, ink, body = image[y0:y1, x0:x1], man[..., 0], man[..., 1]
    hide = body * style.cover
    if style.halo and not style.screen:
        reach = 2 * int(round(style.halo * style.square)) + 1
        wide = cv2.dilate(body, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
        hide = np.maximum(hide, wide if style.cover > 0.6 else wide * style.cover)
    elif style.screen:
        hide = body
    white = style.paper * style.light_tone if not style.screen else 1.0
    region[:] = region * (1 - hide) + hide * white
    region[:] = region * (1 - ink) + ink * style.ink


def patch(rng, image: np.ndarray, centre, style: Style) -> None:
    """A piece of type whose hatching stops around the man: an uneven patch of paper."""
    half = style.block * style.square
    turn = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    power = style.extra.setdefault("patch_power", float(rng.choice([1.0, 0.6, 0.35])))
    radius = half * (1 + rng.normal(0, 0.05, 14))
    x = centre[0] + radius * np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** power
    y = centre[1] + radius * np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** power
    points = np.round(np.stack([x, y], 1)).astype(np.int32)
    cv2.fillPoly(image, [points], style.paper * style.light_tone, cv2.LINE_AA)


def men_at_size(rng, art: dict, style: Style) -> dict:
    """The board's men scaled to their printed size."""
    sizes = np.exp(rng.normal(0, style.size_kind, 7)) if style.size_kind else np.ones(7)
    men = {}
    for index, man in art.items():
        scale = min(style.scale * sizes[(index - 1) % 6], 1.2) * style.square
        size = (max(4, int(round(scale / np.sqrt(style.aspect)))), max(4, int(round(scale * np.sqrt(style.aspect)))))
        men[index] = cv2.resize(man, size, interpolation=cv2.INTER_AREA)
    return men


def draw(rng: np.random.Generator, piece_set, placement, style: Style | None = None, picker=None):
    """Draws a board.

    `piece_set` is a `pieces.PieceSet` (its art is varied, see `art.vary`) or a ready dict of art;
    `placement` 64 classes, top left first; `style` a `Style` or None for a random one.
    Returns the picture (float32, 0..1) and the board's corners, 4 x 2, clockwise from the top left.
    """
    style = style or random_style(rng)
    placement = np.asarray(placement)
    art = piece_set
    if isinstance(piece_set, PieceSet):
        art = artwork.vary(rng, piece_set.art, piece_set.print_like, picker, style.by_hand)
    square, left = style.square, int(style.margin * style.square)
    side = 8 * square
    image = np.full((side + 2 * left, side + 2 * left), style.paper, np.float32)
    if style.screen and rng.random() < 0.6:
        image[:] = rng.uniform(0.1, 1)
    image[left : left + side, left : left + side] = squares(rng, style)
    if style.grid:
        marks.grid_lines(rng, image, left, square)
    men = men_at_size(rng, art, style)
    for at in np.flatnonzero(placement):
        row, file = divmod(int(at), 8)
        jitter = rng.normal(0, style.shift_each, 2) if style.shift_each else np.zeros(2)
        centre = (left + (file + 0.5 + style.shift[0] + jitter[0]) * square, left + (row + 0.5 + style.shift[1] + jitter[1]) * square)
        dark = (row + file) % 2 == 1
        if style.block and dark:
            patch(rng, image, centre, style)
        place(rng, image, men[int(placement[at])], centre, style, dark)
    if style.signs:
        marks.signs(rng, image, left, square, placement)
    if style.frame:
        marks.frame(rng, image, left, side, square)
    if style.coordinates:
        marks.coordinates(rng, image, left, square, style.coordinates == "inside")
    if style.caption and not style.screen:
        marks.caption(rng, image, left, square)
    corners = np.float32([[0, 0], [side, 0], [side, side], [0, side]]) + left
    return np.clip(image, 0, 1), corners
