#!/usr/bin/env python3
"""Makes the small files of all formats that the page tests read, from one synthetic drawing.

Needs Pillow and the Debian packages libtiff-tools, djvulibre-bin, qpdf, ghostscript, imagemagick.
Run in this folder: `python3 make.py`. The results are committed; run it only to add one.
"""

import io
import subprocess
import zlib
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).parent
WORK = HERE / "work"
WORK.mkdir(exist_ok=True)

SIZE = (168, 120)


def drawing(word="Nf3 +", turn=False):
    """Black on white: a checkered field, words, a bar left and a corner that tells the turn."""
    page = Image.new("1", SIZE, 1)
    pen = ImageDraw.Draw(page)
    pen.rectangle((0, 0, 7, SIZE[1]), fill=0)
    pen.rectangle((0, 0, 60, 7), fill=0)
    for row in range(8):
        for column in range(8):
            if (row + column) % 2 == (0 if turn else 1):
                pen.rectangle((20 + column * 12, 18 + row * 12, 31 + column * 12, 29 + row * 12), fill=0)
    pen.text((124, 30), word, font=ImageFont.load_default(12), fill=0)
    pen.text((124, 80), "1.", font=ImageFont.load_default(12), fill=0)
    return page


def shaded(page):
    """Gray values besides black and white."""
    gray = page.convert("L")
    pixels = gray.load()
    for y in range(SIZE[1]):
        for x in range(SIZE[0]):
            pixels[x, y] = min(255, pixels[x, y] // 2 + 20 + x // 2 + y // 4)
    return gray


def coloured(gray):
    """The gray page on yellowish paper."""
    return Image.merge("RGB", [gray, gray.point(lambda v: v * 15 // 16), gray.point(lambda v: v * 3 // 4)])


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


BW, BW2 = drawing(), drawing("Kd5", True)
GRAY = shaded(BW)
RGB = coloured(GRAY)
DPI = (300, 300)


def tiffs():
    BW.save("bw.png", dpi=DPI)
    BW2.save("bw2.png", dpi=DPI)
    GRAY.save("gray.png", dpi=DPI)
    RGB.save("rgb.png", dpi=DPI)
    bw, bw2, gray, rgb = (WORK / name for name in ("bw.tif", "bw2.tif", "gray.tif", "rgb.tif"))
    BW.save(bw, dpi=DPI, tiffinfo={278: 50})
    BW2.save(bw2, dpi=DPI)
    GRAY.save(gray, dpi=DPI)
    RGB.save(rgb, dpi=DPI)
    white_is_zero = WORK / "white-is-zero.tif"
    run("convert", bw, "-define", "quantum:polarity=min-is-white", "-compress", "none", white_is_zero)
    run("tiffcp", "-c", "g4", bw, bw2, bw, "g4-three-pages.tif")
    run("tiffcp", "-c", "g4", "-r", "40", white_is_zero, "g4-strips.tif")
    run("tiffcp", "-c", "g4", "-f", "lsb2msb", white_is_zero, "g4-reversed-bits.tif")
    run("tiffcp", "-c", "g3:1d", white_is_zero, "g3-1d.tif")
    run("tiffcp", "-c", "g3:2d:fill", white_is_zero, "g3-2d.tif")
    run("tiffcp", "-c", "g3:1d:fill", "-f", "lsb2msb", bw, "g3-reversed-bits.tif")
    BW.save("modified-huffman.tif", compression="tiff_ccitt")
    run("tiffcp", "-c", "packbits", bw, "bw-packbits.tif")
    run("tiffcp", "-c", "none", "-f", "lsb2msb", bw, "bw-reversed-bits.tif")
    run("tiffcp", "-c", "lzw", bw, "bw-lzw.tif")
    run("tiffcp", "-c", "none", white_is_zero, "bw-white-is-zero.tif")
    black_is_zero = WORK / "black-is-zero.tif"
    run("convert", bw, "-define", "quantum:polarity=min-is-black", "-compress", "none", black_is_zero)
    run("tiffcp", "-c", "g4", black_is_zero, "g4-black-is-zero.tif")
    run("tiffcp", "-c", "lzw:2", "-r", "16", gray, "gray-lzw-predictor.tif")
    run("tiffcp", "-c", "zip:2", rgb, "rgb-deflate-predictor.tif")
    run("tiffcp", "-c", "packbits", "-B", gray, "gray-packbits-big-endian.tif")
    run("tiffcp", "-c", "zip", "-p", "separate", rgb, "rgb-planes.tif")
    run("tiffcp", "-c", "zip", "-t", "-w", "64", "-l", "48", rgb, "rgb-tiles.tif")
    run("tiffcp", "-c", "g4", "-t", "-w", "64", "-l", "48", bw, "g4-tiles.tif")
    run("tiffcp", "-8", "-c", "lzw", gray, gray, "gray-bigtiff.tif")
    run("tiffcp", "-c", "jpeg:95", rgb, "jpeg-ycbcr.tif")
    run("tiffcp", "-c", "jpeg:r:85", "-r", "32", rgb, "jpeg-rgb.tif")
    run("tiffcp", "-c", "jpeg:95", "-r", "32", gray, "jpeg-gray.tif")
    subsampled("ycbcr-subsampled.tif")
    GRAY.convert("I;16").point(lambda v: v * 257).save(WORK / "gray16.tif")
    run("tiffcp", "-c", "lzw:2", "-L", WORK / "gray16.tif", "gray16-little-endian.tif")
    run("tiffcp", "-c", "zip", "-B", WORK / "gray16.tif", "gray16-big-endian.tif")
    RGB.quantize(16).save(WORK / "palette.tif")
    run("tiffcp", "-c", "lzw", WORK / "palette.tif", "palette.tif")
    run("convert", rgb, "+dither", "-colors", "16", "-type", "Palette", "-depth", "4", "-compress", "none", WORK / "palette4.tif")
    run("tiffcp", "-c", "packbits", WORK / "palette4.tif", "palette-4-bits.tif")
    run("convert", gray, "-depth", "4", "-compress", "none", "gray-4-bits.tif")
    RGB.convert("CMYK").save("cmyk.tif", compression="tiff_adobe_deflate")
    alpha = RGB.convert("RGBA")
    alpha.putalpha(Image.linear_gradient("L").resize(SIZE))
    alpha.save("rgb-alpha.tif", compression="tiff_adobe_deflate")
    alpha.save("rgb-alpha.png")
    run("convert", "gray.png", "-interlace", "PNG", "gray-interlaced.png")
    run("convert", "rgb-alpha.png", "-interlace", "PNG", "-depth", "16", "-define", "png:bit-depth=16", "rgb-alpha-interlaced-16.png")
    GRAY.convert("F").crop((0, 0, 40, 30)).save("float.tif")
    BW.convert("L").rotate(90, expand=True).convert("1").save("orientation-6.tif", compression="group4")
    run("tiffset", "-s", "274", "6", "orientation-6.tif")
    raw_tiff("rgb-webp.tif", bytes_of(RGB, "WEBP", lossless=True), 50001, 2, 1 | 1 << 16)


def raw_tiff(path, data, compression, photometric, subsampling):
    """A TIFF in one strip of three samples."""
    width, height = SIZE
    strip = 8 + 2 + 11 * 12 + 4 + 6
    entries = [
        (256, 4, 1, width), (257, 4, 1, height), (258, 3, 3, strip - 6), (259, 3, 1, compression), (262, 3, 1, photometric),
        (273, 4, 1, strip), (277, 3, 1, 3), (278, 4, 1, height), (279, 4, 1, len(data)), (284, 3, 1, 1), (530, 3, 2, subsampling),
    ]
    head = b"II*\0" + (8).to_bytes(4, "little") + len(entries).to_bytes(2, "little")
    for tag, kind, count, value in entries:
        head += b"".join(n.to_bytes(size, "little") for n, size in ((tag, 2), (kind, 2), (count, 4), (value, 4)))
    Path(path).write_bytes(head + bytes(4) + b"\x08\0" * 3 + data)


def subsampled(path):
    """YCbCr with one chroma pair for two by two pixels (TIFF 6.0, section 21)."""
    luma, blue, red = RGB.convert("YCbCr").split()
    data = bytearray()
    for y in range(0, SIZE[1], 2):
        for x in range(0, SIZE[0], 2):
            data += bytes(luma.getpixel((x + dx, y + dy)) for dy in (0, 1) for dx in (0, 1))
            data += bytes((blue.getpixel((x, y)), red.getpixel((x, y))))
    raw_tiff(path, zlib.compress(bytes(data), 9), 8, 6, 2 | 2 << 16)


def jpegs():
    GRAY.save("gray-progressive.jpg", quality=90, progressive=True, dpi=DPI)
    RGB.save("rgb-420.jpg", quality=90, subsampling=2, dpi=DPI)
    RGB.save("rgb-progressive.jpg", quality=90, progressive=True)
    RGB.convert("CMYK").save("cmyk-adobe.jpg", quality=92)
    # Without Adobe's mark inks are stored straight: Pillow's inversion is undone and the mark cut out.
    plain = bytes_of(RGB.convert("CMYK").point(lambda v: 255 - v), "JPEG", quality=92)
    mark = plain.index(b"\xff\xee")
    Path("cmyk-plain.jpg").write_bytes(plain[:mark] + plain[mark + 16 :])
    run("convert", "rgb.png", "-colorspace", "CMYK", "-quality", "92", "ycck-adobe.jpg")
    RGB.save("rgb.jp2", irreversible=False)
    GRAY.save("gray.jp2", irreversible=False)
    GRAY.save("gray.j2k", irreversible=False, no_jp2=True)
    RGB.save("rgb.webp", lossless=True)
    GRAY.save("gif.gif")
    BW.save("animated.gif", save_all=True, append_images=[BW2])
    BW.save("bw.bmp", dpi=DPI)


def djvus():
    RGB.save(WORK / "rgb.ppm")
    BW.save(WORK / "bw.pbm")
    BW2.save(WORK / "bw2.pbm")
    run("c44", "-dpi", "300", WORK / "rgb.ppm", "photo.djvu")
    run("cjb2", "-dpi", "300", "-lossless", WORK / "bw.pbm", "bw.djvu")
    run("cjb2", "-dpi", "300", "-lossless", WORK / "bw2.pbm", WORK / "bw2.djvu")
    run("djvm", "-c", "three-pages.djvu", "bw.djvu", WORK / "bw2.djvu", "photo.djvu")


def fax_bytes(picture):
    """The bare T.6 codes of a picture, 1 is black."""
    path = WORK / "fax.tif"
    # Pillow codes ones as black.
    picture.convert("L").point(lambda v: 255 - v).convert("1").save(path, compression="group4", tiffinfo={278: SIZE[1]})
    tags = Image.open(path).tag_v2
    data = path.read_bytes()
    assert len(tags[273]) == 1 and tags[262] == 1
    return data[tags[273][0] : tags[273][0] + tags[279][0]]


def segment(number, kind, page, data):
    """A JBIG2 segment (T.88, section 7.2)."""
    return number.to_bytes(4, "big") + bytes([kind, 0, page]) + len(data).to_bytes(4, "big") + data


def jbig2(picture, arithmetic):
    """A page with one generic region, as PDF embeds it."""
    width, height = picture.size
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    page = size + bytes(8) + bytes([0]) + bytes(2)
    region = size + bytes(8) + bytes([0])
    if arithmetic:
        at = bytes([3, 0xFF, 0xFD, 0xFF, 2, 0xFE, 0xFE, 0xFE])
        region += bytes([0]) + at + arithmetic_codes(picture)
    else:
        region += bytes([1]) + fax_bytes(picture)
    return segment(0, 48, 1, page) + segment(1, 38, 1, region)


# Probability estimation of the MQ coder (T.88, annex E, table E.1): Qe, next on MPS, next on LPS, switch.
STATES = [
    (0x5601, 1, 1, 1), (0x3401, 2, 6, 0), (0x1801, 3, 9, 0), (0x0AC1, 4, 12, 0), (0x0521, 5, 29, 0), (0x0221, 38, 33, 0),
    (0x5601, 7, 6, 1), (0x5401, 8, 14, 0), (0x4801, 9, 14, 0), (0x3801, 10, 14, 0), (0x3001, 11, 17, 0), (0x2401, 12, 18, 0),
    (0x1C01, 13, 20, 0), (0x1601, 29, 21, 0), (0x5601, 15, 14, 1), (0x5401, 16, 14, 0), (0x5101, 17, 15, 0), (0x4801, 18, 16, 0),
    (0x3801, 19, 17, 0), (0x3401, 20, 18, 0), (0x3001, 21, 19, 0), (0x2801, 22, 19, 0), (0x2401, 23, 20, 0), (0x2201, 24, 21, 0),
    (0x1C01, 25, 22, 0), (0x1801, 26, 23, 0), (0x1601, 27, 24, 0), (0x1401, 28, 25, 0), (0x1201, 29, 26, 0), (0x1101, 30, 27, 0),
    (0x0AC1, 31, 28, 0), (0x09C1, 32, 29, 0), (0x08A1, 33, 30, 0), (0x0521, 34, 31, 0), (0x0441, 35, 32, 0), (0x02A1, 36, 33, 0),
    (0x0221, 37, 34, 0), (0x0141, 38, 35, 0), (0x0111, 39, 36, 0), (0x0085, 40, 37, 0), (0x0049, 41, 38, 0), (0x0025, 42, 39, 0),
    (0x0015, 43, 40, 0), (0x0009, 44, 41, 0), (0x0005, 45, 42, 0), (0x0001, 45, 43, 0), (0x5601, 46, 46, 0),
]


class Encoder:
    """The MQ encoder (T.88, annex E, as in T.800, annex C.2)."""

    def __init__(self):
        self.a, self.c, self.count, self.out = 0x8000, 0, 12, bytearray([0])
        self.index, self.mps = {}, {}

    def byte_out(self):
        if self.out[-1] == 0xFF:
            self.out.append((self.c >> 20) & 0xFF)
            self.c &= 0xFFFFF
            self.count = 7
            return
        if self.c >= 0x8000000:
            self.out[-1] += 1
            if self.out[-1] == 0xFF:
                self.c &= 0x7FFFFFF
                self.out.append((self.c >> 20) & 0xFF)
                self.c &= 0xFFFFF
                self.count = 7
                return
        self.out.append((self.c >> 19) & 0xFF)
        self.c &= 0x7FFFF
        self.count = 8

    def renormalize(self):
        while True:
            self.a = (self.a << 1) & 0xFFFF
            self.c <<= 1
            self.count -= 1
            if self.count == 0:
                self.byte_out()
            if self.a & 0x8000:
                return

    def encode(self, context, bit):
        state, mps = self.index.get(context, 0), self.mps.get(context, 0)
        probability, on_mps, on_lps, switch = STATES[state]
        self.a -= probability
        if bit == mps:
            if self.a & 0x8000:
                self.c += probability
                return
            if self.a < probability:
                self.a = probability
            else:
                self.c += probability
            self.index[context] = on_mps
        else:
            if self.a < probability:
                self.c += probability
            else:
                self.a = probability
            if switch:
                self.mps[context] = 1 - mps
            self.index[context] = on_lps
        self.renormalize()

    def flush(self):
        limit = self.c + self.a
        self.c |= 0xFFFF
        if self.c >= limit:
            self.c -= 0x8000
        self.c <<= self.count
        self.byte_out()
        self.c <<= self.count
        self.byte_out()
        if self.out[-1] != 0xFF:
            self.out.append(0xFF)
        self.out.append(0xAC)
        return bytes(self.out[1:])


def arithmetic_codes(picture):
    """Generic region coding, template 0 with its usual adaptive pixels (T.88, section 6.2.5)."""
    width, height = picture.size
    pixels = picture.load()
    ink = lambda x, y: int(0 <= x < width and 0 <= y < height and pixels[x, y] == 0)
    encoder = Encoder()
    # From the highest bit of the context down (figure 3).
    template = [(-2, -2), (-1, -2), (0, -2), (1, -2), (2, -2)] + [(-3, -1), (-2, -1), (-1, -1), (0, -1), (1, -1), (2, -1), (3, -1)]
    template += [(-4, 0), (-3, 0), (-2, 0), (-1, 0)]
    for y in range(height):
        for x in range(width):
            context = 0
            for dx, dy in template:
                context = context << 1 | ink(x + dx, y + dy)
            encoder.encode(context, ink(x, y))
    return encoder.flush()


class Pdf:
    """Just enough of a PDF writer."""

    def __init__(self):
        self.objects = [None, None]
        self.pages = []

    def add(self, body, stream=None):
        if stream is not None:
            body = body.rstrip()[:-2] + b" /Length %d >>\nstream\n" % len(stream) + stream + b"\nendstream"
        self.objects.append(body)
        return len(self.objects)

    def image(self, data, filter_, picture, space=b"/DeviceGray", bits=8, extra=b""):
        return self.add(
            b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s /BitsPerComponent %d /Filter /%s %s >>"
            % (picture.size[0], picture.size[1], space, bits, filter_, extra),
            data,
        )

    def page(self, content, images=(), size=(40.32, 28.8), extra=b""):
        names = b" ".join(b"/I%d %d 0 R" % (index, image) for index, image in enumerate(images))
        contents = self.add(b"<< >>", content)
        font = b"/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
        self.pages.append(
            self.add(
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %g %g] /Contents %d 0 R /Resources << /XObject << %s >> %s >> %s >>"
                % (*size, contents, names, font, extra)
            )
        )

    def save(self, path):
        self.objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
        kids = b" ".join(b"%d 0 R" % page for page in self.pages)
        self.objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(self.pages))
        out = io.BytesIO()
        out.write(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for number, body in enumerate(self.objects, 1):
            offsets.append(out.tell())
            out.write(b"%d 0 obj\n" % number + body + b"\nendobj\n")
        start = out.tell()
        out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
        for offset in offsets:
            out.write(b"%010d 00000 n \n" % offset)
        out.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, start))
        Path(path).write_bytes(out.getvalue())


FULL = b"q 40.32 0 0 28.8 0 0 cm /I0 Do Q\n"


def bytes_of(picture, format_, **options):
    out = io.BytesIO()
    picture.save(out, format_, **options)
    return out.getvalue()


def pdfs():
    def single(name, *image, content=FULL, **options):
        pdf = Pdf()
        pdf.page(content, [pdf.image(*image)], **options)
        pdf.save(name)

    fax = fax_bytes(BW)
    fax_options = b"/DecodeParms << /K -1 /Columns %d /Rows %d >>" % SIZE
    jpeg = bytes_of(GRAY, "JPEG", quality=92)
    single("jpeg.pdf", jpeg, b"DCTDecode", GRAY)
    single("jpeg-rgb.pdf", bytes_of(RGB, "JPEG", quality=92), b"DCTDecode", RGB, b"/DeviceRGB")
    single("g4.pdf", fax, b"CCITTFaxDecode", BW, b"/DeviceGray", 1, fax_options)
    single("jbig2-mmr.pdf", jbig2(BW, False), b"JBIG2Decode", BW, b"/DeviceGray", 1)
    single("jbig2.pdf", jbig2(BW, True), b"JBIG2Decode", BW, b"/DeviceGray", 1)
    single("jpeg2000.pdf", bytes_of(GRAY, "JPEG2000", irreversible=False), b"JPXDecode", GRAY)
    flate = zlib.compress(GRAY.tobytes(), 9)
    single("flate.pdf", flate, b"FlateDecode", GRAY)
    single("rotated.pdf", flate, b"FlateDecode", GRAY, extra=b"/Rotate 90")
    # Stored upside down and turned by the matrix.
    flipped = GRAY.transpose(Image.Transpose.ROTATE_180)
    single("flipped.pdf", zlib.compress(flipped.tobytes(), 9), b"FlateDecode", GRAY,
           content=b"q -40.32 0 0 -28.8 40.32 28.8 cm /I0 Do Q\n")
    # A scan with the invisible text that OCR programs lay over it.
    hidden = FULL + b"BT /F 6 Tf 3 Tr 5 10 Td (Nf3 hidden words) Tj ET\n"
    single("hidden-text.pdf", flate, b"FlateDecode", GRAY, content=hidden)
    # A stamp in vectors over a scan.
    single("stamped.pdf", flate, b"FlateDecode", GRAY, content=FULL + b"0 g 30 2 8 4 re f\n")
    # With margins: the picture fills only the middle of the page.
    single("margins.pdf", flate, b"FlateDecode", GRAY, content=b"q 40.32 0 0 28.8 20 10 cm /I0 Do Q\n", size=(80.32, 48.8))

    pdf = Pdf()
    half = (SIZE[0], SIZE[1] // 2)
    upper = pdf.image(zlib.compress(GRAY.crop((0, 0, *half)).tobytes(), 9), b"FlateDecode", Image.new("L", half))
    lower = pdf.image(zlib.compress(GRAY.crop((0, half[1], *SIZE)).tobytes(), 9), b"FlateDecode", Image.new("L", half))
    pdf.page(b"q 40.32 0 0 14.4 0 14.4 cm /I0 Do Q q 40.32 0 0 14.4 0 0 cm /I1 Do Q\n", [upper, lower])
    pdf.save("two-strips.pdf")

    # Mixed raster content: coarse paper below, a sharp stencil of the ink above.
    pdf = Pdf()
    paper = Image.new("RGB", (42, 30), (250, 240, 200))
    below = pdf.image(bytes_of(paper, "JPEG"), b"DCTDecode", paper, b"/DeviceRGB")
    # In a stencil 0 paints; fax codes give 0 for black, so that this is the ink.
    above = pdf.add(
        b"<< /Type /XObject /Subtype /Image /ImageMask true /Width %d /Height %d /BitsPerComponent 1 /Filter /CCITTFaxDecode %s >>"
        % (*SIZE, fax_options), fax)
    pdf.page(FULL + b"0 g q 40.32 0 0 28.8 0 0 cm /I1 Do Q\n", [below, above])
    pdf.save("layers.pdf")

    pdf = Pdf()
    board = b"".join(
        b"%d %d 20 20 re f\n" % (40 + column * 20, 60 + row * 20)
        for row in range(8) for column in range(8) if (row + column) % 2 == 0)
    pdf.page(b"0 g\n" + board + b"40 60 160 160 re S BT /F 14 Tf 40 240 Td (White to move) Tj ET\n", size=(240, 300))
    pdf.save("vector.pdf")

    pdf = Pdf()
    for data, picture in ((fax, BW), (fax_bytes(BW2), BW2)):
        pdf.page(FULL, [pdf.image(data, b"CCITTFaxDecode", picture, b"/DeviceGray", 1, fax_options)])
    pdf.page(b"0 g 5 5 10 10 re f\n")
    pdf.save("three-pages.pdf")
    run("qpdf", "--encrypt", "secret", "owner", "256", "--", "g4.pdf", "encrypted.pdf")
    run("qpdf", "--encrypt", "", "owner", "128", "--use-aes=y", "--", "g4.pdf", "encrypted-empty-password.pdf")
    run("qpdf", "--object-streams=generate", "three-pages.pdf", "object-streams.pdf")


if __name__ == "__main__":
    tiffs()
    jpegs()
    djvus()
    pdfs()
