"""Where boards lie on a page: what the measuring scripts share."""


def stored(point, page):
    """A point of the upright page in the stored picture, which was turned clockwise."""
    (x, y), (w, h) = point, (page["width"], page["height"])
    return {0: (x, y), 90: (h - y, x), 180: (w - x, h - y), 270: (y, w - x)}[page["turn"]]


def bounds(points):
    """Left, top, right, bottom."""
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def overlap(a, b):
    """Intersection over union of two bounds."""
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    area = lambda r: (r[2] - r[0]) * (r[3] - r[1])
    return w * h / (area(a) + area(b) - w * h)
