#!/usr/bin/env python3
"""Reads an exported collection back with readers that know nothing of Fenwatch.

Usage: read.py FOLDER SCHEMA
FOLDER is written by tests/export_readback.rs: expected.json says what the collection holds, in its order; book.epd, book.pgn, book.fen, book.csv,
book.json, book.txt (for Anki) and parts-NNN.pgn are its exports. EPD, PGN and FEN are read by python-chess; CSV and Anki's table by
Python's csv; JSON is held against SCHEMA.
"""
import csv
import html
import json
import re
import sys
import unicodedata
from pathlib import Path

import chess
import chess.pgn
import fastjsonschema

DIRECTION_MARKS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"


def line(text):
    """The words of a text on one line, without marks that cannot be seen."""
    words = re.sub(r"\s+", " ", text or "")
    return "".join(c for c in words if unicodedata.category(c) != "Cc" and c not in DIRECTION_MARKS).strip()


def same(what, got, wanted):
    if got != wanted:
        sys.exit(f"readback: {what}: {got!r} instead of {wanted!r}")


def read_epd(text, expected):
    lines = text.splitlines()
    same("lines of EPD", len(lines), len(expected))
    ids = set()
    for text, row in zip(lines, expected):
        board = chess.Board()
        operations = board.set_epd(text)
        fields = row["fen"].split()
        same("EPD position", board.epd(en_passant="fen"), " ".join(fields[:4]))
        names = re.findall(r"(?:^|; )([a-z][a-z0-9]*) ", " ".join(text.split(" ")[4:]))
        same("EPD's order", names, sorted(names))
        words = {"c0": row["caption"], "c1": row["title"] or row["book"], "c3": row["players"]}
        for name, value in words.items():
            value = line(value).replace('"', "'").replace(";", ",").replace("\\", "/")
            same(f"EPD {name} of {text}", operations.get(name, ""), value)
        if row["number"] and line(row["number"]):
            value = line(row["number"]).replace('"', "'").replace(";", ",").replace("\\", "/")
            assert operations["c2"].endswith(f", number {value}"), text
        ids.add(operations["id"])
        known = row["clocks_known"]
        same("hmvc", operations.get("hmvc"), int(fields[4]) if known else None)
        same("fmvn", operations.get("fmvn"), int(fields[5]) if known else None)
        same(f"dm of {text}", operations.get("dm"), row["mate"])
        keys = operations.get("bm", [])
        assert bool(keys) == bool(row["mate"]), text
        for move in keys:
            assert move in board.legal_moves, text
            if row["mate"] == 1:
                board.push(move)
                assert board.is_checkmate(), text
                board.pop()
    same("different ids in EPD", len(ids), len(expected))


def read_games(path):
    games = []
    with open(path, encoding="utf-8", newline="") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games.append(game)
    return games


def read_pgn(games, expected):
    same("games", len(games), len(expected))
    for game, row in zip(games, expected):
        same("errors in PGN", game.errors, [])
        same("moves", len(list(game.mainline_moves())), 0)
        board = game.board()
        same("PGN position", board.fen(en_passant="fen"), row["fen"])
        same("PGN side", board.turn == chess.WHITE, row["side"] == "w")
        headers = game.headers
        same("first tags", list(headers)[:7], ["Event", "Site", "Date", "Round", "White", "Black", "Result"])
        same("result", headers["Result"], "*")
        same("SetUp", headers["SetUp"], "1")
        tag = lambda text: line(text).replace("\\", "/").replace('"', "'") or "?"
        same("Event", headers["Event"], tag(row["title"] or row["book"]))
        same("Round", headers["Round"], tag(row["number"]))
        same("Annotator", headers.get("Annotator", "?"), tag(row["author"]))
        comment = " ".join(game.comment.split())
        caption = " ".join(line(row["caption"]).replace("{", "(").replace("}", ")").split())
        assert caption in comment, (caption, comment)
        assert row["side_source"] != "assumed" or "side to move assumed" in comment, comment


def read_fen(text, expected):
    lines = text.splitlines()
    same("FENs", lines, [row["fen"] for row in expected])
    for text in lines:
        same("FEN", chess.Board(text).fen(en_passant="fen"), text)


COLUMNS = ["book", "path", "page", "ordinal", "number", "fen", "side_to_move", "players", "stipulation", "caption"]


def read_csv(path, expected):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    same("records of CSV", len(rows), len(expected))
    for got, row in zip(rows, expected):
        assert None not in got and None not in got.values(), got
        for column in COLUMNS:
            wanted = row["side"] if column == "side_to_move" else row[column]
            same(f"CSV {column}", got[column], "" if wanted is None else str(wanted))
    same("different ids in CSV", len({row["id"] for row in rows}), len(expected))


def read_anki(path, expected):
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.readlines()
    header = dict(text[1:].rstrip("\n").split(":", 1) for text in lines if text.startswith("#"))
    same("Anki's header", (header["separator"], header["html"], header["guid column"]), ("tab", "true", "1"))
    rows = list(csv.reader((text for text in lines if not text.startswith("#")), delimiter="\t", strict=True))
    same("notes", len(rows), len(expected))
    for got, row in zip(rows, expected):
        same("fields of a note", len(got), 5)
        back = html.unescape(got[3])
        assert row["fen"] in back and line(row["caption"]) in back, got
    same("different notes", len({row[0] for row in rows}), len(expected))


def read_json(text, expected, schema):
    value = json.loads(text)
    fastjsonschema.compile(json.loads(schema))(value)
    same("diagrams of JSON", len(value["diagrams"]), len(expected))
    for got, row in zip(value["diagrams"], expected):
        for key in COLUMNS + ["title", "author"]:
            same(f"JSON {key}", got[key], row["side"] if key == "side_to_move" else row[key])


def main():
    folder, schema = Path(sys.argv[1]), Path(sys.argv[2])
    text = lambda name: (folder / name).read_bytes().decode("utf-8")
    expected = json.loads(text("expected.json"))
    read_epd(text("book.epd"), expected)
    read_pgn(read_games(folder / "book.pgn"), expected)
    parts = [read_games(path) for path in sorted(folder.glob("parts-*.pgn"))]
    assert len(parts) > 1 and all(len(part) <= 7 for part in parts), [len(part) for part in parts]
    read_pgn(sum(parts, []), expected)
    read_fen(text("book.fen"), expected)
    read_csv(folder / "book.csv", expected)
    read_anki(folder / "book.txt", expected)
    read_json(text("book.json"), expected, schema.read_text())
    plain = [text("ascii.epd"), text("ascii.pgn")]
    assert all(part.isascii() for part in plain)
    same("lines of ASCII EPD", len(plain[0].splitlines()), len(expected))
    same("different ids in ASCII EPD", len({part.rsplit(" id ", 1)[1] for part in plain[0].splitlines()}), len(expected))
    same("games of ASCII PGN", len(read_games(folder / "ascii.pgn")), len(expected))
    print(f"readback: {len(expected)} positions came back from EPD, PGN, FEN, CSV, JSON and Anki's table (python-chess {chess.__version__})")


main()
