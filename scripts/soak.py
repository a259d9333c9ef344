#!/usr/bin/env python3
"""Kills the daemon again and again while it reads a book, then checks that nothing was lost or doubled.

Usage: soak.py BINARY PAGES-FOLDER [--pages 300] [--kills 10] [--seed 1] [--keep FOLDER]

A book is made by copying the pages of PAGES-FOLDER with a different comment chunk in each, so that
every copy has another content hash. `fenwatch run --once` is started and killed (SIGKILL) at random
moments, then runs to its end. Checked: every page is read exactly once in the end, every page of the
same picture has the same diagrams, ordinals run from 1 without gaps, no lease is left, and the
database's own integrity check passes. A second run afterwards must read nothing.
"""
import argparse
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections import defaultdict
from pathlib import Path


def vary(data, number):
    """The same PNG picture with another comment, hence another content hash."""
    text = b"Comment\0copy %d" % number
    chunk = struct.pack(">I", len(text)) + b"tEXt" + text + struct.pack(">I", zlib.crc32(b"tEXt" + text))
    end = data.rindex(b"IEND") - 4
    return data[:end] + chunk + data[end:]


def make_book(pictures, folder, pages):
    folder.mkdir(parents=True)
    for number in range(pages):
        picture = pictures[number % len(pictures)]
        (folder / f"page {number + 1}.png").write_bytes(vary(picture.read_bytes(), number))


def start(binary, scans, state):
    settings = {"FENWATCH_WATCH__FOLDERS": str(scans), "FENWATCH_STATE__FOLDER": str(state)}
    command = [binary, "run", "--once", "--no-review", "--no-captions"]
    return subprocess.Popen(command, env=os.environ | settings, stderr=subprocess.PIPE, text=True)


def pages_read(database):
    if not database.exists():
        return 0
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        try:
            return connection.execute("SELECT count(*) FROM pages WHERE state = 'read'").fetchone()[0]
        except sqlite3.OperationalError:  # killed before the tables were made
            return 0


def check(database, pages, kinds):
    """What is wrong with the finished queue, as sentences."""
    with sqlite3.connect(database) as connection:
        states = dict(connection.execute("SELECT state, count(*) FROM pages GROUP BY state"))
        if states != {"read": pages}:
            yield f"page states are {states}"
        twice = connection.execute("SELECT count(*) FROM pages WHERE times_read != 1").fetchone()[0]
        if twice:
            yield f"{twice} pages were read and stored more than once"
        rows = defaultdict(list)
        query = """SELECT s.path, d.ordinal, d.fen FROM pages p JOIN sources s ON s.id = p.source_id
                   LEFT JOIN diagrams d ON d.page_id = p.id AND d.retired_at IS NULL ORDER BY s.path, d.ordinal"""
        for path, ordinal, fen in connection.execute(query):
            rows[path].append((ordinal, fen))
        if len(rows) != pages:
            yield f"{len(rows)} sources instead of {pages}"
        by_kind = defaultdict(set)
        for path, diagrams in rows.items():
            ordinals = [ordinal for ordinal, _ in diagrams if ordinal is not None]
            if ordinals != list(range(1, len(ordinals) + 1)):
                yield f"{path}: ordinals {ordinals}"
            number = int(path.rsplit(" ", 1)[1].split(".")[0]) - 1
            by_kind[number % kinds].add(tuple(diagrams))
        for kind, readings in by_kind.items():
            if len(readings) != 1:
                yield f"picture {kind} was read in {len(readings)} different ways"
        integrity = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if integrity != "ok":
            yield f"integrity check: {integrity}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="work here and keep what was made")
    args = parser.parse_args()
    chance = random.Random(args.seed)
    work = args.keep or Path(tempfile.mkdtemp(prefix="fenwatch-soak-"))
    scans, state = work / "scans", work / "state"
    pictures = sorted(args.folder.glob("*.png"))
    make_book(pictures, scans / "A Book", args.pages)
    database = state / "fenwatch.db"

    killed = 0
    while killed < args.kills:
        child = start(args.binary, scans, state)
        done = pages_read(database)
        # somewhere inside the pages that are left, so that all kills find the daemon at work
        moment = chance.uniform(0.05, 1.0) * max(2.0, 60.0 / args.kills)
        try:
            child.wait(moment)
            print(f"soak: ended by itself after {killed} kills; make the book longer", file=sys.stderr)
            break
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            killed += 1
            print(f"kill {killed} after {moment:.1f} s: {done} -> {pages_read(database)} pages read", flush=True)

    began = time.monotonic()
    for word in ("finish", "idle"):
        child = start(args.binary, scans, state)
        _, errors = child.communicate()
        if child.returncode:
            sys.exit(f"soak: the {word} run ended with {child.returncode}:\n{errors[-2000:]}")
    faults = list(check(database, args.pages, len(pictures)))
    for fault in faults:
        print("soak: WRONG:", fault)
    print(f"{args.pages} pages, {killed} kills, the rest and an idle run in {time.monotonic() - began:.0f} s: "
          f"{'nothing lost, nothing doubled' if not faults else 'FAILED'}")
    if not args.keep:
        shutil.rmtree(work)
    sys.exit(1 if faults else 0)


main()
