"""Where things stand on a page: columns, grids, boards beside text, spreads, tight crops.

A `Leaf` is one page being composed: type goes straight onto its canvas, boards are blocks pasted
at the end, each turned by its own small angle. Lengths are in points (1/72 inch); labels come out
in pixels of the leaf's resolution.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from PIL import Image, ImageDraw

from . import boards, captions, negatives, positions, text

# Width and height in points: pocket, A5, octavo, six by nine inches, A4.
FORMATS = {"pocket": (312, 498), "a5": (420, 595), "octavo": (396, 612), "royal": (432, 648), "a4": (595, 842)}
GRIDS = {"grid2x2": (2, 2), "grid2x3": (3, 2), "grid3x4": (4, 3)}
LAYOUTS = ["one", "stack", "columns", "grid2x2", "grid2x3", "grid3x4", "side", "spread", "crop", "cut", "text", "negative"]


@dataclass
class Book:
    """One book's habits: format, type, boards and captions."""

    language: str
    size: tuple
    face: text.Typeface
    looks: list  # boards of one book look alike; a collection has several
    habit: captions.Habit
    lexicon: captions.Lexicon
    black_below: float = 0.1  # share of boards seen from Black's side
    tilt: float = 0.25  # degrees, deviation of each board's own angle
    tilt_max: float = 1.0
    number: int = 1
    caption_style: str = "roman"
    caption_share: float = 0.95  # of a grid's cell that a caption may fill
    notation: float = 0.12  # moves in the running text, see `text.prose`
    heading: str | None = None  # None: drawn
    given: list = field(default_factory=list)  # (position, caption) to print in this order, before any is drawn


@dataclass
class Leaf:
    """A page being composed."""

    canvas: text.Canvas
    blocks: list = field(default_factory=list)  # (picture, top left x, y in pixels)
    diagrams: list = field(default_factory=list)
    negatives: list = field(default_factory=list)

    def paste(self, picture: np.ndarray, x: float, y: float) -> None:
        self.blocks.append((picture, int(round(x)), int(round(y))))

    def finish(self) -> np.ndarray:
        """The page as float32, 0 ink .. 1 paper."""
        page = np.asarray(self.canvas.image, np.float32) / 255
        page = page.copy()
        for picture, x, y in self.blocks:
            height, width = picture.shape
            x0, y0, x1, y1 = max(0, x), max(0, y), min(page.shape[1], x + width), min(page.shape[0], y + height)
            if x1 > x0 and y1 > y0:
                page[y0:y1, x0:x1] *= picture[y0 - y : y1 - y, x0 - x : x1 - x]
        return page


def turned(picture: np.ndarray, corners: np.ndarray, degrees: float):
    """A block turned about its middle, and its corners."""
    height, width = picture.shape
    move = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    points = corners @ move[:, :2].T + move[:, 2]
    # OpenCV counts pixel centres as whole numbers, we count pixel edges.
    move[:, 2] += move[:, :2] @ (0.5, 0.5) - 0.5
    out = cv2.warpAffine(picture, move, (width, height), flags=cv2.INTER_LINEAR, borderValue=1.0)
    return out, points


def block_height(book: Book, side: float, lines_above: int, lines_below: int) -> float:
    """Height of a diagram with its lines, in points."""
    return side * 1.12 + (lines_above + lines_below) * book.face.leading + 6


# Share of the body's size down to which a long caption is set in one line.
SMALLEST = 0.62


