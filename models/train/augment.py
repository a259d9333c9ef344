"""Cheap changes to stored boards while training, on batches (N x 1 x 288 x 288, gray 0..255)."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional as F

SIZE, SQUARE, MARGIN = 288, 32, 16


def mirror(boards, labels, which):
    """Left and right exchanged: type looks to both sides, and placements know no side here."""
    boards = torch.where(which[:, None, None, None], boards.flip(3), boards)
    turned = labels.reshape(-1, 8, 8).flip(2).reshape(-1, 64)
    return boards, torch.where(which[:, None], turned, labels)


def shuffle_squares(rng, board: torch.Tensor, label: torch.Tensor):
    """Squares of one colour exchanged among themselves: another placement in the same type.

    Half of the time squares are drawn with repetition, which gives boards of many equal men.
    """
    inner = board[0, MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(8, SQUARE, 8, SQUARE).permute(0, 2, 1, 3).reshape(64, SQUARE, SQUARE)
    order, repeat = np.arange(64), rng.random() < 0.5
    parity = np.add.outer(np.arange(8), np.arange(8)).reshape(64) % 2
    for colour in (0, 1):
        squares = np.flatnonzero(parity == colour)
        order[squares] = rng.choice(squares, len(squares), replace=bool(repeat))
    board = board.clone()
    moved = inner[order].reshape(8, 8, SQUARE, SQUARE).permute(0, 2, 1, 3).reshape(8 * SQUARE, 8 * SQUARE)
    board[0, MARGIN:-MARGIN, MARGIN:-MARGIN] = moved
    return board, label[order]


def move(rng, boards):
    """Small shift, scale and shear, each board its own: the finder's corners are never exact.

    Some boards are bent as well, on a scale between a square and the board.
    """
    count = boards.shape[0]
    theta = np.zeros((count, 2, 3), np.float32)
    theta[:, 0, 0] = 1 + rng.normal(0, 0.005, count)
    theta[:, 1, 1] = 1 + rng.normal(0, 0.005, count)
    theta[:, 0, 1], theta[:, 1, 0] = rng.normal(0, 0.004, (2, count))
    theta[:, :, 2] = rng.normal(0, 1.0, (count, 2)) * 2 / SIZE
    field = F.affine_grid(torch.from_numpy(theta), boards.shape, align_corners=False)
    bent = np.flatnonzero(rng.random(count) < 0.3)
    if len(bent):
        cells = int(rng.choice([6, 12, 24]))
        flow = torch.randn(len(bent), 2, cells, cells) * float(rng.uniform(0.2, 1.2)) * 2 / SIZE
        field[bent] += F.interpolate(flow, size=(SIZE, SIZE), mode="bilinear").permute(0, 2, 3, 1)
    return F.grid_sample(boards, field, padding_mode="border", align_corners=False)


def weight(rng, boards):
    """Ink spreads or withdraws by up to a pixel, in part."""
    part = float(rng.uniform(0.2, 0.8))
    other = -F.max_pool2d(-boards, 3, 1, 1) if rng.random() < 0.5 else F.max_pool2d(boards, 3, 1, 1)
    return boards * (1 - part) + other * part


def hatch(rng, board: torch.Tensor) -> torch.Tensor:
    """Further lines over the dark squares, men included: another hatching than the stored one."""
    x = torch.arange(SIZE, dtype=torch.float32)
    angle, pitch = rng.uniform(0, np.pi), rng.uniform(2.5, 7)
    phase = (x[None, :] * float(np.cos(angle)) + x[:, None] * float(np.sin(angle))) / pitch
    line = ((phase - phase.floor() - 0.5).abs() * 2 < rng.uniform(0.15, 0.5)).float()
    cell = ((x - MARGIN) // SQUARE).long()
    dark = ((cell[None, :] + cell[:, None]) % 2 == 1) & (cell[None, :] >= 0) & (cell[None, :] < 8) & (cell[:, None] >= 0) & (cell[:, None] < 8)
    ink = F.avg_pool2d((line * dark)[None], 3, 1, 1) * float(rng.uniform(0.2, 0.8))
    low = torch.quantile(board[0, ::7, ::7], 0.02)
    return board * (1 - ink) + low * ink


def blots(rng, board: torch.Tensor) -> torch.Tensor:
    """A few soft spots, dark or light, smaller than a man."""
    board = board.clone()
    for _ in range(int(rng.integers(1, 8))):
        reach = int(rng.integers(2, 9))
        y, x = (int(v) for v in rng.integers(0, SIZE - 2 * reach, 2))
        edge = torch.linspace(-1, 1, 2 * reach)
        cover = ((1 - edge[None] ** 2 - edge[:, None] ** 2) * float(rng.uniform(1, 4))).clamp(0, 1) * float(rng.uniform(0.3, 1))
        spot = board[0, y : y + 2 * reach, x : x + 2 * reach]
        spot.mul_(1 - cover).add_(cover * float(rng.choice([10, 245])))
    return board


def shine_through(rng, board: torch.Tensor, back: torch.Tensor) -> torch.Tensor:
    """Another board printed on the back of the page: mirrored, blurred by the paper, much fainter, nearly in register."""
    ghost = torch.roll(back.flip(2), tuple(int(v) for v in rng.normal(0, 5, 2).round()), (1, 2))
    for _ in range(int(rng.integers(1, 4))):
        ghost = F.avg_pool2d(ghost[None], 3, 1, 1, count_include_pad=False)[0]
    paper = torch.quantile(ghost[0, ::7, ::7], 0.9).clamp(min=1)
    return board * (1 - (1 - ghost / paper).clamp(0, 1) * float(rng.uniform(0.06, 0.33)))


def tone(rng, boards):
    """Gamma, contrast, brightness."""
    count = (boards.shape[0], 1, 1, 1)
    gamma = torch.from_numpy(np.exp(rng.uniform(-0.4, 0.4, count)).astype(np.float32))
    contrast = torch.from_numpy(np.where(rng.random(count) < 0.5, rng.uniform(0.5, 1, count), 1).astype(np.float32))
    bright = torch.from_numpy(rng.random(count).astype(np.float32)) * (1 - contrast)
    return 255 * ((boards / 255).clamp(0, 1) ** gamma * contrast + bright)


def coarsen(rng, boards):
    """Half of the resolution and back, or a soft blur."""
    if rng.random() < 0.4:
        small = F.interpolate(boards, scale_factor=float(rng.uniform(0.4, 0.8)), mode="bilinear", antialias=True)
        return F.interpolate(small, size=(SIZE, SIZE), mode="bilinear")
    return F.avg_pool2d(boards, 3, 1, 1, count_include_pad=False) * 0.7 + boards * 0.3


def batch(rng, boards: torch.Tensor, labels: torch.Tensor):
    """All of it. `boards` float gray 0..255; returns boards and labels."""
    count = boards.shape[0]
    boards, labels = mirror(boards, labels, torch.from_numpy(rng.random(count) < 0.25))
    for i in np.flatnonzero(rng.random(count) < 0.12):
        boards[i], labels[i] = shuffle_squares(rng, boards[i], labels[i])
    if rng.random() < 0.8:
        boards = move(rng, boards)
    for i in np.flatnonzero(rng.random(count) < 0.06):
        boards[i] = hatch(rng, boards[i])
    for i in np.flatnonzero(rng.random(count) < 0.06):
        boards[i] = blots(rng, boards[i])
    behind = boards[torch.from_numpy(rng.permutation(count))]
    for i in np.flatnonzero(rng.random(count) < 0.05):
        boards[i] = shine_through(rng, boards[i], behind[i])
    for group in torch.arange(count).split(8):  # so that one batch holds several weights
        if rng.random() < 0.2:
            boards[group] = weight(rng, boards[group])
    boards = tone(rng, boards)
    part = int(rng.integers(0, count // 4 + 1))
    if part:
        boards[:part] = coarsen(rng, boards[:part])
    part = int(rng.integers(0, count // 2 + 1))
    if part:
        boards[-part:] += torch.randn(part, 1, SIZE, SIZE) * float(rng.uniform(1, 9))
    if rng.random() < 0.3:  # one board of the batch as a hard bitonal scan
        i = int(rng.integers(count))
        low, high = boards[i].amin(), boards[i].amax()
        boards[i] = 255 * (boards[i] > low + (high - low) * float(rng.uniform(0.4, 0.75)))
    return boards.clamp(0, 255), labels
