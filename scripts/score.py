#!/usr/bin/env python3
"""Runs score.py over each labelled set and holds the totals against the recorded floors.

Usage: score.py FOLDER FLOORS.toml BINARY
FLOORS.toml has a table a set: min_found and min_exact (shares of the labelled diagrams),
min_side (share of the printed sides), max_silent and max_extra (counts). A set that is not there is an error.
"""
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path


def judge(name, floors, got):
    """The floors that `got` falls under, as sentences."""
    labelled = max(1, got["labelled"])
    figures = {
        "min_found": got["found"] / labelled,
        "min_exact": got["exact"] / labelled,
        "min_side": got["stm"] / max(1, got["stm_all"]),
        "max_silent": got["silent"],
        "max_extra": got["extra"],
    }
    for key, bound in floors.items():
        if key not in figures:
            yield f"{name}: unknown floor {key}"
        elif (figures[key] < bound) if key.startswith("min_") else (figures[key] > bound):
            yield f"{name}: {key} is {bound}, measured {figures[key]:.4g}"


def main():
    folder, floors_file, binary = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    faults = []
    for name, floors in tomllib.loads(floors_file.read_text())["real"].items():
        labels = folder / "real" / f"{name}.json"
        with tempfile.NamedTemporaryFile("r", suffix=".json") as totals:
            command = [sys.executable, folder / "score" / "score.py", "--bin", binary, "--json-out", totals.name, labels]
            print(f"== {name}", flush=True)
            run = subprocess.run([str(c) for c in command])
            text = Path(totals.name).read_text()
        if run.returncode or not text:
            faults.append(f"{name}: the scan or its scoring failed (exit code {run.returncode})")
            continue
        got = json.loads(text)
        faults += judge(name, floors, {k: got.get(k, 0) for k in ("labelled", "found", "exact", "stm", "stm_all", "silent", "extra")})
    for fault in faults:
        print("score: UNDER THE FLOOR:", fault)
    if not faults:
        print("score: all floors held")
    sys.exit(1 if faults else 0)


main()
