#!/usr/bin/env python3
"""Measures who is read to move on generated pages, by language and by what is printed.

Usage: sides.py [--bin target/release/fenwatch] [--arg=...] [--errors] [--by language|way|kind] [--reads FILE] LABELS.json

LABELS.json is what `python -m pages.phrasebook` or `pages.generate` writes (models/train/pages/README.md). Columns, of the
diagrams that were found:
  right     the printed side is read (share of the diagrams whose side is printed)
  flagged   of those not right: read wrongly or assumed, with a flag about the side
  silent    read wrongly without such a flag
  doubted   read rightly, with a flag about the side
  invented  diagrams that print no side and are given one by caption, mark, number or stipulation, and how many of them without a flag
"""
import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from places import bounds, overlap, stored

# Sources that rest on nothing printed.
UNPRINTED = {"assumed", "check", "book_default"}
ABOUT_SIDE = {"side_assumed", "side_conflict"}


def judge(label, read, row):
    """Counts one diagram; what went wrong, if anything."""
    printed, side, source = label["side_to_move"], read["side_to_move"], read["side_to_move_source"]
    flagged = any(flag["code"] in ABOUT_SIDE for flag in read["flags"])
    if printed is None:
        row["unprinted"] += 1
        invented = source not in UNPRINTED
        row["invented"] += invented
        row["invented_silently"] += invented and not flagged
        return ("INVENTED" if not flagged else "invented") if invented else None
    row["printed"] += 1
    by_book = source == "book_default" and label.get("way") != "heading"
    if side == printed and source != "assumed" and not by_book:
        row["right"] += 1
        row["doubted"] += flagged
        return "doubted" if flagged else None
    row["flagged" if flagged else "silent"] += 1
    return "flagged" if flagged else "SILENT"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/fenwatch")
    parser.add_argument("--arg", action="append", default=[], help="a further argument for the reader")
    parser.add_argument("--by", default="language", help="what the rows are")
    parser.add_argument("--errors", action="store_true", help="print each fault")
    parser.add_argument("--reads", type=Path, help="readings kept from before (JSON Lines); written when the file is not there")
    parser.add_argument("labels", type=Path)
    args = parser.parse_args()
    pages = json.loads(args.labels.read_text())["pages"]
    paths = [str(args.labels.parent / page["file"]) for page in pages]
    start = time.monotonic()
    if args.reads and args.reads.exists():
        text = args.reads.read_text()
    else:
        text = subprocess.run([args.bin, "scan", "--json", *args.arg, *paths], stdout=subprocess.PIPE, text=True).stdout
        if args.reads:
            args.reads.write_text(text)
    wall = time.monotonic() - start
    lines = {line["source"]: line for line in map(json.loads, text.splitlines())}
    rows, lost = defaultdict(lambda: defaultdict(int)), 0
    for page, path in zip(pages, paths):
        reads = [(bounds(read["corners"]), read) for read in lines.get(path, {}).get("diagrams", [])]
        for label in page["diagrams"]:
            box = bounds([stored(point, page) for point in label["corners"]])
            share, read = max(((overlap(box, area), read) for area, read in reads), key=lambda pair: pair[0], default=(0, None))
            if share < 0.7:
                lost += 1
                continue
            row = rows[str(page[args.by] if args.by in page else label.get(args.by))]
            fault = judge(label, read, row)
            if fault and args.errors:
                codes = [flag["code"] for flag in read["flags"] if flag["code"] in ABOUT_SIDE]
                printed = label["caption"] if label["caption"] else label["mark"]
                print(f"{fault:9} {page['file']:24} {label.get('way')}: {printed!r} is {label['side_to_move']}; read {read['side_to_move']} by {read['side_to_move_source']}, {read['caption']!r} {codes}")
    total = defaultdict(int)
    for row in rows.values():
        for name, count in row.items():
            total[name] += count
    for name, row in [*sorted(rows.items()), ("TOTAL", total)]:
        printed = row["printed"]
        share = f"{100 * row['right'] / printed:6.2f} %" if printed else "       -"
        print(
            f"{name:24} right {row['right']:4}/{printed:<4} {share}  flagged {row['flagged']:3}  silent {row['silent']:2}  doubted {row['doubted']:3}  "
            f"invented {row['invented']:2} of {row['unprinted']:<3} ({row['invented_silently']} silently)"
        )
    print(f"{lost} diagrams not found; {wall:.1f} s, {wall / max(1, len(pages)):.2f} s a page")
    sys.exit(0)


main()
