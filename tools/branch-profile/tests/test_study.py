# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times become ratios round by round, and a table that shows nothing fails.

Run by `make test`; alone: python3 -B -m unittest discover -s tools/branch-profile/tests
"""

import os
import pathlib
import sqlite3
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from study import profile, queries, report, timing
from study.tools import SCRIPTS, StudyError

sys.path.insert(0, str(SCRIPTS))
import branch_stacks


def program(folder, name, text):
    path = pathlib.Path(folder) / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def table(**ratios):
    """A table in which each program takes half of the branches, but those without records."""
    found = []
    for name in report.PROGRAMS:
        ratio = ratios.get(name, 1.2 if name in report.RECORDED else 1.0)
        found.append({
            "program": name, "milliseconds": 100 / ratio, "faster": {"median": ratio, "quartiles": [ratio, ratio]},
            "instructions": 1000, "taken_branches": 50 if name in report.RECORDED else 100,
        })
    return found


class Times(unittest.TestCase):
    def test_ratios_are_those_of_the_rounds(self):
        # A machine that is twice as slow in the last rounds: no ratio changes.
        before, after = [1.0, 1.1, 2.0, 2.2, 2.0], [0.5, 0.55, 1.0, 1.1, 1.25]
        self.assertEqual(timing.speedup(before, after), {"median": 2.0, "quartiles": [2.0, 2.0], "rounds": 5})
        with self.assertRaises(ValueError):
            timing.speedup(before, after[1:])

    def test_each_program_runs_once_in_a_round_and_the_first_does_not_count(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            binaries = {name: program(folder, name, f"echo {name} >>{log}; echo rows") for name in "ab"}
            times = timing.rounds(binaries, "script", 3)
            ran = log.read_text(encoding="utf-8").split()
        self.assertEqual([len(times[name]) for name in "ab"], [3, 3])
        self.assertEqual([sorted(ran[at:at + 2]) for at in range(0, 8, 2)], [["a", "b"]] * 4)

    def test_programs_must_print_the_same_and_not_fail(self):
        with tempfile.TemporaryDirectory() as folder:
            same, other = program(folder, "same", "echo rows"), program(folder, "other", "echo row")
            failing = program(folder, "failing", "echo rows; exit 3")
            with self.assertRaisesRegex(StudyError, "do not print the same: a, b"):
                timing.rounds({"a": same, "b": other}, "script", 2)
            with self.assertRaisesRegex(StudyError, "ended with 3"):
                timing.seconds(os.fspath(failing), "script")


class Table(unittest.TestCase):
    def test_faster_with_fewer_branches_passes(self):
        self.assertEqual(report.failures(table()), [])
        self.assertIn("| BOLT with records | 83 ms | 1.200 (1.200 to 1.200) | 1,000 | 50 |", report.markdown(table()))

    def test_within_the_noise_fails(self):
        self.assertEqual(report.failures(table(bolt=1.01, copy=1.02)), ["BOLT with records: not faster"])
        self.assertEqual(report.failures(table(samples=0.9)), ["clang with records: not faster"])

    def test_as_many_branches_fail(self):
        found = table()
        found[report.PROGRAMS.index(report.BOTH)]["taken_branches"] = 91
        self.assertEqual(report.failures(found), ["clang, then BOLT, each with records: no fewer taken branches"])


class Mappings(unittest.TestCase):
    def test_code_is_mapped_in_whole_pages(self):
        # As lld 19 lays out a program: read-only data, code that begins within a page, data.
        segments = [(4, 0, 0x200000, 0x2CF94), (5, 0x2CFA0, 0x22DFA0, 0xFC9D0), (6, 0x129970, 0x32B970, 0x690)]
        header = struct.pack("<16sHHIQQQIHHH", b"\x7fELF\x02\x01\x01", 2, 62, 1, 0x22E000, 64, 0, 0, 64, 56, len(segments))
        table = b"".join(struct.pack("<IIQQQQQQ", 1, flags, at, place, place, size, size, 4096) for flags, at, place, size in segments)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder).resolve() / "program"
            path.write_bytes(header.ljust(64, b"\0") + table)
            self.assertEqual(branch_stacks.mappings(path), [(0x22D000, 0xFE000, 0x2C000, str(path))])


class Tools(unittest.TestCase):
    def test_the_words_of_perf2bolt(self):
        said = ("PERF2BOLT: traces mismatching disassembled function contents: 30075 (4.2%)\n"
                "PERF2BOLT: out of range traces involving unknown regions: 80079 (11.1%)\n")
        self.assertEqual(profile.MISMATCHING.search(said)[1], "30075")
        self.assertEqual(profile.OUTSIDE.search(said)[2], "11.1")


class Queries(unittest.TestCase):
    def test_the_same_for_the_same_seed_and_accepted_by_a_database(self):
        self.assertEqual(queries.script(200, 7), queries.script(200, 7))
        self.assertNotEqual(queries.script(200, 7), queries.script(200, 8))
        database = sqlite3.connect(":memory:")
        database.executescript(queries.script(200, 7))
        self.assertEqual(database.execute("SELECT count(*) > 100 FROM t").fetchone(), (1,))


if __name__ == "__main__":
    unittest.main()
