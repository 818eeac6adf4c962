"""What the prover must not take for a proof, on logic and sources that are made up."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from mutate import checked, invariants, proofs, prove
from mutate.checked import Checked, alone
from mutate.prove import Prover
from mutate.site import Mutant, Site, distinct

HEAD = "id,method,seconds,code\n"


def mutant(name, number=1, module="unit_store"):
    return Mutant(Site("unit/unit_store.sv", number, number + 1, "constant", "1"), module, number, "0", number, name)


class Placed(dict):
    """Literals of outputs; its one node is what the register takes."""

    __call__ = dict.__getitem__

    @property
    def nodes(self):
        return [0, *self["next.q"]]


class Logic:
    """One register that takes an input, or its inverse in mutant 2; the assertions are those that a test gives."""

    registers, undefined, seen = ["q"], [], ["next.q"]
    circuit = SimpleNamespace(inputs=1, ands=[], outputs=[2])

    inputs = {"in_i": {}, "state.q": {}}

    def __init__(self, **checks):
        self.values = {f"check.{name.replace('__', '.')}": made for name, made in checks.items()}
        self.checks = list(self.values)
        self.outputs = {"reset.q": {}}

    def width(self, _):
        return 1

    def place(self, graph, values, number, undefined):
        known = {"next.q": [values["in_i"][0] ^ (number == 2)], "reset.q": [0]}
        for name, made in self.values.items():
            known |= {name: [made(graph, values)], f"{name}.EN": [1]}
        made = Placed(known)
        made.undefined = undefined
        return made


def source(home, **more):
    """A unit of one file."""
    return SimpleNamespace(**{"unit": "unit", "rtl": home / "rtl", "texts": {"unit/unit.sv": "module unit;\n"}, "builds": [(1,), (9,)],
                              "proven": [(1,), (2,)], "digest": lambda: "58", **more})


class Parts(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.home = Path(keep.name)
        (self.home / "unit").mkdir()
        (self.home / "unit/unit.toml").write_text("builds = [[1]]\n")
        self.enterContext(mock.patch.object(checked, "UNITS", self.home))
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))

    def prover(self, **more):
        made = Prover(source(self.home, **more), "yosys", 9, 1, work=self.home / "work")
        self.addCleanup(made._lock.close)
        return made

    def test_a_folder_has_one_process(self):
        first = alone(self.home / "work")
        with self.assertRaisesRegex(SystemExit, r"another process \(\d+\) proves there.*--work"):
            self.prover()
        first.close()
        self.prover()

    def test_a_mark_holds_for_what_was_checked(self):
        of = lambda **more: Checked(self.home, source(self.home, **more), (1,))
        self.assertFalse(of().holds())
        of().set()
        self.assertTrue(of().holds())
        self.assertTrue(of(texts={"unit/unit.sv": "// A comment.\nmodule unit;\n"}).holds())
        self.assertFalse(of(texts={"unit/unit.sv": "module unit; wire a;\n"}).holds())
        self.assertFalse(of(texts={"unit/other.sv": "module unit;\n"}).holds())
        self.assertFalse(Checked(self.home, source(self.home), (2,)).holds())
        for name, now in (("_package", ["another program"]), ("_version", "9.9")):
            with mock.patch.object(checked, name, lambda *_, now=now: now):
                self.assertFalse(of().holds())
        formal = self.home / "verify/formal/unit/sv"
        formal.mkdir(parents=True)
        (formal / "formal_lemmas.sv").write_text("module formal_lemmas;\n")
        self.assertFalse(of().holds())
        (self.home / "unit/unit.toml").write_text("builds = [[1]]\nwithout = []\n")
        (formal / "formal_lemmas.sv").unlink()
        self.assertFalse(of().holds())

    def test_nothing_follows_from_what_cannot_be(self):
        never, always = lambda *_: 0, lambda *_: 1
        self.assertEqual(invariants.check(Logic(u_straps__Legal=always, Holds=always)), "")
        self.assertIn("no straps are legal", invariants.check(Logic(u_straps__Legal=never, Holds=always)))
        self.assertIn("does not hold in the state of reset", invariants.check(Logic(Holds=never)))
        for logic, words in ((Logic(Holds=always), None), (Logic(Holds=never), "no run of the build 1 keeps what is assumed")):
            made = self.prover(proven=[(1,)])
            made.trust = True
            told = []
            with mock.patch.object(prove.netlist, "read", lambda *_, logic=logic: logic):
                if words:
                    with self.assertRaisesRegex(SystemExit, words):
                        list(made._build((1,), [mutant("a")]))
                else:
                    told = list(made._build((1,), [mutant("a"), mutant("b", 2)]))
            made._lock.close()
            self.assertEqual([answer[:3] for _, answer in told], [] if words else [("equal", "", False), ("different", "q", True)])

    def told(self, built, others, proven=((1,), (2,))):
        """What is told of mutants: `built`, by mutant and build whether its logic is another; `others`, so in the tested build 9."""
        made, told = self.prover(proven=list(proven)), {}
        made._build = lambda build, some: [(one, ("equal", "", build in built[one.id], 1.0)) for one in some]
        made._read = lambda build, some, name, bare: (Logic(), lambda one: None)
        with mock.patch.object(prove.netlist.Alike, "another", lambda cycle, number, other: number in others):
            some = [mutant(name, number) for number, name in enumerate(built, 1)]
            made.prove(some, lambda one, verdict, why, seconds: told.update({one.id: (verdict, why, seconds)}))
        return told

    def test_what_is_absent_from_the_builds_of_the_proofs_is_not_proven(self):
        told = self.told({"present": [(2,)], "early": [(1,)], "absent": [], "nowhere": []}, {3})
        self.assertEqual(told, {"present": ("equal", "", 2.0), "early": ("equal", "", 2.0), "nowhere": ("equal", "", 2.0),
                                "absent": ("open", "absent from the builds of the proofs, but not from 9", 2.0)})

    def test_logic_is_compared(self):
        cycle = prove.netlist.Alike(Logic())
        self.assertEqual([cycle.another(number) for number in (1, 2)], [False, True])
        self.assertEqual([cycle.another(number, Logic()) for number in (1, 2)], [False, True])

    def test_builds_of_the_proofs_that_are_the_tested_ones_leave_nothing_open(self):
        self.assertEqual(self.told({"absent": []}, {1}, proven=((1,), (9,))), {"absent": ("equal", "", 2.0)})

    def test_two_mutants_have_two_names(self):
        distinct([mutant("a"), mutant("b", 2)])
        with self.assertRaisesRegex(SystemExit, r"two mutants are called a: unit/unit_store.sv:1 \(constant\) and unit/unit_store.sv:2"):
            distinct([mutant("a"), mutant("a", 2)])

    def run_(self, results, listed):
        """Whether the run is fine, and the lines that it leaves, if the prover finds every mutant equivalent."""
        some = [mutant(name, number) for number, name in enumerate("abcd", 1)]
        (self.home / "results").write_text("".join(f'{{"id": "{name}", "verdict": "{verdict}"}}\n' for name, verdict in results))
        (self.home / "list.csv").write_text(HEAD + listed)
        asked = []

        def answer(mutants, told):
            asked.extend(one.id for one in mutants)
            for one in mutants:
                told(one, "equal", "", 3.0)

        fake = SimpleNamespace(source=source(self.home), complete=True, prove=answer)
        fine = proofs.run(some, set("abcd"), self.home / "results", self.home / "list.csv", fake)
        return fine, asked, (self.home / "list.csv").read_text().removeprefix(HEAD)

    def test_a_line_is_of_this_code_or_proven_again(self):
        fine, asked, left = self.run_([("a", "survived"), ("b", "survived")], "a,cycles,1,57\nb,cycles,1,58\n")
        self.assertEqual((fine, asked, left), (True, ["a"], "a,cycles,3,58\nb,cycles,1,58\n"))

    def test_a_proof_of_this_code_that_a_case_contradicts_is_an_error(self):
        fine, asked, left = self.run_([("a", "killed"), ("b", "killed")], "a,cycles,1,57\nb,cycles,1,58\n")
        self.assertEqual((fine, asked, left), (False, [], "b,cycles,1,58\n"))

    def test_two_lines_of_a_mutant_are_refused(self):
        with self.assertRaisesRegex(SystemExit, "list.csv: two lines are of a"):
            self.run_([("a", "survived")], "a,cycles,1,57\na,cycles,1,58\n")
        with self.assertRaisesRegex(SystemExit, "results: two lines are of a"):
            self.run_([("a", "survived"), ("a", "killed")], "")


if __name__ == "__main__":
    unittest.main()
