#!/usr/bin/env python3
"""Makes book pages with exact labels.

  PYTHONPATH=models/train python3 -m pages.generate --out DIR --pages 240 --seed 1

writes the pages and `labels.json` in the shape that the scorer reads: root, pages [file, source,
diagrams [bbox, placement, orientation, side_to_move, caption, number ...]], and besides for each
diagram `corners` (outer corners of the squares, clockwise from the picture's top left) and how it
was made, for each page `kind`, `layout`, `language`, `width`, `height`, `turn`, `negatives`.
Coordinates are continuous pixels of the upright page (pixel i covers i..i+1).
"""

from __future__ import annotations

import argparse
import json
import os
import re
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

import dataset
import designs
import pieces
import warp

from . import boards, captions, degrade, layout, text

cv2.setNumThreads(1)
# Pages are printed finer than the men of the training boards.
pieces.ART_SIZE = 128
# How often each layout is drawn.
SHARES = {"one": 2, "stack": 2, "columns": 1.5, "grid2x2": 2, "grid2x3": 2, "grid3x4": 1.5, "side": 1.5, "spread": 1, "crop": 1.5, "cut": 0.5, "text": 0.4, "negative": 1.2}
# Languages with many chess books come more often.
LANGUAGE_SHARES = {"en": 6, "de": 4, "fr": 2, "es": 2, "it": 2, "ru": 3}
# Correlation of each man with his clean drawing, see `readable`; higher than in training, because
# nobody who labels a real page keeps a board that he cannot read.
LEAST_LIKENESS = 0.55
# Licences under which a picture of the men may be handed on within a GPL-3 project.
FREE = re.compile(r"GPL|LPPL|MIT|CC0|CC BY 4|0BSD|Unlicense|OFL|Apache|Bitstream|public|free for any use")
# A square below this is no reading test any more: labelled "12 to 200 pixels a square".
LEAST_SQUARE = 12.0


def random_book(rng, sets, lexicon, languages, kind: degrade.Kind, dpi: int, varied: bool = True, drawn: float = 0.0) -> layout.Book:
    """Draws one book's habits; with the chance `drawn` its men are designs drawn from nothing, seen nowhere before."""
    weights = np.array([LANGUAGE_SHARES.get(name, 1) for name in languages], float)
    language = str(rng.choice(languages, p=weights / weights.sum()))
    face = text.random_typeface(rng, language)
    names = [n for n in layout.FORMATS if n != "a4" or dpi <= 300]
    size = layout.FORMATS[str(rng.choice(names))]
    latin = face.name("roman") if face.face != "han" else text.FACES["liberation"][0]
    looks = []
    # Without designs nothing is drawn from `rng`: pages of old seeds stay the same.
    designed = drawn > 0 and rng.random() < drawn
    for _ in range(1 if rng.random() < 0.85 else 3):
        men = designs.drawn(rng) if designed else sets[int(rng.integers(len(sets)))]
        look = boards.random_look(rng, men, latin, varied=varied and rng.random() < 0.5)
        if kind.dark_strength != (1.0, 1.0):
            # Only lines that held the page together survive a hard threshold.
            look.darks, look.frame = "hatched" if rng.random() < 0.8 else "gray", look.frame if look.frame != "none" else "single"
            look.dark_strength = float(rng.uniform(*kind.dark_strength))
            # A hairline would be lost with the hatching, and a page without either is no reading test any more.
            look.line = max(look.line, 0.045)
        looks.append(look)
    black_below = float(rng.choice([0, 0, 0, 0.3, 1.0]))
    if black_below:
        # Books that show Black's side print coordinates: without any, no reader can know.
        for look in looks:
            if look.coordinates == "none":
                look.coordinates = "left"
    return layout.Book(language, size, face, looks, captions.random_habit(rng, language), lexicon, black_below, kind.tilt, kind.tilt_max, int(rng.integers(1, 400)), str(rng.choice(["roman", "italic", "bold"], p=[0.6, 0.25, 0.15])))


