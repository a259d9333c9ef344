"""What a century, a press, a scanner or a telephone does to a page: one named kind each.

A kind takes the clean page (float32, 0 ink .. 1 paper) and gives a `Scan`: the picture as it is
stored and the way of every point. `strength` 0..1 scales the damage, so that a page which a person
could not read any more is made again more gently.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

import cv2
import numpy as np

import degrade as training
import textures

from . import geometry


@dataclass
class Scan:
    """A stored page. `image` is uint8, gray or RGB, upright; `turn` is how far the file is turned clockwise."""

    image: np.ndarray
    bends: list = field(default_factory=list)
    turn: int = 0
    bitonal: bool = False
    quality: int | None = None  # of the JPEG; None: without loss

    def points(self, points: np.ndarray) -> np.ndarray:
        """From the clean page to the upright picture."""
        for bend in self.bends:
            points = bend(points)
        return points


@dataclass
class Kind:
    """A degradation: how, at which resolutions, and what it asks of the printing."""

    make: Callable
    dpi: tuple = (150, 200, 200, 300)
    dark_strength: tuple = (1.0, 1.0)  # ink of the dark squares
    tilt: float = 0.25  # degrees, deviation of each board's own angle
    tilt_max: float = 1.0


def straight(page: np.ndarray, rng, degrees: float) -> tuple:
    """The page a little askew, as it always lies; returns the picture and its bends."""
    if degrees == 0:
        return page, []
    angle = float(np.clip(rng.normal(0, degrees), -3 * degrees, 3 * degrees))
    height, width = page.shape
    bend = geometry.skew(width, height, angle)
    return bend.apply(page, 1.0), [bend.points]


def press(rng, page: np.ndarray, scale: float, strength: float) -> np.ndarray:
    """Ink spreads a little and takes unevenly; `scale` is pixels a point."""
    soft = cv2.GaussianBlur(page, (0, 0), max(0.3, 0.16 * scale))
    soft += field_of(rng, page.shape, 40) * np.float32(0.02 * strength)
    steep, at = np.float32(9.0), np.float32(rng.uniform(0.52, 0.66))
    low, high = 1 / (1 + np.exp(steep * at)), 1 / (1 + np.exp(-steep * (1 - at)))
    return ((1 / (1 + np.exp(-steep * (soft - at))) - low) / (high - low)).astype(np.float32)


def field_of(rng, shape, cells: int) -> np.ndarray:
    """Smooth noise over a page, deviation about 1."""
    return textures.smooth_noise(rng, shape[0], shape[1], cells)


def tones(page: np.ndarray, paper: float, ink: float) -> np.ndarray:
    return ink + page * (paper - ink)


def noise(rng, page: np.ndarray, amount: float, soft: float = 0.6) -> np.ndarray:
    grain = rng.standard_normal(page.shape, dtype=np.float32)
    if soft > 0.3:
        grain = cv2.GaussianBlur(grain, (0, 0), soft) * np.float32(1 + 1.6 * soft)
    return page + grain * np.float32(amount)


def store(page: np.ndarray, bends: list, rng=None, tint=None, **more) -> Scan:
    """To bytes; `tint` is the paper's colour (RGB, 1 for white)."""
    image = np.clip(page, 0, 1)
    if tint is not None:
        # Ink stays neutral, paper takes the colour.
        image = image[..., None] * (1 - (1 - np.float32(tint)) * image[..., None])
    return Scan((image * 255 + 0.5).astype(np.uint8), bends, **more)


def random_tint(rng):
    """Yellowed, brownish, greenish or pink paper."""
    return [(1.0, 0.95, 0.82), (1.0, 0.9, 0.75), (0.93, 1.0, 0.9), (1.0, 0.9, 0.9)][int(rng.integers(4))]


def clean(rng, page, dpi, strength):
    page = tones(page, rng.uniform(0.95, 1.0), rng.uniform(0.0, 0.12))
    page, bends = straight(page, rng, float(rng.choice([0.0, 0.1])))
    return store(page, bends)


def gray(rng, page, dpi, strength):
    page, bends = straight(press(rng, page, dpi / 72, strength), rng, 0.4)
    page = tones(page, 0.85 - rng.uniform(0, 0.3) * strength, rng.uniform(0.08, 0.28))
    page = noise(rng, page * (1 + field_of(rng, page.shape, 9) * np.float32(0.015)), 0.008)
    return store(page, bends, tint=random_tint(rng) if rng.random() < 0.4 else None, quality=int(rng.integers(75, 95)))


