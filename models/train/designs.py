"""Type designs drawn from nothing: men as sets never digitized might show them.

Every foundry cut its own men, yet all of them follow the same ideas: a ball on a stand, a tower with battlements, a mitre
with a slit, a crown of points, a crown with a cross, a horse's head. A `Design` draws those ideas with proportions of its
own, so that the net learns the ideas and not the hundred drawings that happen to be digitized.

Drawing frame: x to the right and y down, both 0..1 over the square. Men are stacked from parts; a part is a closed polygon
whose contour is ink on white men and, where it lies inside the man, perhaps a white line on black ones.
"""

from __future__ import annotations

import cv2
import numpy as np

import pieces

FINE = 3  # drawn this many times finer than ART_SIZE
BASE_LINE = 0.91


def smooth(points: np.ndarray, rounds: int) -> np.ndarray:
    """Corners cut off (Chaikin) so many times; a closed polygon."""
    for _ in range(rounds):
        following = np.roll(points, -1, 0)
        points = np.stack([0.75 * points + 0.25 * following, 0.25 * points + 0.75 * following], 1).reshape(-1, 2)
    return points


def turned(profile) -> np.ndarray:
    """The polygon of a solid of revolution: (y, half width) from below to above, around x = 0.5."""
    y, half = np.array(profile, float).T
    return np.concatenate([np.stack([0.5 + half, y], 1), np.stack([0.5 - half, y], 1)[::-1]])


def disc(x: float, y: float, rx: float, ry: float | None = None, count: int = 28) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.stack([x + rx * np.cos(angle), y + (ry or rx) * np.sin(angle)], 1)