def diagram(rng, leaf: Leaf, book: Book, middle: float, top: float, side: float, extent: float | None = None) -> float:
    """Sets one diagram of `side` points around x = `middle`, its first line at `top`; returns the y below."""
    canvas, face = leaf.canvas, book.face
    look = book.looks[int(rng.integers(len(book.looks)))]
    if book.given:
        position, caption = book.given.pop(0)
    else:
        position = positions.draw(rng)
        caption = captions.compose(rng, book.lexicon, book.habit, position, book.number)
        book.number += 1
    # Signs around the board need air: without coordinates the caption comes closer.
    air = 0.12 + (0.5 if look.coordinates in ("left", "right", "both", "files") else 0) + 0.2
    square_pt = side / 8
    y = top
    room = extent or side * 1.3
    caption.above = [part for line in caption.above for part in broken(canvas, line, face, "bold", room)]
    caption.below = [part for line in caption.below for part in broken(canvas, line, face, book.caption_style, room)]
    for at, line in enumerate(caption.above):
        if caption.bubble and at == 0:
            picture = bubble(line, face.name("bold"), face.body * canvas.scale, caption.bubble)
            leaf.paste(picture, middle * canvas.scale - picture.shape[1] / 2, (y - face.body * 0.3) * canvas.scale)
            y += max(face.leading * 1.2, face.body * 2.2)
            continue
        canvas.line(line, middle, y + face.leading * 0.75, face.name("bold"), fitted(canvas, line, face, "bold", room), "m")
        y += face.leading
    y += square_pt * (0.3 if look.coordinates != "both" else 0.75)
    square = max(8, int(round(square_pt * canvas.scale)))
    black_below = position.kind != "puzzle" and rng.random() < book.black_below
    picture, corners = boards.draw(rng, look, position.placement, square, black_below, caption.mark, book.habit.mark_side, caption.mark_end)
    angle = float(np.clip(rng.normal(0, book.tilt), -book.tilt_max, book.tilt_max))
    picture, corners = turned(picture, corners, angle)
    centre = corners.mean(0)
    x_pixel = round(middle * canvas.scale - centre[0])
    y_pixel = round((y + side / 2) * canvas.scale - centre[1])
    leaf.paste(picture, x_pixel, y_pixel)
    lean = abs(np.sin(np.radians(angle))) * side / 2
    y += side + square_pt * air + lean
    for line in caption.below:
        size = fitted(canvas, line, face, book.caption_style, room)
        canvas.line(line, middle, y + face.leading * 0.75, face.name(book.caption_style), size, "m")
        y += face.leading
    leaf.diagrams.append(
        {
            "corners": corners + (x_pixel, y_pixel),
            "placement": position.placement,
            "orientation": "black_bottom" if black_below else "white_bottom",
            "side_to_move": caption.side,
            "side_source": caption.source,
            "caption": caption.text(),
            "number": caption.number,
            "mark": caption.mark,
            "stipulation": caption.stipulation,
            "way": caption.way,
            "coordinates": look.coordinates,
            "dark_squares": look.darks,
            "frame": look.frame,
            "language": book.language,
            "set": look.name,
            "family": look.family,
        }
    )
    return y


def bubble(line: str, name: str, body: float, form: str) -> np.ndarray:
    """A number in a ring or a box, or cut out of a disc or a block; 0 ink .. 1 paper."""
    high = round(body * 1.9)
    wide, filled = max(high, round(body * (0.9 + 0.55 * len(line)))), form in ("disc", "block")
    sheet = Image.new("L", (wide + 2, high + 2), 255)
    pen, stroke = ImageDraw.Draw(sheet), max(1, round(body * 0.09))
    shape = pen.rounded_rectangle if form in ("box", "block") else pen.ellipse
    shape((1, 1, wide, high), fill=0 if filled else 255, outline=0, width=stroke)
    pen.text((wide / 2 + 1, high / 2 + 1), line, 255 if filled else 0, text.font(name, round(body)), anchor="mm")
    return np.asarray(sheet, np.float32) / 255


def fitted(canvas, line: str, face, style: str, width: float) -> float:
    """The caption's size: the body's, smaller if the line would be too long."""
    long = canvas.measure(line, face.name(style), face.body)
    return face.body * min(1.0, width / max(1.0, long))


def broken(canvas, line: str, face, style: str, width: float) -> list[str]:
    """The lines that a caption's line is set in: two where one would have to be set very small. Captions never run into each other."""
    words = line.split(" ")
    if len(words) < 2 or fitted(canvas, line, face, style, width) > SMALLEST * face.body:
        return [line]
    halves = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    best = min(halves, key=lambda pair: max(canvas.measure(part, face.name(style), face.body) for part in pair))
    return [part for half in best for part in broken(canvas, half, face, style, width)]


