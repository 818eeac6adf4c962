# SPDX-License-Identifier: MIT OR Apache-2.0
"""Trends as inline SVG."""

from __future__ import annotations

from html import escape

WIDTH, HEIGHT, EDGE = 320, 90, 8


def short(value: float) -> str:
    """Returns a number in at most five characters: 1.25M, 830k, 97.4."""
    for limit, sign in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= limit:
            return f"{value / limit:.3g}{sign}"
    return f"{value:.4g}"


def trend(title: str, points: list[tuple[str, float | None]], unit: str = "") -> str:
    """Returns a line over nights; a night without a value is a gap. The text says the last value and the change."""
    known = [(at, value) for at, (_, value) in enumerate(points) if value is not None]
    if not known:
        return ""
    low, high = min(value for _, value in known), max(value for _, value in known)
    spread = (high - low) or 1.0
    step = (WIDTH - 2 * EDGE) / max(1, len(points) - 1)

    def spot(at: int, value: float) -> tuple[float, float]:
        left = EDGE + step * at if len(points) > 1 else WIDTH / 2
        return left, HEIGHT - EDGE - (value - low) / spread * (HEIGHT - 2 * EDGE) if high > low else HEIGHT / 2

    runs: list[list[tuple[float, float]]] = []
    for place, (at, value) in enumerate(known):
        if place and known[place - 1][0] == at - 1:
            runs[-1].append(spot(at, value))
        else:
            runs.append([spot(at, value)])
    lines = "".join(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in run)}"/>' for run in runs)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3 if at == known[-1][0] else 2}"><title>{escape(points[at][0])}: '
                   f'{short(value)}{unit}</title></circle>' for at, value in known for x, y in [spot(at, value)])
    last = known[-1][1]
    nights = "1 night" if len(points) == 1 else f"{len(points)} nights"
    change = f"{last - known[-2][1]:+.4g}" if len(known) > 1 and abs(last - known[-2][1]) < 1e4 else \
        (f"{(last / known[-2][1] - 1) * 100:+.1f} %" if len(known) > 1 and known[-2][1] else "")
    said = f"{title}: {short(last)}{unit} in the last night, between {short(low)} and {short(high)} in {nights}"
    return (f'<figure class="trend"><figcaption>{escape(title)}<b>{short(last)}{unit}</b><small>{change}</small></figcaption>'
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(said)}">{lines}{dots}</svg>'
            f'<small class="range">{short(low)} to {short(high)}{unit}, {nights}</small></figure>')
