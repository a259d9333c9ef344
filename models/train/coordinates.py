#!/usr/bin/env python3
"""Trains the small net that reads coordinates beside a board, from installed fonts.

  python3 coordinates.py --out ../coordinates.bin [--report]

One glyph is 16 x 16 values, 0 paper .. 1 ink: its bounding box, the longer side 14, in the middle (`fitted` here,
`glyph.rs` there). Answers: the letters a to h in either case, the digits 1 to 8, anything else. One hidden layer of
rectified units. `--report` trains without some families and prints how well their glyphs are read.

The file: the 4 bytes "FWC1", then for both layers rows and columns (u32) and the weights row by row with the bias as
last column (f32), all little-endian.
"""

from __future__ import annotations

import argparse
import struct
from pathlib import Path

import cv2
import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont

FONT_ROOT = Path("/usr/share/fonts")
# Families of the Debian packages that pages/README.md names; signs and hands that no book sets coordinates in are left out.
FAMILIES = (
    "Liberation", "DejaVuS", "FreeS", "FreeMono", "LinLibertine", "LinBiolinum", "EBGaramond", "OldStandard", "cmun", "GFSDidot",
    "C059", "URW", "P052", "NimbusS", "NimbusR", "NimbusM",
)  # fmt: skip
HELD = ("GFSDidot", "C059", "EBGaramond", "URWGothic", "cmunb", "LinBiolinum")
CLASSES = [*"abcdefgh", *"12345678", "other"]
# What may stand beside a board and is no coordinate; what looks like one (l, I, S, Z, q) teaches nothing.
OTHERS = "kmnoprtuvwxyjKLMNOPQRTUVWXYJ09.,:;-+*?!()[]/%&=§□■○●△▲▽▼◇"
SIDE, FILL, HIDDEN = 16, 14, 64


def font_files(report: bool) -> tuple[list, list]:
    """Files to train on and files to report on."""
    files = [p for p in sorted(FONT_ROOT.rglob("*.[ot]tf")) + sorted(FONT_ROOT.rglob("*.t1")) if p.name.startswith(FAMILIES)]
    held = [p for p in files if p.name.startswith(HELD)]
    return [p for p in files if p not in held or not report], held


def drawn(rng, font, sign: str) -> np.ndarray:
    """A sign in ink 0..1 on paper, large, with air around."""
    image = Image.new("L", (160, 160), 0)
    ImageDraw.Draw(image).text((80, 110), sign, 255, font, anchor="ms")
    return np.asarray(image, np.float32) / 255


