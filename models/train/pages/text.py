"""Type: fonts of Debian's packages, wording in many languages, lines and justified paragraphs.

Sizes are in points, as a printer gives them; a `Canvas` turns them into pixels of its resolution.
The wording is our own (`wording.tsv`, `headings.tsv`).
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
FONT_ROOT = Path("/usr/share/fonts")
# Roman, bold, italic of each face. Debian packages: fonts-liberation, fonts-dejavu,
# fonts-freefont-ttf, fonts-linuxlibertine, fonts-ebgaramond, fonts-oldstandard, fonts-cmu,
# fonts-gfs-didot, fonts-urw-base35, fonts-droid-fallback.
FACES = {
    "liberation": ("LiberationSerif-Regular.ttf", "LiberationSerif-Bold.ttf", "LiberationSerif-Italic.ttf"),
    "dejavu": ("DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSerif-Italic.ttf"),
    "freeserif": ("FreeSerif.ttf", "FreeSerifBold.ttf", "FreeSerifItalic.ttf"),
    "libertine": ("LinLibertine_R.otf", "LinLibertine_RB.otf", "LinLibertine_RI.otf"),
    "garamond": ("EBGaramond12-Regular.otf", "EBGaramond12-Bold.otf", "EBGaramond12-Italic.otf"),
    "oldstandard": ("OldStandard-Regular.ttf", "OldStandard-Bold.ttf", "OldStandard-Italic.ttf"),
    "modern": ("cmunrm.ttf", "cmunbx.ttf", "cmunti.ttf"),
    "didot": ("GFSDidot.otf", "GFSDidotBold.otf", "GFSDidotItalic.otf"),
    "century": ("C059-Roman.otf", "C059-Bold.otf", "C059-Italic.otf"),
    "bookman": ("URWBookman-Light.otf", "URWBookman-Demi.otf", "URWBookman-LightItalic.otf"),
    "palladio": ("P052-Roman.otf", "P052-Bold.otf", "P052-Italic.otf"),
    "sans": ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf", "LiberationSans-Italic.ttf"),
    "han": ("DroidSansFallbackFull.ttf",) * 3,
    "arabic": ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans.ttf"),
}
SYMBOLS = "DejaVuSans.ttf"
# Faces that cover a script; languages not named here are Latin.
LATIN = [name for name in FACES if name not in ("han", "arabic")]
EASTERN = [name for name in LATIN if name not in ("oldstandard", "didot", "century", "bookman", "palladio")]
CYRILLIC = ["liberation", "dejavu", "freeserif", "libertine", "garamond", "oldstandard", "modern", "sans"]
GREEK = ["liberation", "dejavu", "freeserif", "libertine", "didot", "sans"]
SCRIPTS = {language: CYRILLIC for language in ("ru", "uk", "bg", "sr")} | {"el": GREEK}
SCRIPTS |= {language: ["han"] for language in ("ja", "zh", "zh-TW", "ko")}
SCRIPTS |= {"th": ["freeserif"], "hi": ["freeserif"], "he": ["freeserif", "dejavu"], "ar": ["arabic"], "fa": ["arabic"]}
SCRIPTS |= {language: EASTERN for language in ("pl", "cs", "sk", "hu", "ro", "tr", "hr", "sl", "lt", "lv")}
# The letters of pawn-less notation, in the order K Q R B N.
PIECE_LETTERS = {
    "en": "KQRBN", "de": "KDTLS", "fr": "RDTFC", "es": "RDTAC", "it": "RDTAC", "nl": "KDTLP", "pl": "KHWGS",
    "cs": "KDVSJ", "hu": "KVBFH", "pt": "RDTBC", "sv": "KDTLS", "da": "KDTLS", "ro": "RDTNC", "tr": "ŞVKFA",
    "ru": "КФЛСК", "uk": "КФТСК", "el": "ΡΒΠΑΙ",
}  # fmt: skip


@lru_cache
def font_file(name: str) -> str:
    """Where an installed font lies."""
    found = sorted(FONT_ROOT.rglob(name))
    if not found:
        raise FileNotFoundError(f"{name}: font not installed; see README.md for the Debian packages")
    return str(found[0])


@lru_cache(512)
def font(name: str, pixels: int, joined: bool = False) -> ImageFont.FreeTypeFont:
    """A font at a size in pixels; `joined` for scripts whose letters change with their neighbours or run leftwards."""
    engine = ImageFont.Layout.RAQM if joined else ImageFont.Layout.BASIC
    return ImageFont.truetype(font_file(name), max(4, pixels), layout_engine=engine)


@lru_cache
def sentences(kind: str = "wording") -> dict:
    """Our sentences (`wording`) or headings (`headings`) by language."""
    out: dict[str, list[str]] = {}
    with open(HERE / f"{kind}.tsv", newline="", encoding="utf-8") as handle:
        for row in csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            out.setdefault(row[0], []).append(row[1])
    out.pop("language")
    return out


@dataclass
class Typeface:
    """The type of one book: its face, body size and leading in points."""

    face: str
    body: float
    leading: float

    def name(self, style: str) -> str:
        return FACES[self.face][("roman", "bold", "italic").index(style)]


def random_typeface(rng, language: str) -> Typeface:
    """A face that has the language's letters, at a book's usual size."""
    names = SCRIPTS.get(language, LATIN)
    body = float(rng.uniform(8.2, 11.0))
    return Typeface(str(rng.choice(names)), body, body * float(rng.uniform(1.15, 1.45)))


def prose(rng, language: str, notation: float = 0.12):
    """Endless words of running text; after a sentence a line of moves with chance `notation`."""
    pool = sentences().get(language) or sentences()["en"]
    joined = language in ("ja", "zh", "zh-TW")
    while True:
        for at in rng.permutation(len(pool)):
            yield from (list(pool[at]) if joined else pool[at].split(" "))
            if rng.random() < notation:
                yield from moves(rng, language)


def moves(rng, language: str) -> list[str]:
    """A line of moves as text between the sentences: looks like notation, belongs to no board."""
    letters, out = PIECE_LETTERS.get(language, "KQRBN"), []
    first = int(rng.integers(2, 50))
    for number in range(first, first + int(rng.integers(1, 5))):
        for side in range(2):
            man = str(rng.choice(list(letters) + ["", "", ""]))
            take = str(rng.choice(["", "", "x", ":"])) if man else ""
            move = f"{man}{take}{rng.choice(list('abcdefgh'))}{rng.integers(2, 8)}{rng.choice(['', '', '', '+', '!', '?'])}"
            out.append(f"{number}.{move}" if side == 0 else move)
    return out


class Canvas:
    """A page being set: gray PIL image (255 paper, 0 ink), lengths in points."""

    def __init__(self, width: float, height: float, dpi: float):
        self.scale = dpi / 72
        self.width, self.height = width, height
        self.image = Image.new("L", (round(width * self.scale), round(height * self.scale)), 255)
        self.draw = ImageDraw.Draw(self.image)

    def font(self, name: str, size: float):
        return font(name, round(size * self.scale))

    def runs(self, words: str, name: str, size: float) -> list:
        """Pieces of a line with their fonts: the Han face has no Latin letters and digits, only one face has marks."""
        if len(parts := re.findall(r"[\u25a0-\u25ff]|[^\u25a0-\u25ff]+", words)) > 1:
            return [run for part in parts for run in self.runs(part, name, size)]
        if "\u25a0" <= words[:1] <= "\u25ff":
            return [(words, self.font(SYMBOLS, size * 1.15))]
        if re.search(r"[\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f]", words):
            return [(words, font(name, round(size * self.scale), True))]
        if name != FACES["han"][0]:
            return [(words, self.font(name, size))]
        parts = re.findall(r"[ -\u04ff]+|[^ -\u04ff]+", words)
        return [(part, self.font(FACES["freeserif"][0] if part[0] < "\u0500" else name, size)) for part in parts]

    def measure(self, words: str, name: str, size: float) -> float:
        """Width of a line in points."""
        return sum(face.getlength(part) for part, face in self.runs(words, name, size)) / self.scale

    def line(self, words: str, x: float, baseline: float, name: str, size: float, anchor: str = "l") -> None:
        """Draws one line that begins (`l`), is centred (`m`) or ends (`r`) at x."""
        left = x * self.scale - self.measure(words, name, size) * self.scale * {"l": 0, "m": 0.5, "r": 1}[anchor[0]]
        for part, face in self.runs(words, name, size):
            self.draw.text((round(left), round(baseline * self.scale)), part, fill=0, font=face, anchor="ls")
            left += face.getlength(part)

    def paragraph(self, words, x: float, y: float, width: float, height: float, face: Typeface, indent=True) -> float:
        """Sets justified text from an iterator of words until `height` is full; returns the y below."""
        name, space = face.name("roman"), face.body * 0.25
        if face.face == "han":
            space = 0.0
        y_end, first = y + height, indent
        pending = None
        while y + face.leading <= y_end:
            left, line, total = x + (face.body * 1.2 if first else 0), [], 0.0
            room = x + width - left
            while True:
                word = pending or next(words)
                pending = None
                length = self.measure(word, name, face.body)
                if line and total + space + length > room:
                    pending = word
                    break
                total += length + (space if line else 0)
                line.append((word, length))
            last = y + 2 * face.leading > y_end
            gap = space if last else space + (room - total) / max(1, len(line) - 1)
            for word, length in line:
                self.line(word, left, y + face.leading * 0.8, name, face.body)
                left += length + gap
            y, first = y + face.leading, line[-1][0].endswith((".", "。")) and bool(len(line) % 2)
        return y
