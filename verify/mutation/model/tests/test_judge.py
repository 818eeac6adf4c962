"""What counts as a kill, as a mutant that does not compile, and as a proof of equivalence; programs are scripts that end in each way."""

import dataclasses
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))

import equivalents
import judge
import tree
from listing import Mutant, Place

LINES = Place((3, 5), (3, 9))
MUTANT = Mutant(7, "unit", "lwp-model/src/unit/stage.rs:3:5: replace + with -", "lwp-model/src/unit/stage.rs", "Stage::step", "", LINES, LINES,
                "-", "BinaryOperator", "a + b", "a - b")
DIFFERS = json.dumps({"cycles": 9, "cycle": 4, "field": "count", "name": "case", "seed": 1})


class Judge(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)

    def script(self, name: str, text: str) -> pathlib.Path:
        path = self.home / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def verdict(self, replay: str, tests: str = "exit 0") -> judge.Verdict:
        programs = judge.Programs(self.script("replay", replay), self.home / "recording", [self.script("suite-1f", tests)])
        return judge.judge(programs, MUTANT, 7, all_tests=True)

    def test_nothing_notices(self) -> None:
        self.assertEqual(self.verdict("exit 0").verdict, "survived")

    def test_the_replay_differs(self) -> None:
        found = self.verdict(f"echo '{DIFFERS}'; exit 1")
        self.assertEqual((found.verdict, found.killed_by, found.cycles, found.field), ("killed", ["replay"], 9, "count"))

    def test_a_test_fails(self) -> None:
        found = self.verdict("exit 0", "echo 'test ring::wraps ... FAILED'; exit 101")
        self.assertEqual((found.killed_by, found.tests), (["tests"], ["suite::ring::wraps"]))

    def test_signals_of_a_mutant_kill_it(self) -> None:
        for signal in ("XCPU", "ABRT", "SEGV"):
            self.assertEqual(self.verdict(f"kill -{signal} $$").killed_by, ["replay"], signal)
            found = self.verdict("exit 0", f"echo 'test ring::wraps ... '; kill -{signal} $$")
            self.assertEqual(found.tests, ["suite::ring::wraps"], signal)

    def test_signals_of_the_machine_judge_nothing(self) -> None:
        for signal in ("KILL", "TERM", "BUS"):
            with self.assertRaisesRegex(judge.Unsound, "which no mutant sends", msg=signal):
                self.verdict(f"kill -{signal} $$")
            with self.assertRaisesRegex(judge.Unsound, "which no mutant sends", msg=signal):
                self.verdict("exit 0", f"kill -{signal} $$")

    def test_exit_codes_that_are_no_verdict(self) -> None:
        for code in (2, 3, 101, 127):
            with self.assertRaisesRegex(judge.Unsound, f"exit code {code}"):
                self.verdict(f"exit {code}")
        for code in (1, 4, 101, 127):
            with self.assertRaisesRegex(judge.Unsound, f"exit code {code} .* without a test that failed"):
                self.verdict("exit 0", f"exit {code}")

    def test_a_program_that_is_slow_without_a_mutant_has_more_time_with_one(self) -> None:
        loop = "n=0; while [ $n -lt 400000 ]; do n=$((n+1)); done"
        slow = self.script("suite-1f", loop)
        traced = self.script("suite-2f", f'if [ "$MUTANT" = trace ]; then {loop}; echo "entered 7" >&2; fi')
        quick = self.script("replay", "echo '{}'")

        def learnt(test: pathlib.Path) -> judge.Programs:
            programs = judge.Programs(quick, self.home, [test], test_seconds=0)
            with mock.patch.object(judge, "limits"):
                self.assertEqual(judge.baseline(programs), {})
            return programs

        # The trace of what a program enters takes time that a mutant does not need.
        programs = learnt(traced)
        self.assertEqual((programs.entered[traced], programs.seconds(traced)), ({7}, 1))
        programs = learnt(slow)
        self.assertGreater(programs.seconds(slow), 1)
        self.assertEqual(programs.seconds(quick), judge.REPLAY_SECONDS)
        alone = programs.for_one(quick, [traced])
        self.assertEqual((alone.seconds(traced), alone.seconds(quick)), (programs.seconds(slow), judge.REPLAY_SECONDS))

    def test_a_mutant_has_the_seconds_of_its_programs(self) -> None:
        programs = judge.Programs(self.script("replay", "while :; do :; done"), self.home / "recording", [], replay_seconds=1)
        self.assertEqual(judge.judge(programs, MUTANT, 7, all_tests=True).field, "never ends")
        suite = self.script("suite-1f", "echo 'test ring::wraps ... '; while :; do :; done")
        programs = judge.Programs(self.script("replay", "exit 0"), self.home / "recording", [suite], test_seconds=1)
        self.assertEqual(judge.judge(programs, MUTANT, 7, all_tests=True).tests, ["suite::ring::wraps"])

    def test_a_program_that_never_ends_without_a_mutant_judges_nothing(self) -> None:
        programs = judge.Programs(self.script("replay", "while :; do :; done"), self.home / "recording", [], replay_seconds=1)
        with mock.patch.object(judge, "TENFOLD", 1), self.assertRaisesRegex(judge.Unsound, "more than 1 s of the processor without a mutant"):
            judge.baseline(programs)

    def test_a_proof_of_equivalence_is_about_one_mutant(self) -> None:
        entry = 'file = "unit/stage.rs"\nfunction = "Stage::step"\nbefore = "a + b"\nafter = "a - b"\nproof = "b is 0"\n'
        again = dataclasses.replace(MUTANT, number=8, id="another line")
        listed = self.home / "verify/mutation/model/unit/equivalent.toml"
        listed.parent.mkdir(parents=True)

        def load(text: str, mutants: list[Mutant]) -> dict[str, str]:
            listed.write_text(text)
            return equivalents.load(self.home, "unit", mutants)

        one = "[[equivalent]]\n" + entry
        self.assertEqual(load(one, [MUTANT]), {MUTANT.id: "b is 0"})
        self.assertEqual(len(load(one + "count = 2\n", [MUTANT, again])), 2)
        for text, mutants in ((one, []), (one, [MUTANT, again]), (one.replace("step", "stop"), [MUTANT]), (one.replace("unit/", ""), [MUTANT])):
            with self.assertRaisesRegex(equivalents.Stale, "mutants instead of 1"):
                load(text, mutants)
        with self.assertRaisesRegex(equivalents.Stale, "two proofs"):
            load(one + one, [MUTANT])

    def test_a_proof_of_a_mutant_that_is_killed_is_wrong(self) -> None:
        survives = judge.Verdict(MUTANT, "survived")
        self.assertEqual(equivalents.apply({MUTANT.id: "b is 0"}, [survives]), [])
        self.assertEqual((survives.verdict, survives.why), ("equivalent", "b is 0"))
        for verdict, said in ((judge.Verdict(MUTANT, "killed", killed_by=["replay"]), "killed by replay"), (judge.Verdict(MUTANT, "not viable"), "not viable")):
            wrong = equivalents.apply({MUTANT.id: "b is 0"}, [verdict])
            self.assertEqual(wrong, [f"{MUTANT.id} is listed as equivalent and is {said}"])


