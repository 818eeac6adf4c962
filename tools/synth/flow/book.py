# SPDX-License-Identifier: MIT OR Apache-2.0
"""Puts the results into the book: the tables between two marks of the chapter, the pictures beside the others."""

import shutil

from . import report
from .plan import ROOT, SynthError
from .run import WORK

CHAPTER, IMAGES = ROOT / "docs/src/synthesis.md", ROOT / "docs/src/images"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"


def write(results):
    """Replaces what stands between the marks."""
    if not results:
        raise SynthError("nothing was measured with the sources as they are: run make synth first")
    text = CHAPTER.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise SynthError(f"{CHAPTER.relative_to(ROOT)}: the marks '{BEGIN.strip()}' and '{END.strip()}' are not there once each")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    CHAPTER.write_text(f"{before}{BEGIN}\n{report.markdown(results)}\n{END}{after}", encoding="utf-8")
    report.save(results)
    for name in ("clock", "area"):
        shutil.copy(WORK / f"{name}.svg", IMAGES / f"synth-{name}.svg")
    print(f"written: {CHAPTER.relative_to(ROOT)}, {IMAGES.relative_to(ROOT)}/synth-clock.svg, synth-area.svg")
