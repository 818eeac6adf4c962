# SPDX-License-Identifier: MIT OR Apache-2.0
"""What each part of a proof shows and takes.

`make test` runs it: `python3 -B -m unittest discover -s verify/formal/tests`.
"""

import pathlib
import re
import sys
import unittest
from types import SimpleNamespace

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from runner import parts  # noqa: E402
from runner.plan import Part, PlanError  # noqa: E402


def check(name, flavor, clock=None):
    """A cell as yosys writes it."""
    edges, polarity = (1, "1'1") if clock else (0, "0'x")
    return (
        f"  cell $check \\{name}\n"
        f"    parameter \\TRG_ENABLE {edges}\n    parameter \\TRG_WIDTH {edges}\n    parameter \\TRG_POLARITY {polarity}\n"
        f'    parameter \\FLAVOR "{flavor}"\n'
        f"    connect \\EN 1'1\n    connect \\TRG {clock or '{ }'}\n    connect \\A $1\n  end\n"
    )


CELLS = [
    ("u_env.Straps", "assume"), ("u_unit.u_lemmas.Word", "assume"), ("u_unit_asked.Held", "assume"), ("u_x.Wish", "assume"),
    ("u_x.gen_sets[0].Same", "assert"), ("u_x.gen_sets[1].Same", "assert"), ("u_x.Last", "assert"), ("u_x.Other", "assert"),
]
TEXT = "module \\formal_top\n" + "".join(check(name, flavor) for name, flavor in CELLS) + "end\n"
SETS, LAST = Part(("u_x.gen_sets[{}].*",), None, ""), Part(("*.Last",), ("*.Word", "*.gen_sets[*].Same", "*.Other"), "anew")


def made(*of, text=TEXT):
    """Of each part: what has which mark, and how the solver gets it."""
    job = SimpleNamespace(name="unit/proof", parts=of)
    found = {}
    for label, marked, solver in parts.split(text, job):
        marks = re.findall(r"  attribute \\formal_(\w+) 1\n  cell \$check \\(\S+)\n", marked)
        found[label] = ({mark: sorted(name for kind, name in marks if kind == mark) for mark in ("shown", "now", "before", "left")}, solver)
    return found


class Parts(unittest.TestCase):
    def test_each_part_takes_what_others_show(self):
        found = made(SETS, LAST)
        self.assertEqual(list(found), ["the rest", "part 1.0", "part 1.1", "part 2"])
        lemmas = ["u_unit.u_lemmas.Word", "u_unit_asked.Held", "u_x.Wish"]
        self.assertEqual(found["the rest"], ({
            "shown": ["u_x.Other"], "now": lemmas, "before": ["u_x.Last", "u_x.gen_sets[0].Same", "u_x.gen_sets[1].Same"], "left": []}, ""))
        self.assertEqual(found["part 1.1"], ({
            "shown": ["u_x.gen_sets[1].Same"], "now": [*lemmas[:2], "u_x.Other", "u_x.Wish", "u_x.gen_sets[0].Same"], "before": ["u_x.Last"], "left": []}, ""))
        self.assertEqual(found["part 2"], ({
            "shown": ["u_x.Last"], "now": ["u_unit.u_lemmas.Word", "u_x.Other", "u_x.gen_sets[0].Same", "u_x.gen_sets[1].Same"],
            "before": [], "left": ["u_unit_asked.Held", "u_x.Wish"]}, "anew"))

    def test_the_number_of_a_part_is_in_what_it_takes(self):
        found = made(Part(("u_x.gen_sets[{}].Same",), ("*.gen_sets[{}].*", "*.Held"), ""))
        self.assertEqual(found["part 1.1"][0], {
            "shown": ["u_x.gen_sets[1].Same"], "now": ["u_unit_asked.Held"], "before": [],
            "left": ["u_unit.u_lemmas.Word", "u_x.Last", "u_x.Other", "u_x.Wish", "u_x.gen_sets[0].Same"]})

    def test_every_assertion_is_shown_once_and_taken_only_where_it_may_be(self):
        for of in ((SETS, LAST), (LAST, SETS), (LAST,), (Part(("u_x.*",), None, ""),)):
            shown = []
            for marks, _ in made(*of).values():
                taken = {name for name in marks["now"] if (name, "assert") in CELLS}
                self.assertLessEqual(taken, set(shown))
                self.assertFalse({*marks["before"]} & {*shown, *marks["shown"]})
                shown += marks["shown"]
            self.assertEqual(sorted(shown), sorted(name for name, flavor in CELLS if flavor == "assert"))

    def test_what_is_taken_of_the_cycle_before_is_in_a_register(self):
        marked = next(text for label, text, _ in parts.split(TEXT, SimpleNamespace(name="unit/proof", parts=(LAST,))))
        self.assertIn(
            "  attribute \\init 1'1\n  wire \\formal_was.u_x.Last\n  cell $ff \\formal_register.u_x.Last\n    parameter \\WIDTH 1\n"
            "    connect \\D $1\n    connect \\Q \\formal_was.u_x.Last\n  end\n  attribute \\formal_before 1\n"
            + check("u_x.Last", "assert").replace("\\A $1", "\\A \\formal_was.u_x.Last"), marked)
        # With a register as its enable, yosys would take the assertion of the cycle itself.
        with self.assertRaisesRegex(PlanError, "has an enable"):
            made(LAST, text=TEXT.replace("\\EN 1'1", "\\EN $2"))

    def test_what_is_assumed_of_the_environment_stays(self):
        for _, text, _ in parts.split(TEXT, SimpleNamespace(name="unit/proof", parts=(LAST,))):
            self.assertIn("module \\formal_top\n  cell $check \\u_env.Straps\n", text)

    def test_an_assertion_at_the_edge_is_one_of_its_cycle(self):
        text = "module \\formal_top\n" + check("u_x.Held", "assert", "\\clk_i") + "end\n"
        (_, marked, _), = parts.split(text, SimpleNamespace(name="unit/proof", parts=(Part(("*.Held",), None, ""),)))
        self.assertEqual(marked, "module \\formal_top\n  attribute \\formal_shown 1\n" + check("u_x.Held", "assert") + "end\n")
        # A lemma is never one of the cycle before, so it keeps its trigger.
        lemma = check("u_unit.u_rdt.u_assert.Held", "assume", "\\clk_i")
        (_, marked, _), = parts.split(text[:-4] + lemma + "end\n", SimpleNamespace(name="unit/proof", parts=(Part(("*.Held",), None, ""),)))
        self.assertIn("  attribute \\formal_now 1\n" + lemma, marked)
        with self.assertRaisesRegex(PlanError, "u_x.Held: its clock is not clk_i"):
            made(Part(("*.Held",), None, ""), text=text.replace("clk_i", "clk2_i"))

    def test_plans_that_cannot_be_are_refused(self):
        for of, said in (
            ((SETS, Part(("*.Same",), None, "")), "shown by one part, but u_x.gen_sets.* by several"),
            ((Part(("*.None",), None, ""),), "part 1 shows nothing"),
            ((Part(("*.Last",), None, "z3"),), "part 1 has no solver z3; there are: anew, mcsat"),
            ((Part(("*.Last",), ("*.None",), ""),), r"nothing like \*.None that part 1 could take"),
            ((Part(("*.Last",), ("*[{}].Same",), ""),), "more numbers in `take` than in `show`"),
            ((Part(("u_x.gen_sets[{}].*", "u_x.gen_sets[*].Same"), None, ""),), "match .* differently"),
        ):
            with self.assertRaisesRegex(PlanError, said):
                made(*of)
