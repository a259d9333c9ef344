"""Wear, ink and scanning: from a clean drawing to what a scanner or camera delivers.

`printed` works on the drawing (ink spread, erosion, blots, show-through), `scanned` brings it to
its native resolution and adds light, noise, thresholds and compression. Pictures are float32,
0 black .. 1 white; lengths in squares.
"""

from __future__ import annotations

import cv2
import numpy as np

from textures import smooth_noise

LETTERS = list("abcdefghijklmnopqrstuvwxyz    ")


def ink_spread(rng, image: np.ndarray, square: int) -> np.ndarray:
    """Ink spreads or fails: blur, then a soft threshold that moves."""
    height, width = image.shape
    soft = cv2.GaussianBlur(image, (0, 0), square * rng.uniform(0.008, 0.04))
    if rng.random() < 0.4:
        cells = int(rng.choice([rng.integers(6, 20), rng.integers(40, 200)]))
        soft = soft + smooth_noise(rng, height, width, cells) * np.float32(rng.uniform(0.01, 0.09))
    if rng.random() < 0.25:
        return np.clip(soft, 0, 1)
    at, steep = np.float32(rng.uniform(0.36, 0.74)), np.float32(rng.uniform(4, 16))
    low, high = 1 / (1 + np.exp(steep * at)), 1 / (1 + np.exp(-steep * (1 - at)))
    return ((1 / (1 + np.exp(-steep * (soft - at))) - low) / (high - low)).astype(np.float32)


def uneven(rng, image: np.ndarray) -> np.ndarray:
    """Ink takes badly in places: fainter patches, worn spots."""
    height, width = image.shape
    patchy = smooth_noise(rng, height, width, int(rng.integers(3, 14)))
    out = 1 - (1 - image) * np.clip(1 - np.abs(patchy) * rng.uniform(0.05, 0.35), 0.35, 1)
    if rng.random() < 0.4:  # worn type: specks of paper inside the ink
        worn = smooth_noise(rng, height, width, int(rng.integers(60, 220)))
        out = np.maximum(out, np.clip((worn - rng.uniform(1.0, 2.2)) * 2, 0, rng.uniform(0.3, 1)))
    return out.astype(np.float32)


def squash(rng, image: np.ndarray, square: int) -> np.ndarray:
    """Letterpress: ink is pressed to the rim of a shape, so that its middle is lighter."""
    inner = cv2.GaussianBlur(image, (0, 0), square * rng.uniform(0.03, 0.08))
    return np.clip(image + np.clip(0.5 - inner, 0, 1) * rng.uniform(0.1, 0.7), 0, 1)


def specks(rng, image: np.ndarray) -> np.ndarray:
    """Dirt and drop-outs."""
    spots = (rng.random(image.shape) < rng.uniform(0.0002, 0.004)).astype(np.uint8)
    spots = cv2.dilate(spots, np.ones((int(rng.integers(1, 5)),) * 2, np.uint8))
    return np.where(spots > 0, np.float32(rng.choice([0.05, 0.95])), image)


def blots(rng, image: np.ndarray, square: int) -> None:
    """Ink blots and smudges, up to the size of a man."""
    size = image.shape[0]
    for _ in range(int(rng.integers(1, 6))):
        reach = int(square * rng.uniform(0.06, 0.5))
        x, y = rng.integers(0, size - 2 * reach, 2)
        edge = np.linspace(-1, 1, 2 * reach, dtype=np.float32)
        round_off = (1 - edge[None] ** 2 - edge[:, None] ** 2) * 1.2
        lump = round_off + smooth_noise(rng, 2 * reach, 2 * reach, 6) * 0.5 - 0.45
        cover = np.clip(lump * rng.uniform(1, 4), 0, 1) * rng.uniform(0.1, 0.95)
        region = image[y : y + 2 * reach, x : x + 2 * reach]
        tone = 0.0 if rng.random() < 0.8 else 1.0
        region[:] = region * (1 - cover) + tone * cover


def scratches(rng, image: np.ndarray) -> None:
    """Straight scratches and lines, dark or light."""
    for _ in range(int(rng.integers(1, 4))):
        x0, y0, x1, y1 = (int(v) for v in rng.integers(0, image.shape[0], 4))
        cv2.line(image, (x0, y0), (x1, y1), float(rng.choice([0.1, 0.9])), int(rng.integers(1, 3)), cv2.LINE_AA)


def show_through(rng, image: np.ndarray) -> np.ndarray:
    """Text of the other side, mirrored and faint."""
    size, rows = image.shape[0], int(rng.integers(12, 40))
    back = np.zeros(image.shape, np.uint8)
    for row in range(rows):
        words = "".join(rng.choice(LETTERS, 45))
        cv2.putText(back, words, (int(rng.integers(-40, 20)), int(row * size / rows)), cv2.FONT_HERSHEY_COMPLEX, 0.5, 255, 1, cv2.LINE_AA)
    back = cv2.GaussianBlur(back[:, ::-1], (0, 0), rng.uniform(0.8, 2.5)).astype(np.float32) / 255
    return image * (1 - back * np.float32(rng.uniform(0.05, 0.35)))


