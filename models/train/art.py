"""Changes to the drawings of a board's men, so that a set looks like type never seen.

A man is H x W x 2 (ink, body), see `pieces`. A board's art is a dict class -> man; men of one type
stay alike on one board, because every change is drawn once and applied to all of them.
"""

from __future__ import annotations

import cv2
import numpy as np

from textures import grid, lines, smooth_noise

KERNEL = np.ones((3, 3), np.uint8)


def elastic(rng, man: np.ndarray, amount: float, cells: int = 4) -> np.ndarray:
    """Smooth random displacement by `amount` of the width."""
    height, width = man.shape[:2]
    x, y = grid(height, width)
    dx = smooth_noise(rng, height, width, cells) * np.float32(amount * width)
    dy = smooth_noise(rng, height, width, cells) * np.float32(amount * height)
    return cv2.remap(man, x + dx, y + dy, cv2.INTER_LINEAR)


def profile(rng, man: np.ndarray, amount: float) -> np.ndarray:
    """Another silhouette: wider and narrower by height, heights moved, mirror symmetry kept."""
    height, width = man.shape[:2]
    x, y = grid(height, width)
    knots = rng.normal(0, amount, 6).astype(np.float32)
    scale = np.exp(np.interp(np.linspace(0, 5, height), np.arange(6), knots)).astype(np.float32)[:, None]
    steps = np.exp(rng.normal(0, amount * 1.5, 6))
    steps = np.concatenate([[0.0], np.cumsum(steps) / steps.sum()])
    rows = np.interp(np.linspace(0, 1, height), np.linspace(0, 1, 7), steps) * (height - 1)
    centre = (width - 1) / 2
    return cv2.remap(man, (x - centre) / scale + centre, np.repeat(rows.astype(np.float32)[:, None], width, 1), cv2.INTER_LINEAR)


def weight(man: np.ndarray, change: float) -> np.ndarray:
    """Heavier strokes for `change` > 0 (ink grows), lighter ones for < 0; |change| up to 2."""
    ink, body = man[..., 0], man[..., 1]
    full, part = int(abs(change)), abs(change) % 1
    step = cv2.dilate if change > 0 else cv2.erode
    new = step(ink, KERNEL, iterations=full) if full else ink
    new = new * (1 - part) + step(new, KERNEL) * part
    return np.dstack([new, np.maximum(body, new)])


def depth(body: np.ndarray) -> np.ndarray:
    """Distance from the silhouette inwards, as a share of the width."""
    inside = (body > 0.5).astype(np.uint8)
    return cv2.distanceTransform(inside, cv2.DIST_L2, 3) / body.shape[1]


def contour_only(rng, man: np.ndarray, stroke: float) -> np.ndarray:
    """A white man reduced to its outline, perhaps with a part of its inner drawing."""
    ink, body = man[..., 0], man[..., 1]
    rim = np.clip((stroke - depth(body)) * body.shape[1], 0, 1) * (body > 0.5)
    return np.dstack([np.maximum(rim, ink * rng.uniform(0, 0.7)), body]).astype(np.float32)


def solid(man: np.ndarray, keep: float) -> np.ndarray:
    """A black man filled: `keep` is the share of its inner white that stays."""
    ink, body = man[..., 0], man[..., 1]
    return np.dstack([np.maximum(ink, body * (1 - keep)), body])


def white_from_black(man: np.ndarray, stroke: float) -> np.ndarray:
    """A white man from a black one: its outline and its white lines drawn in ink."""
    ink, body = man[..., 0], man[..., 1]
    inner = depth(body)
    rim = np.clip((stroke - inner) * body.shape[1], 0, 1) * (body > 0.5)
    drawn = np.clip(body - ink, 0, 1) * (inner > 0.02)
    return np.dstack([np.maximum(rim, drawn), body]).astype(np.float32)


