"""What stands on or around a board besides men: frames, coordinates, captions, arrows, signs."""

from __future__ import annotations

import cv2
import numpy as np

FONTS = [
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
    cv2.FONT_ITALIC | cv2.FONT_HERSHEY_COMPLEX,
]
WORDS = ["BLACK", "WHITE", "Black", "White", "SCHWARZ", "WEISS", "Noirs", "Blancs", "No. 37", "Fig. 12", "Diagram 5.", "White to play and win", "Mate in two", "Weiss am Zuge", "Position after 23. Kt-B3"]
LETTERS = list("abcdefghijklmnop QRNBK12345+.,  ")


def text(image: np.ndarray, words: str, origin, font: int, scale: float, gray: float, thick: int = 1) -> None:
    """Draws a line of text onto a float image, anti-aliased, in `gray`."""
    mask = np.zeros(image.shape, np.uint8)
    cv2.putText(mask, words, (int(origin[0]), int(origin[1])), font, scale, 255, thick, cv2.LINE_AA)
    rows = slice(max(0, int(origin[1]) - 60), max(0, int(origin[1]) + 30))
    cover = mask[rows].astype(np.float32) / 255
    image[rows] = image[rows] * (1 - cover) + cover * gray


def frame(rng, image: np.ndarray, left: int, side: int, square: int) -> None:
    """Nothing, one line or two around the board; thick, thin, at a distance; drawn by hand at times."""
    u = rng.random()
    if u > 0.8:
        return
    gray = float(rng.uniform(0, 0.35))
    gap = int(square * rng.choice([0, 0, rng.uniform(0, 0.1)]))
    thick = max(1, int(square * rng.choice([rng.uniform(0.012, 0.05), rng.uniform(0.05, 0.12)])))
    right = left + side
    jitter = rng.normal(0, square * 0.015, (4, 2)) if rng.random() < 0.2 else np.zeros((4, 2))
    box = np.array([[left - gap, left - gap], [right + gap, left - gap], [right + gap, right + gap], [left - gap, right + gap]], float)
    box += np.sign(box - box.mean(0)) * (thick / 2) + jitter
    cv2.polylines(image, [np.round(box).astype(np.int32)], True, gray, thick, cv2.LINE_AA)
    if rng.random() < 0.35:
        outer = gap + thick + int(square * rng.uniform(0.03, 0.3))
        second = max(1, int(square * rng.uniform(0.012, 0.12)))
        edge = second // 2 + outer
        cv2.rectangle(image, (left - edge, left - edge), (right + edge, right + edge), gray, second)


def grid_lines(rng, image: np.ndarray, left: int, square: int) -> None:
    """Lines between the squares, ruled or by hand, whole or broken."""
    thick = max(1, int(square * rng.uniform(0.01, 0.045)))
    gray = float(rng.uniform(0, 0.5))
    hand = rng.random() < 0.35
    side = 8 * square
    for i in range(9):
        at = left + i * square
        a, b = (rng.normal(0, square * 0.02, 2).round().astype(int) if hand else (0, 0))
        cv2.line(image, (left, at + a), (left + side, at + b), gray, thick, cv2.LINE_AA)
        a, b = (rng.normal(0, square * 0.02, 2).round().astype(int) if hand else (0, 0))
        cv2.line(image, (at + a, left), (at + b, left + side), gray, thick, cv2.LINE_AA)


def coordinates(rng, image: np.ndarray, left: int, square: int, inside: bool) -> None:
    """Files and ranks along the board, outside or in the corners of the squares."""
    scale = square * rng.uniform(0.008, 0.014)
    font, gray = int(rng.choice(FONTS)), float(rng.uniform(0, 0.3))
    off = int(square * rng.uniform(0.1, 0.35))
    files = rng.choice(["abcdefgh", "ABCDEFGH", "hgfedcba", "12345678"])
    ranks = rng.choice(["87654321", "12345678"])
    bottom = left + 8 * square
    for i in range(8):
        if inside:
            text(image, files[i], (left + i * square + 0.8 * square, bottom - 3), font, scale * 0.7, gray)
            text(image, ranks[i], (left + 2, left + i * square + 0.25 * square), font, scale * 0.7, gray)
        else:
            text(image, files[i], (left + (i + 0.4) * square, bottom + off + 0.25 * square), font, scale, gray, int(rng.integers(1, 3)))
            text(image, ranks[i], (left - off - 0.22 * square, left + (i + 0.6) * square), font, scale, gray)


