#!/usr/bin/env python3
"""Measures the captions of `fenwatch scan --json` against labelled pages: text, numbers, sides and their cost.

Usage: captions.py [--bin target/release/fenwatch] [--worst N] [--cost] LABELS.json [LABELS.json ...]

The labels are those of docs/labels.md; a diagram's `caption` is its lines joined by " / ", null where nobody
wrote it down. Text is compared after NFKC and with white space folded, line breaks as spaces. The character error
rate is the edit distance of all captions over the characters of all labels:
   all      as labelled
   printed  without what the labels' writers remark in brackets: a bracket that speaks of a position or a diagram
   verbatim printed, without the labels that carry such a remark: they tell running text in short, not to the letter
   lines    verbatim, and lines of the reading that a label does not have are left out where that makes it nearer;
            these are counted. What remains was misread or missed.
A label without text ("") stands for a board with no caption: what is read there counts in `all` and `printed`.
Numbers are those of the labels' first lines ("42", "Diagram 42", "Fig. 42.", "39A").
Sides: right, wrong with a flag that asks for a look, wrong without one.
--cost reads the pages with and without captions on one worker and gives the difference in CPU time a diagram.
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import unicodedata
from collections import defaultdict
from itertools import combinations
from pathlib import Path

from places import bounds, overlap

REMARK = re.compile(r"\([^()]*\b(?:position|diagram)\b[^()]*\)", re.IGNORECASE)
NUMBER = re.compile(r"^(?:[^\W\d]+\.?\s*(?:№|n[.º°]*)?\s*)?((?:[A-Z]-?)?\d{1,4}(?:[.]\d{1,4})?[A-Za-z]?|[IVXLC]+)[.:)]?$")
MOST_LINES = 12
KINDS = ("all", "printed", "verbatim", "lines")


def folded(text):
    return " ".join(unicodedata.normalize("NFKC", text).replace(" / ", " ").split())


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def nearest_lines(truth, lines):
    """Distance and number of lines left out, for the choice of lines that comes nearest."""
    lines = lines[:MOST_LINES]
    best = (distance(truth, folded(" / ".join(lines))), 0)
    for out in range(1, len(lines) + 1):
        for kept in combinations(lines, len(lines) - out):
            best = min(best, (distance(truth, folded(" / ".join(kept))), out))
    return best


def number_of(caption):
    first = caption.split(" / ")[0].strip()
    found = NUMBER.match(first)
    return found.group(1) if found else None


def likeness(truth, read):
    """Labels of turned pages are in the upright page's pixels: there the men must tell."""
    place = overlap(truth["bbox"], bounds(read["corners"])) if truth.get("bbox") else 0.0
    return place if place >= 0.7 else 0.7 * (truth["placement"] == read.get("placement"))


def pairs(truths, reads):
    ranked = sorted(((likeness(t, r), i, j) for i, t in enumerate(truths) for j, r in enumerate(reads)), reverse=True)
    out, used = {}, set()
    for score, i, j in ranked:
        if score >= 0.7 and i not in out and j not in used:
            out[i] = reads[j]
            used.add(j)
    return out


def scan(binary, paths, *more):
    """The lines of JSON, and the CPU seconds of the run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([binary, "scan", "--json", "--workers", "1", *more, *paths], stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [json.loads(line) for line in run.stdout.splitlines() if line.strip()], seconds


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bin", default="target/release/fenwatch")
    arguments.add_argument("--worst", type=int, default=15, metavar="N", help="captions listed, the worst first")
    arguments.add_argument("--cost", action="store_true")
    arguments.add_argument("--only", default="", metavar="TEXT", help="pages whose name holds TEXT")
    arguments.add_argument("labels", nargs="+", type=Path)
    options = arguments.parse_args()

    pages = []
    for labels in options.labels:
        document = json.loads(labels.read_text())
        root = labels.parent / document.get("root", ".")
        pages += [(str(root / page["file"]), page) for page in document["pages"] if options.only in page["file"]]
    paths = [path for path, _ in pages]
    lines, seconds = scan(options.bin, paths)
    read = defaultdict(list)
    for line in lines:
        read[os.path.realpath(line["source"])] += line.get("diagrams") or []

    count, listed, numbers = defaultdict(int), [], []
    for path, page in pages:
        found = pairs(page["diagrams"], read[os.path.realpath(path)])
        for i, truth in enumerate(page["diagrams"]):
            got = found.get(i, {})
            count["labelled"] += 1
            count["found"] += i in found
            side = truth.get("side_to_move")
            if side in ("w", "b"):
                right = got.get("side_to_move") == side
                flagged = got.get("status") != "accepted"
                count["side right" if right else "side wrong, flagged" if flagged else "side wrong, silent"] += 1
            caption = truth.get("caption")
            if caption is None:
                continue
            text = got.get("caption") or ""
            printed = REMARK.sub(" ", caption)
            near, left_out = nearest_lines(folded(printed), [line for line in text.split(" / ") if line])
            errors = [distance(folded(caption), folded(text))] + 2 * [distance(folded(printed), folded(text))] + [near]
            for kind, error, label in zip(KINDS, errors, (caption, printed, printed, printed)):
                if kind in ("verbatim", "lines") and printed != caption:
                    continue
                count[kind, "errors"] += error
                count[kind, "characters"] += len(folded(label))
            count["captions"] += 1
            count["exact"] += errors[1] == 0
            count["lines left out"] += left_out
            listed.append((errors[1], near, Path(path).name, i + 1, caption, text))
            number = number_of(caption)
            if number:
                count["numbers"] += 1
                count["numbers right"] += got.get("number") == number
                if got.get("number") != number:
                    numbers.append((Path(path).name, i + 1, number, got.get("number")))
            elif got.get("number"):
                count["numbers where none is printed"] += 1
                numbers.append((Path(path).name, i + 1, None, got.get("number")))

    listed.sort(key=lambda row: row[0], reverse=True)
    for errors, near, name, place, caption, text in listed[: options.worst]:
        if errors:
            print(f"{errors:4} ({near:3})  {name} {place}\n      printed {caption!r}\n      read    {text!r}")
    for name, place, number, got in numbers:
        print(f"number  {name} {place}: printed {number!r}, read {got!r}")
    print(f"diagrams {count['labelled']}, found {count['found']}; with a caption's text {count['captions']}, exact {count['exact']}")
    for kind in KINDS:
        errors, characters = count[kind, "errors"], count[kind, "characters"]
        print(f"CER {kind:8} {100 * errors / max(1, characters):5.1f} %  ({errors} of {characters})")
    print(f"lines read that no label has: {count['lines left out']}")
    print(f"numbers right {count['numbers right']} of {count['numbers']}, "
          f"read where none is printed {count['numbers where none is printed']}")
    print(", ".join(f"{key} {count[key]}" for key in ("side right", "side wrong, flagged", "side wrong, silent")))
    if options.cost:
        _, without = scan(options.bin, paths, "--no-captions")
        diagrams = max(1, sum(len(diagrams) for diagrams in read.values()))
        print(f"CPU {seconds:.2f} s with captions, {without:.2f} s without: {1000 * (seconds - without) / diagrams:.0f} ms a diagram")
    return 0


if __name__ == "__main__":
    sys.exit(main())