class Shading:
    """Engraver's lines on white men: on one side, along the rim, below, or all over."""

    def __init__(self, rng):
        self.angle = rng.choice([0, np.pi / 2, np.pi / 4, -np.pi / 4]) + rng.normal(0, 0.15)
        self.pitch = rng.uniform(0.03, 0.09)
        self.thick = rng.uniform(0.2, 0.65)
        self.where = int(rng.choice([0, 0, 0, 1, 2, 3]))
        self.edge = rng.uniform(0.35, 0.65)
        self.side = rng.random() < 0.5
        self.amount = rng.uniform(0.4, 1)
        self.flat = rng.random() < 0.25

    def __call__(self, man: np.ndarray) -> np.ndarray:
        ink, body = man[..., 0], man[..., 1]
        height, width = body.shape
        x, y = grid(height, width)
        drawn = np.full_like(body, self.thick) if self.flat else lines(x, y, self.angle, self.pitch * width, self.thick)
        if self.where == 0:
            across = x / width + 0.08 * np.sin(y / height * 9)
            mask = across > self.edge if self.side else across < 1 - self.edge
        elif self.where == 1:
            mask = depth(body) < 0.09
        elif self.where == 2:
            mask = y / height > self.edge
        else:
            mask = np.ones_like(body, bool)
        shade = drawn * mask * cv2.erode(body, KERNEL) * self.amount
        return np.dstack([np.maximum(ink, shade), body]).astype(np.float32)


class WhiteLines:
    """White lines cut into black men: a hatch, a rim line, a lit side."""

    def __init__(self, rng):
        self.angle = rng.choice([0, np.pi / 2, np.pi / 4, -np.pi / 4]) + rng.normal(0, 0.15)
        self.pitch = rng.uniform(0.04, 0.1)
        self.thick = rng.uniform(0.1, 0.5)
        self.where = int(rng.integers(3))
        self.rim = rng.uniform(0.03, 0.06)
        self.amount = rng.uniform(0.5, 1)
        self.side = rng.random() < 0.5

    def __call__(self, man: np.ndarray) -> np.ndarray:
        ink, body = man[..., 0], man[..., 1]
        height, width = body.shape
        x, y = grid(height, width)
        inner = depth(body)
        if self.where == 0:
            cut = lines(x, y, self.angle, self.pitch * width, self.thick) * (inner > 0.035)
        elif self.where == 1:
            cut = ((inner > self.rim) & (inner < self.rim + 0.025)).astype(np.float32)
        else:
            lit = x / width < 0.4 if self.side else x / width > 0.6
            cut = lines(x, y, self.angle, self.pitch * width, self.thick) * lit * (inner > 0.02)
        return np.dstack([ink * (1 - cut * self.amount), body]).astype(np.float32)


def bricks(man: np.ndarray, rows: int, stroke: float) -> np.ndarray:
    """Masonry on a rook: joints between courses of bricks, on white in ink, on black in white."""
    ink, body = man[..., 0], man[..., 1]
    height, width = body.shape
    x, y = grid(height, width)
    course = y / height * rows
    joint = np.abs(course - np.round(course)) * height / rows
    offset = (np.floor(course) % 2) * 0.5
    column = x / width * rows + offset
    upright = np.abs(column - np.round(column)) * width / rows
    drawn = np.clip(stroke * width - np.minimum(joint, upright) + 0.5, 0, 1)
    drawn *= (depth(body) > 0.03) & (y > 0.3 * height) & (y < 0.85 * height)
    white = ink[body > 0.5].mean() < 0.5 if (body > 0.5).any() else True
    new = np.maximum(ink, drawn) if white else ink * (1 - drawn * 0.9)
    return np.dstack([new, body]).astype(np.float32)


def accents(rng, man: np.ndarray, amount: float) -> np.ndarray:
    """Pen strokes inside a white man: uneven dark patches along its inner edges."""
    ink, body = man[..., 0], man[..., 1]
    height, width = body.shape
    patches = smooth_noise(rng, height, width, int(rng.integers(5, 10)))
    drawn = np.clip((patches - (1.2 - amount)) * 4, 0, 1) * (depth(body) < rng.uniform(0.05, 0.14))
    return np.dstack([np.maximum(ink, drawn * cv2.erode(body, KERNEL)), body]).astype(np.float32)


