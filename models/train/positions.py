"""Placements to draw: game-like, scattered, endgames, problems, puzzles, empty boards.

A placement is an int8 array of 64 classes (0 empty, 1..6 = P N B R Q K white, 7..12 black), row by
row as seen in the picture, top left first.
"""

from __future__ import annotations

import chess
import numpy as np

# Relative frequency of P N B R Q among scattered men.
MEN = np.array([1.0, 0.45, 0.45, 0.5, 0.4])
MEN = MEN / MEN.sum()
GAME_POOL = 3000


def from_fen(placement: str) -> np.ndarray:
    """The placement field of a FEN (rank 8 first) as 64 classes."""
    grid = []
    for row in placement.split()[0].split("/"):
        for sign in row:
            grid.extend([0] * int(sign) if sign.isdigit() else [".PNBRQKpnbrqk".index(sign)])
    if len(grid) != 64:
        raise ValueError(f"{placement}: not 64 squares")
    return np.array(grid, np.int8)


def to_fen(grid: np.ndarray) -> str:
    """64 classes as the placement field of a FEN."""
    rows = []
    for row in np.asarray(grid).reshape(8, 8):
        text, empty = "", 0
        for value in row:
            if value == 0:
                empty += 1
                continue
            text += (str(empty) if empty else "") + ".PNBRQKpnbrqk"[value]
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    return "/".join(rows)


def random_game(rng: np.random.Generator) -> np.ndarray:
    """The position after some random legal plies, captures preferred a little."""
    board = chess.Board()
    plies = int(rng.choice([rng.integers(0, 24), rng.integers(10, 80), rng.integers(40, 140)]))
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        captures = [move for move in moves if board.is_capture(move)]
        pool = captures if captures and rng.random() < 0.35 else moves
        board.push(pool[int(rng.integers(len(pool)))])
    return from_fen(board.board_fen())


def scattered(rng: np.random.Generator, low: int, high: int, edge_pawns: float = 0.02) -> np.ndarray:
    """Both kings and other men anywhere; pawns on an edge rank with probability `edge_pawns`."""
    grid = np.zeros(64, np.int8)
    squares = rng.permutation(64)[: int(rng.integers(low, high + 1))]
    grid[squares[0]] = 6
    if len(squares) > 1:
        grid[squares[1]] = 12
    for square in squares[2:]:
        kind = int(rng.choice(5, p=MEN)) + 1
        if kind == 1 and (square < 8 or square >= 56) and rng.random() > edge_pawns:
            kind = int(rng.integers(2, 6))
        grid[square] = kind + 6 * int(rng.integers(2))
    return grid


def pawn_chains(rng: np.random.Generator) -> np.ndarray:
    """A middle game by construction: pawns on their side, kings castled, pieces behind."""
    grid = np.zeros((8, 8), np.int8)
    for colour, home, ahead in ((0, 7, -1), (6, 0, 1)):
        for file in np.flatnonzero(rng.random(8) < rng.uniform(0.4, 0.95)):
            step = 1 + min(int(rng.geometric(0.55)) - 1, 3)
            row = home + ahead * step
            if grid[row, file] == 0:
                grid[row, file] = 1 + colour
        men = [6, 5, 4, 4, 3, 3, 2, 2]
        for kind in men:
            if kind != 6 and rng.random() < 0.35:
                continue
            for _ in range(20):
                back = int(min(rng.geometric(0.4) - 1, 7))
                row, file = home + ahead * back, int(rng.integers(8))
                if grid[row, file] == 0:
                    grid[row, file] = kind + colour
                    break
    return grid.reshape(64)


def puzzle(rng: np.random.Generator) -> np.ndarray:
    """One to three kinds of men, often all of one colour, kings not required, pawns anywhere."""
    grid = np.zeros(64, np.int8)
    kinds = rng.choice(6, size=int(rng.choice([1, 1, 1, 2, 3])), replace=False) + 1
    weights = rng.dirichlet(np.ones(len(kinds)) * 0.7)
    one_colour = rng.random() < 0.7
    colour = 0 if rng.random() < 0.65 else 6
    layout = rng.random()
    count = int(rng.integers(1, 17))
    if layout < 0.2:  # a whole row or two of men
        rows = rng.choice(8, size=int(rng.integers(1, 4)), replace=False)
        squares = [row * 8 + file for row in rows for file in range(8) if rng.random() < 0.9]
    elif layout < 0.3:  # one on every row, as in the eight queens
        squares = [row * 8 + int(file) for row, file in enumerate(rng.permutation(8))]
    elif layout < 0.36:
        squares = list(rng.permutation(64)[: int(rng.integers(20, 64))])
    else:
        squares = list(rng.permutation(64)[:count])
    for square in squares:
        side = colour if one_colour else 6 * int(rng.integers(2))
        grid[square] = int(rng.choice(kinds, p=weights)) + side
    if rng.random() < 0.2:
        empty = np.flatnonzero(grid == 0)
        if len(empty):
            grid[empty[int(rng.integers(len(empty)))]] = int(rng.choice([6, 12]))
    return grid


def uniform(rng: np.random.Generator) -> np.ndarray:
    """Every class equally likely on the squares taken: no prior at all."""
    grid = rng.integers(1, 13, 64).astype(np.int8)
    grid[rng.random(64) > rng.uniform(0.1, 0.8)] = 0
    return grid


class Positions:
    """Draws placements of all kinds. The pool of random games is made once, from `seed`."""

    def __init__(self, seed: int = 7, pool: int = GAME_POOL):
        rng = np.random.default_rng(seed)
        self.games = np.stack([random_game(rng) for _ in range(pool)])

    def __call__(self, rng: np.random.Generator) -> np.ndarray:
        # Most boards in books are of games: with fewer of them here the net doubts every pawn that
        # might be a bishop. The rest keeps it from believing in ordinary positions only.
        u = rng.random()
        if u < 0.26:
            grid = self.games[int(rng.integers(len(self.games)))].copy()
        elif u < 0.56:
            grid = pawn_chains(rng)
        elif u < 0.70:
            grid = scattered(rng, 6, 32)
        elif u < 0.80:
            grid = scattered(rng, 2, 9)
        elif u < 0.86:
            grid = uniform(rng)
        elif u < 0.985:
            grid = puzzle(rng)
        else:
            grid = np.zeros(64, np.int8)
        turn = rng.random()
        if turn < 0.15:  # seen from Black's side
            grid = grid[::-1].copy()
        elif turn < 0.25:  # colours exchanged
            grid = np.where(grid == 0, 0, (grid + 5) % 12 + 1).astype(np.int8)
        return grid