def readable(clean: np.ndarray, leaf, scan) -> bool:
    """Whether each man still resembles its clean drawing (see `dataset.readable`)."""
    gray = scan.image if scan.image.ndim == 2 else cv2.cvtColor(scan.image, cv2.COLOR_RGB2GRAY)
    for label in leaf.diagrams:
        worn = warp.rectify(gray, scan.points(label["corners"]))
        drawn = warp.rectify((clean * 255).astype(np.uint8), label["corners"])
        grid = boards.from_fen(label["placement"])
        grid = grid[::-1] if label["orientation"] == "black_bottom" else grid
        if not dataset.readable(worn, drawn, grid, LEAST_LIKENESS):
            return False
    return True


def make_page(seed, number: int, sets, lexicon, languages, kind_name: str, layout_name: str | None, varied=True, size=None, dpi_max=600, drawn=0.0):
    """One page: the leaf, the scan and the dpi. The same arguments give the same page."""
    rng = np.random.default_rng([seed, number])
    kind = degrade.KINDS[kind_name]
    dpi = min(dpi_max, int(rng.choice(kind.dpi)))
    shares = dict(SHARES)
    if dpi < 90:
        del shares["grid3x4"]
    if dpi >= 400:
        del shares["spread"]
    names = list(shares)
    chosen = layout_name or str(rng.choice(names, p=np.array(list(shares.values())) / sum(shares.values())))
    # Below 200 dpi the page is printed finer and scanned down, as in life.
    finer = int(np.ceil(200 / dpi))
    while True:
        book = random_book(rng, sets, lexicon, languages, kind, dpi, varied, drawn)
        book.size = layout.FORMATS[size] if size else book.size
        leaf = layout.compose(rng, book, chosen, dpi * finer)
        smallest = min((np.linalg.norm(d["corners"][1] - d["corners"][0]) / 8 / finer for d in leaf.diagrams), default=99)
        if smallest >= LEAST_SQUARE:
            break
    page = leaf.finish()
    if finer > 1:
        page = cv2.resize(page, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA)
        factor = np.array([page.shape[1] / leaf.canvas.image.width, page.shape[0] / leaf.canvas.image.height])
        for label in leaf.diagrams:
            label["corners"] = label["corners"] * factor
        for label in leaf.negatives:
            label["box"] = label["box"] * np.tile(factor, 2)
    for strength in (rng.uniform(0.6, 1.0), 0.5, 0.3, 0.15, 0.0):
        scan = kind.make(rng, page, dpi, float(strength))
        if readable(page, leaf, scan):
            break
    else:
        return None, None, dpi, chosen
    return leaf, scan, dpi, chosen


