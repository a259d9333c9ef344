#!/usr/bin/env python3
"""Trains the squares net on stored boards; stops at a time or a number of boards; resumes.

Chunks that the generator adds meanwhile are read from the next round on. The checkpoint holds net,
averaged net, optimizer and progress, so that the run may be stopped at any moment.
"""

from __future__ import annotations

import argparse
import copy
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

import augment
import dataset
import pieces
from net import SquaresNet, parameters

# An empty square is easy and there are many: it counts half.
CLASS_WEIGHTS = torch.tensor([0.5] + [1.0] * 12)


class Boards:
    """The stored chunks of the given prefixes, mapped, in an order that changes each round."""

    def __init__(self, folder: str, prefixes: list[str]):
        self.folder, self.prefixes, self.chunks = Path(folder), prefixes, {}

    def refresh(self) -> int:
        for prefix in self.prefixes:
            for path in sorted(self.folder.glob(f"{prefix}[0-9][0-9][0-9][0-9]_x.npy")):
                if path not in self.chunks:
                    boards, labels, _ = dataset.load(path)
                    self.chunks[path] = (boards, labels)
        return sum(len(labels) for _, labels in self.chunks.values())

    def rounds(self, rng, size: int):
        """Endless batches: (boards float n x 1 x 288 x 288, labels n x 64)."""
        while True:
            if not self.refresh():
                raise FileNotFoundError(f"{self.folder}: no chunk of {self.prefixes}")
            chunks = list(self.chunks.values())
            places = np.concatenate([np.stack([np.full(len(c[1]), i), np.arange(len(c[1]))], 1) for i, c in enumerate(chunks)])
            rng.shuffle(places)
            # The newest chunks must be seen early: no round is longer than 20,000 boards.
            for start in range(0, min(len(places), 20000) - size + 1, size):
                part = places[start : start + size]
                boards = np.stack([chunks[i][0][j] for i, j in part])
                labels = np.stack([chunks[i][1][j] for i, j in part])
                yield torch.from_numpy(boards)[:, None].float(), torch.from_numpy(labels).long()


class Fresh:
    """Boards made in passing, for a machine that cannot spare a second process to make them.

    They go into the batch at once, in place of its last boards, and are stored in chunks of 500
    named `fresh...`, which later runs may train on.
    """

    def __init__(self, pieces_folder: str, folder: str, count: int, seed: int):
        self.maker = dataset.Maker(pieces.load(pieces_folder), pool=500)
        self.folder, self.count, self.rng = Path(folder), count, np.random.default_rng(seed)
        self.boards, self.labels, self.notes = [], [], []

    def replace(self, boards, labels) -> None:
        """Puts `count` new boards into the batch, in place."""
        for i in range(1, self.count + 1):
            picture, placement, piece_set, size = self.maker.sample(self.rng)
            boards[-i, 0], labels[-i] = torch.from_numpy(picture), torch.from_numpy(placement).long()
            self.boards.append(picture)
            self.labels.append(placement)
            self.notes.append([piece_set.name, piece_set.family, round(size, 2)])
        if len(self.boards) >= dataset.CHUNK:
            number = len(list(self.folder.glob("fresh*_x.npy")))
            dataset.save(self.folder / f"fresh{number:04d}", np.stack(self.boards), np.stack(self.labels), self.notes)
            self.boards, self.labels, self.notes = [], [], []


class Average:
    """Exponential moving average of the weights; it is the net that is exported."""

    def __init__(self, net, decay: float = 0.9985):
        self.net, self.decay, self.steps = copy.deepcopy(net).eval(), decay, 0

    @torch.no_grad()
    def update(self, net) -> None:
        self.steps += 1
        decay = min(self.decay, self.steps / (self.steps + 20))
        for mine, new in zip(self.net.state_dict().values(), net.state_dict().values()):
            if mine.dtype.is_floating_point:
                mine.lerp_(new, 1 - decay)
            else:
                mine.copy_(new)


