"""What stands above, below and beside a board, and what it says about the side to move.

Phrases come from a table with the columns language, phrase, side, kind: our own `phrases.tsv`, so
that pages stay the same when the reader's lexicon grows, or any other of that shape.
A caption is chosen to be true of the position: the right side, a mate only where there is one.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field

from .positions import Position
from .text import PIECE_LETTERS, sentences

# Kinds of the lexicon that a page may print as they are; the others need a rule of their own.
GOALS = {"side_to_move": ("w", "b"), "win": ("w", "b"), "draw": ("w", "b")}
MARKS = {"w": "□○△▽", "b": "■●▲▼"}
NUMBERS = {
    "en": ["{}", "{}.", "No. {}", "Diagram {}", "DIAGRAM {}.", "Problem {}", "Fig. {}", "Exercise {}"],
    "de": ["{}", "{}.", "Nr. {}", "Diagramm {}", "Aufgabe {}"],
    "fr": ["{}", "N° {}", "Diagramme {}"],
    "es": ["{}", "Diagrama {}", "Ejercicio {}"],
    "it": ["{}", "N° {}", "Diagramma {}"],
    "ru": ["{}", "№ {}", "Диаграмма {}"],
    "pl": ["{}", "Diagram {}"],
    "ja": ["第{}図"],
    "zh": ["图{}"],
}
# The problems made here are mates in two.
TWO = re.compile(r"\b2\b|two\b|two-|zwei|deux|\bdos\b|\bdue\b|twee|два|dois|två|iki", re.I)
# Which evidence a book prints, and how often.
WAYS = {"phrase": 0.5, "mark": 0.17, "after_move": 0.09, "stipulation": 0.07, "move_cue": 0.04, "letter": 0.03, "verdict": 0.02, "nothing": 0.08}
AFTER = {"en": "Position after {}", "de": "Stellung nach {}", "fr": "Position après {}", "es": "Posición tras {}"}


@dataclass
class Caption:
    """Lines above and below, a mark beside the board, and what they say together."""

    above: list = field(default_factory=list)
    below: list = field(default_factory=list)
    mark: str | None = None
    mark_end: str = "own"  # beside the board: at the end of the side it names, or at one end on all boards (top, bottom)
    bubble: str | None = None  # form around the first line above: ring, box (empty), disc, block (filled)
    number: str | None = None
    side: str | None = None
    source: str | None = None  # phrase, stipulation, after_move, move_cue, letter, mark
    stipulation: str | None = None
    way: str | None = None  # how it is printed, see phrasebook.py

    def text(self) -> str | None:
        lines = self.above + self.below
        return " / ".join(lines) if lines else None


class Lexicon:
    """Phrases by language, side and kind."""

    def __init__(self, path):
        self.rows: dict[tuple, list[str]] = {}
        with open(path, newline="", encoding="utf-8") as handle:
            lines = (line for line in handle if not line.startswith("#"))
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                phrase = row["phrase"]
                # Placeholders and notes to the reader of the table are no captions.
                if "(" in phrase or "..." in phrase or "{" in phrase:
                    continue
                self.rows.setdefault((row["language"], row["side"], row["kind"]), []).append(phrase)

    def phrases(self, language: str, side: str, kind: str) -> list[str]:
        return self.rows.get((language, side, kind), [])

    def languages(self) -> list[str]:
        """Languages with a phrase for either side, running text and a face."""
        both = [lang for lang in sentences() if all(self.phrases(lang, s, "side_to_move") for s in "wb")]
        return sorted(both)


@dataclass
class Habit:
    """How one book captions its diagrams."""

    language: str
    number: str | None = None
    number_above: bool = True
    way: str = "phrase"  # see WAYS
    mark_side: str = "right"
    mark_shape: int = 0
    only_black: bool = False  # the mark is printed for Black only
    capitals: bool = False
    players: bool = False


def random_habit(rng, language: str) -> Habit:
    number = str(rng.choice(NUMBERS.get(language, ["{}", "{}."]))) if rng.random() < 0.75 else None
    way = str(rng.choice(list(WAYS), p=list(WAYS.values())))
    return Habit(language, number, rng.random() < 0.7, way, str(rng.choice(["right", "left"], p=[0.8, 0.2])), int(rng.integers(3)), rng.random() < 0.2, rng.random() < 0.08, rng.random() < 0.15)


def notation(san: str, language: str) -> str:
    """A move in the language's own piece letters."""
    return "".join(PIECE_LETTERS.get(language, "KQRBN")["KQRBN".index(c)] if c in "KQRBN" else c for c in san)


