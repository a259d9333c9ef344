#!/usr/bin/env python3
"""Times `fenwatch scan` over a folder of pages: pages a minute, CPU ms a page and a diagram, peak memory.

Usage: bench.py BINARY FOLDER [RUNS]
CPU time is user + system of the whole process, so start-up and the net's loading are in it.
Prints the median of the runs; one run more goes before them, uncounted.
"""
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

PICTURES = {".png", ".jpg", ".tif", ".pdf"}


def measure(binary, folder, *options):
    start = time.monotonic()
    pages = sorted(str(path) for path in Path(folder).iterdir() if path.suffix in PICTURES)
    child = subprocess.Popen([binary, "scan", "--json", *options, *pages], stdout=subprocess.PIPE, text=True)
    lines = [json.loads(line) for line in child.stdout]
    # wait4 gives this child's own usage
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"bench: the scan ended with status {status}")
    return {
        "pages": len(lines),
        "diagrams": sum(len(line["diagrams"]) for line in lines),
        "wall": time.monotonic() - start,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss / 1024,
    }


def main():
    binary, folder = sys.argv[1], sys.argv[2]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    print(f"{'whole path':24} {'pages/min':>10} {'CPU ms/page':>12} {'CPU ms/diagram':>15} {'peak MB':>8}")
    for name, options in [("all stages", []), ("without captions", ["--no-captions"]), ("one worker", ["--workers", "1"])]:
        results = [measure(binary, folder, *options) for _ in range(runs + 1)][1:]
        middle = {key: statistics.median(r[key] for r in results) for key in results[0]}
        print(
            f"{name:24} {60 * middle['pages'] / middle['wall']:10.0f} {1000 * middle['cpu'] / middle['pages']:12.0f} "
            f"{1000 * middle['cpu'] / max(1, middle['diagrams']):15.0f} {middle['memory']:8.0f}"
        )


main()
