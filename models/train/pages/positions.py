"""Legal positions with what a caption may truly say about them: who moves, the last move, a mate.

Unlike the training boards' placements (`../positions.py`) these are whole positions that
python-chess calls valid, so that a caption drawn from them never contradicts the board.
"""

from __future__ import annotations

from dataclasses import dataclass

import chess
import numpy as np


@dataclass
class Position:
    """A position to print. `last` is the move that led to it (SAN), `mate` the length of a sound problem."""

    board: chess.Board
    kind: str  # game, endgame, problem, puzzle
    last: str | None = None
    mate: int | None = None

    @property
    def placement(self) -> str:
        return self.board.board_fen()

    @property
    def side(self) -> str:
        return "w" if self.board.turn else "b"


def game(rng: np.random.Generator) -> Position:
    """A position out of a random legal game that prefers captures, checks and pieces coming out."""
    while True:
        board, san = chess.Board(), None
        for _ in range(int(rng.choice([rng.integers(12, 40), rng.integers(30, 90)]))):
            moves = list(board.legal_moves)
            if not moves:
                break
            wanted = [m for m in moves if board.is_capture(m)] if rng.random() < 0.3 else moves
            move = (wanted or moves)[int(rng.integers(len(wanted or moves)))]
            san = board.san(move)
            board.push(move)
        if board.is_valid() and any(board.legal_moves):
            return Position(board, "game", san)


def endgame(rng: np.random.Generator) -> Position:
    """Kings, pawns and few pieces, as endgame books show them."""
    while True:
        board = chess.Board(None)
        squares = [int(s) for s in rng.permutation(64)]
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, chess.BLACK))
        for colour in (chess.WHITE, chess.BLACK):
            for _ in range(int(rng.integers(0, 3))):
                kind = int(rng.choice([2, 3, 4, 4, 5]))
                board.set_piece_at(squares.pop(), chess.Piece(kind, colour))
            for _ in range(int(rng.integers(0, 5))):
                square = next(s for s in squares if 0 < chess.square_rank(s) < 7)
                squares.remove(square)
                board.set_piece_at(square, chess.Piece(chess.PAWN, colour))
        board.turn = bool(rng.random() < 0.6)
        if board.is_valid() and any(board.legal_moves) and len(board.piece_map()) > 2:
            return Position(board, "endgame")


def mate_in_one(board: chess.Board) -> bool:
    """Whether the side to move can mate at once."""
    for move in board.legal_moves:
        board.push(move)
        mate = board.is_check() and not any(board.generate_legal_moves())
        board.pop()
        if mate:
            return True
    return False


def mate_in_two_keys(board: chess.Board, stop: int = 2) -> list[chess.Move]:
    """The moves after which every reply is answered by mate, at most `stop`; none if there is a mate in one."""
    if mate_in_one(board):
        return []
    keys, refutation = [], None
    for move in list(board.legal_moves):
        board.push(move)
        # The reply that refuted the last try mostly refutes this one too.
        replies = sorted(board.legal_moves, key=lambda reply: reply != refutation)
        sound = bool(replies)
        for reply in replies:
            board.push(reply)
            sound = mate_in_one(board)
            board.pop()
            if not sound:
                refutation = reply
                break
        board.pop()
        if sound:
            keys.append(move)
            if len(keys) >= stop:
                break
    return keys


def problem(rng: np.random.Generator) -> Position:
    """A sound "White mates in two": few men, exactly one key move."""
    while True:
        board = chess.Board(None)
        # Kings near an edge are mated often enough for a random search.
        corner = [s for s in range(64) if chess.square_rank(s) in (0, 7) or chess.square_file(s) in (0, 7)]
        black = int(rng.choice(corner))
        squares = [int(s) for s in rng.permutation(64) if s != black]
        board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, chess.WHITE))
        for kind in rng.choice([2, 3, 4, 5, 5, 4], size=int(rng.integers(2, 4)), replace=False):
            board.set_piece_at(squares.pop(), chess.Piece(int(kind), chess.WHITE))
        for _ in range(int(rng.integers(0, 4))):
            square = next(s for s in squares if 0 < chess.square_rank(s) < 7)
            squares.remove(square)
            board.set_piece_at(square, chess.Piece(chess.PAWN, bool(rng.random() < 0.4)))
        if board.is_valid() and len(list(chess.Board(board.fen().replace(" w ", " b ")).legal_moves)) < 6:
            if len(mate_in_two_keys(board)) == 1:
                return Position(board, "problem", mate=2)


def puzzle(rng: np.random.Generator) -> Position:
    """No game of chess: queens, knights or rooks alone, as recreation books print them."""
    board = chess.Board(None)
    kind, colour = int(rng.choice([2, 2, 4, 5, 5])), bool(rng.random() < 0.5)
    for rank, file in enumerate(rng.permutation(8)[: int(rng.integers(4, 9))]):
        board.set_piece_at(chess.square(int(file), rank), chess.Piece(kind, colour))
    return Position(board, "puzzle")


def draw(rng: np.random.Generator, kind: str | None = None) -> Position:
    """A position of a kind, or of a usual mixture."""
    kind = kind or str(rng.choice(["game", "endgame", "problem", "puzzle"], p=[0.55, 0.33, 0.1, 0.02]))
    return {"game": game, "endgame": endgame, "problem": problem, "puzzle": puzzle}[kind](rng)
