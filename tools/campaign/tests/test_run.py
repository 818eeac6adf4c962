"""Campaigns on this machine: killed, resumed, run twice, of another commit, two at once."""

import contextlib
import functools
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import unittest

from helper import Checkout, git


class Run(Checkout):
    def undisturbed(self):
        self.run_(folder="whole")
        return self.merged("whole")["digest"]

    def findings(self, folder="one"):
        job = self.merged(folder)["outcome"]["jobs"]["play"]
        return [job[name] for name in ("wanted", "shards", "failed", "counts", "items")]

    def test_a_campaign_runs_every_shard_once_and_keeps_what_is_there(self):
        said = self.run_()
        self.assertIn("10 of 10      shards", said)
        before = {path: path.stat().st_mtime_ns for path in self.results()}
        self.assertEqual(len(before), 10)
        self.assertIn("10 were there", self.run_("--resume"))
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in self.results()})

    def test_a_job_joins_those_that_ran(self):
        self.run_("--only", "play/small")
        self.assertEqual(self.merged()["outcome"]["jobs"]["play"]["wanted"], 5)
        self.mood.write_text("crash")
        said = self.run_("--only", "play/large", code=1)
        self.assertIn("5 of 10      shards", said)
        self.assertRegex(said, r"play/large@0\S+ exit code 9")
        self.mood.unlink()
        # What is missing is of another item than the wanted one, and so is why.
        said = self.run_("--only", "play/small")
        self.assertIn("5 shards have no result; none is of what this command runs", said)
        self.assertNotRegex(said, r"play/large@\S+ exit code")
        self.assertEqual(len(self.merged()["missing"]), 5)
        self.run_("--size", "play.depth=4", "--only", "play/small")
        self.assertEqual(self.merged()["outcome"]["jobs"]["play"]["wanted"], 5)
        self.assertEqual(len(self.results()), 10)

    def test_a_folder_moved_without_its_programs_takes_those_built_anew(self):
        program = self.root / "target/play"
        program.parent.mkdir()
        self.list.write_text(self.list.read_text() + 'programs = ["target/play"]\n')
        (self.root / ".git/info/exclude").write_text("target\n")
        program.write_text("built here")
        self.run_("--only", "play/small")
        known = json.loads((self.home / "one/campaign.json").read_bytes())["programs"]["play"]
        shutil.copytree(self.home / "one", self.home / "two", ignore=shutil.ignore_patterns("programs"))
        program.write_text("built there")
        # Where the copy still is, it stays the campaign's; where it is not, the new one is copied and becomes that.
        self.run_(folder="one")
        self.assertEqual((self.home / "one/programs/play").read_text(), "built here")
        self.assertIn("5 were there", self.run_(folder="two"))
        self.assertEqual((self.home / "two/programs/play").read_text(), "built there")
        self.assertNotEqual(json.loads((self.home / "two/campaign.json").read_bytes())["programs"]["play"], known)
        self.assertIn("10 were there", self.run_(folder="two"))
        self.assertEqual(self.findings("one"), self.findings("two"))

    def test_killed_anywhere_it_resumes_to_the_same_end(self):
        self.run_(folder="whole")
        whole = self.findings("whole")
        self.jobs(wait=0.02)
        draw = random.Random(7)
        killed = 0
        for _ in range(20):
            process = subprocess.Popen(self.command("run", "--jobs-file", self.list, "--jobs", "2"), env=self.environment(),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=draw.uniform(0.1, 0.5))
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += 1
        self.assertGreater(killed, 0)
        self.run_()
        # A run that finds every result makes no scratch folder.
        self.assertEqual(list((self.home / "one").glob("scratch/*")), [])
        # The wait is in the command and so in the keys, but in no outcome.
        self.assertEqual(self.findings(), whole)

    def programs(self):
        """The synthetic programs of this test that are running."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if str(self.mood).encode() in words and b"setpriv" not in words[0]:
                    found.append(folder.name)
        return found

    def test_a_killed_campaign_leaves_no_program(self):
        self.jobs(wait=5)
        process = subprocess.Popen(self.command("run", "--jobs-file", self.list, "--jobs", "2"), env=self.environment(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(self.programs()) < 2:
            time.sleep(0.02)
        process.kill()
        process.wait()
        end = time.monotonic() + 2
        while self.programs() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(self.programs(), [])

    def test_ctrl_c_keeps_what_is_whole(self):
        self.jobs(wait=0.2)
        # A shell without job control starts what is in the background with SIGINT ignored, and all that it starts.
        heard = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        process = subprocess.Popen(self.command("run", "--jobs-file", self.list, "--jobs", "2"), env=self.environment(),
                                   preexec_fn=heard, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while len(self.results()) < 2 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
        self.assertEqual(process.returncode, 130)
        self.assertIn("stopped; the same command goes on from here", said)
        kept = len(self.results())
        self.assertTrue(2 <= kept < 10, kept)
        self.assertEqual(list((self.home / "one/scratch").iterdir()), [])
        self.assertEqual(len(self.merged()["missing"]), 10 - kept)

    def test_a_program_that_dies_leaves_its_shard_open(self):
        self.mood.write_text("crash")
        said = self.run_(code=4)
        self.assertIn("exit code 9: the synthetic program ends itself", said)
        self.assertIn("10 shards have no result; the same command goes on with them", said)
        self.assertEqual(self.results(), [])
        self.assertEqual(len(self.merged()["notes"]), 10)
        self.mood.unlink()
        self.run_()
        self.assertEqual(len(self.results()), 10)
        # The notes are of shards that are done.
        self.assertEqual(self.merged()["notes"], [])
        self.assertNotIn("without an outcome", self.campaign("status", code=1))

    def test_a_shard_that_is_run_twice_has_to_agree(self):
        self.run_()
        self.assertIn("6 of 6 shards agree", self.campaign("verify", "--shards", "6"))
        digest = self.merged()["digest"]
        self.mood.write_text("differ")
        said = self.campaign("verify", "--shards", "6", code=1)
        self.assertIn("0 of 6 shards agree", said)
        self.assertEqual(len(list((self.home / "one/disagreements").iterdir())), 6)
        said = self.campaign("merge", code=1)
        self.assertIn("run twice and does not agree", said)
        # The first result counts, once.
        self.assertEqual(self.merged()["digest"], digest)

    def test_another_commit_is_refused_and_changes_nothing(self):
        self.run_()
        (self.root / "file").write_text("two\n")
        said = self.run_(code=2)
        self.assertRegex(said, r"is a campaign of commit \w{12}, this tree is \w{12}\+\w{8}; name another directory")
        git(self.root, "commit", "--quiet", "-am", "two")
        self.assertIn("nothing was changed", self.run_(code=2))
        self.run_(folder="two")
        # Results that are carried over are refused one by one.
        other = self.results("two")[0]
        name = other.relative_to(self.home / "two")
        (self.home / "one" / name).write_bytes(other.read_bytes())
        said = self.campaign("merge", code=1)
        self.assertIn("of another commit", said)
        self.assertEqual(len(self.merged()["missing"]), 1)
        self.assertIn("nothing was merged", self.campaign("merge", self.home / "two", code=2))

    def test_an_untracked_file_is_another_tree(self):
        self.run_()
        (self.root / "new").write_text("x")
        self.assertIn("this tree is", self.run_(code=2))

    def test_two_campaigns_in_one_directory(self):
        # The first one is still at its first shards when the second begins, however slow the machine is.
        self.jobs(wait=300)
        first = subprocess.Popen(self.command("run", "--jobs-file", self.list, "--jobs", "2"), env=self.environment(),
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(first.kill)
        while first.poll() is None and not list((self.home / "one").glob("scratch/*")):
            time.sleep(0.02)
        said = self.run_(code=2)
        self.assertIn(f"another campaign runs in {self.home / 'one'} (process {first.pid} on ", said)
        first.send_signal(signal.SIGTERM)
        self.assertEqual(first.wait(), 130)

    def test_half_written_results_are_put_aside_and_run_again(self):
        self.run_()
        whole = self.merged()["digest"]
        results = self.results()
        results[0].write_bytes(results[0].read_bytes()[:100])
        results[1].write_bytes(b"")
        changed = json.loads(results[2].read_bytes())
        changed["outcome"]["counts"]["cycles"] += 1
        results[2].write_text(json.dumps(changed))
        said = self.campaign("status", code=1)
        self.assertIn("7 of 10", said)
        self.assertEqual(said.count("half written"), 3)
        self.run_()
        self.assertEqual(self.merged()["digest"], whole)
        self.assertEqual(len(list((self.home / "one/broken").iterdir())), 3)

    def test_a_campaign_in_two_places_is_merged(self):
        self.run_()
        whole = self.merged()["digest"]
        for folder, keep in (("left", 0), ("right", 1)):
            self.run_(folder=folder)
            for number, path in enumerate(self.results(folder)):
                # Every third one is in both.
                if number % 2 != keep and number % 3:
                    path.unlink()
        self.campaign("merge", code=1, folder="left")
        self.assertNotEqual(self.merged("left")["digest"], whole)
        self.campaign("merge", self.home / "right", code=1, folder="left")
        self.assertEqual(self.merged("left")["digest"], whole)

    def test_a_place_that_is_no_campaign(self):
        self.assertIn("holds no campaign", self.campaign("status", code=2))
        (self.home / "one").mkdir()
        (self.home / "one/campaign.json").write_text("{")
        self.assertIn("cannot be read", self.campaign("status", code=2))
        (self.home / "file").write_text("")
        self.assertIn("file", self.campaign("status", code=2, folder="file"))

    def test_a_clock_that_jumps_changes_nothing(self):
        whole = self.undisturbed()
        self.run_()
        for number, path in enumerate(self.results()):
            data = json.loads(path.read_bytes())
            os.utime(path, (number * 1e8, number * 1e8))
            self.assertGreaterEqual(data["run"]["seconds"], 0)
        self.campaign("merge", code=1)
        self.assertEqual(self.merged()["digest"], whole)


if __name__ == "__main__":
    unittest.main()
