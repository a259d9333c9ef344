#!/usr/bin/env python3
"""Calibrates an exported net: temperature, accept threshold, outlier limit; writes squares.json.

The reader averages the probabilities of several looks at a board (corners moved in and out a
little); so does everything here. Temperature: fitted on left-out families and on labelled scans, each book counting as much as the
families together, so that no large book decides. Its honesty is measured by leaving out one book
at a time. Accept threshold: a board asks for a person when its least certain square is under it.
The threshold is the lowest at which no labelled board with an error passes, raised by a margin;
boards that the position checks flag anyhow (no king, pawn on an edge rank ...) do not decide it.
Outlier: distance of a board's features from those of training boards, in units of their spread.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import evaluate
import labelled

BINS = np.array([0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0])
THRESHOLDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.993, 0.996, 0.998, 0.999)


def chances(logits: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Probabilities n x 64 x 13: the mean over the looks of logits n x looks x 64 x 13."""
    return evaluate.softmax(logits, temperature).mean(1)


def looks_at(net, views):
    """Logits n x looks x 64 x 13, and the features of the first look, of several views of boards."""
    read = [evaluate.predict(net, boards) for boards in views]
    return np.stack([logits for logits, _ in read], 1), read[0][1]


def cross_entropy(logits, labels, temperature: float) -> float:
    """Mean negative log probability of the true classes."""
    p = chances(logits, temperature).reshape(-1, 13)
    return float(-np.log(np.maximum(p[np.arange(len(p)), labels.reshape(-1)], 1e-12)).mean())


def fit_temperature(groups) -> float:
    """The temperature of least cross entropy, each (logits, labels) of `groups` counting alike."""
    grid = np.exp(np.linspace(np.log(0.25), np.log(3), 60))
    costs = [sum(cross_entropy(logits, labels, t) for logits, labels in groups) for t in grid]
    return float(grid[int(np.argmin(costs))])


def expected_calibration_error(probabilities, labels) -> float:
    """Share-weighted gap between confidence and correctness over the bins of `BINS`."""
    confidence, right = probabilities.max(-1).reshape(-1), (probabilities.argmax(-1) == labels).reshape(-1)
    index = np.clip(np.digitize(confidence, BINS) - 1, 0, len(BINS) - 2)
    return float(sum((index == b).mean() * abs(confidence[index == b].mean() - right[index == b].mean()) for b in range(len(BINS) - 1) if (index == b).any()))


def reliability(probabilities, labels) -> None:
    """Prints how often the net is right at each level of confidence."""
    confidence, right = probabilities.max(-1).reshape(-1), (probabilities.argmax(-1) == labels).reshape(-1)
    index = np.clip(np.digitize(confidence, BINS) - 1, 0, len(BINS) - 2)
    for b in range(len(BINS) - 1):
        here = index == b
        if here.any():
            print(f"    {BINS[b]:.3f}..{BINS[b + 1]:.3f}: {here.sum():7d} squares, says {confidence[here].mean():.4f}, is right {right[here].mean():.4f}")


def curve(title: str, probabilities, labels) -> None:
    """Share of boards flagged against boards and squares wrong without a flag."""
    wrong = probabilities.argmax(-1) != labels
    least = probabilities.max(-1).min(1)
    ruled = impossible(probabilities.argmax(-1))
    print(f"  {title}: threshold | boards flagged | wrong boards unflagged | of these possible positions | wrong squares not under it")
    for threshold in THRESHOLDS:
        flagged = least < threshold
        unseen = wrong & (probabilities.max(-1) >= threshold)
        print(f"    {threshold:.3f} | {flagged.mean():.3f} | {(wrong.any(1) & ~flagged).sum()} of {len(labels)} | {(wrong.any(1) & ~flagged & ~ruled).sum()} | {unseen.sum()} of {wrong.sum()}")


def impossible(read: np.ndarray) -> np.ndarray:
    """Which placements (n x 64 classes) the reader's position checks call impossible whoever moves.

    Counts only: kings, pawns on the edge ranks, too many pawns or men. Such a board asks for a
    person however sure the net is.
    """
    flagged = np.zeros(len(read), bool)
    for colour in (0, 6):
        pawns = read == 1 + colour
        men = (read > colour) & (read <= 6 + colour)
        flagged |= (read == 6 + colour).sum(1) != 1
        flagged |= pawns[:, :8].any(1) | pawns[:, 56:].any(1) | (pawns.sum(1) > 8) | (men.sum(1) > 16)
    return flagged


def silent_threshold(probabilities, labels) -> float:
    """The least threshold at which every wrong board has a square under it or an impossible position."""
    read = probabilities.argmax(-1)
    wrong = (read != labels).any(1) & ~impossible(read)
    return float(probabilities.max(-1).min(1)[wrong].max()) if wrong.any() else 0.0


def outlier_scale(features: np.ndarray):
    """Mean and spread of the features of ordinary boards."""
    return features.mean(0), features.std(0) + 0.05