def save(scan: degrade.Scan, stem: Path, dpi: int, rng=None, path: Path | None = None) -> Path:
    """Writes the picture turned as it was scanned, as G4 TIFF, PNG or JPEG: under `path`, else as suits it."""
    image = Image.fromarray(np.ascontiguousarray(np.rot90(scan.image, -scan.turn // 90)))
    if scan.bitonal:
        image = image.convert("1", dither=Image.Dither.NONE)
    if path is None:
        suffix = ".png" if scan.quality is None else ".jpg"
        path = stem.with_suffix(".tif" if scan.bitonal and rng.random() < 0.6 else suffix)
    more = {".tif": {"compression": "group4"}, ".png": {}, ".jpg": {"quality": scan.quality or 85}}
    image.save(path, dpi=(dpi, dpi), **more[path.suffix])
    return path


def rounded(values, digits: int = 2):
    return [[round(float(v), digits) for v in row] for row in values]


def label_page(leaf, scan, file: str, kind: str, layout_name: str, dpi: int, held: set) -> dict:
    """The page's entry in `labels.json`."""
    height, width = scan.image.shape[:2]
    diagrams = []
    for label in leaf.diagrams:
        corners = scan.points(label.pop("corners"))
        low, high = corners.min(0), corners.max(0)
        sides = [np.linalg.norm(corners[i] - corners[i - 1]) for i in range(4)]
        diagrams.append(
            {"bbox": [round(float(v), 1) for v in (*low, *high)], "corners": rounded(corners)}
            | label
            | {"square": round(float(np.mean(sides)) / 8, 2), "held_out": label["family"] in held}
        )
    figures = []
    for label in leaf.negatives:
        x0, y0, x1, y1 = label["box"]
        box = scan.points(np.float64([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        figures.append({"kind": label["kind"], "bbox": [round(float(v), 1) for v in (*box.min(0), *box.max(0))]})
    return {
        "file": file, "source": kind, "kind": kind, "layout": layout_name, "dpi": dpi, "width": width, "height": height,
        "turn": scan.turn, "diagrams": diagrams, "negatives": figures,
    }  # fmt: skip


def choose_sets(folder: str, families: str, rotation: int, names: str | None, free: bool) -> list:
    """The piece sets: all, those trained on, those held out, or sets and families by name."""
    held = pieces.held_out(rotation)
    rows = {row["set"]: row for row in pieces.read_families()}
    if names:
        wanted = names.split(",")
        return [pieces.load_set(Path(folder) / n, n, rows[n]["family"], rows[n]["print_like"] == "yes") for n in wanted]
    chosen = {"all": {}, "train": {"without": held}, "held": {"families": held}}.get(families, {"families": set(families.split(","))})
    sets = [s for s in pieces.load(folder, **chosen) if not free or FREE.search(rows[s.name]["licence"])]
    # Gray screen men are in no printed book.
    return [s for s in sets if s.print_like and boards.shading(s) < 0.5]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--pages", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first page: the same page whatever came before it")
    parser.add_argument("--kinds", default=",".join(degrade.KINDS), help="degradations, taken in turn")
    parser.add_argument("--layouts", help="layouts, taken in turn (default: drawn)")
    parser.add_argument("--families", default="all", help="all, train, held, or names of families")
    parser.add_argument("--rotation", type=int, default=0, help="which quarter of the families is held out")
    parser.add_argument("--sets", help="names of piece sets instead of families")
    parser.add_argument("--free", action="store_true", help="only sets under free licences")
    parser.add_argument("--drawn", type=float, default=0.0, help="share of books in designs drawn from nothing (`../designs.py`): type that no training has seen")
    parser.add_argument("--languages", help="default: all that the lexicon and the wording know")
    parser.add_argument("--format", choices=list(layout.FORMATS), help="one page size for all")
    parser.add_argument("--dpi-max", type=int, default=600, help="no finer than this: small files")
    parser.add_argument("--plain", action="store_true", help="men as they were drawn, not varied")
    parser.add_argument("--pieces", default=os.environ.get("FENWATCH_PIECES", "work/pieces"), help="folder of piece sets")
    parser.add_argument("--lexicon", default=text.HERE / "phrases.tsv", help="table of phrases: language, phrase, side, kind")
    args = parser.parse_args()

    sets = choose_sets(args.pieces, args.families, args.rotation, args.sets, args.free)
    held, lexicon = pieces.held_out(args.rotation), captions.Lexicon(args.lexicon)
    languages = args.languages.split(",") if args.languages else lexicon.languages()
    kinds, layouts = args.kinds.split(","), args.layouts.split(",") if args.layouts else [None]
    args.out.mkdir(parents=True, exist_ok=True)
    pages = []
    for number in range(args.first, args.first + args.pages):
        kind = kinds[number % len(kinds)]
        wanted = layouts[number % len(layouts)]
        leaf, attempt = None, 0
        while leaf is None:
            # Pages that no strength leaves readable are drawn anew, still from the seed alone.
            leaf, scan, dpi, chosen = make_page(args.seed + 1000003 * attempt, number, sets, lexicon, languages, kind, wanted, not args.plain, args.format, args.dpi_max, args.drawn)
            attempt += 1
        path = save(scan, args.out / f"{number:04d}_{kind}_{chosen}", dpi, np.random.default_rng([args.seed, number, 1]))
        page = label_page(leaf, scan, path.name, kind, chosen, dpi, held)
        page["language"] = page["diagrams"][0]["language"] if page["diagrams"] else None
        pages.append(page)
        print(f"{path.name}: {len(page['diagrams'])} diagrams", flush=True)
        # After each page, so that a run that is stopped leaves labels for what it made.
        text_of = json.dumps({"root": ".", "seed": args.seed, "pages": pages}, ensure_ascii=False, indent=1)
        (args.out / "labels.json").write_text(text_of + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
