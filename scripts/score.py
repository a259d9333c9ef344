#!/usr/bin/env python3
"""Runs `fenwatch evaluate` over each labelled set and holds the totals against the recorded floors.

Usage: score.py FOLDER FLOORS.toml BINARY
FLOORS.toml has a table a set: min_found and min_exact (shares of the labelled diagrams),
min_side (share of the printed sides), max_silent and max_extra (counts), max_review_of_squares (share of the read diagrams). A set that is not
there is an error. Ends with the rows of the README's table.
"""
import json
import subprocess
import sys
import tomllib
from pathlib import Path


def judge(name, floors, got):
    """The floors that `got` falls under, as sentences."""
    counts, shares = got["counts"], got["shares"]
    figures = {
        "min_found": shares["found"],
        "min_exact": shares["exact"],
        "min_side": shares["sides_right"],
        "max_review_of_squares": shares["review_of_squares"],
        "max_silent": counts["silent"],
        "max_extra": counts["extra"],
    }
    for key, bound in floors.items():
        if key not in figures:
            yield f"{name}: unknown floor {key}"
            continue
        figure = figures[key] or 0
        if (figure < bound) if key.startswith("min_") else (figure > bound):
            yield f"{name}: {key} is {bound}, measured {figure:.4g}"


def percent(share):
    return "-" if share is None else f"{100 * share:.1f} %"


def row(name, figures):
    counts, shares = figures["counts"], figures["shares"]
    found = percent(shares["found"]) if counts["labelled"] else f"{counts['extra']} reported"
    cells = [name, counts["labelled"], found, percent(shares["exact"]), percent(shares["sides_right"]),
             percent(shares["review_of_squares"]), counts["silent"]]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def main():
    folder, floors_file, binary = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    faults, table = [], []
    for name, floors in tomllib.loads(floors_file.read_text())["real"].items():
        run = subprocess.run([binary, "evaluate", "--json", folder / "real" / f"{name}.json"], stdout=subprocess.PIPE, text=True)
        if run.returncode or not run.stdout:
            faults.append(f"{name}: the evaluation failed (exit code {run.returncode})")
            continue
        report = json.loads(run.stdout)
        table.append(row(name, report["total"]))
        table += [row(f"- {book['book']}", book) for book in report["books"] if len(report["books"]) > 1]
        for wrong in report["wrong"]:
            if wrong["silent"]:
                print(f"silent: {name}, {wrong['file']}: {wrong['read']} {wrong['read_side']} for {wrong['truth']} {wrong['side_to_move']}")
        faults += judge(name, floors, report["total"])
    print("\n| set | diagrams | found | exact | side right | review because of squares | silent |\n|---|---|---|---|---|---|---|")
    print("\n".join(table))
    for fault in faults:
        print("score: UNDER THE FLOOR:", fault)
    if not faults:
        print("score: all floors held")
    sys.exit(1 if faults else 0)


main()
