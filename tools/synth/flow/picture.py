# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two pictures as SVG: the clock period against the first size, and the LUTs of each module."""

import math

from . import plan

# Readable on the light and on the dark pages of the book.
INK, GRID, BLUE, ORANGE = "#777777", "#99999955", "#3b82c4", "#d9822b"


def _svg(width, height, body, title):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}">\n<title>{title}</title>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _text(x, y, words, anchor="start", colour=INK):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def clock(unit, estimated, routed):
    """Period over that of size one; points are (size, period in ns, ratio)."""
    of = [sizes[0] for sizes in unit.free if sizes[1:] == unit.usual[1:]]
    label = unit.labels[0]
    left, bottom, width, height = 50, 250, 330, 220
    top = max([4.0, *(point[2] for point in estimated + routed)])

    def at(size, ratio):
        return left + math.log2(size) * width / 3, bottom - ratio * height / top

    body = []
    for ratio in range(int(top) + 1):
        y = at(1, ratio)[1]
        body.append(f'<line x1="{left}" y1="{y:.0f}" x2="{left + width}" y2="{y:.0f}" stroke="{GRID}"/>')
        body.append(_text(left - 8, y + 4, ratio, "end"))
    body += [_text(at(size, 0)[0], bottom + 18, size, "middle") for size in of]
    body += [_text(left + width / 2, bottom + 38, label, "middle"), _text(8, 18, f"period / period of one {label.removesuffix('s')}")]
    bound = " ".join("{:.0f},{:.0f}".format(*at(size, 1 + math.log2(size))) for size in of)
    body.append(f'<polyline points="{bound}" fill="none" stroke="{INK}" stroke-dasharray="5 4"/>')
    body.append(_text(left + width + 8, at(8, 4)[1] + 4, "1 + log2 N"))
    for points, colour, name in ((estimated, ORANGE, "estimated"), (routed, BLUE, "routed")):
        if not points:
            continue
        line = " ".join("{:.1f},{:.1f}".format(*at(size, ratio)) for size, _, ratio in points)
        body.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for size, ns, ratio in points:
            x, y = at(size, ratio)
            # The periods of either line on their own side.
            shift = 18 if points is estimated else -8
            body.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
            body.append(_text(x, y + shift, f"{ns:.0f} ns", "middle", colour))
        x, y = at(points[-1][0], points[-1][2])
        body.append(_text(x + 24, y + 4, name, colour=colour))
    return _svg(500, 300, body, f"Clock period of the unit on ECP5 against the number of {label}")


def area(unit, results):
    """LUTs and flip-flops of each module in the unit, most LUTs first."""
    kept = [result["area"]["by_module"] for result in results if result["variant"] == "kept" and result["family"] == "ecp5"]
    found = kept[0] if kept else {}
    names = sorted((name for name in found if found[name]["luts"] + found[name]["ffs"] > 20), key=lambda name: -found[name]["luts"])
    most = max((max(found[name]["luts"], found[name]["ffs"]) for name in names), default=1)
    left, width, row = 110, 300, 30
    body = []
    for i, name in enumerate(names):
        y = 30 + i * row
        body.append(_text(left - 8, y + 15, name.removeprefix(f"{unit.name}_"), "end"))
        for offset, kind, colour in ((0, "luts", BLUE), (12, "ffs", ORANGE)):
            value = found[name][kind]
            body.append(f'<rect x="{left}" y="{y + offset}" width="{value * width / most:.1f}" height="10" fill="{colour}"/>')
            body.append(_text(left + value * width / most + 5, y + offset + 9, value, colour=colour))
    body += [_text(left, 18, "LUTs", colour=BLUE), _text(left + 45, 18, "flip-flops", colour=ORANGE)]
    return _svg(500, 40 + row * len(names), body, "LUTs and flip-flops of each module on ECP5")
