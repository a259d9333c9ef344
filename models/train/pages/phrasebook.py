#!/usr/bin/env python3
"""Makes pages that print every caption of the phrase tables and every mark, language by language.

  PYTHONPATH=models/train python3 -m pages.phrasebook --out DIR --languages de,ru,marks --pages 20

Where `pages.generate` draws a usual mixture, this goes through the tables: each phrase of a language comes once before any
comes again, traps among them. The language `marks` prints □ ■ ○ ● △ ▲ ▽ ▼ at every place, number bubbles, letters and
move cues; the language `chapter` is a book whose headings speak for later pages. Labels are those of `generate.py`; a diagram's `way` says what is printed (`side_to_move`, `win`, `draw`, `mate`,
`helpmate`, `selfmate`, `after_move`, `trap`, `either`, `question`, `mark ...`, `letter ...`, `bubble ...`, `cue`, `heading`), and its
`side_to_move` is null where that must give no side.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import json
import os
import re
from pathlib import Path

import numpy as np

import pieces

from . import boards, captions, degrade, generate, layout, positions, text

KINDS = ("side_to_move", "win", "draw", "mate", "helpmate", "selfmate", "after_move", "trap", "either", "question")
SETS = "li_merida,li_cburnett,pd_cuernavaca,uni_freeserif,scidb_usual,deb_skaknew,openchessfont"
LAYOUTS = ["grid2x3", "grid2x2", "grid2x3", "stack", "grid2x3", "side", "one"]
# White's and Black's letter; the languages that print them.
LETTERS = {"en": "WB", "de": "WS", "fr": "BN", "es": "BN", "it": "BN", "nl": "WZ", "pl": "BC", "cs": "BČ", "pt": "BP", "hu": "VS", "sv": "VS", "ru": "БЧ"}
PAIRS = ["□■", "○●", "△▲", "▽▼"]
PLACES = ["own end", "bottom", "top", "left", "above", "below", "before number", "after number", "before names", "black only"]
BUBBLES = [("ring", "disc"), ("box", "block")]
CUES = [("1.?", "1...?"), ("23.?", "23...?"), ("1.", "1..."), ("1. ?", "1. ... ?")]


def items(language: str, tables: list) -> list:
    """The phrases of a language: text, side (w, b or None), kind."""
    out = {}
    for table in tables:
        with open(table, newline="", encoding="utf-8") as handle:
            lines = (line for line in handle if not line.startswith("#"))
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                words = row["phrase"]
                # What only a note in words describes cannot be printed.
                told = row["kind"] in KINDS and "(study" not in words
                if row["language"].split("-")[0] == language and told:
                    out.setdefault(words, (words, row["side"] if row["side"] in "wb" else None, row["kind"]))
    return list(out.values())


def position(rng, side: str | None, needs_last: bool = False) -> positions.Position:
    """A position without a check, which would tell the side by itself."""
    while True:
        found = positions.draw(rng, "game" if needs_last else str(rng.choice(["game", "endgame"])))
        if not found.board.is_check() and found.side == (side or found.side):
            return found


def numbered(rng, habit: dict, number: int) -> captions.Caption:
    caption = captions.Caption(number=str(number) if habit["number"] else None)
    if habit["number"]:
        caption.above.append(habit["number"].format(number))
    if habit["players"]:
        names = rng.choice(["Weber", "Larsson", "Petit", "Moreno", "Novak", "Hollis", "Brandt", "Ferri"], 2, replace=False)
        caption.above.append(f"{names[0]} – {names[1]}, {rng.integers(1880, 1999)}")
    return caption


def phrase(rng, habit: dict, item, language: str, number: int):
    """A diagram with a phrase as the habit prints it."""
    words, side, kind = item
    caption = numbered(rng, habit, number)
    last = re.search(r"\d+[ .]*[^\W\d]\S*\d", words) if kind == "after_move" else None
    found = position(rng, side, bool(last))
    if last:
        words = words[: last.start()] + captions.last_move(found, language) + words[last.end() :]
    if habit["capitals"] and language not in ("tr", "el"):
        words = words.upper()
    words = words.rstrip(".") + "." if habit["stop"] and not words.endswith(("?", "!")) else words
    words = f"({words})" if habit["brackets"] else words
    if habit["above"]:
        caption.above.append(words)
    elif habit["one_line"] and habit["number"] == "{}.":
        caption.below, caption.above = [f"{caption.above[0]} {words}"], caption.above[1:]
    else:
        caption.below.append(words)
    caption.side, caption.source, caption.way = side, kind if side else None, kind
    return found, caption


def sign(rng, habit: dict, way: str, signs, number: int):
    """A diagram with a mark, a letter, a bubble or a move cue."""
    side = str(rng.choice(["w", "b"]))
    found, shown = position(rng, side), signs[side == "b"]
    caption = numbered(rng, habit, number)
    kind, _, place = way.partition(" ")
    caption.side, caption.source, caption.way = side, kind, way
    if kind == "bubble":
        caption.above, caption.number, caption.bubble = [str(number)], str(number), shown
    elif place in ("own end", "bottom", "top", "left", "black only"):
        if place == "black only" and side == "w":
            caption.way += " (none)"
            return found, caption
        end = {"bottom": "bottom", "top": "top"}.get(place, "bottom" if side == "w" else "top")
        caption.mark, caption.mark_end = shown, end
    elif place == "above":
        caption.above.append(shown)
    elif place == "before number":
        caption.above[:1] = [f"{shown} {caption.above[0] if caption.above else number}"]
    elif place == "after number":
        caption.above[:1] = [f"{caption.above[0] if caption.above else number} {shown}"]
    elif place == "before names":
        caption.below.append(f"{shown} Weber – Larsson, {rng.integers(1880, 1999)}")
    else:
        caption.below.append(f"({shown})" if place == "brackets" else shown)
    if kind == "mark":
        caption.mark = shown
        if place in ("above", "below", "before number", "after number", "before names"):
            # Set in the line; the board itself shows none.
            caption.mark = None
    return found, caption


# The pages of one book whose headings speak for the diagrams of later pages: heading, side of the silent diagrams.
CHAPTER = [("Black to move", None), ("Exercises", "b"), ("Exercises", "b"), ("White to play and win", "w"), ("Exercises", "w")]


def chapter_page(rng, number: int, sets, lexicon, kind: str, dpi: int) -> layout.Leaf:
    """A page of that book; the first is a leaf with nothing but its title."""
    heading, side = CHAPTER[number % len(CHAPTER)]
    book = book_of(rng, "en", sets, lexicon, kind)
    if side is None:
        leaf = layout.Leaf(text.Canvas(*book.size, dpi))
        middle, face = book.size[0] / 2, book.face
        leaf.canvas.line("PART TWO", middle, book.size[1] * 0.3, face.name("roman"), face.body * 1.3, "m")
        leaf.canvas.line(heading, middle, book.size[1] * 0.36, face.name("bold"), face.body * 2.0, "m")
        return leaf
    book.heading = heading
    for at in range(4):
        caption = captions.Caption([str(4 * number + at)], number=str(4 * number + at), side=side, source="heading", way="heading")
        book.given.append((position(rng, side), caption))
    while True:
        leaf = layout.compose(rng, dataclasses.replace(book, given=list(book.given)), "grid2x2", dpi)
        # a page may come without its running head, and a grid with a gap
        if len(leaf.diagrams) == 4 and (side == "b" or number % len(CHAPTER) == 4 or leaf.canvas.image.crop((0, 0, leaf.canvas.image.width, round(leaf.canvas.image.height * 0.07))).getextrema()[0] < 128):
            return leaf


def habit(rng, language: str) -> dict:
    """How one book prints its captions."""
    number = str(rng.choice(captions.NUMBERS.get(language, ["{}", "{}."]))) if rng.random() < 0.75 else None
    chance = lambda p: bool(rng.random() < p)
    return {"number": number, "players": chance(0.12), "above": chance(0.15), "one_line": chance(0.4), "capitals": chance(0.1), "stop": chance(0.3), "brackets": chance(0.08)}


def sign_pages() -> list:
    """(way, White's and Black's sign, language) of each kind of page without phrases."""
    out = [(f"mark {place}", pair, "en") for place in PLACES for pair in PAIRS]
    for language, pair in LETTERS.items():
        for at, place in enumerate(["below", "own end", "brackets", "above"]):
            out.append((f"letter {place}", pair.lower() if at % 2 and language not in ("fr", "es", "it", "pl", "cs", "pt") else pair, language))
    out += [(f"bubble {pair[0]}", pair, "en") for pair in BUBBLES]
    return out + [("cue", pair, "en") for pair in CUES]


def book_of(rng, language: str, sets, lexicon, kind: str) -> layout.Book:
    """A book of a language whose boards seldom print coordinates. A threshold would take gray squares away whole."""
    face = text.random_typeface(rng, language)
    while face.face == "garamond":  # its bold face has no accents
        face = text.random_typeface(rng, language)
    latin = face.name("roman") if face.face not in ("han", "arabic") else text.FACES["liberation"][0]
    darks = "hatched" if kind == "bitonal" else None
    look = boards.random_look(rng, sets[int(rng.integers(len(sets)))], latin, darks, varied=False)
    if kind == "bitonal" and look.frame == "none":
        look.frame = "single"
    if rng.random() < 0.5:
        look.coordinates = "none"
    size = layout.FORMATS[str(rng.choice(["pocket", "a5", "octavo"]))]
    style = str(rng.choice(["roman", "italic", "bold"], p=[0.6, 0.25, 0.15]))
    silent = captions.Habit(language, way="nothing")
    # a caption that runs into its neighbour's is nobody's
    return layout.Book(language, size, face, [look], silent, lexicon, 0.0, 0.25, 1.0, caption_style=style, caption_share=0.85)


def make(seed: int, language: str, number: int, queue: list, sets, lexicon, kind: str, dpi_max: int, wear: float = 0.5):
    """One page; takes what it prints from `queue`."""
    rng = np.random.default_rng([seed, number, *language.encode()])
    dpi = min(dpi_max, int(rng.choice(degrade.KINDS[kind].dpi)))
    if language == "chapter":
        leaf = chapter_page(rng, number, sets, lexicon, kind, dpi)
        for strength in (wear, wear / 2, 0.0):
            scan = degrade.KINDS[kind].make(rng, leaf.finish(), dpi, strength)
            if generate.readable(leaf.finish(), leaf, scan):
                break
        return leaf, scan, dpi, "grid2x2" if leaf.diagrams else "text"
    if language == "marks":
        way, pair, spoken = queue[number % len(queue)]
    else:
        way, spoken = None, language
    plan = LAYOUTS[number % len(LAYOUTS)] if way is None else "grid2x3"
    count = {"grid2x3": 6, "grid2x2": 4, "stack": 3, "side": 3, "one": 1}[plan]
    taken = [] if way else [queue[(number * 5 + i) % len(queue)] for i in range(count)]
    while True:
        book, how = book_of(rng, spoken, sets, lexicon, kind), habit(rng, spoken)
        first = int(rng.integers(1, 400))
        book.habit.mark_side = "left" if way and way.endswith("left") else "right"
        if way:
            how |= {"brackets": False, "above": False}
            if "number" in way:
                how["number"] = how["number"] or "{}"
            book.given = [sign(rng, how, way, pair, first + i) for i in range(count)]
        else:
            book.given = [phrase(rng, how, item, language, first + i) for i, item in enumerate(taken)]
        leaf = layout.compose(rng, book, plan, dpi)
        if not leaf.diagrams:
            continue
        page = leaf.finish()
        scan = degrade.KINDS[kind].make(rng, page, dpi, wear)
        if generate.readable(page, leaf, scan):
            return leaf, scan, dpi, plan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--languages", required=True, help="codes, marks, chapter; with a number of pages of its own: de:5")
    parser.add_argument("--pages", type=int, default=20, help="of each language")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default="clean,gray,bitonal,jpeg,grain", help="degradations, taken in turn")
    parser.add_argument("--dpi-max", type=int, default=300)
    parser.add_argument("--wear", type=float, default=0.5, help="how strongly, 0 to 1")
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--pieces", default=os.environ.get("FENWATCH_PIECES", "work/pieces"))
    parser.add_argument("--tables", nargs="+", default=[text.HERE.parents[2] / "src/caption/lexicon.tsv", text.HERE / "printed.tsv"])
    args = parser.parse_args()
    sets = generate.choose_sets(args.pieces, "all", 0, args.sets, False)
    lexicon, kinds, pages = captions.Lexicon(text.HERE / "phrases.tsv"), args.kinds.split(","), []
    args.out.mkdir(parents=True, exist_ok=True)
    for wanted in args.languages.split(","):
        language, _, count = wanted.partition(":")
        queue = sign_pages() if language == "marks" else [] if language == "chapter" else items(language, args.tables)
        queue = [queue[i] for i in np.random.default_rng(args.seed).permutation(len(queue))]
        for number in range(args.first, args.first + int(count or args.pages)):
            kind = kinds[number % len(kinds)]
            leaf, scan, dpi, plan = make(args.seed, language, number, queue, sets, lexicon, kind, args.dpi_max, args.wear)
            path = generate.save(scan, args.out / f"{language}_{number:03d}_{kind}", dpi, np.random.default_rng(number))
            page = generate.label_page(leaf, scan, path.name, kind, plan, dpi, pieces.held_out(0))
            page["language"] = language
            pages.append(page)
            print(f"{path.name}: {len(page['diagrams'])} diagrams", flush=True)
            words = json.dumps({"root": ".", "seed": args.seed, "pages": pages}, ensure_ascii=False, indent=1)
            (args.out / "labels.json").write_text(words + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
