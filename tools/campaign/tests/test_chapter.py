"""The units side by side: measures, open ends and their reasons, the page of the book."""

import io
import json
import pathlib
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

import helper  # noqa: F401
from engine import Refused, chapter

WHY = [("formal/tsc/slow/*", "the solver has not ended in an hour"), ("toggles/*", "an hour of simulation")]


def job(wanted=1, shards=1, failed=0, counts=None, items=None, named=None):
    return {"about": "x", "wanted": wanted, "shards": shards, "failed": failed, "counts": counts or {}, "items": items or {}, "verdicts": {},
            "named": named or {}}


def merged():
    """A campaign of two units, with a proof that has no result."""
    jobs = {
        "requirements": job(counts={"TSC rows": 25, "TSC shown": 24, "LWP-STO rows": 3, "LWP-STO shown": 3, "VPC rows": 9}),
        "formal": job(3, 2, items={"tsc/rate/n1/free": {"proofs": 2}, "lwp/ring/small/free": {"proofs": 1}},
                      named={"tsc/rate/n1/free": "PASS (k = 3)", "tsc/rate/n1/free#1": "found", "lwp/ring/small/free": "PASS"}),
        "mutants-rtl": job(1, 1, items={"tsc": {"change killed": 90, "change equivalent": 4, "fault killed": 7, "fault survived": 1}}),
        "toggles": job(1, 1, items={"lwp": {"ways": 90, "reachable ways": 100, "ways left to a longer wait": 10}}),
        "soak": job(2, 2, items={"tsc": {"cycles": 1000, "cases": 3}, "lwp": {"cycles": 2000, "cases": 4}}),
        "miri": job(items={"all": {"shards": 1}}),
    }
    spent = {name: {"cpu": 3600.0, "items": {}} for name in jobs}
    spent["soak"]["items"] = {"tsc": 1800.0, "lwp": 1800.0}
    return {"outcome": {"commit": "abc", "jobs": jobs}, "spent": spent, "bugs": [], "missing": ["formal/tsc/slow/n1/free@0+1.0123abcd"],
            "coverage": {"tsc": {"met": 5, "reachable": 6, "holes": ["clock: both"], "more_holes": 0}}}