class Sheet:
    """What is drawn of one man so far, FINE x ART_SIZE pixels a side: parts, lines and solid spots."""

    def __init__(self, white: bool, stroke: float, inner: float, joints: bool):
        side = FINE * pieces.ART_SIZE
        self.white, self.side = white, side
        self.stroke, self.inner = max(1, round(stroke * side)), round(inner * side)
        self.joints = joints
        self.body, self.ink, self.cut = (np.zeros((side, side), np.uint8) for _ in range(3))

    def pixels(self, points) -> np.ndarray:
        return np.round(np.asarray(points) * self.side).astype(np.int32)

    def part(self, points) -> None:
        """A closed part, in front of those drawn before."""
        shape = [self.pixels(points)]
        cv2.fillPoly(self.body, shape, 255)
        cv2.polylines(self.body, shape, True, 255, self.stroke)
        if self.white:
            cv2.fillPoly(self.ink, shape, 0)
            cv2.polylines(self.ink, shape, True, 255, self.stroke)
        else:
            cv2.fillPoly(self.cut, shape, 0)
            if self.joints and self.inner:
                cv2.polylines(self.cut, shape, True, 255, self.inner)

    def line(self, points, scale: float = 1.0) -> None:
        """A line inside the man: ink on white, white on black."""
        if self.white:
            cv2.polylines(self.ink, [self.pixels(points)], False, 255, max(1, round(self.stroke * scale)))
        elif self.inner:
            cv2.polylines(self.cut, [self.pixels(points)], False, 255, max(1, round(self.inner * scale)))

    def bar(self, a, b, width: float) -> None:
        """A free stroke of the silhouette (crosses, tips), filled as the man is."""
        a, b = np.array(a, float), np.array(b, float)
        along = (b - a) / (np.linalg.norm(b - a) + 1e-9)
        across = np.array([-along[1], along[0]]) * width / 2
        self.part([a + across, b + across, b - across, a - across])

    def notch(self, points) -> None:
        """A closed polygon taken away from the man, its edge drawn as contour."""
        shape = [self.pixels(points)]
        edge = np.zeros_like(self.body)
        cv2.polylines(edge, shape, True, 255, 2 * self.stroke)
        if self.white:
            np.maximum(self.ink, cv2.min(edge, self.body), out=self.ink)
        for layer in (self.body, self.ink, self.cut):
            cv2.fillPoly(layer, shape, 0)

    def spot(self, points) -> None:
        """A solid spot: ink on white, white on black."""
        cv2.fillPoly(self.ink if self.white else self.cut, [self.pixels(points)], 255)

    def second_contour(self, depth: int) -> None:
        """A line that follows the silhouette, `depth` pixels inside it."""
        inside = cv2.erode(self.body, np.ones((2 * depth + 1, 2 * depth + 1), np.uint8))
        width = max(3, self.stroke // 2 if self.white else self.inner)
        line = cv2.subtract(inside, cv2.erode(inside, np.ones((width, width), np.uint8)))
        layer = self.ink if self.white else self.cut
        np.maximum(layer, line, out=layer)

    def man(self) -> np.ndarray:
        """ART_SIZE x ART_SIZE x 2: ink and body, 0..1."""
        body = self.body
        if self.white:
            ink = np.minimum(self.ink, body)
        else:
            # White lines stop before the rim, or the man would fall apart.
            rim = 2 * max(2, self.stroke // 2) + 1
            inside = cv2.erode(body, np.ones((rim, rim), np.uint8))
            ink = np.where((self.cut > 0) & (inside > 0), 0, body).astype(np.uint8)
        size = (pieces.ART_SIZE, pieces.ART_SIZE)
        return np.dstack([cv2.resize(layer, size, interpolation=cv2.INTER_AREA) for layer in (ink, body)]).astype(np.float32) / 255


class Design:
    """One type: proportions shared by all men, and for each man which of its ideas is used."""

    def __init__(self, rng: np.random.Generator):
        self.seed = int(rng.integers(1 << 31))
        u = rng.uniform
        self.stroke = u(0.014, 0.04)
        self.inner = 0 if rng.random() < 0.25 else u(0.012, 0.032)
        self.joints = rng.random() < 0.75
        self.rounds = int(rng.choice([0, 1, 2, 2, 3]))
        self.lathe = rng.random() < 0.5
        self.width = u(0.24, 0.4)
        self.foot = str(rng.choice(["slab", "steps", "bell", "arc", "bare"], p=[0.25, 0.25, 0.25, 0.15, 0.1]))
        self.foot_height = u(0.05, 0.13)
        self.stem = u(0.05, 0.13)
        self.collar = str(rng.choice(["ring", "slab", "two", "none"], p=[0.35, 0.25, 0.15, 0.25]))
        self.fill_height = u(0.0, 0.6)  # how far smaller men reach the height of the king
        self.king_height = u(0.74, 0.86)
        self.lean = rng.normal(0, 0.04) if rng.random() < 0.15 else 0.0
        self.dark_foot = rng.random() < 0.12  # the foot is solid ink on white men too
        self.double = rng.random() < 0.12  # a second contour inside the first

    # --- shared parts -----------------------------------------------------------------------

    def top(self, share: float) -> float:
        """The y of a man's top: `share` of the king's height, or more where men are of equal height."""
        return BASE_LINE - self.king_height * (share + (1 - share) * self.fill_height)

    def base(self, sheet: Sheet, rng, scale: float) -> tuple[float, float]:
        """Draws the foot; returns the y of its top and the half width there."""
        y, half = self.foot_of(sheet, rng, scale)
        if self.dark_foot and sheet.white:
            np.maximum(sheet.ink, sheet.body, out=sheet.ink)
        return y, half

    def foot_of(self, sheet: Sheet, rng, scale: float) -> tuple[float, float]:
        half, height, low = self.width * scale, self.foot_height, BASE_LINE
        if self.foot == "bare":
            return low, half
        if self.foot == "bell":
            neck = half * 0.62
            sheet.part(smooth(turned([(low, half), (low - height * 0.4, half), (low - height, neck), (low - height * 1.3, neck * 0.9)]), self.rounds))
            return low - height * 1.25, neck * 0.9
        if self.foot == "arc":
            x = np.linspace(-half, half, 15)
            bend = 0.05 * (1 - (x / half) ** 2)
            lower, upper = np.stack([0.5 + x, low - bend * 0.4], 1), np.stack([0.5 + x * 0.92, low - height - bend], 1)[::-1]
            sheet.part(np.concatenate([lower, upper]))
            return low - height - 0.03, half * 0.9
        sheet.part(turned([(low, half), (low - height * 0.7, half)]))
        if self.foot == "steps":
            sheet.part(turned([(low - height * 0.7, half * 0.82), (low - height * 1.25, half * 0.82)]))
            return low - height * 1.25, half * 0.8
        return low - height * 0.7, half * 0.85

    def trunk(self, sheet: Sheet, rng, y: float, half: float, neck_y: float, neck: float) -> None:
        """The body between foot and collar: hollow or straight, perhaps with a band."""
        power = self.shape.uniform(0.6, 2.6)
        t = np.linspace(0, 1, 9)
        widths = neck + (half - neck) * (1 - t) ** power
        sheet.part(smooth(turned(np.stack([y + (neck_y - y) * t, widths], 1)), 1))
        if self.bands:
            at = y + (neck_y - y) * 0.25
            width = float(np.interp(0.25, t, widths))
            sheet.line([(0.5 - width, at), (0.5 + width, at)])

    def ring(self, sheet: Sheet, y: float, half: float) -> float:
        """The collar at y; returns the y above it."""
        if self.collar == "none":
            return y
        if self.collar == "ring":
            sheet.part(disc(0.5, y, half * 1.25, 0.022))
            return y - 0.015
        sheet.part(turned([(y + 0.018, half * 1.3), (y - 0.018, half * 1.3)]))
        if self.collar == "two":
            sheet.part(turned([(y - 0.018, half * 1.05), (y - 0.045, half * 1.05)]))
            return y - 0.045
        return y - 0.018

    def cross(self, sheet: Sheet, rng, x: float, y: float, size: float) -> None:
        """A cross that stands on y: Latin, with broad ends, with a ball below, as a trefoil; or a mere ball."""
        kind, wide = self.cross_kind, size * self.cross_weight
        if kind == 3:
            leaf = size * 0.24
            for dx, dy in ((-0.3, 0.5), (0.3, 0.5), (0, 0.82)):
                sheet.part(disc(x + dx * size, y - dy * size, leaf))
            sheet.bar((x, y), (x, y - size * 0.5), wide)
            return
        if kind == 4:
            sheet.part(disc(x, y - size * 0.35, size * 0.35))
            return
        if kind == 2:
            sheet.part(disc(x, y - wide * 0.6, wide * 0.7))
        middle = y - size * 0.6
        if kind == 1:
            w, c = size * 0.42, size * 0.1
            for sign in (-1, 1):
                sheet.part([(x, middle), (x + sign * w, middle - 2 * c), (x + sign * w, middle + 2 * c)])
            sheet.part([(x - 2 * c, y), (x + 2 * c, y), (x + c * 0.6, middle), (x + 2 * c, y - size), (x - 2 * c, y - size), (x - c * 0.6, middle)])
        else:
            sheet.bar((x, y), (x, y - size), wide)
            sheet.bar((x - size * 0.38, middle), (x + size * 0.38, middle), wide)

    # --- the men ----------------------------------------------------------------------------

    def pawn(self, sheet: Sheet, rng) -> None:
        y, half = self.base(sheet, rng, rng.uniform(0.6, 0.85))
        top, radius = self.top(rng.uniform(0.55, 0.8)), rng.uniform(0.085, 0.155)
        neck_y = top + radius * 1.8
        neck = self.stem * rng.uniform(0.6, 1.1)
        self.trunk(sheet, rng, y, half * rng.uniform(0.55, 1), neck_y, neck)
        if rng.random() < 0.7:
            self.ring(sheet, neck_y, max(neck, radius * 0.7))
        head = rng.integers(8)
        if head == 0:
            sheet.part(turned([(neck_y, radius * 0.5), (neck_y - radius, radius), (top, 0.001)]))
        elif head == 1:
            sheet.part(disc(0.5, top + radius, radius * 0.85, radius * 1.1))
        elif head == 3:  # a ball cut flat below, on a wide collar
            sheet.part(turned([(neck_y, radius * 1.25), (neck_y - 0.04, radius * 1.25)]))
            sheet.part(disc(0.5, top + radius, radius))
        elif head == 4:  # a turban: a smaller ball on the ball
            sheet.part(disc(0.5, top + radius * 1.2, radius * 0.9, radius * 0.75))
            sheet.part(disc(0.5, top + radius * 0.3, radius * rng.uniform(0.4, 0.7)))
        else:
            sheet.part(disc(0.5, top + radius, radius))
        if head == 2:
            sheet.part(disc(0.5, top - 0.015, 0.025))

    def rook(self, sheet: Sheet, rng) -> None:
        y, half = self.base(sheet, rng, rng.uniform(0.8, 1.0))
        top, tower = self.top(rng.uniform(0.65, 0.9)), rng.uniform(0.13, 0.25)
        crown, height = min(0.36, tower * rng.uniform(1.0, 1.5)), rng.uniform(0.1, 0.2)
        shoulder = top + height
        if rng.random() < 0.2:  # a cup on a stem, as turned men have it
            low = shoulder + rng.uniform(0.02, 0.14)
            self.trunk(sheet, rng, y, half * rng.uniform(0.5, 0.9), low, max(self.stem, 0.08))
            sheet.part(smooth(turned([(low, max(self.stem, 0.08)), (shoulder, crown), (shoulder - 0.01, crown)]), 1))
        else:
            self.trunk(sheet, rng, y, max(tower, min(half, tower * rng.uniform(1, 1.4))), shoulder, tower * rng.uniform(0.75, 1))
        if rng.random() < 0.5:
            sheet.part(turned([(shoulder + 0.02, (tower + crown) / 2), (shoulder - 0.025, (tower + crown) / 2)]))
        count, gap = int(rng.integers(3, 6)), rng.uniform(0.25, 0.5)
        deep = rng.uniform(0.35, 0.6) * height
        pitch = 2 * crown / (count - gap * 1.0)
        outline = [(0.5 - crown, shoulder)]
        for i in range(count):
            left = 0.5 - crown + i * pitch
            right = min(left + pitch * (1 - gap), 0.5 + crown)
            outline += [(left, top + deep), (left, top), (right, top), (right, top + deep)]
        sheet.part(np.array(outline + [(0.5 + crown, shoulder)]))
        if rng.random() < 0.35:
            sheet.line([(0.5 - crown, top + deep + 0.02), (0.5 + crown, top + deep + 0.02)])
        if rng.random() < 0.2:
            middle = (y + shoulder) / 2
            sheet.spot(turned([(middle + 0.06, 0.03), (middle - 0.02, 0.03), (middle - 0.05, 0.005)]))

    def bishop(self, sheet: Sheet, rng) -> None:
        y, half = self.base(sheet, rng, rng.uniform(0.75, 1.0))
        top, bulge = self.top(rng.uniform(0.78, 1)), rng.uniform(0.1, 0.21)
        knob = rng.uniform(0.02, 0.045)
        length = rng.uniform(0.26, 0.42)
        head_top, low = top + knob * 1.6, top + length
        neck = self.stem * rng.uniform(0.6, 1.2)
        if low < y - 0.03:
            self.trunk(sheet, rng, y, half * rng.uniform(0.45, 0.9), low, max(neck, bulge * 0.5))
        else:
            low = y
        self.ring(sheet, low, max(neck, bulge * 0.7))
        at = rng.uniform(0.3, 0.6)
        sheet.part(smooth(turned([(low, bulge * rng.uniform(0.4, 0.9)), (low - (low - head_top) * at, bulge), (head_top + 0.03, bulge * 0.35), (head_top, 0.004)]), max(1, self.rounds)))
        middle, kind = low - (low - head_top) * 0.5, rng.integers(8)
        if kind == 6:  # the slit is cut out of the silhouette
            sheet.notch([(0.5 + bulge * 0.05, middle + 0.01), (0.5 + bulge * 0.75, middle - 0.16), (0.5 + bulge * 1.3, middle - 0.12)])
        elif kind == 7:  # a brim
            sheet.part(disc(0.5, low - 0.03, bulge * 1.25, 0.03))
        elif kind <= 1:
            sheet.line([(0.5 + bulge * 0.1, middle + 0.02), (0.5 + bulge * 0.9, middle - 0.11)], 1.3)
        elif kind == 2:
            sheet.line([(0.5, head_top + 0.02), (0.5, low)])
        elif kind <= 4:
            reach = bulge * 0.5
            sheet.line([(0.5, middle - reach), (0.5, middle + reach * 1.3)], 1.2)
            sheet.line([(0.5 - reach, middle), (0.5 + reach, middle)], 1.2)
        if rng.random() < 0.25:
            self.cross(sheet, rng, 0.5, head_top + 0.01, knob * 3)
        else:
            sheet.part(disc(0.5, top + knob, knob))
        if rng.random() < 0.3:
            sheet.line([(0.5 - bulge * 0.8, low - 0.05), (0.5 + bulge * 0.8, low - 0.05)])

    def queen(self, sheet: Sheet, rng) -> None:
        y, half = self.base(sheet, rng, rng.uniform(0.85, 1.05))
        top = self.top(rng.uniform(0.88, 1))
        if self.lathe:
            spread, height = rng.uniform(0.13, 0.24), rng.uniform(0.12, 0.24)
            low = top + height + 0.05
            self.trunk(sheet, rng, y, half * rng.uniform(0.5, 0.8), low, self.stem)
            self.ring(sheet, low, self.stem * 1.2)
            start = self.stem * rng.uniform(0.8, 1.3)
        else:
            spread, low = rng.uniform(0.28, 0.42), y
            start, height = half * rng.uniform(0.6, 0.95), y - top - 0.05
            if rng.random() < 0.6:
                band = rng.uniform(0.05, 0.12)
                sheet.part(turned([(y, start), (y - band, start * rng.uniform(0.85, 1.05))]))
                low, height = y - band, height - band
        count = int(rng.choice([3, 4, 5, 5, 5, 6, 7, 8, 9]))
        balls, ball = rng.random() < (0.4 if self.lathe else 0.75), rng.uniform(0.02, 0.045)
        fan, deep = rng.uniform(0, 0.45), height * rng.uniform(0.25, 0.75)
        if count >= 7:
            ball = min(ball, spread / count * 0.8)
        at = np.linspace(-1, 1, count)
        tips = np.stack([0.5 + at * spread, low - height * (1 - fan * 0.5 * at**2)], 1)
        between = (tips[:-1] + tips[1:]) / 2
        hollow = np.stack([0.5 + (between[:, 0] - 0.5) * 0.8, between[:, 1] + deep], 1)
        outline = [(0.5 + start, low), tips[-1]]
        for tip, dip in zip(tips[:-1][::-1], hollow[::-1]):
            outline += [dip, tip]
        sheet.part(np.array(outline + [(0.5 - start, low)]))
        if not self.lathe and rng.random() < 0.12:  # a cap within the crown
            sheet.part(disc(0.5, low - height * 0.75, spread * 0.35, height * 0.3))
        if balls:
            for x, y_tip in tips:
                sheet.part(disc(x, y_tip, ball))
        elif self.lathe and rng.random() < 0.8:
            sheet.part(disc(0.5, low - height - 0.01, ball * 1.1))
        self.jewels(sheet, rng, low, start)

    def king(self, sheet: Sheet, rng) -> None:
        y, half = self.base(sheet, rng, rng.uniform(0.85, 1.05))
        top, size = self.top(1.0), rng.uniform(0.1, 0.2)
        crown_top = top + size
        if self.lathe:
            spread, height = rng.uniform(0.11, 0.22), rng.uniform(0.1, 0.2)
            low = crown_top + height
            self.trunk(sheet, rng, y, half * rng.uniform(0.5, 0.85), low, self.stem)
            self.ring(sheet, low, self.stem * 1.2)
            sheet.part(turned([(low, self.stem * rng.uniform(0.8, 1.2)), (crown_top + height * 0.25, spread), (crown_top + 0.02, spread * rng.uniform(0.5, 1)), (crown_top, 0.02)]))
            self.cross(sheet, rng, 0.5, crown_top + 0.01, size)
            return
        start, low = half * rng.uniform(0.6, 0.95), y
        if rng.random() < 0.6:
            band = rng.uniform(0.05, 0.12)
            sheet.part(turned([(y, start), (y - band, start * rng.uniform(0.85, 1.05))]))
            low = y - band
        spread, kind = rng.uniform(0.27, 0.42), rng.integers(4)
        height = low - crown_top
        if kind <= 1:  # two arches that lean apart, and a drop between them
            if rng.random() < 0.7:
                sheet.part(smooth(np.array([(0.5, low), (0.5 + spread * 0.35, crown_top + height * 0.15), (0.5, crown_top - 0.02), (0.5 - spread * 0.35, crown_top + height * 0.15)]), 2))
            lift = rng.uniform(0.1, 0.4)
            for sign in (-1, 1):
                lobe = [(0, low), (start, low), (spread * 1.15, low - height * 0.55), (spread, crown_top + height * lift * 0.3), (spread * 0.45, crown_top + height * lift * 0.5), (0, low - height * 0.5)]
                sheet.part(smooth(np.array([(0.5 + sign * x, v) for x, v in lobe]), 2))
                if rng.random() < 0.5:
                    sheet.line(smooth(np.array([(0.5 + sign * (x * 0.65 + 0.035), low - (low - v) * 0.72 - 0.02) for x, v in lobe]), 2), 0.8)
        elif kind == 2:  # a dome with ribs
            sheet.part(smooth(turned([(low, start), (low - height * 0.5, spread), (crown_top + height * 0.08, spread * 0.6), (crown_top, 0.01)]), 2))
            if rng.random() < 0.6:
                for x in rng.uniform(0.2, 0.7) * spread * np.array([-1.0, 0, 1]):
                    sheet.line([(0.5 + x * start / spread, low), (0.5 + x, crown_top + height * 0.3)])
        else:  # points as the queen's, but with the cross in the middle
            count = int(rng.choice([3, 5, 5, 7]))
            at = np.linspace(-1, 1, count)
            tips = np.stack([0.5 + at * spread, np.full(count, crown_top) + height * 0.3 * np.abs(at)], 1)
            between = (tips[:-1] + tips[1:]) / 2 + [0, height * rng.uniform(0.2, 0.5)]
            outline = [(0.5 + start, low), tips[-1]]
            for tip, dip in zip(tips[:-1][::-1], between[::-1]):
                outline += [dip, tip]
            sheet.part(np.array(outline + [(0.5 - start, low)]))
        self.cross(sheet, rng, 0.5, crown_top + 0.015, size)
        self.jewels(sheet, rng, low, start)

    def jewels(self, sheet: Sheet, rng, low: float, start: float) -> None:
        """Lines and stones at the lower edge of a crown."""
        if rng.random() < 0.5:
            sheet.line([(0.5 - start, low - 0.03), (0.5 + start, low - 0.03)])
        if rng.random() < 0.25:
            for x in np.linspace(-0.6, 0.6, int(rng.integers(2, 6))) * start:
                sheet.spot(disc(0.5 + x, low + 0.03, 0.014))

    # Each from the chest over muzzle, ears and mane to the back; x to the right, y up from the foot. With it the numbers
    # of the points of its two ears, its eye and the middle of its mane.
    HORSES = [
        (
            [(0.30, 0.0), (0.27, 0.14), (0.35, 0.28), (0.46, 0.40), (0.42, 0.48), (0.31, 0.45), (0.23, 0.38), (0.15, 0.37), (0.09, 0.45), (0.12, 0.55), (0.20, 0.68),
             (0.28, 0.80), (0.34, 0.86), (0.35, 1.0), (0.43, 0.90), (0.48, 0.97), (0.53, 0.87), (0.66, 0.78), (0.76, 0.60), (0.80, 0.38), (0.81, 0.15), (0.80, 0.0)],
            (13, 15), (0.32, 0.73),
        ),
        (  # long neck, small head bent to the chest
            [(0.34, 0.0), (0.28, 0.18), (0.30, 0.36), (0.38, 0.50), (0.40, 0.58), (0.30, 0.52), (0.22, 0.44), (0.16, 0.46), (0.15, 0.54), (0.21, 0.66), (0.27, 0.80),
             (0.35, 0.88), (0.38, 1.0), (0.44, 0.90), (0.50, 0.98), (0.54, 0.86), (0.64, 0.74), (0.70, 0.55), (0.73, 0.35), (0.76, 0.15), (0.78, 0.0)],
            (12, 14), (0.33, 0.76),
        ),
        (  # head thrown up, muzzle far out
            [(0.36, 0.0), (0.32, 0.16), (0.36, 0.34), (0.44, 0.48), (0.34, 0.52), (0.20, 0.52), (0.10, 0.50), (0.05, 0.57), (0.08, 0.66), (0.22, 0.76), (0.36, 0.84),
             (0.44, 0.90), (0.48, 1.0), (0.53, 0.91), (0.58, 0.99), (0.60, 0.88), (0.70, 0.74), (0.76, 0.54), (0.78, 0.34), (0.80, 0.14), (0.80, 0.0)],
            (12, 14), (0.38, 0.77),
        ),
        (  # broad and short, as engravers cut it: heavy jaw, full chest
            [(0.24, 0.0), (0.20, 0.16), (0.26, 0.30), (0.40, 0.38), (0.44, 0.46), (0.36, 0.47), (0.28, 0.40), (0.18, 0.34), (0.10, 0.38), (0.08, 0.48), (0.14, 0.62),
             (0.22, 0.78), (0.30, 0.88), (0.28, 1.0), (0.40, 0.93), (0.46, 1.0), (0.52, 0.91), (0.68, 0.82), (0.80, 0.62), (0.86, 0.38), (0.84, 0.16), (0.82, 0.0)],
            (13, 15), (0.28, 0.72),
        ),
    ]

    def knight(self, sheet: Sheet, rng) -> None:
        y, half = self.base(sheet, rng, rng.uniform(0.8, 1.0))
        top = self.top(rng.uniform(0.75, 0.95))
        outline, tips, eye = self.HORSES[int(rng.choice(len(self.HORSES), p=[0.4, 0.2, 0.2, 0.2]))]
        horse = np.array(outline) + rng.normal(0, rng.uniform(0.008, 0.035), (len(outline), 2))
        horse[[0, -1], 1] = 0
        horse[:, 0] += rng.uniform(-0.12, 0.12) * (horse[:, 1] - 0.5)  # leaning
        if rng.random() < 0.15:  # on a stand
            low = y - rng.uniform(0.08, 0.2)
            self.trunk(sheet, rng, y, half * rng.uniform(0.6, 0.9), low, half * 0.6)
            y = low
        wide = min(0.72, half * 2 * rng.uniform(0.95, 1.35))
        mane = tips[1] + 1 + np.arange(3)
        toothed = rng.random() < 0.2
        ears = int(rng.integers(3))
        dropped = [] if ears == 2 else [tips[1]] if ears == 1 else list(tips)
        back = horse[mane]
        if toothed:  # the mane in teeth along the back
            count, deep = int(rng.integers(3, 8)), rng.uniform(0.02, 0.06)
            at = np.linspace(0, len(mane) - 1, 2 * count + 1)
            back = np.stack([np.interp(at, np.arange(len(mane)), horse[mane, axis]) for axis in (0, 1)], 1)
            back[1::2] += deep
        front = np.delete(horse[: mane[0]], [i for i in dropped if i < mane[0]], 0)
        points = np.concatenate([front, back, horse[mane[-1] + 1 :]])

        def place(points):
            points = np.asarray(points, float)
            return np.stack([0.5 + (points[:, 0] - 0.47) * wide / 0.66, y - points[:, 1] * (y - top)], 1)
        sheet.part(smooth(place(points), 1 if toothed else min(2, max(1, self.rounds))))
        if rng.random() < 0.85:
            eye = place([eye])[0]
            size = rng.uniform(0.012, 0.025)
            sheet.spot(disc(eye[0], eye[1], size))
        if rng.random() < 0.5:
            muzzle = horse[8] + [0.05, 0.05]
            sheet.line(place([muzzle, muzzle + [0.06, 0.03]]))
        if rng.random() < 0.15:  # reins
            sheet.line(place([horse[6] + [0.03, 0.06], (0.42, 0.62), horse[tips[1] + 1] - [0.04, 0.04]]))
            sheet.line(place([(0.42, 0.62), (0.62, 0.3)]))
        for _ in range(int(rng.integers(0, 5)) if rng.random() < 0.6 else 0):
            t = rng.uniform(0.1, 0.8)
            sheet.line(place([(0.72 - 0.1 * t, 0.25 + 0.5 * t), (0.62 - 0.14 * t, 0.2 + 0.5 * t)]))
        if rng.random() < 0.4:
            sheet.line(smooth(place([(0.70, 0.05), (0.72, 0.4), (0.62, 0.65), (0.5, 0.8), (0.62, 0.64), (0.7, 0.4)]), 1))

    def man(self, kind: int) -> np.ndarray:
        """Class 1..12 as ink and body; both colours of a type have the same shape."""
        sheet = Sheet(kind <= 6, self.stroke, self.inner, self.joints)
        type_of = (kind - 1) % 6
        self.shape = rng = np.random.default_rng([self.seed, type_of])
        common = np.random.default_rng([self.seed, 99])
        self.bands = common.random() < 0.35
        self.cross_kind, self.cross_weight = int(common.choice(5, p=[0.36, 0.28, 0.2, 0.1, 0.06])), common.uniform(0.12, 0.36)
        (self.pawn, self.knight, self.bishop, self.rook, self.queen, self.king)[type_of](sheet, rng)
        if self.double:
            sheet.second_contour(sheet.stroke + round(0.02 * sheet.side))
        man = sheet.man()
        if self.lean:
            side = man.shape[0]
            slope = np.float32([[1, self.lean, -self.lean * BASE_LINE * side], [0, 1, 0]])
            man = cv2.warpAffine(man, slope, (side, side))
        return man

    def piece_set(self) -> pieces.PieceSet:
        return pieces.PieceSet(f"design{self.seed}", "design", True, {kind: self.man(kind) for kind in range(1, 13)})


def told_apart(art: dict, least: float = 0.15) -> bool:
    """Whether each black man is darker than the white one by `least` of the body: strokes may fill a small white man."""
    share = {kind: float(man[..., 0].sum() / man[..., 1].sum()) for kind, man in art.items()}
    return all(share[kind + 6] - share[kind] > least for kind in range(1, 7))


def drawn(rng: np.random.Generator) -> pieces.PieceSet:
    """A new set whose colours can be told apart."""
    while True:
        piece_set = Design(rng).piece_set()
        if told_apart(piece_set.art):
            return piece_set


class Picker:
    """Draws a set: with the chance `share` a design of its own, else one of the digitized sets.

    Designs are kept in a pool and renewed one at a time, because drawing one costs as much as a board.
    """

    def __init__(self, sets: list[pieces.PieceSet], share: float = 0.3, pool: int = 60):
        self.digitized, self.share, self.size, self.pool = pieces.Picker(sets), share, pool, []

    def __call__(self, rng: np.random.Generator) -> pieces.PieceSet:
        if rng.random() >= self.share:
            return self.digitized(rng)
        if len(self.pool) < self.size:
            self.pool.append(drawn(rng))
            return self.pool[-1]
        place = int(rng.integers(self.size))
        if rng.random() < 0.25:
            self.pool[place] = drawn(rng)
        return self.pool[place]
