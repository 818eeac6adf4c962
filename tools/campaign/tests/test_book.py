"""The tables of the book's chapters: what is read from the results, where it goes, what is refused."""

import io
import json
import pathlib
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

import helper  # noqa: F401
from engine import Refused, book, store
from engine.model import Job

LOG = """[ 1/4] tsc/rate/lp1/free                  induction k=2    9 s (8 s of processor)  PASS
[ 2/4] tsc/rate/lp1/free#1                control, induction k=2   5 s (4 s of processor)  found
[ 3/4] tsc/rate/lp2/free                  induction k=2   11 s (10 s of processor)  PASS (2 fail alone)
[ 4/4] tsc/covers/lp1/free                cover            3 s (2 s of processor)  PASS (7 reached)

proof                kind    bound     seconds  user  verdict
tsc/covers/lp1/free  cover   6 cycles  3        2     PASS (7 reached)
"""
TABLE = """| proof | kind | `lp1/free` | `lp2/free` |
| --- | --- | --: | --: |
| `rate` | induction k = 2 | 8 | 10 |

| covers | build | bound | seconds | reached |
| --- | --- | --: | --: | --: |
| `covers` | `lp1/free` | 6 cycles | 2 | 7 |

Seeded bugs found: 1, in 4 seconds.
"""


class Book(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.home = pathlib.Path(keep.name)
        (self.home / "pages").mkdir()

    def campaign(self, item="tsc/rate/lp1/free"):
        """A campaign of one proof, with what it printed."""
        job = Job(name="formal", about="x", reader="proofs", command=("true",), items=(item,))
        folder = store.Store(self.home / "night")
        folder.folder.mkdir()
        (folder.folder / "campaign.json").write_text(json.dumps({"schema": store.MANIFEST, "commit": "abc", "jobs": [job.to_json()], "programs": {}, "about": {}}))
        (folder.folder / "log").write_text(LOG)
        shard, = job.cut()
        folder.put(shard, {"schema": store.SCHEMA, "key": shard.key, "commit": "abc", "run": {}, "outcome": {
            "verdict": "pass", "counts": {}, "items": {}, "failures": [], "artefacts": {"log": "log"}}}, replace=False)

    def fill(self, only=None):
        with redirect_stdout(io.StringIO()) as self.said, redirect_stderr(io.StringIO()):
            return book.book(SimpleNamespace(folder=str(self.home / "night"), pages=self.home / "pages", only=only))

    def page(self, what="proofs tsc", end=book.LAST):
        page = self.home / "pages/proofs.md"
        page.write_text(f"# Proofs\n\n{book.FIRST}{what} -->\nold\n{end}\n\nMore.\n")
        return page

    def test_seconds_of_proofs(self):
        self.assertEqual(book.proofs(LOG.split("\n")), TABLE)

    def test_what_does_not_pass_is_named(self):
        log = LOG.replace("10 s of processor)  PASS (2 fail alone)", "10 s of processor)  TIMEOUT").replace("found", "NOT FOUND (PASS)")
        made = book.proofs([log.replace("PASS (7 reached)", "FAIL (6 reached, 1 missing)")])
        self.assertIn("| `rate` | induction k = 2 | 8 | TIMEOUT |", made)
        self.assertIn("| `covers` | `lp1/free` | 6 cycles | 2 | FAIL (6 reached, 1 missing) |", made)
        self.assertIn("Seeded bugs not found: `tsc/rate/lp1/free#1`.", made)
        self.assertNotIn("Seeded bugs found", made)

    def test_a_unit_page_has_modules_and_killers(self):
        report = "| module, changes | n |\n|---|---|\n| a | 1 |\n\n| requirements | n |\n\n| killed by | n |\n| b | 2 |\n\n0 survive without a proof:\n"
        self.assertEqual(book.scores(report, False), "| module, changes | n |\n|---|---|\n| a | 1 |\n\n| killed by | n |\n| b | 2 |\n")
        self.assertIn("| requirements", book.scores(report, True))
        self.assertEqual(book.stages("### Score by stage\n\n9 runs.\n\n| a |\n\n### Survivors\n\nNone.\n", False), "9 runs.\n\n| a |\n")

    def test_a_page_is_filled_between_its_marks(self):
        self.campaign()
        page = self.page()
        self.assertEqual(self.fill(), 0)
        self.assertEqual(page.read_text(), f"# Proofs\n\n{book.FIRST}proofs tsc -->\n\n{TABLE}\n{book.LAST}\n\nMore.\n")
        self.assertEqual(self.said.getvalue(), f"{page}\n")
        once = page.read_text()
        self.fill()
        self.assertEqual(page.read_text(), once)
        self.assertEqual(self.said.getvalue(), "", "a page whose tables did not change is not named")

    def test_a_mark_may_be_the_first_line(self):
        self.campaign()
        page = self.home / "pages/table.md"
        page.write_text(f"{book.FIRST}proofs tsc -->\n{book.LAST}\n")
        self.fill()
        self.assertEqual(page.read_text(), f"{book.FIRST}proofs tsc -->\n\n{TABLE}\n{book.LAST}\n")

    def test_kinds_that_are_not_asked_stay(self):
        self.campaign()
        page = self.page()
        other = f"{book.FIRST}mutants-rtl tsc -->\nold\n{book.LAST}\n"
        page.write_text(page.read_text() + other)
        with self.assertRaisesRegex(Refused, "no result of mutants-rtl/tsc"):
            self.fill()
        self.fill("proofs")
        self.assertEqual(page.read_text(), f"# Proofs\n\n{book.FIRST}proofs tsc -->\n\n{TABLE}\n{book.LAST}\n\nMore.\n{other}")
        with self.assertRaisesRegex(Refused, "no table `proof`; there are proofs, mutants-rtl and mutants-model"):
            self.fill("mutants-rtl,proof")

    def test_what_cannot_be_made_changes_nothing(self):
        self.campaign()
        for what, end, said in (("proofs rdt", book.LAST, "no result of formal/rdt"), ("proof tsc", book.LAST, "no table `proof`"),
                                ("proofs tsc", "<!-- end -->", "has no"), ("proofs", book.LAST, "another form")):
            page = self.page(what, end)
            before = page.read_text()
            with self.assertRaisesRegex(Refused, said):
                self.fill()
            self.assertEqual(page.read_text(), before)
        page.unlink()
        with self.assertRaisesRegex(Refused, "no page"):
            self.fill()


if __name__ == "__main__":
    unittest.main()
