# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is read as a verdict, and what is refused as one."""

import pathlib
import sys
import tempfile
import unittest
from dataclasses import replace
from types import SimpleNamespace
from unittest import mock

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(__file__).resolve().parents[3] / "tools/scripts")]

from runner import build, join, plan, report, solve  # noqa: E402

REPORT = (
    '<testsuites><testsuite><testcase name="build execution" time="0"/>{}</testsuite></testsuites>'
)
CASE = '<testcase name="x" type="{}" id="{}"/>'
REGISTER = "  cell $aldff $procdff${}\n    parameter \\WIDTH 1\n    connect \\AD {}\n    connect \\CLK \\clk\n    connect \\D \\d{}\n    connect \\Q {}\n  end\n"


def job(**other):
    """A proof of the plan, with other values."""
    return replace(next(one for one in plan.load(["tsc"]) if one.name == "tsc/rate/lp1/free"), **other)


def both(reset="1'0", name="u_x.held_q"):
    """A design of two runs of one register."""
    return "".join(REGISTER.format(run, reset, run, f"\\u_unit_{run}.{name}") for run in "ab")


class Verdicts(unittest.TestCase):
    def setUp(self):
        (solve.ROOT / "target").mkdir(exist_ok=True)
        keep = tempfile.TemporaryDirectory(dir=solve.ROOT / "target")
        self.addCleanup(keep.cleanup)
        self.folder = pathlib.Path(keep.name)
        (self.folder / "run").mkdir()

    def read(self, text, scripts=1, timed_out=False, **other):
        """The verdict of a log."""
        log = self.folder / "sby.log"
        log.write_text(text)
        return solve._read(job(**other), self.folder, log, scripts, 1.0, SimpleNamespace(timed_out=timed_out, user=1.0), ["u_rate.ArtExact"])

    def looked(self, *cases):
        (self.folder / "run/job.xml").write_text(REPORT.format("".join(CASE.format(*case) for case in cases)))
        return solve.looked_at(self.folder, "job.sby")

    def test_a_run_passes_when_each_of_its_scripts_does(self):
        self.assertEqual(self.read("SBY DONE (PASS, rc=0)\n").verdict, "PASS")
        self.assertEqual(self.read("SBY DONE (PASS, rc=0)\nSBY DONE (PASS, rc=0)\n", scripts=3).verdict, "ERROR")
        self.assertEqual(self.read("SBY DONE (PASS, rc=0)\nSBY DONE (UNKNOWN, rc=4)\n", scripts=2).verdict, "UNKNOWN")
        self.assertEqual(self.read("SBY DONE (PASS, rc=0)\n", timed_out=True).verdict, "TIMEOUT")
        self.assertEqual(self.read("Killed\n").verdict, "ERROR")
        self.assertEqual(self.read("ERROR: no such module\nSBY DONE (ERROR, rc=16)\n").failed, ["ERROR: no such module"])

    def test_nothing_to_show_is_no_pass(self):
        self.assertIn("nothing is left to show", solve.empty(job(), self.looked()))
        self.assertIn("nothing is left to show", solve.empty(job(), solve.looked_at(self.folder, "none.sby")))
        self.assertIn("of the family rate nothing is left", solve.empty(job(), self.looked(("ASSERT", "u_unit.u_assert.Word"))))
        self.assertIsNone(solve.empty(job(), self.looked(("ASSERT", "u_rate.ArtExact"))))
        self.assertIsNone(solve.empty(job(families=()), self.looked(("ASSERT", "u_unit.u_assert.Word"))))
        self.assertEqual(self.looked(("COVER", "u_rate.CoverX"), ("ASSUME", "u_env.Straps")), {"u_rate.CoverX"})

    def test_a_seeded_bug_is_found_by_its_label(self):
        bug = plan.Control("x", "f.sv", "a", "b", ("StoreEnds", "SameRegister"))
        for failed, found in (("u_progress.StoreEnds", True), ("u_progress.WaitEnds", False), ("u_progress.LateStoreEnds", False),
                              ("SameRegister:u_lwp.u_ring.tail_q[3:0]", True), ("u_x.gen_sets[0].StoreEnds", True)):
            result = self.read("SBY DONE (FAIL, rc=2)\n", control=bug)
            self.assertEqual(replace(result, failed=[failed]).good, found, failed)
        self.assertFalse(replace(self.read("SBY DONE (ERROR, rc=16)\n", control=bug), failed=["u_progress.StoreEnds"]).good)

    def test_what_rests_on_another_proof_says_so(self):
        family = self.read("SBY DONE (PASS, rc=0)\n")
        beneath = replace(family, job=job(name="tsc/invariants/lp1/free", lemmas="prove", families=()))
        self.assertEqual(report.row(family, report.shown([family]))[-1], "PASS (if tsc/invariants/lp1/free holds)")
        self.assertEqual(report.row(family, report.shown([family, beneath]))[-1], "PASS")
        self.assertEqual(report.row(family, report.shown([family, replace(beneath, verdict="UNKNOWN")]))[-1], "PASS (if tsc/invariants/lp1/free holds)")
        self.assertEqual(report.row(beneath, set())[-1], "PASS")

    def test_another_tool_is_another_run(self):
        digests = {build.digest({"a": "b"}, [], versions) for versions in (["yosys-1"], ["yosys-2"], [])}
        self.assertEqual(len(digests), 3)

    def test_joined_registers_begin_alike(self):
        self.assertEqual(join.join(both(), ())[1], 1)
        with self.assertRaisesRegex(plan.PlanError, "has no reset to a constant"):
            join.join(both(reset="\\free"), ())

    def test_a_register_that_stays_apart_later_has_to_be_there(self):
        design = both() + both(name="u_x.other_q")
        self.assertEqual(join.join(design, ("other_q",), later=True)[1], 1)
        with self.assertRaisesRegex(plan.PlanError, "gone_q in its name"):
            join.join(design, ("gone_q",), later=True)
        # What is the same from reset on may be shown of more.
        self.assertEqual(join.join(design, ("gone_q",))[1], 2)

    def refused(self, find, replacement, why):
        """The plan of a unit with another text is refused."""
        path = self.folder / "tsc/proofs.toml"
        path.parent.mkdir(exist_ok=True)
        text = (plan.FORMAL / "tsc/proofs.toml").read_text()
        self.assertIn(find, text)
        path.write_text(text.replace(find, replacement, 1))
        with self.assertRaisesRegex(plan.PlanError, why):
            plan._load(path)

    def test_a_plan_says_nothing_that_is_not_done(self):
        self.refused('kind = "prove"', 'kind = "prove"\nskip = 1', "skip is of covers")
        self.refused('without = ', 'witout = ', "has the key witout; there are: about, ")
        self.refused('expect = ', 'expects = ', "has the key expects; there are: about, ")

    def test_what_is_joined_later_has_a_step_of_one_cycle(self):
        self.refused('depth = 2', 'depth = 2\njoin = "later"', "joined later has a step of one cycle")

    def test_two_processes_take_turns_at_a_proof(self):
        runner, order = solve.Runner(10), []
        with mock.patch.object(solve.build, "contents", return_value={}), mock.patch.object(solve, "WORK", self.folder):
            def nested(*_):
                with open(self.folder / "locks" / job().folder, "w", encoding="utf-8") as lock:
                    with self.assertRaises(BlockingIOError):
                        solve.fcntl.flock(lock, solve.fcntl.LOCK_EX | solve.fcntl.LOCK_NB)
                order.append("held")
            with mock.patch.object(runner, "_run", nested):
                runner.one(job())
        self.assertEqual(order, ["held"])


if __name__ == "__main__":
    unittest.main()
