"""What a campaign leaves as it is: other people's files, and the files of its own first runs."""

import json
import subprocess
import sys
import unittest

from helper import CAMPAIGN, HERE, Checkout, git

from engine import store

WRITES = '''[[job]]
name = "count"
about = "x"
reader = "synthetic"
command = ["{program}", "{{scratch}}", "{value}", "{{seed}}"]
shards = 2
'''


class Places(Checkout):
    def program(self, text, name="program"):
        path = self.home / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def counts(self, pure=True):
        """A job whose artefact is what the file `value` holds; its counts are always the same."""
        said = '{"verdict": "pass", "counts": {"cycles": 1}, "artefacts": {"counts": "counts.json"}}'
        program = self.program(f'cat "$2" >"$1/counts.json"\necho \'{said}\'')
        (self.home / "value").write_text("1")
        self.list.write_text(WRITES.format(program=program, value=self.home / "value") + ("" if pure else "pure = false\n"))

    def test_a_directory_with_something_else_is_refused(self):
        kept = self.home / "one/scratch/mine"
        kept.parent.mkdir(parents=True)
        kept.write_text("mine")
        self.assertIn("is not empty, and holds no campaign", self.run_(code=2))
        (self.home / "one/campaign.json").write_text("{")
        self.assertIn("cannot be read", self.run_(code=2))
        self.assertEqual(kept.read_text(), "mine")

    def test_a_campaign_killed_before_its_manifest_is_whole_begins_again(self):
        manifest = self.home / "one/campaign.json"
        with store.fresh(manifest) as out:
            out.write(b"{")
            half, = manifest.parent.iterdir()
            half.with_name("lock").write_text("process 12 on host\n")
            self.assertIn("10 of 10      shards", self.run_())
            self.assertTrue(half.exists())

    def test_what_another_commit_left_stays(self):
        self.run_()
        kept = self.home / "one/scratch/mine"
        kept.parent.mkdir(exist_ok=True)
        kept.write_text("mine")
        (self.root / "file").write_text("two\n")
        self.assertIn("nothing was changed", self.run_(code=2))
        self.assertEqual(kept.read_text(), "mine")

    def test_pages_of_others_stay(self):
        index = self.home / "pages/index.html"
        index.parent.mkdir()
        index.write_text("my site")
        self.assertIn("is not of this program", self.run_(code=2))
        self.assertEqual(index.read_text(), "my site")
        for name in ("pages", "nights", "index"):
            self.assertIn("are of all campaigns", self.run_(code=2, folder=f"other/{name}"))

    def test_a_directory_that_would_change_the_tree(self):
        run = [sys.executable, "-B", CAMPAIGN, "run", "--jobs-file", self.list, "--folder", self.root / "night"]
        ended = subprocess.run(run, env=self.environment(), capture_output=True, text=True)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("git does not ignore it", ended.stderr)
        (self.root / ".gitignore").write_text("night\npages\nnights\n")
        git(self.root, "add", ".gitignore")
        git(self.root, "commit", "--quiet", "-m", "two")
        for _ in range(2):
            self.assertEqual(subprocess.run(run, env=self.environment(), capture_output=True).returncode, 1)

    def test_artefacts_of_a_first_run_stay_and_are_compared(self):
        self.counts()
        self.run_(code=0)
        self.assertIn("2 of 2 shards agree", self.campaign("verify"))
        (self.home / "value").write_text("2")
        self.assertIn("0 of 2 shards agree", self.campaign("verify", code=1))
        found = sorted((self.home / "one/artefacts").rglob("counts.json"))
        self.assertEqual([path.read_text() for path in found], ["1", "1"])

    def test_an_artefact_that_was_changed_is_noticed(self):
        from engine.store import Broken, Store
        self.counts()
        self.run_(code=0)
        store = Store(self.home / "one")
        result = json.loads(self.results()[0].read_bytes())
        path = store.artefact(result, "counts")
        for text in ("", None):
            path.unlink() if text is None else path.write_text(text)
            with self.assertRaisesRegex(Broken, "is not there" if text is None else "is not what the run left"):
                store.artefact(result, "counts")

    def test_nothing_is_copied_for_another_commit(self):
        program = self.root / "target/release/program"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho '{\"verdict\": \"pass\", \"counts\": {}}'\n")
        program.chmod(0o755)
        (self.root / ".gitignore").write_text("target\n")
        git(self.root, "add", ".gitignore")
        git(self.root, "commit", "--quiet", "-m", "two")
        self.list.write_text('[[job]]\nname = "play"\nabout = "x"\nreader = "synthetic"\ncommand = ["{bin}/program"]\nprograms = ["target/release/program"]\n')
        self.run_(code=0)
        copy = self.home / "one/programs/program"
        copy.unlink()
        (self.root / "file").write_text("two\n")
        self.run_(code=2)
        self.assertFalse(copy.exists())
        (self.root / "file").write_text("one\n")
        # Killed between the copy and the manifest.
        with_old = (self.home / "one/campaign.json").read_text()
        program.write_text("#!/bin/sh\necho '{\"verdict\": \"pass\", \"counts\": {\"n\": 1}}'\n")
        dying = "import sys; sys.path.insert(0, sys.argv[1])\nfrom engine import plan\nplan.sha = lambda path: sys.exit(9) if path.name == 'program' else ''\n" \
                "from engine import verbs\nimport runpy; sys.argv = sys.argv[2:]; runpy.run_path(sys.argv[0], run_name='__main__')"
        ended = subprocess.run([sys.executable, "-B", "-c", dying, HERE.parent, *self.command("run")[2:], "--jobs-file", self.list],
                               env=self.environment(), capture_output=True, text=True)
        self.assertEqual(ended.returncode, 9, ended.stderr)
        self.assertNotEqual(with_old, (self.home / "one/campaign.json").read_text())
        self.run_(code=0)

    def test_results_from_elsewhere_are_taken_in(self):
        self.counts()
        self.list.write_text(self.list.read_text() + 'items = ["a", "b"]\n')
        self.run_("--only", "count/a", code=0, folder="left")
        self.run_("--only", "count/b", code=0, folder="right")
        said = self.campaign("merge", self.home / "right", folder="left")
        self.assertIn("2 results taken", said)
        self.assertEqual(self.merged("left")["outcome"]["jobs"]["count"]["shards"], 4)
        self.assertEqual(len(list((self.home / "left/artefacts").rglob("counts.json"))), 4)
        # They stay, and count once.
        self.assertIn("2 results there already", self.campaign("merge", self.home / "right", folder="left"))
        self.campaign("merge", folder="left")
        self.assertEqual(self.merged("left")["outcome"]["jobs"]["count"]["shards"], 4)

    def test_a_pass_from_elsewhere_counts_for_a_job_that_is_not_pure(self):
        said = '{"verdict": "\'$(cat "$2")\'", "counts": {"cycles": 1}}'
        program = self.program(f"echo '{said}'")
        self.list.write_text(WRITES.format(program=program, value=self.home / "value") + "pure = false\n")
        for folder, verdict, code in (("left", "fail", 1), ("right", "pass", 0)):
            (self.home / "value").write_text(verdict)
            self.run_(code=code, folder=folder)
        self.campaign("merge", self.home / "right", folder="left")
        self.campaign("merge", self.home / "left", folder="right")

    def test_a_link_keeps_its_neighbours(self):
        (self.home / "disk/night").mkdir(parents=True)
        (self.home / "near").mkdir()
        (self.home / "near/night").symlink_to(self.home / "disk/night")
        self.run_(folder="near/night")
        self.assertTrue((self.home / "near/pages/night.html").exists())
        self.assertFalse((self.home / "disk/pages").exists())


if __name__ == "__main__":
    unittest.main()
