"""Dark squares and paper: hatching, halftone, stipple, gray, grain.

All lengths are in squares; `square` is the number of pixels of one. Textures are ink coverage,
0 none .. 1 full, float32.
"""

from __future__ import annotations

import cv2
import numpy as np


def grid(height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Pixel coordinates X, Y as float32."""
    return np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))


def smooth_noise(rng, height: int, width: int, cells: int) -> np.ndarray:
    """Smooth Gaussian noise with about `cells` independent values a side."""
    noise = rng.standard_normal((cells, cells)).astype(np.float32)
    return cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)


def lines(x, y, angle: float, pitch: float, thick: float, wobble=0.0) -> np.ndarray:
    """Parallel lines, anti-aliased: `pitch` in pixels, `thick` as a share of it."""
    phase = (x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))) / np.float32(pitch) + wobble
    distance = np.abs(phase - np.floor(phase) - 0.5) * 2
    return np.clip((thick - distance) * (pitch / 2) + 0.5, 0, 1).astype(np.float32)


def hatching(rng, size: int, square: int, by_hand: bool = False) -> np.ndarray:
    """Ruled hatching of any pitch, angle, thickness and phase; `by_hand`: few, thin, uneven lines."""
    x, y = grid(size, size)
    angle = np.deg2rad(rng.choice([45, 135, 45, 135, 45, 135, 0, 90]) + rng.normal(0, 3))
    if rng.random() < 0.12:
        angle = rng.uniform(0, np.pi)
    pitch = square * float(np.exp(rng.uniform(np.log(0.05), np.log(0.2))))
    # Thick lines leave white ones between them: the woodcut's dark square.
    thick = rng.uniform(0.15, 0.6) if rng.random() < 0.85 else rng.uniform(0.6, 0.8)
    if by_hand:
        pitch, thick = square * rng.uniform(0.09, 0.24), rng.uniform(0.1, 0.4)
    wobble = 0.0
    if rng.random() < (0.8 if by_hand else 0.45):
        # Every square is a type of its own: the lines do not meet at the edges.
        squares = size // square
        shift = np.kron(rng.random((squares, squares)), np.ones((square, square))).astype(np.float32)
        wobble = wobble + shift[:size, :size]
    if by_hand or rng.random() < 0.4:
        cells = int(rng.choice([12, 24, 48]))
        wobble = wobble + smooth_noise(rng, size, size, cells) * np.float32(rng.uniform(0.03, 0.3))
    if rng.random() < 0.3:  # the thickness swells and fails along a line
        thick = np.clip(thick + smooth_noise(rng, size, size, int(rng.integers(16, 80))) * rng.uniform(0.03, 0.15), 0.05, 0.85)
    ink = lines(x, y, angle, pitch, thick, wobble)
    if rng.random() < 0.1:
        ink = np.maximum(ink, lines(x, y, angle + np.pi / 2 + rng.normal(0, 0.1), pitch, thick, wobble))
    if rng.random() < 0.15:  # broken lines
        ink = ink * (smooth_noise(rng, size, size, int(rng.integers(60, 160))) > rng.uniform(-2, -0.6))
    if rng.random() < 0.25:
        ink = ink * rng.uniform(0.4, 1)
    return ink.astype(np.float32)


def halftone(rng, size: int, square: int) -> np.ndarray:
    """A dot screen."""
    x, y = grid(size, size)
    pitch = square * rng.uniform(0.05, 0.16)
    angle = np.deg2rad(rng.choice([45, 0, 15, 75]) + rng.normal(0, 1))
    cover = rng.uniform(0.12, 0.65)
    p = (x * np.cos(angle) + y * np.sin(angle)) * (2 * np.pi / pitch)
    q = (-x * np.sin(angle) + y * np.cos(angle)) * (2 * np.pi / pitch)
    value = (np.cos(p) + np.cos(q)) / 4 + 0.5
    return np.clip((value - (1 - cover)) * pitch * 1.2 + 0.5, 0, 1).astype(np.float32)


def stipple(rng, size: int, square: int) -> np.ndarray:
    """Irregular dots and grain."""
    noise = rng.standard_normal((size, size)).astype(np.float32)
    noise = cv2.GaussianBlur(noise, (0, 0), square * rng.uniform(0.008, 0.035))
    noise /= noise.std() + 1e-6
    return np.clip((noise - rng.uniform(0.0, 1.5)) * rng.uniform(1.5, 4) + 0.5, 0, 1).astype(np.float32)


def gray(rng, size: int, square: int) -> np.ndarray:
    """A flat or mottled tone, from hardly visible to nearly black."""
    u = rng.random()
    level = rng.uniform(0.2, 0.6) if u < 0.7 else rng.uniform(0.05, 0.2) if u < 0.92 else rng.uniform(0.6, 0.85)
    tone = np.full((size, size), level, np.float32)
    if rng.random() < 0.6:
        tone += smooth_noise(rng, size, size, int(rng.integers(8, 160))) * np.float32(rng.uniform(0.01, 0.1))
    return np.clip(tone, 0, 1)


def dark_squares(rng, size: int, square: int, by_hand: bool = False) -> np.ndarray:
    """The ink of dark squares over a whole board of `size` pixels (masked by the caller)."""
    if by_hand:
        return hatching(rng, size, square, True)
    u = rng.random()
    if u < 0.62:
        return hatching(rng, size, square)
    if u < 0.73:
        return halftone(rng, size, square)
    if u < 0.78:
        return stipple(rng, size, square)
    if u < 0.975:
        return gray(rng, size, square)
    return np.zeros((size, size), np.float32)  # the scan lost the hatching


def checker(rng, square: int) -> np.ndarray:
    """Which pixels of the 8 x 8 board are dark: 1 dark, 0 light."""
    dark = (np.add.outer(np.arange(8), np.arange(8)) % 2 == 1).astype(np.float32)
    u = rng.random()
    if u < 0.04:
        dark = 1 - dark
    elif u < 0.05:
        dark[:] = 0
    mask = np.kron(dark, np.ones((square, square), np.float32))
    if rng.random() < 0.18:
        # The hatching stops short of the edge of its square, on each side by its own length.
        for row in range(8):
            for file in range(8):
                gap = np.maximum(0, rng.normal(0.04, 0.03, 4) * square).astype(int)
                cell = mask[row * square : (row + 1) * square, file * square : (file + 1) * square]
                cell[: gap[0]] = 0
                cell[square - gap[1] :] = 0
                cell[:, : gap[2]] = 0
                cell[:, square - gap[3] :] = 0
    return mask
