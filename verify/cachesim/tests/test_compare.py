# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests of the comparison: errors that are planted are reported, and what it says of pycachesim is so.

Run by `make cachesim`: with the Python of target/tools/cachesim-venv, `python -B -m unittest discover verify/cachesim/tests`.
They need target/release/lwp-sim.
"""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import compare
from study import cases, reference, unit, workloads


def run(*argv):
    """Exit code, output and errors of a comparison."""
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as work, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = compare.main(["--work", work, *argv])
        except SystemExit as ended:
            code = ended.code
    return code, out.getvalue(), err.getvalue()


def small(kind):
    """Runs the cases of a kind alone that have 8 sets of 4 ways."""
    def wanted():
        return [case for case in GENERATED if case.kind == kind and case.cache == cases.Cache(8, 4, 64)]
    return wanted


GENERATED = list(cases.generated())


class Planted(unittest.TestCase):
    """Each error is reported, with exit code 1, where it makes a difference; without it, the same cases are equal."""

    def small(self, kind, *argv):
        whole, cases.generated = cases.generated, small(kind)
        try:
            return run("--accesses", "3000", "--only", kind, *argv)
        finally:
            cases.generated = whole

    def test_no_error(self):
        for kind in ("alone", "apart", "shared"):
            code, out, err = self.small(kind)
            self.assertEqual((code, err), (0, ""), kind)
            self.assertIn(kind, out)

    def test_errors(self):
        expected = {
            ("half-ways", "alone"): "hits", ("no-write-backs", "alone"): "written back", ("fifo", "alone"): "misses",
            ("plain-stores", "alone"): "hits", ("lost-access", "alone"): "hits", ("turn", "shared"): "misses",
            ("charge", "shared"): "written back",
            ("half-ways", "shared"): "misses", ("fifo", "apart"): "hits", ("plain-stores", "confined"): "hits",
        }
        self.assertEqual({plant for plant, _ in expected}, set(compare.PLANTS), "every error is tried")
        for (plant, kind), name in expected.items():
            code, out, err = self.small(kind, "--plant", plant)
            self.assertEqual(code, 1, f"{plant} {kind}: {out}{err}")
            self.assertRegex(err, rf"compare: {kind}-\S+, RMID \d \([a-z/]+\): {name} [\d,]+ of the unit, [\d,]+ of pycachesim")

    def test_what_is_wrong_is_said(self):
        for argv, code, said in (
            (["--only", "alone,none"], 2, "no kind none"),
            (["--only", "captured"], 2, "needs --capture"),
            (["--accesses", "0"], 2, "1 or more"),
            (["--only", "captured", "--capture", __file__], 2, "is not a capture"),
            (["--only", "captured", "--capture", "/nowhere"], 3, "cannot be read"),
            (["--lwp-sim", "/nowhere"], 2, "`make cachesim` builds it"),
            (["--json", "/nowhere/file", "--only", "apart"], 3, "/nowhere/file"),
        ):
            whole, cases.generated = cases.generated, small("apart")
            try:
                found, _, err = run("--accesses", "100", *argv)
            finally:
                cases.generated = whole
            self.assertEqual(found, code, f"{argv}: {err}")
            self.assertIn(said, err)


class OfPycachesim(unittest.TestCase):
    """The reasons for what study/reference.py does."""

    def cache(self, sets=1, ways=2):
        return reference.installed()("L3", sets, ways, 64, "LRU").backend

    def test_a_store_that_hits_counts_no_hit_and_leaves_the_age(self):
        cache = self.cache()
        for address in (0, 64):
            cache.iterload((address,), length=8)
        cache.iterstore((0,), length=8)
        self.assertEqual((cache.HIT_count, cache.MISS_count), (0, 2))
        cache.iterload((128,), length=8)
        self.assertEqual(cache.EVICT_count, 1, "line 0 was stored to last, and has left")

    def test_a_load_before_the_store_counts_and_makes_the_line_the_youngest(self):
        cache = self.cache()
        for address in (0, 64):
            reference.access(cache, address, 8, False, False)
        reference.access(cache, 0, 8, True, False)
        self.assertEqual((cache.HIT_count, cache.MISS_count), (1, 2))
        reference.access(cache, 128, 8, False, False)
        self.assertEqual(cache.EVICT_count, 0, "line 64 has left, which was not written")

    def test_the_version_is_the_installed_one(self):
        setup = (compare.ROOT / "tools/scripts/setup").read_text(encoding="utf-8")
        self.assertIn(f"(pycachesim=={reference.VERSION} ", setup)

    def test_lists_keep_addresses_of_52_bits(self):
        cache = self.cache()
        reference.access(cache, 3 << 48 | 0x7F12_3456_7880, 8, False, False)
        self.assertEqual(min(cache.cached), 3 << 48 | 0x7F12_3456_7880)

    def test_ways_that_are_empty_are_filled_first(self):
        cache = self.cache(sets=2, ways=4)
        for line in (0, 2, 0, 4, 2, 6):
            reference.access(cache, line * 64, 8, False, False)
        self.assertEqual((cache.MISS_count, cache.count_invalid_entries()), (4, 4))


class Programs(unittest.TestCase):
    """Accesses by the rules of the retire log."""

    def test_accesses(self):
        both = ([(0x103C, 8), (0x2000, 4)], [(0x2000, 4), (0x40, 130)])
        expected = [(0x103C, 8, False), (0x2000, 4, True), (0x40, 64, True), (0x80, 64, True), (0xC0, 2, True)]
        self.assertEqual(list(workloads.accesses([both])), expected)
        split = [(0x1000, 1, False), (0x1040, 1, False), (0x2000, 1, True)]
        self.assertEqual(list(workloads.lines(expected[:2], 64)), split)

    def test_programs_are_those_of_their_seed(self):
        cache = cases.Cache(8, 4, 64)
        for kind in workloads.KINDS:
            made = workloads.generate(kind, cache, 500, 1)
            self.assertEqual(made, workloads.generate(kind, cache, 500, 1))
            self.assertNotEqual(made, workloads.generate(kind, cache, 500, 2))
            touched = list(workloads.accesses(made))
            self.assertTrue(any(write for _, _, write in touched), kind)
            self.assertTrue(any(address % 64 + size > 64 for address, size, _ in touched), f"{kind}: split")

    def test_turns(self):
        self.assertEqual(list(reference.turns([1, 2, 0], ["a", "bcd", "ef"])),
                         [(1, "b"), (2, "e"), (0, "a"), (1, "c"), (2, "f"), (1, "d")])

    def test_a_session_has_the_masks(self):
        case = cases.Case("apart", cases.Cache(8, 4, 64), (cases.Program("random", 0xE), cases.Program("loop", 0x1)))
        text = unit.session(case, 1)
        self.assertIn("rmid = 1\nclass = 2", text)
        self.assertIn("[[class]]\nl3_mask = 0xf\n\n[[class]]\nl3_mask = 0x1\n\n[[class]]\nl3_mask = 0xe\n", text)


if __name__ == "__main__":
    unittest.main()
