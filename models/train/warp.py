"""From a picture and a board's corners to the net's input: 288 x 288 gray.

Convention, the same in the Rust reader: continuous coordinates, a pixel (i, j) covers i..i+1,
j..j+1 with its centre at +0.5. The outer corners of the board go to (16,16), (272,16), (272,272),
(16,272): 32 px a square and a margin of 16 px. OpenCV counts pixel centres as whole numbers, hence
the halves below. Beyond the picture's edge its last pixels are repeated.
"""

from __future__ import annotations

import cv2
import numpy as np

SIZE, SQUARE, MARGIN = 288, 32, 16
TARGET = np.float32([[16, 16], [272, 16], [272, 272], [16, 272]])


def soften(image: np.ndarray, native: float, amount: float = 0.42) -> np.ndarray:
    """Low-pass before shrinking from `native` pixels a square to 32."""
    if native <= SQUARE * 1.1:
        return image
    return cv2.GaussianBlur(image, (0, 0), amount * native / SQUARE)


def rectify(image: np.ndarray, corners) -> np.ndarray:
    """Warps the board with the given outer corners (continuous coordinates) to 288 x 288."""
    corners = np.float32(corners).reshape(4, 2)
    native = float(np.mean([np.linalg.norm(corners[i] - corners[(i + 1) % 4]) for i in range(4)])) / 8
    matrix = cv2.getPerspectiveTransform(corners - 0.5, TARGET - 0.5)
    return cv2.warpPerspective(soften(image, native), matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def misplaced(rng, corners: np.ndarray, native: float) -> np.ndarray:
    """Corners as a finder gives them: up to about 8 % of a square wrong."""
    each = rng.choice([0.01, 0.02, 0.035])
    wrong = corners + np.clip(rng.normal(0, each, (4, 2)), -0.06, 0.06) * native
    wrong = wrong + rng.uniform(-0.05, 0.05, 2) * native
    turn, zoom, centre = np.deg2rad(rng.normal(0, 0.3)), 1 + rng.normal(0, 0.004), wrong.mean(0)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * zoom
    return ((wrong - centre) @ rotation.T + centre).astype(np.float32)


def curled(rng, image: np.ndarray, corners: np.ndarray, native: float) -> np.ndarray:
    """The warp of wrong corners and a page that does not lie flat."""
    matrix = cv2.getPerspectiveTransform(TARGET - 0.5, np.float32(corners) - 0.5)
    x, y = np.meshgrid(np.arange(SIZE, dtype=np.float32), np.arange(SIZE, dtype=np.float32))
    below = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2]
    map_x = (matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]) / below
    map_y = (matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]) / below
    if rng.random() < 0.35:
        # Sines that keep the corners: half a wave is a bulge, more are waves of the paper.
        reach = rng.uniform(0.01, 0.08) * native
        for target, along in ((map_x, y), (map_y, x)):
            waves, phase = rng.uniform(0.5, 2), rng.uniform(0, 6)
            target += (reach * np.sin((along / SIZE) * np.pi * waves + phase)).astype(np.float32)
    how = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
    return cv2.remap(image, map_x.astype(np.float32), map_y.astype(np.float32), how, borderMode=cv2.BORDER_REPLICATE)


def cut_margin(rng, board: np.ndarray) -> np.ndarray:
    """A crop whose edge is the board's edge: nothing, repeated pixels or a mirror beyond it."""
    edge = MARGIN + int(rng.integers(-2, 4))
    inner = board[edge : SIZE - edge, edge : SIZE - edge]
    kind = int(rng.integers(4))
    if kind == 0:
        out = np.full((SIZE, SIZE), int(rng.choice([0, 255, 255, rng.integers(0, 256)])), np.uint8)
        out[edge : SIZE - edge, edge : SIZE - edge] = inner
        return out
    border = cv2.BORDER_REFLECT_101 if kind == 1 else cv2.BORDER_REPLICATE
    return cv2.copyMakeBorder(inner, edge, edge, edge, edge, border)


def to_input(rng, image: np.ndarray, corners: np.ndarray, native: float) -> np.ndarray:
    """The net's input as found in practice: corners a little wrong, paper curled, margin cut."""
    image = soften(image, native, float(rng.uniform(0.25, 0.55)))
    board = curled(rng, image, misplaced(rng, corners, native), native)
    return cut_margin(rng, board) if rng.random() < 0.3 else board
