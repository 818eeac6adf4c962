"""What the tests share: a checkout of their own, with a list of synthetic jobs."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from engine.model import Outcome, Shard  # noqa: E402

CAMPAIGN = HERE.parent / "campaign"
JOBS = """
[[job]]
name = "play"
about = "synthetic"
reader = "synthetic"
items = ["small", "large"]
command = ["{synthetic}", "{{item}}", "{{seed}}", "{wait}", "{mood}"]
shards = {shards}
sizes = {{ depth = 3 }}
"""


def git(root, *arguments):
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false", "-C", str(root), *arguments],
                   check=True, capture_output=True)


class Checkout(unittest.TestCase):
    """A test with a checkout, a list of jobs, and a directory for campaigns."""

    def setUp(self):
        keep = tempfile.TemporaryDirectory(prefix="campaign-test-")
        self.addCleanup(keep.cleanup)
        self.home = pathlib.Path(keep.name)
        self.root = self.home / "checkout"
        self.root.mkdir()
        git(self.root, "init", "--quiet")
        (self.root / "file").write_text("one\n")
        git(self.root, "add", "file")
        git(self.root, "commit", "--quiet", "-m", "one")
        self.list = self.home / "jobs.toml"
        self.mood = self.home / "mood"
        self.jobs()

    def jobs(self, shards=5, wait=0):
        self.list.write_text(JOBS.format(synthetic=HERE / "synthetic", shards=shards, wait=wait, mood=self.mood))

    def command(self, verb, *arguments, folder="one"):
        return [sys.executable, "-B", CAMPAIGN, verb, "--folder", self.home / folder, *arguments]

    def environment(self, **more):
        return {**os.environ, "CAMPAIGN_ROOT": str(self.root), **more}

    def campaign(self, verb, *arguments, code=0, folder="one", **more):
        """Runs the program; returns what it printed to both."""
        run = subprocess.run(self.command(verb, *arguments, folder=folder), env=self.environment(**more), capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        return run.stdout + run.stderr

    def run_(self, *arguments, code=1, folder="one", **more):
        return self.campaign("run", "--jobs-file", self.list, "--jobs", "2", *arguments, code=code, folder=folder, **more)

    def merged(self, folder="one"):
        return json.loads((self.home / folder / "merged.json").read_bytes())

    def results(self, folder="one"):
        return sorted((self.home / folder / "results").rglob("*.json"))


def result(shard, commit="c", verdict="pass", failures=(), **counts):
    """The result of a shard."""
    outcome = Outcome(verdict, counts or {"cycles": 10}, failures=list(failures)).to_json()
    return {"schema": "shard/1", "key": shard.key, "commit": commit, "outcome": outcome,
            "run": {"cpu": 1.0, "seconds": 1.0, "program": 0.9, "before": 0.1, "peak_kb": 1, "host": "h", "ended": "?"}}


def shard(number=0, item="small"):
    return Shard("play", item, number, 1, "0123abcd")