def head(rng, leaf: Leaf, book: Book, left: float, right: float, top: float) -> None:
    """Running head and page number."""
    canvas, face = leaf.canvas, book.face
    headings = text.sentences("headings").get(book.language) or text.sentences("headings")["en"]
    title, number = book.heading or str(rng.choice(headings)), str(int(rng.integers(3, 320)))
    if rng.random() < 0.6 and book.language != "tr":
        title = title.upper()
    canvas.line(title, (left + right) / 2, top, face.name("roman"), face.body, "m")
    u = rng.random()
    if u < 0.45:
        canvas.line(number, right, top, face.name("roman"), face.body, "r")
    elif u < 0.8:
        canvas.line(number, left, top, face.name("roman"), face.body, "l")
    if rng.random() < 0.2:
        y = round((top + 4) * canvas.scale)
        canvas.draw.line([(left * canvas.scale, y), (right * canvas.scale, y)], 0, max(1, round(0.5 * canvas.scale)))


def compose(rng, book: Book, layout: str, dpi: float) -> Leaf:
    """A whole page of one layout."""
    if layout == "spread":
        return spread(rng, book, dpi)
    if layout == "crop":
        return crop(rng, book, dpi)
    if layout == "cut":
        return cut(rng, book, dpi)
    width, height = book.size
    leaf = Leaf(text.Canvas(width, height, dpi))
    left, right = width * rng.uniform(0.09, 0.14), width * (1 - rng.uniform(0.09, 0.14))
    top, bottom = height * rng.uniform(0.09, 0.12), height * (1 - rng.uniform(0.06, 0.1))
    if rng.random() < 0.85:
        head(rng, leaf, book, left, right, top - book.face.leading)
    frame = (left, top, right, bottom)
    if layout in GRIDS:
        grid(rng, leaf, book, frame, *GRIDS[layout])
    elif layout == "columns":
        columns(rng, leaf, book, frame)
    elif layout == "side":
        beside(rng, leaf, book, frame)
    elif layout == "negative":
        negative(rng, leaf, book, frame)
    else:
        column(rng, leaf, book, frame, {"one": 1, "stack": int(rng.integers(2, 4)), "text": 0}[layout])
    return leaf


def column(rng, leaf: Leaf, book: Book, frame, count: int) -> None:
    """Text with `count` boards under each other."""
    left, top, right, bottom = frame
    width, leading = right - left, book.face.leading
    words = text.prose(rng, book.language, book.notation)
    side = min(width * rng.uniform(0.42, 0.75), (bottom - top) / max(1, count) * 0.62)
    room = bottom - top - count * block_height(book, side, 1, 1) - count * 1.5 * leading
    shares = rng.dirichlet(np.ones(count + 1) * 2) * max(0, room)
    y = top
    for i in range(count):
        y = leaf.canvas.paragraph(words, left, y, width, shares[i], book.face, i == 0) + leading * 0.5
        if count > 1 and rng.random() < 0.06:
            y = figure(rng, leaf, book, (left + right) / 2, y, side) + leading
        else:
            y = diagram(rng, leaf, book, (left + right) / 2, y, side) + leading * 0.6
    leaf.canvas.paragraph(words, left, y, width, bottom - y, book.face, count == 0)


def columns(rng, leaf: Leaf, book: Book, frame) -> None:
    """Two columns of text with boards in either."""
    left, top, right, bottom = frame
    gap = (right - left) * 0.05
    width = (right - left - gap) / 2
    small = text.Typeface(book.face.face, book.face.body * 0.82, book.face.leading * 0.82)
    size, book.face = book.face, small
    for x in (left, left + width + gap):
        column(rng, leaf, book, (x, top, x + width, bottom), int(rng.integers(0, 4)))
    book.face = size


