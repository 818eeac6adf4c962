"""The tables of a model's mutants from the parts that a campaign has judged."""

import argparse
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "verify/mutation/model/mutants"))

import main  # noqa: E402
import tables  # noqa: E402
from engine.model import safe  # noqa: E402


def verdict(name: str, line: int) -> str:
    return json.dumps({"id": name, "file": "lwp-model/src/rdt/a.rs", "line": line, "function": name, "verdict": "killed"}) + "\n"


class Joined(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.home = pathlib.Path(keep.name)
        shown = mock.patch.object(tables.reaching, "shown_by", return_value={"RDT-01": ["suite::x"]})
        shown.start()
        self.addCleanup(shown.stop)
        self.part("1of2", [verdict("f", 9)], {"suite::x": ["a.rs f"], "suite::y": ["a.rs f"], "suite::z": []})
        self.part("2of2", [verdict("g", 3)], {"suite::x": ["a.rs g"], "suite::y": [], "suite::z": []})
        self.part("1of1", [verdict("other", 1)], {}, "perf")

    def part(self, name, lines, entered, unit="rdt"):
        folder = self.home / "artefacts/mutants-model" / safe(f"{unit}/{name}") / "0/0+1.0123abcd"
        folder.mkdir(parents=True)
        (folder / "model.jsonl").write_text("".join(lines))
        (folder / "model-reach.json").write_text(json.dumps({"runs": 1, "cycles": 7, "entered": entered}))

    def test_all_parts_are_one_list(self):
        verdicts, reach = tables.joined(self.home, "rdt")
        self.assertEqual([one["id"] for one in verdicts], ["g", "f"])
        # Two of three tests enter `f`, so it is of no requirement more than of another.
        self.assertEqual(reach["requirements"], {"RDT-01": {"tests": ["suite::x"], "functions": ["a.rs g"]}})
        self.assertEqual((reach["runs"], reach["cycles"]), (1, 7))

    def test_a_part_that_is_missing_is_named(self):
        (self.home / "artefacts/mutants-model" / safe("rdt/1of2") / "0/0+1.0123abcd/model.jsonl").unlink()
        with self.assertRaisesRegex(OSError, "mutants-model/rdt/1of2"):
            tables.joined(self.home, "rdt")
        with self.assertRaisesRegex(OSError, "mutants-model/tsc/1of1"):
            tables.joined(self.home, "tsc")


class Parts(unittest.TestCase):
    def test_a_part_is_one_of_so_many(self):
        self.assertEqual(main.which("3of17"), (3, 17))
        for bad in ("0of2", "3of2", "1", "of", "1of0", "1of2x"):
            with self.assertRaises(argparse.ArgumentTypeError):
                main.which(bad)


if __name__ == "__main__":
    unittest.main()
