"""Checks of the trainer's parts that no figure would show to be wrong. Run: python -m unittest."""

from __future__ import annotations

import unittest
from pathlib import Path

import numpy as np
import torch

import augment
import board
import calibrate
import dataset
import designs
import evaluate
import pieces
import positions
import recover
import warp


def plain_set() -> pieces.PieceSet:
    """Twelve men that are discs of different sizes, filled for Black."""
    art = {}
    x, y = np.meshgrid(*[np.linspace(-1, 1, pieces.ART_SIZE, dtype=np.float32)] * 2)
    for man in range(1, 13):
        reach = 0.4 + 0.08 * ((man - 1) % 6)
        body = (x**2 + y**2 < reach**2).astype(np.float32)
        ink = body if man > 6 else body * (x**2 + y**2 > (reach - 0.1) ** 2)
        art[man] = np.dstack([ink, body]).astype(np.float32)
    return pieces.PieceSet("discs", "discs", True, art)


class Placements(unittest.TestCase):
    def test_fen_round_trip(self):
        for fen in ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "8/8/8/4k3/8/8/8/4K2R", "Q7/1Q6/8/8/8/8/8/7q"):
            self.assertEqual(positions.to_fen(positions.from_fen(fen)), fen)

    def test_colours_exchanged_stay_men(self):
        rng, source = np.random.default_rng(1), positions.Positions(pool=3)
        for _ in range(200):
            grid = source(rng)
            self.assertTrue(((grid >= 0) & (grid <= 12)).all())


class Checks(unittest.TestCase):
    def test_impossible_counts(self):
        for fen, wrong in (
            ("4k3/8/8/8/8/8/8/4K3", False),
            ("8/8/8/8/8/8/8/4K3", True),
            ("4k3/8/8/8/8/8/8/3KK3", True),
            ("4k3/8/8/8/8/8/8/P3K3", True),
            ("4k3/p7/pppppppp/8/8/8/8/4K3", True),
            ("4k3/8/nnnnnnnn/nnnnnnnn/8/8/8/4K3", True),
        ):
            self.assertEqual(bool(calibrate.impossible(positions.from_fen(fen)[None])[0]), wrong, fen)


class Designs(unittest.TestCase):
    def test_men_stay_in_their_square_and_differ(self):
        rng = np.random.default_rng(3)
        for _ in range(6):
            art = designs.drawn(rng).art
            for kind, man in art.items():
                self.assertGreater(float(man[..., 1].mean()), 0.05, kind)
                self.assertTrue((man[..., 0] <= man[..., 1] + 1e-6).all(), kind)

    def test_a_design_is_drawn_alike_each_time(self):
        design = designs.Design(np.random.default_rng(4))
        for kind in (2, 5, 12):
            self.assertTrue((design.man(kind) == design.man(kind)).all())


class Recovery(unittest.TestCase):
    def test_the_exported_net_comes_back(self):
        rng = np.random.default_rng(5)
        boards = (rng.random((8, warp.SIZE, warp.SIZE)) * 255).astype(np.uint8)
        model = str(Path(__file__).resolve().parent.parent / "squares.onnx")
        net = recover.recover(model, boards)
        with torch.no_grad():
            ours = net(torch.from_numpy(boards[:4])[:, None].float())[0].numpy()
        theirs, _ = evaluate.predict(evaluate.Onnx(model), boards[:4])
        self.assertLess(float(np.abs(ours - theirs).max()), 1e-2)


class Families(unittest.TestCase):
    def test_rotation_deals_every_family_once(self):
        parts = [pieces.held_out(r) for r in range(4)]
        families = {row["family"] for row in pieces.read_families()}
        self.assertEqual(set().union(*parts), families)
        self.assertEqual(sum(len(p) for p in parts), len(families))
        self.assertTrue(all(len(p) >= len(families) // 4 - 2 for p in parts))


class Geometry(unittest.TestCase):
    def test_outer_corners_land_on_the_margin(self):
        picture = np.full((400, 400), 255, np.uint8)
        picture[40:360, 40:360] = 0  # covers 40..360 in continuous coordinates
        out = warp.rectify(picture, [[40, 40], [360, 40], [360, 360], [40, 360]])
        dark = np.flatnonzero(out[144] < 128)
        self.assertEqual((dark[0], dark[-1]), (16, 271))

    def test_drawn_corners_frame_the_board(self):
        rng = np.random.default_rng(2)
        style = board.Style(frame=False, margin=0.5)
        placement = positions.from_fen("7k/8/8/8/8/8/8/K7")
        picture, corners = board.draw(rng, plain_set(), placement, style)
        self.assertEqual(corners.tolist(), [[24, 24], [408, 24], [408, 408], [24, 408]])
        out = warp.rectify(picture, corners) * 255
        black, white = out[16:48, 240:272].mean(), out[240:272, 16:48].mean()
        self.assertLess(black, white)  # h8 holds the filled disc


class Changes(unittest.TestCase):
    def setUp(self):
        # Every square carries its own number as its gray.
        number = np.arange(64, dtype=np.float32).reshape(8, 8)
        picture = np.pad(np.kron(number, np.ones((32, 32), np.float32)), 16)
        self.picture, self.labels = torch.from_numpy(picture)[None, None], torch.arange(64)[None]

    def assert_labels_fit(self, picture, labels):
        centres = picture[0, 0, 32:272:32, 32:272:32].reshape(64)
        self.assertEqual(centres.tolist(), labels[0].float().tolist())

    def test_mirror_keeps_labels_with_squares(self):
        self.assert_labels_fit(*augment.mirror(self.picture, self.labels, torch.tensor([True])))

    def test_shuffle_keeps_labels_with_squares(self):
        for seed in range(4):
            picture, labels = augment.shuffle_squares(np.random.default_rng(seed), self.picture[0], self.labels[0])
            self.assert_labels_fit(picture[None], labels[None])
            parity = (labels // 8 + labels % 8) % 2
            self.assertEqual(parity.tolist(), ((torch.arange(64) // 8 + torch.arange(64) % 8) % 2).tolist())


class Readability(unittest.TestCase):
    def test_a_drowned_man_is_refused(self):
        labels = positions.from_fen("7k/8/8/8/8/8/8/K7")
        picture, corners = board.draw(np.random.default_rng(3), plain_set(), labels, board.Style())
        clean = warp.rectify(picture, corners) * 255
        self.assertTrue(dataset.readable(clean.astype(np.uint8), clean, labels))
        drowned = clean.copy()
        drowned[16:48, 240:272] = 20
        self.assertFalse(dataset.readable(drowned.astype(np.uint8), clean, labels))

    def test_a_man_worn_into_the_likeness_of_another_is_no_fair_question(self):
        labels = positions.from_fen("7k/8/8/8/8/8/8/K1Q5")
        picture, corners = board.draw(np.random.default_rng(3), plain_set(), labels, board.Style())
        clean = warp.rectify(picture, corners) * 255
        self.assertTrue(dataset.readable(clean.astype(np.uint8), clean, labels, lead=0.5))
        alike = clean.copy()
        alike[240:272, 16:48] = 0.45 * clean[240:272, 16:48] + 0.55 * clean[240:272, 80:112]
        self.assertTrue(dataset.readable(alike.astype(np.uint8), clean, labels))
        self.assertFalse(dataset.readable(alike.astype(np.uint8), clean, labels, lead=0.1))


if __name__ == "__main__":
    unittest.main()
