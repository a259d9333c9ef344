#!/usr/bin/env python3
"""Trains the small net that reads the signs of short caption lines (numbers, letters that name a side), from installed fonts.

  python3 signs.py --out ../signs.bin [--report]

Glyphs, layers and file as in `coordinates.py`, but for the answers: the digits, the letters that books print for a side (in
either case where both look alike), brackets, a question mark, anything else.
"""

from __future__ import annotations

import numpy as np
import torch
from PIL import ImageFont

from coordinates import arguments, blob, drawn, fitted, font_files, train, worn, write

# The first sign names the class; the others look like it at any size.
CLASSES = ["0Oo", "1", "2", "3", "4", "5", "6", "7", "8", "9", "Ww", "B", "b", "Ss", "N", "n", "Cc", "Pp", "Vv", "Zz", "Čč", "Б", "б", "Чч", "(", ")", "?", "other"]
# What looks like one of them (l, I, q, З) teaches nothing.
OTHERS = "ADEFGHJKLMQRTUXYadefghijkmrtuyДГЛЖФ%&+*!§/-–=□■○●△▲▽▼◇"
HIDDEN = 96


def known_signs(font) -> dict:
    """The signs of each class, and the others, that a font has."""
    missing = font.getmask("\uffff").getbbox(), bytes(font.getmask("\uffff"))
    has = lambda sign: (font.getmask(sign).getbbox(), bytes(font.getmask(sign))) != missing
    signs = [[sign for sign in name if has(sign)] for name in CLASSES[:-1]]
    return [*signs, [sign for sign in OTHERS if has(sign)]]


def examples(rng, files: list, count: int) -> tuple[np.ndarray, np.ndarray]:
    fonts = [ImageFont.truetype(str(p), 88) for p in files]
    fonts = [(font, signs) for font in fonts if all((signs := known_signs(font))[:10])]
    other = len(CLASSES) - 1
    values, answers = [], []
    while len(values) < count:
        font, signs = fonts[int(rng.integers(len(fonts)))]
        choice = rng.random()
        answer = int(rng.integers(10)) if choice < 0.4 else int(rng.integers(10, other)) if choice < 0.75 else other
        if not signs[answer]:
            continue
        if answer == other and rng.random() < 0.3:
            ink = blob(rng)
        else:
            ink = drawn(rng, font, str(rng.choice(signs[answer])))
            if answer == other and rng.random() < 0.3:  # two that touch
                ink = np.maximum(ink, np.roll(drawn(rng, font, str(rng.choice(list("0123456789WBSN")))), int(rng.integers(30, 45)), 1))
            elif answer < other and rng.random() < 0.02:  # half a glyph is none
                ink[:, : int(rng.integers(74, 90))] = 0
                answer = other
        glyph = fitted(rng, worn(rng, ink))
        if glyph is not None:
            values.append(glyph.ravel())
            answers.append(answer)
    return np.float32(values), np.int64(answers)


def main() -> None:
    args = arguments(__doc__)
    rng = np.random.default_rng(1)
    files, held = font_files(args.report)
    net = train(*examples(rng, files, args.examples), args.epochs, len(CLASSES), HIDDEN)
    write(net, args.out)
    values, answers = examples(rng, held if args.report else files, 6000)
    with torch.no_grad():
        said = net(torch.from_numpy(values)).softmax(1)
    sure, taken = (value.numpy() for value in said.max(1))
    for at, name in enumerate(CLASSES):
        part = answers == at
        if part.any():
            worst = np.bincount(taken[part & (taken != at)], minlength=len(CLASSES)).argmax()
            wrong = part & (taken != at) & (sure > 0.9) & (taken != len(CLASSES) - 1)
            print(f"{name:6} {100 * (taken[part] == at).mean():6.2f} % of {part.sum():4} right, {wrong.sum()} surely wrong, most for {CLASSES[worst]}")
    print(f"{100 * (taken == answers).mean():.2f} % right; {len(files)} fonts")


if __name__ == "__main__":
    main()
