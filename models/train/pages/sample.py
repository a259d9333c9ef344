#!/usr/bin/env python3
"""Makes the sample book: five pages of endings that everyone knows, as a first thing to scan.

  PYTHONPATH=models/train python3 -m pages.sample --out samples --pieces DIR

The positions stand in `sample.tsv`; each is legal, and each caption's side is the FEN's side.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import time
from pathlib import Path

import chess
import numpy as np
from PIL import Image

import pieces

from . import boards, captions, degrade, generate, layout, positions, text

SEED = 1921
BOOK = "Sample Endings"
# One entry a page: file, language, heading, layout, degradation, resolution, piece set, face, dark
# squares and the seed of their hatching, frame. The last two become the pages of one PDF.
PAGES = [
    ("01.png", "en", "Rook Endings", "stack", "clean", 150, "pd_cuernavaca", "century", "gray", 1, "single"),
    ("02.jpg", "en", "Studies", "grid2x2", "gray", 200, "uni_freeserif", "oldstandard", "hatched", 17, "double"),
    ("03.tif", "de", "Endspiele", "grid2x2", "bitonal", 300, "li_merida", "modern", "hatched", 24, "single"),
    ("04.pdf", "de", "Aufgaben", "grid2x2", "shade", 150, "li_cburnett", "libertine", "dotted", 3, "thick"),
    ("04.pdf", "en", "Queen and Pawn", "stack", "through", 150, "pd_cuernavaca", "liberation", "hatched", 14, "single"),
]  # fmt: skip
# A PDF carries dates; a fixed one keeps the file the same each time it is made.
DATE = time.struct_time((2024, 1, 1, 0, 0, 0, 0, 1, 0))


def read_items(lexicon: captions.Lexicon) -> dict:
    """The positions by page, checked: legal, and each phrase says who moves in the FEN."""
    sides = {phrase: key[1] for key, phrases in lexicon.rows.items() for phrase in phrases}
    items: dict[int, list] = {}
    number = 0
    with open(text.HERE / "sample.tsv", newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle, delimiter="\t"):
            number += 1
            board = chess.Board(row["fen"])
            said = sides[row["below"]] if row["below"] else "w" if row["mark"] in captions.MARKS["w"] else "b"
            if not board.is_valid() or said != ("w" if board.turn else "b"):
                raise ValueError(f"sample.tsv: {row['fen']} is not legal or not what its caption says")
            caption = captions.Caption([str(number)], [row["below"]] if row["below"] else [], row["mark"] or None, str(number))
            if row["above"]:
                caption.above[0] += f". {row['above']}"
            caption.side, caption.source = said, "mark" if row["mark"] else "phrase"
            items.setdefault(int(row["page"]), []).append((positions.Position(board, "endgame"), caption))
    return items


def make(number: int, entry, folder: str, lexicon, items: list):
    """One page: leaf and scan."""
    _, language, heading, plan, kind, dpi, name, face_name, darks, dark_seed, frame = entry
    piece_set = generate.choose_sets(folder, "all", 0, name, False)[0]
    face = text.Typeface(face_name, 10.0, 13.0)
    # The seed is moved on until the layout holds all of the page's boards.
    for attempt in range(50):
        rng = np.random.default_rng([SEED, number, attempt])
        look = boards.random_look(rng, piece_set, face.name("roman"), darks, frame, varied=False)
        look.dark_seed, look.grid, look.letters = dark_seed, False, "lower"
        look.coordinates = "left" if number in (1, 4) else "none"
        look.style.scale, look.style.shift_each, look.style.turn_each = 0.94, 0.0, 0.0
        look.style.block, look.style.aspect, look.style.size_kind, look.style.shift = 0.0, 1.0, 0.0, (0.0, 0.0)
        habit = captions.Habit(language)
        book = layout.Book(language, layout.FORMATS["octavo"], face, [look], habit, lexicon, 0.0, given=list(items), notation=0.0, heading=heading)
        leaf = layout.compose(rng, book, plan, dpi)
        if len(leaf.diagrams) != len(items) or book.given or leaf.negatives:
            continue
        page = leaf.finish()
        scan = degrade.KINDS[kind].make(rng, page, dpi, 0.5)
        if generate.readable(page, leaf, scan):
            return leaf, scan
    raise RuntimeError(f"page {number}: no layout holds its boards")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--pieces", default=os.environ.get("FENWATCH_PIECES", "work/pieces"))
    parser.add_argument("--lexicon", default=text.HERE / "phrases.tsv")
    args = parser.parse_args()
    lexicon, book = captions.Lexicon(args.lexicon), args.out / BOOK
    items, labels, bound = read_items(lexicon), [], []
    book.mkdir(parents=True, exist_ok=True)
    for number, entry in enumerate(PAGES, 1):
        leaf, scan = make(number, entry, args.pieces, lexicon, items[number])
        name, plan, kind, dpi = entry[0], entry[3], entry[4], entry[5]
        if name.endswith(".pdf"):
            bound.append((Image.fromarray(scan.image), dpi))
        else:
            generate.save(scan, book / Path(name).stem, dpi, path=book / name)
        page = generate.label_page(leaf, scan, f"{BOOK}/{name}", kind, plan, dpi, pieces.held_out(0))
        page["page"] = len(bound) or 1
        for label, (position, _) in zip(page["diagrams"], items[number]):
            label["fen"] = position.board.fen()
        labels.append(page)
    first, *others = [image for image, _ in bound]
    first.save(book / "04.pdf", save_all=True, append_images=others, resolution=bound[0][1], quality=80, title=BOOK, creationDate=DATE, modDate=DATE)
    (args.out / "labels.json").write_text(json.dumps({"root": ".", "pages": labels}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