def printed(rng, image: np.ndarray, square: int) -> np.ndarray:
    """The press and a hundred years."""
    if rng.random() < 0.85:
        image = ink_spread(rng, image, square)
    if rng.random() < 0.1:
        image = squash(rng, image, square)
    if rng.random() < 0.35:
        image = uneven(rng, image)
    if rng.random() < 0.25:
        image = specks(rng, image)
    image = np.ascontiguousarray(image, np.float32)
    if rng.random() < 0.16:
        blots(rng, image, square)
    if rng.random() < 0.1:
        scratches(rng, image)
    if rng.random() < 0.14:
        image = show_through(rng, image)
    return image.astype(np.float32)


def resample(rng, image: np.ndarray, native: float, square: int) -> np.ndarray:
    """To `native` pixels a square, with more or less antialiasing (too little gives moire)."""
    size = int(round(image.shape[0] * native / square))
    ratio = size / image.shape[0]
    if ratio < 1 and rng.random() > 0.06:
        image = cv2.GaussianBlur(image, (0, 0), max(0.05, 0.35 / ratio * rng.uniform(0.5, 1.4)))
    how = cv2.INTER_AREA if rng.random() < 0.65 else cv2.INTER_LINEAR
    return cv2.resize(image, (size, size), interpolation=how)


def lighting(rng, image: np.ndarray, photo: bool) -> np.ndarray:
    """A gradient, a shadow, faded or heavy contrast, gamma."""
    size = image.shape[0]
    if photo or rng.random() < 0.4:
        reach = 0.4 if photo else 0.18
        gx, gy = rng.uniform(-reach, reach, 2)
        edge = np.linspace(-0.5, 0.5, size, dtype=np.float32)
        image = image * (1 + np.float32(gx) * edge[None] + np.float32(gy) * edge[:, None])
    if photo or rng.random() < 0.2:
        image = image * (1 + smooth_noise(rng, size, size, 3) * np.float32(rng.uniform(0.01, 0.09)))
    if photo and rng.random() < 0.3:  # the shadow of a hand or of the fold
        edge = np.linspace(-1, 1, size, dtype=np.float32) + np.float32(rng.uniform(-1, 1))
        shade = 1 - np.float32(rng.uniform(0.1, 0.5)) / (1 + np.exp(-edge * np.float32(rng.uniform(3, 20))))
        image = image * (shade[None] if rng.random() < 0.5 else shade[:, None])
    if rng.random() < 0.35:
        contrast = rng.uniform(0.35, 1)
        image = image * contrast + rng.uniform(0, 1 - contrast)
    if rng.random() < 0.3:
        image = np.clip(image, 0, None) ** np.float32(rng.uniform(0.6, 1.7))
    return image.astype(np.float32)


def bitonal(rng, image: np.ndarray, native: float) -> np.ndarray:
    """Threshold, global or local, sometimes with noise first (ragged edges)."""
    if rng.random() < 0.5:
        image = image + rng.standard_normal(image.shape).astype(np.float32) * np.float32(rng.uniform(0.01, 0.12))
    if rng.random() < 0.6:
        low, high = np.percentile(image[::3, ::3], [1, 99])
        return (image > low + (high - low) * rng.uniform(0.35, 0.8)).astype(np.float32)
    around = cv2.GaussianBlur(image, (0, 0), native * rng.uniform(0.3, 1.5))
    return (image > around - rng.uniform(0.02, 0.14)).astype(np.float32)


def sharpen(rng, image: np.ndarray) -> np.ndarray:
    """Unsharp mask, as scanners and old web pictures have it: bright rims around ink."""
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 2.0))
    return np.clip(image + (image - soft) * rng.uniform(0.5, 2.5), 0, 1)


def jpeg(rng, image: np.ndarray, low: int = 18) -> np.ndarray:
    """JPEG there and back, uint8 in and out."""
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(low, 92))])[1]
    return cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE)


def native_size(rng, least: float = 12.5) -> float:
    """Pixels of a square in the scan: `least` to 62, by default half of them under 30."""
    return float(np.exp(rng.uniform(np.log(least), np.log(62))))


def scanned(rng, image: np.ndarray, square: int, screen: bool, native: float | None = None):
    """The scan: uint8 picture and its pixels a square."""
    native = native or native_size(rng)
    photo = rng.random() < 0.15
    if rng.random() < 0.12 and native < 40 and not screen:
        # A good bitonal scan made smaller afterwards: gray again, hatching as even tone.
        fine = bitonal(rng, resample(rng, image, min(native * rng.uniform(1.5, 3), 80), square), native)
        image, square = fine, fine.shape[0] * square / image.shape[0]
    image = resample(rng, image, native, square)
    if rng.random() < 0.25:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 0.04 * native + 0.4))
    image = lighting(rng, image, photo)
    if rng.random() < 0.6:
        noise = rng.standard_normal(image.shape).astype(np.float32)
        if rng.random() < 0.3:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 2
        image = image + noise * np.float32(rng.uniform(0.003, 0.06))
    image = np.clip(image, 0, 1)
    if rng.random() < 0.18:
        image = sharpen(rng, image)
    if not screen and rng.random() < 0.22:
        image = bitonal(rng, image, native)
    out = (image * 255 + 0.5).astype(np.uint8)
    if rng.random() < 0.45:
        out = jpeg(rng, out)
    return out, native