def shade(rng, page, dpi, strength):
    page, bends = straight(press(rng, page, dpi / 72, strength), rng, 0.5)
    page = noise(rng, shadow(rng, tones(page, rng.uniform(0.8, 0.97), rng.uniform(0.05, 0.2)), strength), 0.01)
    return store(page, bends, quality=int(rng.integers(70, 92)))


def shadow(rng, page, strength):
    """Light from one side, a dark gutter, a soft shadow's edge."""
    height, width = page.shape
    x, y = np.linspace(0, 1, width, dtype=np.float32)[None], np.linspace(0, 1, height, dtype=np.float32)[:, None]
    gx, gy = rng.uniform(-0.35, 0.35, 2) * strength
    light = 1 + np.float32(gx) * (x - 0.5) + np.float32(gy) * (y - 0.5)
    if rng.random() < 0.6:
        gutter = x if rng.random() < 0.5 else 1 - x
        light = light * (1 - np.float32(rng.uniform(0.3, 0.7) * strength) * np.exp(-gutter / np.float32(rng.uniform(0.03, 0.12))))
    if rng.random() < 0.5:
        turn = rng.uniform(0, 6.28)
        across = (x - rng.uniform(0.3, 0.7)) * np.float32(np.cos(turn)) + (y - rng.uniform(0.3, 0.7)) * np.float32(np.sin(turn))
        light = light * (1 - np.float32(rng.uniform(0.15, 0.45) * strength) / (1 + np.exp(-across * np.float32(rng.uniform(8, 60)))))
    return page * light


def grain(rng, page, dpi, strength):
    page, bends = straight(press(rng, page, dpi / 72, strength), rng, 0.4)
    page = noise(rng, tones(page, rng.uniform(0.75, 0.95), rng.uniform(0.05, 0.2)), rng.uniform(0.04, 0.1) * strength, rng.choice([0.2, 0.7, 1.1]))
    for dark in (0.05, 0.95):
        spots = (rng.random(page.shape) < rng.uniform(0.00003, 0.0003) * strength).astype(np.uint8)
        spots = cv2.dilate(spots, np.ones((max(1, round(dpi / 110)),) * 2, np.uint8))
        page = np.where(spots > 0, np.float32(dark), page)
    return store(page, bends, quality=int(rng.integers(60, 90)))


def jpeg(rng, page, dpi, strength):
    page, bends = straight(press(rng, page, dpi / 72, strength), rng, 0.3)
    page = noise(rng, tones(page, rng.uniform(0.85, 1.0), rng.uniform(0.0, 0.2)), 0.01)
    return store(page, bends, quality=int(rng.integers(10, 26) + (1 - strength) * 30))


def bitonal(rng, page, dpi, strength):
    page, bends = straight(press(rng, page, dpi / 72, strength), rng, 0.5)
    page = noise(rng, page, rng.uniform(0.02, 0.12) * strength, 0.5)
    page = (page > rng.uniform(0.4, 0.62)).astype(np.float32)
    return store(page, bends, bitonal=True)


def lost(rng, page, dpi, strength):
    """A threshold that the hatching did not survive: a few crumbs of it are left."""
    page, bends = straight(cv2.GaussianBlur(page, (0, 0), dpi / 72 * 0.15), rng, 0.5)
    page = noise(rng, page, rng.uniform(0.01, 0.06), 0.5)
    page = (page > rng.uniform(0.42, 0.52)).astype(np.float32)
    return store(page, bends, bitonal=True)


def faint(rng, page, dpi, strength):
    page, bends = straight(press(rng, page, dpi / 72, strength), rng, 0.4)
    patchy = np.clip(1 - np.abs(field_of(rng, page.shape, int(rng.integers(4, 14)))) * np.float32(0.25 * strength), 0.4, 1)
    page = 1 - (1 - page) * patchy
    paper = rng.uniform(0.82, 0.97)
    page = noise(rng, tones(page, paper, paper - rng.uniform(0.22, 0.4) - 0.2 * (1 - strength)), 0.012)
    return store(page, bends, quality=int(rng.integers(70, 92)))


def dark(rng, page, dpi, strength):
    """Over-inked or scanned too dark: strokes swell, fine hatching nearly closes."""
    scale = dpi / 72
    soft = cv2.GaussianBlur(page, (0, 0), scale * (0.12 + 0.2 * strength))
    at = np.float32(0.55 + 0.2 * strength)
    page = 1 / (1 + np.exp(-12 * (soft - at)))
    page, bends = straight(page.astype(np.float32), rng, 0.4)
    page = noise(rng, tones(page, rng.uniform(0.6, 0.85), rng.uniform(0.02, 0.1)), 0.012)
    return store(page, bends, quality=int(rng.integers(70, 92)))