def loss_of(net, boards, labels, smoothing: float, alone_weight: float):
    """Cross entropy of the squares, and of the squares read alone."""
    with torch.autocast("cpu", torch.bfloat16):
        logits, _, alone = net(boards.contiguous(memory_format=torch.channels_last), alone=True)
    target = labels.reshape(-1)

    def entropy(values):
        return F.cross_entropy(values.float().reshape(-1, 13), target, CLASS_WEIGHTS, label_smoothing=smoothing)

    main = entropy(logits)
    return main + alone_weight * entropy(alone), float(main.detach())


def save(path: Path, **state) -> None:
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", default="work/boards", help="folder of chunks")
    parser.add_argument("--prefix", default="train", help="prefixes of the chunks to train on, comma separated")
    parser.add_argument("--out", default="work/net.pt", help="checkpoint; training resumes from it")
    parser.add_argument("--init", help="checkpoint whose averaged net to begin with (fine-tuning)")
    parser.add_argument("--minutes", type=float, default=0, help="length of the whole run in wall time")
    parser.add_argument("--seen", type=int, default=0, help="length of the whole run in boards seen")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--warm", type=int, default=200, help="steps of warming up")
    parser.add_argument("--size", type=int, default=32, help="boards a batch")
    parser.add_argument("--smoothing", type=float, default=0.01)
    parser.add_argument("--alone", type=float, default=0.3, help="weight of the loss on squares read alone")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--fresh", type=int, default=0, help="boards of each batch that are made on the spot, from all families")
    parser.add_argument("--pieces", default=os.environ.get("FENWATCH_PIECES", "work/pieces"), help="folder of piece sets, for --fresh")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if not (args.minutes or args.seen):
        parser.error("one of --minutes and --seen is needed")

    torch.set_num_threads(args.threads)
    path = Path(args.out)
    state = torch.load(path, weights_only=True) if path.exists() else None
    seen, spent, step = (state["seen"], state["spent"], state["step"]) if state else (0, 0.0, 0)
    torch.manual_seed(args.seed + step)
    rng = np.random.default_rng(args.seed + step)
    net = SquaresNet().to(memory_format=torch.channels_last)
    if state:
        net.load_state_dict(state["net"])
    elif args.init:
        net.load_state_dict(torch.load(args.init, weights_only=True)["average"])
    average = Average(net)
    if state:
        average.net.load_state_dict(state["average"])
        average.steps = step
    decayed = [p for p in net.parameters() if p.ndim > 1]
    others = [p for p in net.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.03}, {"params": others, "weight_decay": 0.0}], args.rate)
    if state:
        optimizer.load_state_dict(state["optimizer"])
    print(f"{parameters(net)} parameters; {seen} boards seen in {spent / 60:.1f} minutes before", flush=True)

    boards = Boards(args.boards, args.prefix.split(","))
    fresh = Fresh(args.pieces, args.boards, args.fresh, 77000 + args.seed + step) if args.fresh else None
    net.train()
    start, cpu, saved, losses = time.time() - spent, time.process_time(), time.time(), []
    for pictures, labels in boards.rounds(rng, args.size):
        spent = time.time() - start
        progress = max(spent / 60 / args.minutes if args.minutes else 0, seen / args.seen if args.seen else 0)
        if progress >= 1:
            break
        rate = args.rate * min(1, (step + 1) / args.warm) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * progress)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        if fresh:
            fresh.replace(pictures, labels)
        pictures, labels = augment.batch(rng, pictures, labels)
        loss, main_loss = loss_of(net, pictures, labels, args.smoothing, args.alone)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        average.update(net)
        step, seen = step + 1, seen + len(labels)
        losses.append(main_loss)
        if step % 100 == 0:
            stored = sum(len(c[1]) for c in boards.chunks.values())
            used = time.process_time() - cpu
            print(f"step {step} loss {np.mean(losses[-100:]):.4f} rate {rate:.5f} seen {seen} of {stored} stored, {spent / 60:.1f} min, {used:.0f} s cpu", flush=True)
        if time.time() - saved > 180:
            save(path, net=net.state_dict(), average=average.net.state_dict(), optimizer=optimizer.state_dict(), seen=seen, spent=spent, step=step)
            saved = time.time()
    save(path, net=net.state_dict(), average=average.net.state_dict(), optimizer=optimizer.state_dict(), seen=seen, spent=spent, step=step)
    print(f"done: {seen} boards in {spent / 60:.1f} minutes", flush=True)


if __name__ == "__main__":
    main()
