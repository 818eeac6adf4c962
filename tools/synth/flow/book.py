# SPDX-License-Identifier: MIT OR Apache-2.0
"""Puts the results into the book: the tables between two marks of the chapter, the pictures beside the others."""

import shutil

from . import report
from .plan import ROOT, SynthError
from .run import WORK

IMAGES = ROOT / "docs/src/images"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"


def write(results):
    """Replaces what stands between the marks of each unit's chapter."""
    if not results:
        raise SynthError("nothing was measured with the sources as they are: run make synth first")
    report.save(results)
    for unit in report.measured(results):
        chapter = ROOT / unit.chapter
        text = chapter.read_text(encoding="utf-8")
        if text.count(BEGIN) != 1 or text.count(END) != 1:
            raise SynthError(f"{unit.chapter}: the marks '{BEGIN.strip()}' and '{END.strip()}' are not there once each")
        before, rest = text.split(BEGIN)
        _, after = rest.split(END)
        chapter.write_text(f"{before}{BEGIN}\n{report.markdown(unit, results)}\n{END}{after}", encoding="utf-8")
        print(f"written: {unit.chapter}")
        for name in ("clock", "area") if unit.pictures else ():
            shutil.copy(WORK / f"{unit.name}-{name}.svg", IMAGES / f"synth-{name}.svg")
            print(f"written: {IMAGES.relative_to(ROOT)}/synth-{name}.svg")