def through(rng, page, dpi, strength):
    """Thin paper: the other side's type and boards show through, mirrored."""
    scale = dpi / 72
    back = np.roll(page[:, ::-1], tuple(int(v) for v in rng.integers(-30, 30, 2) * scale), (0, 1))
    back = cv2.GaussianBlur(back, (0, 0), scale * rng.uniform(0.3, 0.8))
    page, bends = straight(press(rng, page, scale, strength), rng, 0.4)
    page = page * (1 - (1 - back) * np.float32(rng.uniform(0.12, 0.3) * strength))
    page = noise(rng, tones(page, rng.uniform(0.75, 0.95), rng.uniform(0.05, 0.2)), 0.012)
    return store(page, bends, quality=int(rng.integers(70, 92)))


def tilted(rng, page, dpi, strength):
    page, bends = straight(press(rng, page, dpi / 72, strength), rng, 1.2)
    page = noise(rng, tones(page, rng.uniform(0.85, 0.98), rng.uniform(0.03, 0.15)), 0.01)
    return store(page, bends, quality=int(rng.integers(75, 92)))


def photo(rng, page, dpi, strength):
    height, width = page.shape
    bend = geometry.photograph(rng, width, height, strength)
    page = tones(press(rng, page, dpi / 72, strength), rng.uniform(0.75, 0.95), rng.uniform(0.05, 0.2))
    # -1 marks what is beside the page: the table it lies on.
    seen = bend.apply(page, -1.0)
    desk = rng.uniform(0.1, 0.6) + field_of(rng, seen.shape, int(rng.integers(5, 60))) * np.float32(rng.uniform(0.01, 0.06))
    seen = np.where(seen < -0.02, desk, np.clip(seen, 0, 1))
    seen = cv2.GaussianBlur(shadow(rng, seen, strength), (0, 0), 0.5 + 0.4 * strength * dpi / 200)
    seen = noise(rng, seen, rng.uniform(0.01, 0.03), 0.8)
    return store(seen, [bend.points], tint=random_tint(rng) if rng.random() < 0.5 else (1, 1, 1), quality=int(rng.integers(60, 92)))


def turned(rng, page, dpi, strength):
    scan = [clean, gray, grain, bitonal][int(rng.integers(4))](rng, page, dpi, strength * 0.7)
    scan.turn = int(rng.choice([90, 180, 180, 270]))
    return scan


def low(rng, page, dpi, strength):
    page, bends = straight(page, rng, 0.3)
    page = noise(rng, tones(page, rng.uniform(0.9, 1.0), rng.uniform(0.0, 0.15)), 0.008)
    return store(page, bends, quality=int(rng.integers(55, 90)))


def fine(rng, page, dpi, strength):
    return bitonal(rng, page, dpi, strength) if rng.random() < 0.6 else gray(rng, page, dpi, strength)


def old(rng, page, dpi, strength):
    """Everything a little: patchy ink, show-through, gray paper, grain, shade, JPEG."""
    scale, strength = dpi / 72, strength * 0.7
    page = training.uneven(rng, press(rng, page, scale, strength))
    back = cv2.GaussianBlur(page[:, ::-1], (0, 0), scale * 0.5)
    page, bends = straight(page * (1 - (1 - back) * np.float32(0.15 * strength)), rng, 0.8)
    page = shadow(rng, tones(page, rng.uniform(0.65, 0.9), rng.uniform(0.1, 0.25)), strength * 0.6)
    return store(noise(rng, page, 0.03 * strength), bends, quality=int(rng.integers(40, 80)))


KINDS = {
    "clean": Kind(clean),
    "gray": Kind(gray),
    "shade": Kind(shade),
    "grain": Kind(grain),
    "jpeg": Kind(jpeg),
    "bitonal": Kind(bitonal, (200, 300, 400)),
    "lost": Kind(lost, (200, 300), dark_strength=(0.22, 0.4)),
    "faint": Kind(faint),
    "dark": Kind(dark, (200, 300)),
    "through": Kind(through),
    # Each board by its own angle; with the page's own skew up to ten degrees in all.
    "tilted": Kind(tilted, tilt=3.0, tilt_max=6.4),
    "photo": Kind(photo, (150, 200, 250)),
    "turned": Kind(turned),
    "low": Kind(low, (72, 96, 110)),
    "fine": Kind(fine, (600,)),
    "old": Kind(old),
}
