#!/usr/bin/env python3
"""Gathers piece art: from a folder of ready sets, or from packages of Debian, npm and PyPI.

A ready set is a folder of wP.png ... bK.png, 128 x 128 with alpha. With --from (or the variable
FENWATCH_PIECES) such a folder is linked; otherwise the sets of `packages.tsv` are fetched with the
registries' own clients (apt-get download, npm pack, pip download) and drawn. The sets that only
repositories offer are not fetched: see families.tsv for where they come from.

Needs dpkg-deb and apt-get for Debian's packages; a client that is missing costs its sets only.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
SIZE = 128
PIECES = "PNBRQK"
NAMES = dict(P="Pawn", N="Knight", B="Bishop", R="Rook", Q="Queen", K="King")
# The usual encoding of diagram fonts: a man of White and of Black on a light square.
LETTERS = {"w": dict(zip(PIECES, "pnbrqk")), "b": dict(zip(PIECES, "omvtwl"))}
INITIALS = {"w": dict(zip(PIECES, PIECES)), "b": dict(zip(PIECES, PIECES.lower()))}
UNICODE = {"w": dict(zip("KQRBNP", "\u2654\u2655\u2656\u2657\u2658\u2659")), "b": dict(zip("KQRBNP", "\u265a\u265b\u265c\u265d\u265e\u265f"))}


def run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def fetch(registry: str, package: str, work: Path) -> Path:
    """Downloads and unpacks a package once; returns the folder of its files."""
    target = work / registry / package
    if (target / ".done").exists():
        return target
    target.mkdir(parents=True, exist_ok=True)
    if registry == "debian":
        run(["apt-get", "download", package], target)
        run(["dpkg-deb", "-x", str(next(target.glob("*.deb"))), str(target)], target)
    elif registry == "npm":
        run(["npm", "pack", "--silent", package], target)
        with tarfile.open(next(target.glob("*.tgz"))) as archive:
            archive.extractall(target, filter="data")
    elif registry == "pypi":
        run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", package], target)
        with zipfile.ZipFile(next(target.glob("*.whl"))) as archive:
            archive.extractall(target)
    else:
        raise ValueError(f"{registry}: unknown registry")
    (target / ".done").touch()
    return target


def from_svg(path: Path) -> np.ndarray:
    """An SVG drawing as RGBA, twice SIZE wide."""
    import resvg_py  # only needed here: without it the other kinds still work

    data = bytes(resvg_py.svg_to_bytes(svg_path=str(path), width=2 * SIZE, dpi=96))
    return np.array(Image.open(io.BytesIO(data)).convert("RGBA"))


def from_outline(ink: np.ndarray) -> np.ndarray:
    """A glyph (ink 0..1) as RGBA: what its outline encloses is the man's white body."""
    height, width = ink.shape
    outside = np.pad((ink < 0.5).astype(np.uint8), 1, constant_values=1)
    mask = np.zeros((height + 4, width + 4), np.uint8)
    cv2.floodFill(outside, mask, (0, 0), 2)
    body = np.maximum((outside[1:-1, 1:-1] != 2).astype(np.float32), ink)
    gray = np.where(body > 0, (body - ink) / np.maximum(body, 1e-6), 0)
    return (np.dstack([gray, gray, gray, body]) * 255).astype(np.uint8)


def from_font(path: Path, letter: str) -> np.ndarray:
    """One glyph of a font."""
    font = ImageFont.truetype(str(path), 4 * SIZE)
    canvas = Image.new("L", (8 * SIZE, 8 * SIZE))
    ImageDraw.Draw(canvas).text((SIZE, SIZE), letter, fill=255, font=font)
    ink = np.array(canvas).astype(np.float32) / 255
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    if not len(rows):
        raise ValueError(f"{path}: no glyph for {letter!r}")
    return from_outline(np.pad(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], 4))


def from_sheet(path: Path, kind: str, colour: str, piece: str) -> np.ndarray:
    """One cell of a sheet: `eboard` (rows w b, columns R N B Q K P + squares) or a `strip` of twelve."""
    sheet = np.array(Image.open(path).convert("RGBA"))
    if kind == "eboard":
        size = sheet.shape[1] // 7
        row, column = "wb".index(colour), "RNBQKP".index(piece)
        cell = sheet[row * size : (row + 1) * size, column * size : (column + 1) * size].copy()
        key = sheet[0, 0, :3]  # the colour that means transparent
        cell[(cell[..., :3] == key).all(-1), 3] = 0
        return cell
    size = sheet.shape[0]
    column = PIECES.index(piece) + 6 * "wb".index(colour)
    return sheet[:, column * size : (column + 1) * size]