def grid(rng, leaf: Leaf, book: Book, frame, rows: int, files: int) -> None:
    """Boards in rows and files; a page that they do not fill ends in text."""
    left, top, right, bottom = frame
    cell = (right - left) / files
    body = book.face
    if files > 2:
        book.face = text.Typeface(body.face, body.body * 0.75, body.leading * 0.75)
    # Number, phrase (perhaps broken in two), and the players if the book names them.
    lines = (3 + book.habit.players) * book.face.leading + 8
    side = min(cell * rng.uniform(0.72, 0.84), (bottom - top) / rows / 1.15 - lines)
    pitch = (side * 1.15 + lines) if rows == 2 and rng.random() < 0.6 else (bottom - top) / rows
    last = rows * files - (int(rng.integers(1, files)) if rng.random() < 0.15 else 0)
    for at in range(last):
        row, file = divmod(at, files)
        diagram(rng, leaf, book, left + (file + 0.5) * cell, top + row * pitch, side, cell * book.caption_share)
    book.face = body
    y = top + rows * pitch + body.leading
    leaf.canvas.paragraph(text.prose(rng, book.language, book.notation), left, y, right - left, bottom - y, body)


def beside(rng, leaf: Leaf, book: Book, frame) -> None:
    """Boards with text running beside them, left and right in turn."""
    left, top, right, bottom = frame
    width, leading = right - left, book.face.leading
    side, words = width * rng.uniform(0.36, 0.45), text.prose(rng, book.language, book.notation)
    y, on_left = top, rng.random() < 0.5
    while y + block_height(book, side, 1, 1) + leading < bottom:
        x = left + side * 0.6 if on_left else right - side * 0.6
        below = diagram(rng, leaf, book, x, y, side, side * 1.15)
        start = left + side * 1.3 if on_left else left
        leaf.canvas.paragraph(words, start, y, width - side * 1.3, below - y, book.face, y == top)
        y, on_left = below + leading * 0.5, not on_left
        lines = int(rng.integers(2, 7)) * leading
        y = leaf.canvas.paragraph(words, left, y, width, min(lines, bottom - y), book.face, False) + leading * 0.5


def negative(rng, leaf: Leaf, book: Book, frame) -> None:
    """Text with one or two figures that are no chess diagrams."""
    left, top, right, bottom = frame
    width, words, y = right - left, text.prose(rng, book.language, book.notation), top
    for _ in range(int(rng.integers(1, 3))):
        y = leaf.canvas.paragraph(words, left, y, width, (bottom - top) * rng.uniform(0.05, 0.25), book.face)
        y += book.face.leading
        side = min(width * rng.uniform(0.5, 0.95), (bottom - y) * 0.8)
        if side < width * 0.25:
            break
        y = figure(rng, leaf, book, (left + right) / 2, y, side) + book.face.leading
    leaf.canvas.paragraph(words, left, y, width, bottom - y, book.face)


def figure(rng, leaf: Leaf, book: Book, middle: float, y: float, side: float) -> float:
    """Sets a figure that is no chess diagram; returns the y below."""
    scale = leaf.canvas.scale
    kind, picture = negatives.draw(rng, side * scale, side)
    height, width = picture.shape
    x = round(middle * scale - width / 2)
    leaf.paste(picture, x, y * scale)
    leaf.negatives.append({"kind": kind, "box": np.float64([x, round(y * scale), x + width, round(y * scale) + height])})
    return y + height / scale


def spread(rng, book: Book, dpi: float) -> Leaf:
    """Two pages side by side in one picture."""
    pages = [compose(rng, book, str(rng.choice(["one", "stack", "grid2x2", "grid2x3", "side", "text"])), dpi) for _ in range(2)]
    first, second = pages
    whole = Leaf(text.Canvas(book.size[0] * 2, book.size[1], dpi))
    shift = first.canvas.image.width
    whole.canvas.image.paste(first.canvas.image, (0, 0))
    whole.canvas.image.paste(second.canvas.image, (shift, 0))
    for page, dx in ((first, 0), (second, shift)):
        whole.blocks += [(picture, x + dx, y) for picture, x, y in page.blocks]
        for label in page.diagrams:
            label["corners"] = label["corners"] + (dx, 0)
        for label in page.negatives:
            label["box"] = label["box"] + (dx, 0, dx, 0)
        whole.diagrams += page.diagrams
        whole.negatives += page.negatives
    if rng.random() < 0.6:
        # The fold: dark in the middle, gone within a few points.
        away = np.abs(np.linspace(-20, 20, round(40 * whole.canvas.scale), dtype=np.float32))
        fold = 1 - np.float32(rng.uniform(0.2, 0.7)) * np.exp(-away / np.float32(rng.uniform(1, 6)))
        whole.paste(np.repeat(fold[None], whole.canvas.image.height, 0), shift - len(fold) / 2, 0)
    return whole


