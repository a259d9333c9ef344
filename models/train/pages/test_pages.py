"""Tests of the page generator: `PYTHONPATH=models/train python3 -m unittest pages.test_pages`."""

import unittest

import chess
import cv2
import numpy as np

from . import captions, geometry, layout, positions, text

SQUARE = 60


def checkerboard(rows: int, files: int) -> np.ndarray:
    return np.kron(1 - np.add.outer(np.arange(rows), np.arange(files)) % 2, np.ones((SQUARE, SQUARE))).astype(np.float32)


def crossings(left: float, top: float) -> np.ndarray:
    """The 49 inner crossings of a board in continuous coordinates."""
    return np.array([[left + x * SQUARE, top + y * SQUARE] for y in range(1, 8) for x in range(1, 8)], float)


def error(image: np.ndarray, points: np.ndarray) -> float:
    """The largest distance in pixels between points and the crossings seen in the picture."""
    gray = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    stop = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 50, 0.001)
    seen = cv2.cornerSubPix(gray, np.float32(points - 0.5).reshape(-1, 1, 2), (5, 5), (-1, -1), stop)
    return float(np.linalg.norm(seen.reshape(-1, 2) + 0.5 - points, axis=1).max())


class Corners(unittest.TestCase):
    """Points must follow the picture; resampling alone moves a crossing by about 0.1 px."""

    def setUp(self):
        self.page = np.ones((1400, 1000), np.float32)
        self.page[300 : 300 + 8 * SQUARE, 200 : 200 + 8 * SQUARE] = checkerboard(8, 8)
        self.points = crossings(200, 300)

    def test_skew(self):
        for degrees in (0.7, -4.0, 10.0):
            bend = geometry.skew(1000, 1400, degrees)
            self.assertLess(error(bend.apply(self.page, 1.0), bend.points(self.points)), 0.2)

    def test_photograph(self):
        for seed in range(6):
            bend = geometry.photograph(np.random.default_rng(seed), 1000, 1400, 1.0)
            self.assertLess(error(bend.apply(self.page, 0.0), bend.points(self.points)), 0.25)

    def test_turned_block(self):
        block = np.ones((700, 700), np.float32)
        block[110:590, 110:590] = checkerboard(8, 8)
        for degrees in (1.0, -6.4):
            picture, points = layout.turned(block, crossings(110, 110), degrees)
            self.assertLess(error(picture, points), 0.2)


class Truth(unittest.TestCase):
    """What a caption says must be true of its position."""

    def test_problem_has_one_key(self):
        for seed in range(3):
            problem = positions.problem(np.random.default_rng(seed))
            self.assertTrue(problem.board.is_valid())
            self.assertEqual(len(positions.mate_in_two_keys(problem.board)), 1)

    def test_mate_in_two_of_a_known_problem(self):
        # Morphy's: 1.Ra6! is the only key.
        board = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
        self.assertEqual([board.san(m) for m in positions.mate_in_two_keys(board)], ["Ra6"])

    def test_last_move_names_the_side(self):
        board = chess.Board()
        board.push_san("e4")
        self.assertEqual(captions.last_move(positions.Position(board, "game", "e4"), "de"), "1.e4")
        board.push_san("Nf6")
        self.assertEqual(captions.last_move(positions.Position(board, "game", "Nf6"), "de"), "1...Sf6")

    def test_captions_give_the_side_of_the_position(self):
        lexicon = captions.Lexicon(text.HERE / "phrases.tsv")
        sides = {}
        for (language, side, _), phrases in lexicon.rows.items():
            sides |= {(language, phrase): side for phrase in phrases}
        rng = np.random.default_rng(4)
        for _ in range(60):
            language = str(rng.choice(lexicon.languages()))
            position = positions.endgame(rng)
            caption = captions.compose(rng, lexicon, captions.Habit(language, way="phrase"), position, 1)
            self.assertEqual(caption.side, position.side)
            self.assertEqual(sides[(language, caption.below[0])], position.side)


if __name__ == "__main__":
    unittest.main()