def draw(row: dict, folder: Path, colour: str, piece: str) -> np.ndarray:
    """The man `colour` `piece` of one row of packages.tsv, RGBA of any size."""
    whole = dict(w="White", b="Black")[colour]
    path = folder / row["path"].format(c=colour, p=piece.lower(), P=piece, Colour=whole, Piece=NAMES[piece])
    if not path.exists():
        raise FileNotFoundError(f"{path}: not in the package")
    kind = row["kind"]
    if kind == "svg":
        return from_svg(path)
    if kind == "png":
        return np.array(Image.open(path).convert("RGBA"))
    encoding = {"letters": LETTERS, "initials": INITIALS, "unicode": UNICODE}.get(kind)
    if encoding:
        return from_font(path, encoding[colour][piece])
    return from_sheet(path, kind, colour, piece)


def shared_box(men: dict) -> dict:
    """All men of a set to SIZE x SIZE at one scale, standing on one line, the largest filling 94 %."""
    boxes = {}
    for key, man in men.items():
        rows, columns = np.flatnonzero(man[..., 3].max(1) > 8), np.flatnonzero(man[..., 3].max(0) > 8)
        boxes[key] = man[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = 0.94 * SIZE / max(max(box.shape[:2]) for box in boxes.values())
    foot = SIZE // 2 + int(scale * max(box.shape[0] for box in boxes.values())) // 2
    out = {}
    for key, box in boxes.items():
        premultiplied = box.astype(np.float32) / 255
        premultiplied[..., :3] *= premultiplied[..., 3:]
        size = (max(1, round(box.shape[1] * scale)), max(1, round(box.shape[0] * scale)))
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        small = np.clip(cv2.resize(premultiplied, size, interpolation=how), 0, 1)
        canvas = np.zeros((SIZE, SIZE, 4), np.float32)
        x, y = (SIZE - size[0]) // 2, max(0, min(foot, SIZE) - size[1])
        canvas[y : y + size[1], x : x + size[0]] = small
        alpha = np.maximum(canvas[..., 3:], 1e-6)
        canvas[..., :3] = np.clip(canvas[..., :3] / alpha, 0, 1)
        out[key] = (canvas * 255 + 0.5).astype(np.uint8)
    return out


def gather(out: Path, work: Path, only: set[str] | None = None) -> tuple[int, list[str]]:
    """Fetches and draws the sets of packages.tsv; returns how many, and what failed and why."""
    done, failed = 0, []
    with open(HERE / "packages.tsv", newline="", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t"))
    for row in rows:
        if only and row["set"] not in only:
            continue
        folder = out / row["set"]
        if (folder / "bK.png").exists():
            done += 1
            continue
        try:
            source = fetch(row["registry"], row["package"], work)
            men = shared_box({c + p: draw(row, source, c, p) for c in "wb" for p in PIECES})
        except (ImportError, OSError, ValueError, subprocess.CalledProcessError, StopIteration) as error:
            failed.append(f"{row['set']}: {error}")
            continue
        folder.mkdir(parents=True, exist_ok=True)
        for key in sorted(men, key=lambda k: k == "bK"):
            Image.fromarray(men[key]).save(folder / f"{key}.png")
        done += 1
    return done, failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="source", default=os.environ.get("FENWATCH_PIECES"), help="folder of ready sets to use")
    parser.add_argument("--out", default=str(HERE / "work" / "pieces"), help="folder of the sets")
    parser.add_argument("--work", default=str(HERE / "work" / "packages"), help="folder for downloaded packages")
    parser.add_argument("--only", nargs="*", help="names of sets, for trying out")
    args = parser.parse_args()
    out = Path(args.out)
    if args.source:
        out.mkdir(parents=True, exist_ok=True)
        linked = 0
        for folder in sorted(Path(args.source).resolve().iterdir()):
            if (folder / "bK.png").exists():
                linked += 1
                if not (out / folder.name).exists():
                    (out / folder.name).symlink_to(folder, target_is_directory=True)
        print(f"{linked} ready sets in {args.source}")
        return
    done, failed = gather(out, Path(args.work), set(args.only) if args.only else None)
    for line in failed:
        print(f"left out: {line}", file=sys.stderr)
    print(f"{done} sets drawn from packages, {len(failed)} left out")
    if not done:
        sys.exit("no piece set could be gathered")


if __name__ == "__main__":
    main()