class Chapter(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.home = pathlib.Path(keep.name)

    def test_a_column_for_each_unit(self):
        lines = chapter.side_by_side(merged())
        self.assertEqual(lines[0], "| | `lwp` | `tsc` | all |")
        for line in ("| rows of the documents | 3 | 25 | 28 |", "| of these shown | 3 | 24 | 27 |", "| bugs seeded for the proofs | 0 | 1 | 1 |",
                     "| changes of the RTL: killed | - | 90 | 90 |", "| faults of the RTL: killed | - | 7 | 7 |", "| of these met | - | 5 | 5 |",
                     "| cycles of the soak, in lockstep | 2,000 | 1,000 | 3,000 |", "| core-hours | 0.50 | 0.50 | 1.00 |"):
            self.assertIn(line, lines)

    def test_a_job_without_a_unit_has_its_line(self):
        self.assertEqual(chapter.others(merged())[2:], ["| `miri` | 1 of 1 |  | 1.00 |"])

    def test_every_open_end_is_named(self):
        failing = merged()
        failing["bugs"] = [{"unit": "tsc", "stage": "tsc_rate", "field": "rate-1", "headline": "the mutant rate-1 survives",
                                "shard": "mutants-rtl/tsc@0+1.0123abcd"}]
        self.assertEqual([name for name, _ in chapter.ends(failing)],
                         ["coverage/tsc/clock: both", "formal/tsc/slow/n1/free", "mutants-rtl/tsc/tsc_rate/rate-1", "toggles/lwp"])
        lines, without = chapter.left(chapter.ends(failing), WHY)
        self.assertEqual(without, ["coverage/tsc/clock: both: not met", "mutants-rtl/tsc/tsc_rate/rate-1: the mutant rate-1 survives"])
        self.assertIn("| `formal/tsc/slow/n1/free`: no result | the solver has not ended in an hour |", lines)
        self.assertIn("| coverage/tsc/clock: both: not met | **none is given** |", lines)
        self.assertIn(("coverage/lwp", "the counts are not added: no space"), chapter.ends(failing | {"coverage": {"lwp": {"error": "no space"}}}))
        two = chapter.left([("toggles/lwp", "8 ways"), ("toggles/tsc", "2 ways")], WHY)
        self.assertEqual(two, (["| open | reason |", "|---|---|", "| `toggles/lwp`: 8 ways; `toggles/tsc`: 2 ways | an hour of simulation |"], []))
        self.assertEqual(chapter.left([], WHY), (["Nothing is open."], []))

    def test_a_bar_in_a_name_ends_no_cell(self):
        ends = [("mutants-model/perf/1of6/replace | with ^", "replace | with ^ survives")]
        lines, _ = chapter.left(ends, [("mutants-model/*", "equivalent")])
        self.assertEqual(lines[2:], ["| `mutants-model/perf/1of6/replace \\| with ^`: replace \\| with ^ survives | equivalent |"])
        lines, without = chapter.left(ends, [])
        self.assertEqual(without, ["mutants-model/perf/1of6/replace | with ^: replace | with ^ survives"])
        self.assertEqual(lines[2:], ["| mutants-model/perf/1of6/replace \\| with ^: replace \\| with ^ survives | **none is given** |"])

    def test_what_the_campaign_does_not_have_is_open(self):
        tables = [{"name": "miri"}, {"name": "loom"}, {"name": "mutants-play", "extra": True}, {"name": "soak", "items": ["lwp", "perf", "tsc"]},
                  {"name": "formal", "items": {"command": ["/none"], "name": "x"}}]
        self.assertEqual(chapter.left_out(merged(), tables, self.home), [("loom", "not part of the campaign"), ("soak/perf", "not part of the campaign")])

    def run_(self, **more):
        folder = self.home / "campaign"
        folder.mkdir(exist_ok=True)
        (folder / "merged.json").write_text(json.dumps(merged()))
        (self.home / "open.toml").write_text("".join(f'[[open]]\nname = "{name}"\nreason = "{reason}"\n' for name, reason in WHY))
        said, wrong = io.StringIO(), io.StringIO()
        (self.home / "jobs.toml").write_text('[[job]]\nname = "miri"\nmake = ["miri"]\n')
        arguments = SimpleNamespace(**{"folder": folder, "jobs_file": self.home / "jobs.toml", "reasons": self.home / "open.toml", "book": None, **more})
        with redirect_stdout(said), redirect_stderr(wrong):
            code = chapter.chapter(arguments)
        return code, said.getvalue(), wrong.getvalue()

    def test_an_end_without_a_reason_is_an_error(self):
        code, said, wrong = self.run_()
        self.assertEqual((code, wrong), (1, "campaign: open without a reason: coverage/tsc/clock: both: not met\n"))
        self.assertIn("shown of all: VPC 0 of 9.\n", said)
        self.assertIn("Commit `abc`: 8 of 9 shards, 6.0 core-hours.", said)

    def test_a_page_gets_the_tables_between_its_marks(self):
        page = self.home / "page.md"
        page.write_text(f"# Title\n\n{chapter.FIRST}\nold\n{chapter.LAST}\n\nrest\n")
        self.run_(book=page)
        first = page.read_text()
        self.run_(book=page)
        self.assertEqual(page.read_text(), first)
        self.assertTrue(first.startswith("# Title\n\n") and first.endswith("\n\nrest\n") and "old" not in first)
        page.write_text("# Title\n")
        with self.assertRaisesRegex(Refused, "lacks the marks"):
            self.run_(book=page)
        with self.assertRaisesRegex(Refused, "there is no page"):
            self.run_(book=self.home / "none.md")

    def test_wrong_reasons_are_refused(self):
        for text, words in (("[[open]]\nname = 'x'\n", "reason"), ("[[open", "it holds")):
            (self.home / "wrong.toml").write_text(text)
            with self.assertRaisesRegex(Refused, words):
                self.run_(reasons=self.home / "wrong.toml")
        with self.assertRaisesRegex(Refused, "run the campaign"):
            self.run_(folder=self.home / "none")


if __name__ == "__main__":
    unittest.main()
