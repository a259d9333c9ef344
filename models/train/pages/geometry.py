"""Bending and photographing a page, with every point followed exactly.

Coordinates are continuous: pixel i covers i..i+1. A `Bend` is a curl of the paper followed by a
homography; the picture is resampled once, backwards, and points go forwards through the same maps.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass
class Curl:
    """Paper that does not lie flat: `flat = curled + shift(curled)`. Amounts are shares of the page."""

    width: float
    height: float
    spine: float = 0.0  # 0 left, 1 right
    lift: float = 0.0  # how far lines bend up or down towards the spine
    press: float = 0.0  # how much the page is foreshortened there
    reach: float = 0.25  # how far from the spine it is felt
    wave: float = 0.0  # a slow wave across the whole page
    phase: float = 0.0

    def shift(self, x, y):
        """The way from a curled point to its place on the flat page."""
        away = np.abs(x / self.width - self.spine)
        felt = np.exp(-away / self.reach)
        dy = self.height * (self.lift * felt + self.wave * np.sin(2 * np.pi * x / self.width + self.phase))
        dx = self.width * self.press * felt * (1 if self.spine < 0.5 else -1)
        return dx, dy

    def forward(self, points: np.ndarray) -> np.ndarray:
        """Flat points to curled ones; the slopes are far below 1, so iteration converges."""
        out = points.copy()
        for _ in range(60):
            dx, dy = self.shift(out[:, 0], out[:, 1])
            out = points - np.stack([dx, dy], 1)
        return out


@dataclass
class Bend:
    """A curl, then a homography from the page to a picture of the given size."""

    matrix: np.ndarray
    size: tuple  # width, height of the result
    curl: Curl | None = None

    def points(self, points: np.ndarray) -> np.ndarray:
        points = np.asarray(points, np.float64)
        if self.curl:
            points = self.curl.forward(points)
        return cv2.perspectiveTransform(points[None], self.matrix)[0]

    def apply(self, image: np.ndarray, border: float) -> np.ndarray:
        width, height = self.size
        if self.curl is None:
            # OpenCV counts pixel centres as whole numbers.
            half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
            matrix = np.linalg.inv(half) @ self.matrix @ half
            return cv2.warpPerspective(image, matrix, self.size, flags=cv2.INTER_LINEAR, borderValue=border)
        x, y = np.meshgrid(np.arange(width, dtype=np.float32) + 0.5, np.arange(height, dtype=np.float32) + 0.5)
        back = np.linalg.inv(self.matrix)
        below = back[2, 0] * x + back[2, 1] * y + back[2, 2]
        from_x = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / below
        from_y = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / below
        if self.curl:
            dx, dy = self.curl.shift(from_x, from_y)
            from_x, from_y = from_x + dx, from_y + dy
        maps = (from_x - 0.5).astype(np.float32), (from_y - 0.5).astype(np.float32)
        return cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=border)


def skew(width: int, height: int, degrees: float) -> Bend:
    """A page laid askew on the scanner, the picture as large as before."""
    turn = np.radians(degrees)
    cosine, sine = np.cos(turn), np.sin(turn)
    matrix = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1.0]])
    matrix[:2, 2] = np.array([width, height]) / 2 - matrix[:2, :2] @ (width / 2, height / 2)
    return Bend(matrix, (width, height))


def photograph(rng, width: int, height: int, strength: float) -> Bend:
    """A hand-held photo of an open book: perspective, a small turn, curl towards the spine."""
    margin = rng.uniform(0.0, 0.06, 4) * min(width, height)
    page = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    lean = rng.uniform(-0.06, 0.06, (4, 2)) * strength * (width, height)
    turn = np.radians(rng.normal(0, 2.0) * strength)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    seen = (page + lean - page.mean(0)) @ rotation.T
    low, high = seen.min(0) - margin[:2], seen.max(0) + margin[2:]
    matrix = cv2.getPerspectiveTransform(page, np.float32(seen - low)).astype(np.float64)
    curl = Curl(
        width, height, float(rng.integers(2)), rng.uniform(-0.014, 0.014) * strength, rng.uniform(0, 0.02) * strength,
        rng.uniform(0.15, 0.35), rng.uniform(0, 0.003) * strength, rng.uniform(0, 6.28),
    )  # fmt: skip
    return Bend(matrix, tuple(int(v) for v in np.ceil(high - low)), curl)