def last_move(position: Position, language: str) -> str:
    """The move before the position with its number: `17.Rd1` or `17...Rd8`."""
    board = position.board
    number = board.fullmove_number if not board.turn else board.fullmove_number - 1
    return f"{number}{'.' if not board.turn else '...'}{notation(position.last, language)}"


def phrase(rng, lexicon: Lexicon, position: Position, language: str) -> tuple[str, str, str | None] | None:
    """A true phrase, its source and the stipulation in it."""
    if position.mate:
        found = [p for p in lexicon.phrases(language, "w", "mate") if TWO.search(p)]
        if found:
            return str(rng.choice(found)), "stipulation", f"#{position.mate}"
    kind = str(rng.choice(list(GOALS), p=[0.7, 0.2, 0.1]))
    found = lexicon.phrases(language, position.side, kind) or lexicon.phrases(language, position.side, "side_to_move")
    return (str(rng.choice(found)), "phrase", None) if found else None


def compose(rng, lexicon: Lexicon, habit: Habit, position: Position, number: int) -> Caption:
    """The caption of one diagram in a book of these habits."""
    caption, way, language = Caption(), habit.way, habit.language
    if position.kind == "puzzle":
        way = "nothing"
    elif way == "after_move" and (not position.last or language not in AFTER) or way == "stipulation" and not position.mate:
        way = "phrase"
    if habit.number:
        caption.number = str(number)
        (caption.above if habit.number_above else caption.below).append(habit.number.format(number))
    if habit.players and position.kind == "game":
        names = rng.choice(["Weber", "Larsson", "Petit", "Moreno", "Novak", "Hollis", "Brandt", "Ferri"], 2, replace=False)
        caption.above.append(f"{names[0]} – {names[1]}, {rng.integers(1880, 1999)}")
    said = None
    if way == "phrase":
        said = phrase(rng, lexicon, position, language)
        if said:
            words = said[0].upper() if habit.capitals and language != "tr" else said[0]
            caption.below.append(words)
            caption.side, caption.source, caption.stipulation = position.side, said[1], said[2]
    elif way == "after_move":
        caption.below.append(AFTER[language].format(last_move(position, language)))
        caption.side, caption.source = position.side, "after_move"
    elif way == "stipulation":
        caption.below.append(f"#{position.mate}")
        caption.side, caption.source, caption.stipulation = "w", "stipulation", f"#{position.mate}"
    elif way == "move_cue":
        caption.below.append("1.?" if position.side == "w" else "1...?")
        caption.side, caption.source = position.side, "move_cue"
    elif way == "letter" and lexicon.phrases(language, position.side, "letter"):
        caption.below.append(lexicon.phrases(language, position.side, "letter")[0])
        caption.side, caption.source = position.side, "letter"
    elif way == "verdict":
        # Says who stands better, not who moves.
        caption.below += [str(rng.choice(found))] if (found := lexicon.phrases(language, "none", "verdict")) else []
    elif way == "mark" and not (habit.only_black and position.side == "w"):
        shapes = MARKS[position.side]
        caption.mark = shapes[habit.mark_shape % len(shapes)]
        caption.side, caption.source = position.side, "mark"
    return caption