def error(file: str, line: int, code: str | None) -> dict:
    span = {"file_name": file, "line_start": line, "line_end": line}
    return {"message": "", "spans": [span] if file else [], "code": code and {"code": code}}


class Compiler(unittest.TestCase):
    def test_errors_of_the_mutant(self) -> None:
        self.assertTrue(tree.to_blame(MUTANT, error(MUTANT.file, 3, None)))
        self.assertTrue(tree.to_blame(MUTANT, error("lwp-model/src/other.rs", 90, "E0080")))
        endless = error("lwp-model/src/other.rs", 90, None) | {"message": "values of the type `[u32; usize::MAX]` are too big for the target architecture"}
        self.assertTrue(tree.to_blame(MUTANT, endless))
        # `assert_eq!` of arrays whose length the mutant has changed: the place is in the standard library's macro.
        macro = error("/rustc/library/core/src/macros/mod.rs", 43, "E0277")
        self.assertFalse(tree.to_blame(MUTANT, macro))
        macro["spans"][0]["expansion"] = {"span": error("lwp-model/tests/other.rs", 90, None)["spans"][0] | {"expansion": None}}
        self.assertTrue(tree.to_blame(MUTANT, macro))

    def test_errors_of_the_machine(self) -> None:
        self.assertFalse(tree.to_blame(MUTANT, error("", 0, None)), "linking failed, no space left on device")
        self.assertFalse(tree.to_blame(MUTANT, error(MUTANT.file, 90, None)))
        self.assertFalse(tree.to_blame(MUTANT, error("/root/.cargo/registry/src/x/lib.rs", 3, "E0308")))
        self.assertFalse(tree.to_blame(MUTANT, error("lwp-model/src/lib.rs", 90, "E0786")), "a crate's file that is cut")


if __name__ == "__main__":
    unittest.main()
