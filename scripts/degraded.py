#!/usr/bin/env python3
"""Measures the finder on generated pages, by kind of wear: what was found, where, the right way up, in which order.

Usage: degraded.py [--bin target/release/fenwatch] [--arg=...] [--errors] [--by kind|layout|frame|dark_squares|coordinates] LABELS.json

LABELS.json is what `python -m pages.generate` writes (models/train/pages/README.md). Corners of turned pages are
mapped to the picture as it is stored. Columns:
  found     labelled boards matched by a read one (overlap 0.7 or more)
  corner    mean distance of the matched corners from the true ones, in squares
  turned    matched boards whose reading fits the truth better after a turn: the page or the side below was taken wrongly
  exact     boards with all 64 squares right
  extra     read boards that match no label, and how many of them no figure on the page explains
  silent    accepted boards that are wrong, and accepted ones that are no board
  order     pages whose matched boards come in the labels' order
"""
import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from places import bounds, overlap, stored


def squares(placement):
    return "".join("." * int(c) if c.isdigit() else c for c in placement.replace("/", ""))


def quarter(grid):
    """The 64 letters of a board turned by 90 degrees."""
    return "".join(grid[8 * (7 - file) + rank] for rank in range(8) for file in range(8))


def corner_error(truth, read):
    """Mean distance, the corners paired in the cyclic order that fits best, over the side of a square."""
    distance = lambda p, q: ((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2) ** 0.5
    side = sum(distance(truth[i - 1], truth[i]) for i in range(4)) / 32
    return min(sum(distance(truth[i], read[(i + k) % 4]) for i in range(4)) / 4 for k in range(4)) / side


def judge(page, reads, by, rows, show):
    truths = []
    for label in page["diagrams"]:
        corners = [stored(p, page) for p in label["corners"]]
        truths.append((label, corners, bounds(corners)))
    pairs = sorted(((overlap(t[2], bounds(r["corners"])), i, j) for i, t in enumerate(truths) for j, r in enumerate(reads)), reverse=True)
    matched, used = {}, set()
    for share, i, j in pairs:
        if share >= 0.7 and i not in matched and j not in used:
            matched[i] = j
            used.add(j)
    key = lambda label: page[by] if by in page else label[by]
    for i, (label, corners, _) in enumerate(truths):
        row = rows[key(label)]
        row["labelled"] += 1
        if i not in matched:
            show("MISSED", page, label, f"square {label['square']} {label['frame']} {label['dark_squares']}")
            continue
        read = reads[matched[i]]
        row["found"] += 1
        error = corner_error(corners, read["corners"])
        row["corner"] += error
        if error > 0.12:
            show("corner", page, label, f"{error:.2f} squares off, {[f['code'] for f in read['flags']]}")
        truth, got = squares(label["placement"]), squares(read["placement"])
        exact = truth == got
        row["exact"] += exact
        fits = [sum(a == b for a, b in zip(truth, got))]
        for _ in range(3):
            got = quarter(got)
            fits.append(sum(a == b for a, b in zip(truth, got)))
        turned = max(fits[1:]) > fits[0]
        row["turned"] += turned
        accepted = read["status"] == "accepted"
        row["silent"] += accepted and not exact
        row["review"] += not accepted
        if not exact:
            what = ("SILENT " if accepted else "") + ("turned" if turned else "wrong")
            show(what, page, label, f"{fits[0]}/64 read {read['placement']} true {label['placement']} {[f['code'] for f in read['flags']]} below {label['orientation']} coordinates {label['coordinates']}")
    row = rows[page[by]] if by in page else rows["-"]
    for j, read in enumerate(reads):
        if j in used:
            continue
        box = bounds(read["corners"])
        figures = []
        for figure in page["negatives"]:
            x0, y0, x1, y1 = figure["bbox"]
            if overlap(bounds([stored(p, page) for p in ((x0, y0), (x1, y1))]), box) > 0.1:
                figures.append(figure["kind"])
        row["extra"] += 1
        row["stray"] += not figures
        row["silent"] += read["status"] == "accepted"
        accepted = "SILENT " if read["status"] == "accepted" else ""
        show(accepted + "extra", page, None, f"{figures} read {read['placement']} {[f['code'] for f in read['flags']]}")
    order = [matched[i] for i in sorted(matched)]
    row["pages"] += 1
    row["ordered"] += order == sorted(order)
    if order != sorted(order):
        show("order", page, None, str([j + 1 for j in order]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/fenwatch")
    parser.add_argument("--arg", action="append", default=[], help="a further argument for the reader")
    parser.add_argument("--by", default="kind", help="what the rows are")
    parser.add_argument("--kinds", help="only pages of these kinds")
    parser.add_argument("--errors", action="store_true", help="print each fault")
    parser.add_argument("labels", type=Path)
    args = parser.parse_args()
    pages = json.loads(args.labels.read_text())["pages"]
    if args.kinds:
        pages = [page for page in pages if page["kind"] in args.kinds.split(",")]
    paths = [str(args.labels.parent / page["file"]) for page in pages]
    start = time.monotonic()
    run = subprocess.run([args.bin, "scan", "--json", *args.arg, *paths], stdout=subprocess.PIPE, text=True)
    wall = time.monotonic() - start
    lines = {}
    for line in run.stdout.splitlines():
        line = json.loads(line)
        lines[line["source"]] = line

    def show(what, page, label, text):
        if args.errors:
            number = "" if label is None else f" {label.get('number') or ''}"
            print(f"{what:14} {page['file']}{number}  {text}")

    rows = defaultdict(lambda: defaultdict(float))
    for page, path in zip(pages, paths):
        line = lines.get(path)
        if line is None or line["error"]:
            print(f"UNREAD {page['file']} {line and line['error']}")
        judge(page, line["diagrams"] if line else [], args.by, rows, show)
    total = defaultdict(float)
    for row in rows.values():
        for name, value in row.items():
            total[name] += value

    def print_row(name, row):
        labelled, found = int(row["labelled"]), int(row["found"])
        share = lambda n: f"{100 * row[n] / labelled:6.2f} %" if labelled else "       -"
        print(
            f"{name:12} found {found:4}/{labelled:<4} {share('found')}  corner {row['corner'] / max(1, found):.4f}  turned {int(row['turned']):3}  "
            f"exact {share('exact')}  review {int(row['review']):4}  extra {int(row['extra']):3} ({int(row['stray'])})  "
            f"silent {int(row['silent']):2}  order {int(row['ordered'])}/{int(row['pages'])}"
        )

    for name in sorted(rows):
        print_row(name, rows[name])
    print_row("TOTAL", total)
    print(f"{wall:.1f} s, {wall / max(1, len(pages)):.2f} s a page")
    sys.exit(run.returncode)


main()
