# SPDX-License-Identifier: MIT OR Apache-2.0
"""A proof in parts: each shows some of the assertions, and takes others. Those of the parts before it it takes as they are, those of the
parts behind it as they were in the cycle before.

Sound: were there a run in which an assertion fails, look at its first cycle in which one does, and of the parts that show one that fails in
it at the first. What this part takes of the same cycle holds, as the parts before it show it; what it takes of the cycle before holds, as
nothing fails there. So the part itself would be disproved.
"""

import collections
import re

from .alone import CELL
from .plan import PlanError

# How the solver gets the questions: each added to the one before, each anew, or each anew by the procedure MCSat.
SOLVERS = {"": "yices", "anew": "yices -- --noincr", "mcsat": "yices -- --noincr -S --mcsat"}
# What marks the cells in the flat module.
SHOWN, NOW, BEFORE, LEFT = "formal_shown", "formal_now", "formal_before", "formal_left"
# Yosys' commands that make a part of a module so marked.
SCRIPT = (
    f"chformal -assert -assume -remove a:{LEFT}\n"
    f"chformal -assert2assume a:{NOW} a:{BEFORE} %u\n"
)
# An assertion of values at a rising edge of the clock.
EDGE, EDGELESS = (
    f"    parameter \\TRG_ENABLE {edges}\n    parameter \\TRG_WIDTH {edges}\n    parameter \\TRG_POLARITY {polarity}\n"
    for edges, polarity in ((1, "1'1"), (0, "0'x"))
)


def split(text, job):
    """The marked modules of all parts, each with its name, and how the solver gets it. The first shows what no part of the plan does."""
    names = _named(text, "assert")
    # Lemmas, which are proved elsewhere, and what a family assumes: taken in both cycles by every part that does not leave them out.
    lemmas = {name for name in _named(text, "assume") if not name.startswith("u_env.")}
    groups = [group for number, part in enumerate(job.parts, 1) for group in _groups(job, number, part, names, lemmas)]
    count = collections.Counter(name for _, show, _, _ in groups for name in show)
    twice = [name for name, parts in count.items() if parts > 1]
    if twice:
        raise PlanError(f"{job.name}: an assertion is shown by one part, but {', '.join(twice[:5])} by several")
    rest = set(names) - set(count)
    before = set()
    for label, show, take, solver in [("the rest", rest, {*names, *lemmas}, "")] * bool(rest) + groups:
        marks = {name: SHOWN if name in show else LEFT if name not in take else NOW if name in before | lemmas else BEFORE for name in {*names, *lemmas}}
        yield label, _marked(text, marks), solver
        before |= show


def _named(text, flavor):
    return [cell[1] for cell in CELL.finditer(text) if f'\\FLAVOR "{flavor}"' in cell[2]]


def _groups(job, number, part, names, lemmas):
    """The parts that an entry of the plan stands for: what `{}` matches in a name of `show` is the same in all of one part."""
    found = {}
    for name in names:
        values = {match.groups() for pattern in part.show if (match := _regex(pattern, ()).fullmatch(name))}
        if len(values) > 1:
            raise PlanError(f"{job.name}: patterns of part {number} match {name} differently")
        for value in values:
            found.setdefault(value, set()).add(name)
    if not found:
        raise PlanError(f"{job.name}: part {number} shows nothing")
    if part.solver not in SOLVERS:
        raise PlanError(f"{job.name}: part {number} has no solver {part.solver}; there are: {', '.join(filter(None, SOLVERS))}")
    places = min(map(len, found))
    if any(pattern.count("{}") > places for pattern in part.take or ()):
        raise PlanError(f"{job.name}: part {number} has more numbers in `take` than in `show`")
    for value, show in sorted(found.items(), key=lambda item: [int(digits) for digits in item[0]]):
        take = {*names, *lemmas}
        if part.take is not None:
            take = set()
            for pattern in part.take:
                matched = {name for name in {*names, *lemmas} if _regex(pattern, value).fullmatch(name)}
                if not matched:
                    raise PlanError(f"{job.name}: there is nothing like {pattern} that part {number} could take")
                take |= matched
        yield f"part {'.'.join([str(number), *value])}", show, take, part.solver


def _regex(pattern, value):
    """The pattern of the plan: `*` is anything, `{}` a number, the one of `value` if there are values."""
    places = iter(value)
    words = {"*": ".*", "{}": r"(\d+)"}
    parts = re.split(r"(\*|\{\})", pattern)
    return re.compile("".join(next(places) if word == "{}" and value else words.get(word, re.escape(word)) for word in parts))


def _marked(text, marks):
    """The module in which each assertion and lemma has the mark that says what the part does with it."""

    def mark(cell):
        what = marks.get(cell[1])
        if not what:
            return cell[0]
        text = _of_cycle(cell) if '\\FLAVOR "assert"' in cell[2] else cell[0]
        return (_delayed if what == BEFORE else str)(f"  attribute \\{what} 1\n{text}")

    return CELL.sub(mark, text)


def _of_cycle(cell):
    """The cell without its trigger: the values at the end of a cycle are those of the cycle."""
    if EDGE not in cell[0]:
        return cell[0]
    if "    connect \\TRG \\clk_i\n" not in cell[0]:
        raise PlanError(f"{cell[1]}: its clock is not clk_i")
    return cell[0].replace(EDGE, EDGELESS).replace("connect \\TRG \\clk_i", "connect \\TRG { }")


def _delayed(text):
    """The cell, of a cycle earlier, true before the first one. Its enable is no register: sby undoes a delay of both (`chformal -assume -early`)."""
    if "    connect \\EN 1'1\n" not in text:
        raise PlanError(f"an assertion has an enable, so it cannot be taken of the cycle before: {text}")
    name = re.search(r"cell \$check \\(\S+)", text)[1]
    value = re.search(r"    connect \\A (.*)\n", text)[1]
    was = f"\\formal_was.{name}"
    register = (
        f"  attribute \\init 1'1\n  wire {was}\n  cell $ff \\formal_register.{name}\n    parameter \\WIDTH 1\n"
        f"    connect \\D {value}\n    connect \\Q {was}\n  end\n"
    )
    return register + text.replace(f"    connect \\A {value}\n", f"    connect \\A {was}\n")