def cut(rng, book: Book, dpi: float) -> Leaf:
    """A page whose picture ends inside a board: that board is no diagram any more, the others are."""
    leaf = compose(rng, book, str(rng.choice(["stack", "grid2x2", "grid2x3"])), dpi)
    if not leaf.diagrams:
        return leaf
    wide, high = leaf.canvas.image.size
    victim = leaf.diagrams[int(rng.integers(len(leaf.diagrams)))]["corners"]
    x, y = np.round(victim.min(0) + np.ptp(victim, 0) * rng.uniform(0.25, 0.75)).astype(int)
    # Where the board lies on the page decides from which side most of the page is kept.
    if rng.random() < 0.5:
        x0, y0, x1, y1 = (x, 0, wide, high) if x < wide / 2 else (0, 0, x, high)
    else:
        x0, y0, x1, y1 = (0, y, wide, high) if y < high / 2 else (0, 0, wide, y)
    leaf.canvas.image = leaf.canvas.image.crop((int(x0), int(y0), int(x1), int(y1)))
    leaf.blocks = [(picture, x - int(x0), y - int(y0)) for picture, x, y in leaf.blocks]
    kept = []
    size = np.array([x1 - x0, y1 - y0])
    for label in leaf.diagrams:
        label["corners"] = corners = label["corners"] - (x0, y0)
        if (corners >= 0).all() and (corners <= size).all():
            kept.append(label)
        elif (corners.max(0) > 0).all() and (corners.min(0) < size).all():
            box = [*np.clip(corners.min(0), 0, size), *np.clip(corners.max(0), 0, size)]
            leaf.negatives.append({"kind": "cut_board", "box": np.float64(box)})
    for label in leaf.negatives:
        if label["kind"] != "cut_board":
            label["box"] = label["box"] - (x0, y0, x0, y0)
    leaf.diagrams = kept
    return leaf


def crop(rng, book: Book, dpi: float) -> Leaf:
    """One board cut out of its page: the picture ends at the frame, the squares or a little beyond."""
    leaf = Leaf(text.Canvas(300, 340, dpi))
    diagram(rng, leaf, book, 150, 40, float(rng.uniform(130, 200)))
    corners = leaf.diagrams[0]["corners"]
    side = np.ptp(corners[:, 0]) / 8
    # From exactly the squares' edge to one square of paper.
    margin = rng.choice([0.0, 0.06, rng.uniform(0.1, 0.4), rng.uniform(0.4, 1.0)], size=2) * side
    if leaf.diagrams[0]["orientation"] == "black_bottom":
        # Nobody cuts off what tells that Black is below.
        margin = np.full(2, 0.99 * side)
    x0, y0 = (corners.min(0) - margin).round()
    x1, y1 = (corners.max(0) + margin).round()
    leaf.canvas.image = leaf.canvas.image.crop((int(x0), int(y0), int(x1), int(y1)))
    leaf.blocks = [(picture, x - int(x0), y - int(y0)) for picture, x, y in leaf.blocks]
    label = leaf.diagrams[0]
    label["corners"] = corners - (x0, y0)
    if margin[1] < side:  # the caption was cut away, perhaps in part
        label["caption"] = label["number"] = None
        if label["side_source"] != "mark" or margin[0] < side:
            label["side_to_move"] = label["side_source"] = label["mark"] = label["stipulation"] = None
    return leaf