def blob(rng) -> np.ndarray:
    """Dirt, a piece of a line, a corner of a frame."""
    image = np.zeros((160, 160), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        x, y = (int(v) for v in rng.integers(50, 110, 2))
        w, h = (int(v) for v in rng.integers(3, 45, 2))
        if rng.random() < 0.5:
            cv2.ellipse(image, (x, y), (w // 2 + 1, h // 2 + 1), float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        else:
            cv2.line(image, (x, y), (x + w - 20, y + h - 20), 1.0, int(rng.integers(2, 9)))
    return image


def worn(rng, ink: np.ndarray) -> np.ndarray:
    """What press and scanner do: weight, slant, blur, few pixels, grain, a threshold. Ends at any size from 7 to 22 pixels."""
    turn, shear = np.radians(rng.normal(0, 2.5)), rng.normal(0, 0.04)
    move = np.float32([[np.cos(turn), shear - np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0]])
    move[:, 2] = 80 - move[:, :2] @ (80, 80)
    ink = cv2.warpAffine(ink, move, (160, 160))
    if rng.random() < 0.5:
        kernel = np.ones((int(rng.integers(1, 5)), int(rng.integers(1, 5))), np.uint8)
        ink = (cv2.dilate if rng.random() < 0.6 else cv2.erode)(ink, kernel)
    high = float(rng.uniform(6, 40)) / 62  # pixels of a capital in the scan
    small = cv2.resize(ink, None, fx=high, fy=high, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.2, 0.9)))
    small = small + rng.normal(0, rng.choice([0.02, 0.08, 0.15]), small.shape).astype(np.float32)
    if rng.random() < 0.35:
        small = (small > rng.uniform(0.35, 0.6)).astype(np.float32)
    wanted = float(rng.uniform(7, 22)) / 62
    return cv2.resize(small, None, fx=wanted / high, fy=wanted / high, interpolation=cv2.INTER_AREA if wanted < high else cv2.INTER_LINEAR)


def fitted(rng, ink: np.ndarray) -> np.ndarray | None:
    """The bounding box of the ink, its longer side 14 pixels, in the middle of 16 x 16; the darkest is 1."""
    # Faint glyphs are found at a lower threshold, all are stretched to full contrast.
    ink = ink / max(0.2, float(np.percentile(ink, 99.5)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats((ink > rng.uniform(0.3, 0.5)).astype(np.uint8), connectivity=8)
    if count < 2:
        return None
    largest = stats[1:, cv2.CC_STAT_AREA].max()
    boxes = [s for s in stats[1:] if s[cv2.CC_STAT_AREA] > 0.12 * largest]
    x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
    x1, y1 = max(b[0] + b[2] for b in boxes), max(b[1] + b[3] for b in boxes)
    scale = FILL / max(x1 - x0, y1 - y0)
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    # Output pixel centre to input pixel centre.
    move = np.float32([[1 / scale, 0, 0], [0, 1 / scale, 0]])
    move[:, 2] = middle - 0.5 - (SIDE / 2 - 0.5) / scale
    out = cv2.warpAffine(ink, move, (SIDE, SIDE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.clip(out, 0, 1)


def examples(rng, files: list, count: int) -> tuple[np.ndarray, np.ndarray]:
    fonts = [ImageFont.truetype(str(p), 88) for p in files]
    values, answers = [], []
    while len(values) < count:
        font = fonts[int(rng.integers(len(fonts)))]
        choice = rng.random()
        if choice < 0.42:
            answer = int(rng.integers(8))
            sign = "abcdefgh"[answer]
            sign = sign.upper() if rng.random() < 0.35 else sign
        elif choice < 0.75:
            answer = 8 + int(rng.integers(8))
            sign = CLASSES[answer]
        else:
            answer, sign = 16, str(rng.choice(list(OTHERS)))
        if answer == 16 and rng.random() < 0.3:
            ink = blob(rng)
        else:
            ink = drawn(rng, font, sign)
            if answer == 16 and rng.random() < 0.2:
                ink = np.maximum(ink, np.roll(drawn(rng, font, str(rng.choice(list("abcdefgh1234iknors")))), int(rng.integers(25, 45)), 1))
            if answer < 16 and rng.random() < 0.02:  # half a glyph is none
                cut = int(rng.integers(70, 90))
                ink[:, :cut] = 0
                answer = 16
        glyph = fitted(rng, worn(rng, ink))
        if glyph is not None:
            values.append(glyph.ravel())
            answers.append(answer)
    return np.float32(values), np.int64(answers)


def train(values: np.ndarray, answers: np.ndarray, epochs: int, classes: int = len(CLASSES), hidden: int = HIDDEN) -> torch.nn.Sequential:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    net = torch.nn.Sequential(torch.nn.Linear(SIDE * SIDE, hidden), torch.nn.ReLU(), torch.nn.Dropout(0.1), torch.nn.Linear(hidden, classes))
    best = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    x, y = torch.from_numpy(values), torch.from_numpy(answers)
    steps = epochs * (len(x) // 256)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, 4e-3, total_steps=steps)
    loss = torch.nn.CrossEntropyLoss(label_smoothing=0.02)
    for _ in range(epochs):
        order = torch.randperm(len(x))
        for at in range(0, len(x) - 255, 256):
            batch = order[at : at + 256]
            best.zero_grad()
            loss(net(x[batch]), y[batch]).backward()
            best.step()
            plan.step()
    return net.eval()


def write(net: torch.nn.Sequential, path: Path) -> None:
    out = b"FWC1"
    for layer in (net[0], net[3]):
        rows = np.concatenate([layer.weight.detach().numpy(), layer.bias.detach().numpy()[:, None]], 1).astype("<f4")
        out += struct.pack("<II", *rows.shape) + rows.tobytes()
    path.write_bytes(out)


def arguments(description: str) -> argparse.Namespace:
    """The options of a trainer of a small net for glyphs."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--report", action="store_true", help="leave some families out and report on them")
    parser.add_argument("--examples", type=int, default=60_000)
    parser.add_argument("--epochs", type=int, default=24)
    return parser.parse_args()


def main() -> None:
    args = arguments(__doc__)
    rng = np.random.default_rng(1)
    files, held = font_files(args.report)
    net = train(*examples(rng, files, args.examples), args.epochs)
    write(net, args.out)
    values, answers = examples(rng, held if args.report else files, 6000)
    with torch.no_grad():
        said = net(torch.from_numpy(values)).softmax(1)
    taken = said.argmax(1).numpy()
    for name, part in (("letters", answers < 8), ("digits", (answers >= 8) & (answers < 16)), ("others", answers == 16)):
        print(f"{name:8} {100 * (taken[part] == answers[part]).mean():.2f} % of {part.sum()} right, {100 * (taken[part] == 16).mean():.2f} % taken for others")
    print(len(files), "fonts")


if __name__ == "__main__":
    main()