def distance(features, mean, scale) -> np.ndarray:
    """Root mean square of the features' deviations in units of their spread."""
    return np.sqrt((((features - mean) / scale) ** 2).mean(1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="../squares.onnx")
    parser.add_argument("--boards", default="work/boards", help="folder of stored chunks")
    parser.add_argument("--held", default="val", help="chunks of families the net has not seen")
    parser.add_argument("--held-model", help="the net that left those families out, if the exported one has seen them (.pt or .onnx)")
    parser.add_argument("--train", default="train", help="prefix of training chunks: what is ordinary for the outlier signal")
    parser.add_argument("--labels", nargs="*", default=[], help="label files of scans")
    parser.add_argument("--insets", default="0,0.1,-0.1", help="looks at a board: squares by which the corners move inwards")
    parser.add_argument("--outliers", type=float, default=0.995, help="share of ordinary boards inside the outlier limit")
    parser.add_argument("--least", type=float, default=0.95, help="lowest accept threshold, whatever the boards at hand say: as high as a review share of 15 %% allows")
    parser.add_argument("--margin", type=float, default=0.2, help="share of the doubt left at the threshold that is added for unknown books")
    parser.add_argument("--ordinary", type=int, default=1000, help="training boards that the outlier signal is made from")
    parser.add_argument("--write", action="store_true", help="put the result into squares.json")
    args = parser.parse_args()

    net = evaluate.open_net(args.model)
    held_net = evaluate.open_net(args.held_model) if args.held_model else net
    boards, labels, _, _ = evaluate.stored(args.boards, args.held)
    insets = [float(inset) for inset in args.insets.split(",")]
    logits, held_features = looks_at(held_net, [evaluate.zoomed(boards, inset) for inset in insets])
    books, scans = {}, None
    if args.labels:
        views = [labelled.load(args.labels, inset) for inset in insets]
        scans = views[0]
        scan_logits, scan_features = looks_at(net, [view.boards for view in views])
        books = {book: scans.books == book for book in sorted(set(scans.books))}
    synthetic = [(logits, labels)]
    groups = synthetic + [(scan_logits[which], scans.labels[which]) for which in books.values()]
    temperature = fit_temperature(groups)
    print(f"temperature {temperature:.3f}; on left-out families alone {fit_temperature(synthetic):.3f}")
    probabilities = chances(logits, temperature)
    print(f"left-out families: calibration error {expected_calibration_error(probabilities, labels):.4f} (raw {expected_calibration_error(chances(logits), labels):.4f})")
    reliability(probabilities, labels)
    curve("left-out families", probabilities, labels)
    threshold = args.least
    if scans is not None:
        crossed = np.empty_like(scan_logits[:, 0])
        for book, which in books.items():
            others = synthetic + [(scan_logits[w], scans.labels[w]) for b, w in books.items() if b != book]
            fitted = fit_temperature(others)
            crossed[which] = chances(scan_logits[which], fitted)
        print(f"scans, temperature of the other books: calibration error {expected_calibration_error(crossed, scans.labels):.4f} (raw {expected_calibration_error(chances(scan_logits), scans.labels):.4f})")
        reliability(crossed, scans.labels)
        curve("scans", crossed, scans.labels)
        final = chances(scan_logits, temperature)
        silent = silent_threshold(final, scans.labels)
        # A part of the remaining doubt as a margin: the books to come are not those at hand.
        threshold = max(args.least, 1 - (1 - silent) * (1 - args.margin))
        print(f"no wrong scan passes from {silent:.4f} on; accept threshold {threshold:.4f}")
        for book, which in books.items():
            flagged = final[which].max(-1).min(1) < threshold
            read = final[which].argmax(-1)
            wrong = (read != scans.labels[which]).any(1)
            unseen = wrong & ~flagged & ~impossible(read)
            print(f"    {book:24s} {which.sum():4d} boards | exact {1 - wrong.mean():.3f} | flagged {flagged.mean():.3f} | wrong and unflagged {unseen.sum()}")
    ordinary, _, _, _ = evaluate.stored(args.boards, args.train, 2)
    _, features = evaluate.predict(net, ordinary[: args.ordinary])
    mean, scale = outlier_scale(features)
    limit = float(np.quantile(distance(features, mean, scale), args.outliers))
    print(f"outlier limit {limit:.3f}; left-out families outside {(distance(held_features, mean, scale) > limit).mean():.4f}" + (f", scans {(distance(scan_features, mean, scale) > limit).mean():.4f}" if scans is not None else ""))
    if args.write:
        path = Path(args.model).with_suffix(".json")
        content = json.loads(path.read_text())
        content.update(
            temperature=round(temperature, 4),
            accept_threshold=round(threshold, 4),
            view_insets=insets,
            feature_mean=[round(float(v), 5) for v in mean],
            feature_scale=[round(float(v), 5) for v in scale],
            feature_threshold=round(limit, 4),
        )
        path.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