def vary(rng, art: dict, print_like: bool, picker=None, by_hand: bool = False) -> dict:
    """One board's art from a set: sometimes mixed, redrawn, shaded, heavier or lighter.

    `picker` (see `pieces.Picker`) gives the other sets for mixing by type of man; `by_hand` makes
    pen drawings of them: outlines with a few strokes inside.
    """
    art = dict(art)
    if picker is not None and rng.random() < 0.3:
        share = rng.uniform(0.2, 0.8)
        for kind in range(1, 7):
            if rng.random() < share:
                other = picker(rng).art
                art[kind], art[kind + 6] = other[kind], other[kind + 6]
    if rng.random() < (0.35 if by_hand else 0.06):
        stroke = rng.uniform(0.02, 0.05)
        for kind in range(1, 7):
            art[kind] = white_from_black(art[kind + 6], stroke)
    elif rng.random() < (0.5 if by_hand else 0.07):
        stroke = rng.uniform(0.015, 0.05)
        for kind in range(1, 7):
            art[kind] = contour_only(rng, art[kind], stroke)
    if rng.random() < 0.1:
        keep = rng.uniform(0, 0.5)
        for kind in range(7, 13):
            art[kind] = solid(art[kind], keep)
    if by_hand and rng.random() < 0.7 or print_like and rng.random() < 0.08:
        amount = rng.uniform(0, 0.9)
        for kind in range(1, 7):
            art[kind] = accents(rng, art[kind], amount)
    if by_hand or rng.random() < 0.35:
        # The same redrawing for both colours of a type: they share the silhouette.
        amount = rng.uniform(0.02, 0.11)
        for kind in range(1, 7):
            seed = int(rng.integers(1 << 31))
            for man in (kind, kind + 6):
                art[man] = profile(np.random.default_rng(seed), art[man], amount)
    if by_hand or rng.random() < 0.45:
        amount, cells = (rng.uniform(0.006, 0.03), 4) if rng.random() < 0.6 else (rng.uniform(0.004, 0.014), 9)
        for man in art:
            art[man] = elastic(rng, art[man], amount, cells)
    if print_like and rng.random() < 0.34:
        shading, each = Shading(rng), rng.random() < 0.5
        for kind in range(1, 7):
            if each or rng.random() < 0.6:
                art[kind] = shading(art[kind])
        if rng.random() < 0.4:  # queens and kings are shaded most heavily
            heavy = Shading(rng)
            heavy.thick = rng.uniform(0.45, 0.75)
            for kind in (5, 6):
                art[kind] = heavy(art[kind])
    if print_like and rng.random() < 0.18:
        cut = WhiteLines(rng)
        for kind in range(7, 13):
            art[kind] = cut(art[kind])
    if print_like and rng.random() < 0.12:
        rows, stroke = int(rng.integers(7, 12)), rng.uniform(0.008, 0.018)
        art[4] = bricks(art[4], rows, stroke)
        if rng.random() < 0.5:
            art[10] = bricks(art[10], rows, stroke)
    if rng.random() < 0.35:
        change = float(np.clip(rng.normal(0, 0.9), -1.4, 2))
        black = change if rng.random() < 0.6 else float(np.clip(rng.normal(0, 0.7), -1.2, 1.2))
        for man in art:
            art[man] = weight(art[man], change if man <= 6 else black)
    if rng.random() < 0.04:  # the whole set mirrored: knights that look to the right
        for man in art:
            art[man] = np.ascontiguousarray(art[man][:, ::-1])
    elif rng.random() < 0.06:
        for man in (2, 8):
            art[man] = np.ascontiguousarray(art[man][:, ::-1])
    return art