def caption(rng, image: np.ndarray, left: int, square: int) -> None:
    """Words above and below the board."""
    font = int(rng.choice(FONTS))
    for at in (left - square * rng.uniform(0.12, 0.5), left + square * (8 + rng.uniform(0.35, 0.7))):
        if rng.random() < 0.25:
            continue
        words = str(rng.choice(WORDS)) if rng.random() < 0.6 else "".join(rng.choice(LETTERS, 40))
        start = rng.uniform(0, 3) * square if len(words) < 30 else rng.uniform(-1, 1) * square
        text(image, words, (left + start, at), font, square * rng.uniform(0.009, 0.017), float(rng.uniform(0, 0.3)), int(rng.integers(1, 3)))


def signs(rng, image: np.ndarray, left: int, square: int, placement: np.ndarray) -> None:
    """Arrows, dots, crosses, stars, rings, letters and pencil ticks."""
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(64))
        x = left + int((at % 8 + 0.5) * square)
        y = left + int((at // 8 + 0.5) * square)
        gray, kind, empty = float(rng.uniform(0, 0.6)), int(rng.integers(8)), placement[at] == 0
        if kind == 0:
            other = int(rng.integers(64))
            end = (left + int((other % 8 + 0.5) * square), left + int((other // 8 + 0.5) * square))
            thick = int(rng.integers(1, 6))
            if rng.random() < 0.5:
                cv2.arrowedLine(image, (x, y), end, gray, thick, cv2.LINE_AA, tipLength=0.15)
            else:  # a dashed line
                for t in np.arange(0, 1, 0.08):
                    a = (int(x + (end[0] - x) * t), int(y + (end[1] - y) * t))
                    b = (int(x + (end[0] - x) * (t + 0.05)), int(y + (end[1] - y) * (t + 0.05)))
                    cv2.line(image, a, b, gray, min(thick, 3), cv2.LINE_AA)
        elif kind == 1 and empty:
            cv2.circle(image, (x, y), int(square * rng.uniform(0.05, 0.18)), gray, int(rng.choice([-1, 2])), cv2.LINE_AA)
        elif kind == 2 and empty:
            reach, thick = int(square * rng.uniform(0.12, 0.32)), int(rng.integers(2, 5))
            cv2.line(image, (x - reach, y - reach), (x + reach, y + reach), gray, thick, cv2.LINE_AA)
            cv2.line(image, (x - reach, y + reach), (x + reach, y - reach), gray, thick, cv2.LINE_AA)
        elif kind == 3:
            half = square // 2
            cv2.rectangle(image, (x - half, y - half), (x + half, y + half), gray, int(rng.integers(1, 4)))
        elif kind == 4:
            cv2.circle(image, (x, y), int(square * 0.46), gray, int(rng.integers(1, 4)), cv2.LINE_AA)
        elif kind == 5 and empty:
            words = str(rng.choice(list("123456789ABCXabc*+")))
            text(image, words, (x - 0.15 * square, y + 0.2 * square), int(rng.choice(FONTS)), square * rng.uniform(0.008, 0.022), gray, int(rng.integers(1, 3)))
        elif kind == 6:  # a pencil tick
            points = np.cumsum(rng.normal(0, 0.25 * square, (int(rng.integers(3, 7)), 2)), 0) + (x, y)
            cv2.polylines(image, [np.round(points).astype(np.int32)], False, gray, int(rng.integers(1, 3)), cv2.LINE_AA)
        elif kind == 7 and empty:  # a star
            reach = square * rng.uniform(0.12, 0.3)
            turn = np.arange(10) * np.pi / 5 - np.pi / 2
            radius = np.where(np.arange(10) % 2 == 0, reach, reach * 0.42)
            star = np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], 1)
            cv2.fillPoly(image, [np.round(star).astype(np.int32)], gray, cv2.LINE_AA)
