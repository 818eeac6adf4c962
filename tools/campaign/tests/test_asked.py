"""What `campaign --on slurm` asks of Slurm, with clients that are scripts; and wrong use."""

import os
import shutil
import unittest
from unittest import mock

from helper import CAMPAIGN, Checkout

from engine import slurm

CLIENTS = {
    "sbatch": 'cat >"$FAKE/script.$$"; echo "$@" >>"$FAKE/sbatch"; echo $((100 + $(wc -l <"$FAKE/sbatch")))',
    "squeue": 'cat "$FAKE/queue" 2>/dev/null || true',
    "sinfo": "echo 'main* long' | tr ' ' '\\n'",
    "scontrol": 'case $2 in config) echo "MaxArraySize = ${FAKE_MOST:-1001}"; echo "MaxJobCount = 10000";; node) echo "NodeHostName=${FAKE_HOST:-localhost}";; esac',
}


class Asked(Checkout):
    def setUp(self):
        super().setUp()
        self.bin = self.home / "bin"
        self.bin.mkdir()
        for name, body in CLIENTS.items():
            (self.bin / name).write_text(f"#!/bin/sh\n{body}\n")
            (self.bin / name).chmod(0o755)
        self.clients = {"PATH": f"{self.bin}:{os.environ['PATH']}", "FAKE": str(self.home)}

    def submit(self, *arguments, code=0, **more):
        return self.campaign("run", "--jobs-file", self.list, "--on", "slurm", *arguments, code=code, **{**self.clients, **more})

    def lean(self):
        """A path with what a campaign needs, and no client of Slurm."""
        lean = self.home / "lean"
        lean.mkdir(exist_ok=True)
        for name in ("git", "sh", "cat", "cksum", "sleep", "tr"):
            (lean / name).symlink_to(shutil.which(name))
        return lean

    def asked(self):
        return (self.home / "sbatch").read_text().splitlines()

    def test_an_array_and_a_merge_that_waits_for_it(self):
        said = self.submit("--partition", "long", "--time", "2:00:00", "--at-once", "4", "--sbatch=--account=a")
        self.assertIn("10 shards in the jobs 101, merged by 102", said)
        array, merge = self.asked()
        for option in ("--array=0-9%4", "--requeue", "--partition=long", "--time=2:00:00", "--account=a", "--cpus-per-task=1"):
            self.assertIn(option, array.split())
        self.assertIn("--dependency=afterany:101", merge.split())
        self.assertNotIn("--array", merge)

    def test_shards_are_dealt_to_as_many_tasks_as_slurm_takes(self):
        self.submit(FAKE_MOST="5")
        self.assertIn("--array=0-3", self.asked()[0].split())
        self.assertEqual(slurm.tasks(100_000, 0, {"MaxArraySize": 1001, "MaxJobCount": 10000}), 1000)
        self.assertEqual(slurm.tasks(100_000, 0, {"MaxArraySize": 100_001, "MaxJobCount": 10000}), 5000)
        self.assertEqual(slurm.tasks(10, 3, slurm.LIMITS), 3)

    def test_only_what_is_missing_is_submitted(self):
        self.run_()
        self.results()[0].unlink()
        self.submit()
        self.assertIn("--array=0-0", self.asked()[0].split())

    def test_what_is_still_in_the_queue_is_not_submitted_again(self):
        self.submit()
        (self.home / "queue").write_text("101\n7\n")
        said = self.submit(code=2)
        self.assertIn("the jobs 101 of ", said)
        self.assertIn("still in Slurm's queue", said)
        self.assertIn("still in Slurm's queue", self.run_(code=2, **self.clients))
        self.assertEqual(len(self.asked()), 2)

    def test_an_array_is_known_whatever_follows(self):
        (self.bin / "sbatch").write_text('#!/bin/sh\ncase "$*" in *dependency*) echo no >&2; exit 1;; esac\necho "$@" >>"$FAKE/sbatch"; echo 101\n')
        self.assertIn("sbatch: no", self.submit(code=2))
        (self.home / "queue").write_text("101\n")
        self.assertIn("the jobs 101 of ", self.submit(code=2))
        self.assertEqual(len(self.asked()), 1)

    def test_without_squeue_nothing_runs_beside_the_tasks(self):
        self.submit()
        (self.bin / "squeue").unlink()
        bare = {**self.clients, "PATH": f"{self.bin}:{self.lean()}"}
        self.assertIn("there is no squeue here", self.run_(code=2, **bare))
        (self.home / "one/slurm.json").unlink()
        self.run_(code=1, **bare)

    def test_a_directory_of_any_name(self):
        self.campaign("run", "--jobs-file", self.list, "--on", "slurm", folder="a $(touch pwned) %A", **self.clients)
        array = self.asked()[0]
        self.assertIn("%%A/logs/%A_%a.log", array)
        run = slurm.subprocess.run(["sh", "-c", next(self.home.glob("script.*")).read_text().replace("campaign.json", "none")], cwd=self.home, capture_output=True, text=True)
        self.assertEqual((run.returncode, (self.home / "pwned").exists()), (66, False))

    def test_no_scheduler(self):
        said = self.campaign("run", "--jobs-file", self.list, "--on", "slurm", code=2, PATH=str(self.lean()))
        self.assertIn("no sinfo here, so no Slurm: install its clients (Debian: slurm-client), or run --on local", said)

    def test_a_partition_that_does_not_exist(self):
        self.assertIn("Slurm has no partition nowhere; there are: long, main; nothing was submitted", self.submit("--partition", "nowhere", code=2))

    def test_a_disk_of_this_machine_and_nodes_elsewhere(self):
        kinds = {"stat": "echo ext2/ext3"}
        for name, body in kinds.items():
            (self.bin / name).write_text(f"#!/bin/sh\n{body}\n")
            (self.bin / name).chmod(0o755)
        said = self.submit(code=2, FAKE_HOST="n17")
        self.assertIn("is on a disk of this machine (ext2/ext3), and Slurm has other nodes; name a directory that all nodes see with --folder", said)
        self.submit("--shared", FAKE_HOST="n17")

    def test_a_node_that_does_not_see_the_directory_says_so(self):
        self.submit()
        script = next(self.home.glob("script.*")).read_text()
        self.assertIn("the directory has to be shared by all nodes", script)
        os.rename(self.home / "one", self.home / "elsewhere")
        run = slurm.subprocess.run(["sh", "-c", script], capture_output=True, text=True)
        self.assertEqual(run.returncode, 66)
        self.assertIn(f"does not see {self.home}/one/campaign.json", run.stderr)

    def test_wrong_use(self):
        for arguments, words in [
            (["run", "--only", "nothing"], "no job nothing; there are: play"),
            (["run", "--only", "play/medium"], "job play has no item medium; it has: small, large"),
            (["run", "--size", "other=3"], "--size names other, which is not among the chosen jobs"),
            (["run", "--size", "play.width=3"], "job play has no size width; it has: depth"),
            (["run", "--jobs", "-1"], "--jobs is not below 0"),
        ]:
            said = self.campaign(*arguments, "--jobs-file", self.list, code=2)
            self.assertIn(words, said)
        said = self.campaign("task", "deal.json", code=2)
        self.assertNotIn("Traceback", said)
        with mock.patch.dict(os.environ, {"SLURM_ARRAY_TASK_ID": "x"}), self.assertRaises(slurm.Refused):
            slurm.task_number()
        self.assertTrue(CAMPAIGN.exists())


class Nightly(Checkout):
    """`make nightly` is a campaign of the checkout's own list."""

    def nightly(self, *arguments, code=0):
        run = slurm.subprocess.run([CAMPAIGN.parents[1] / "scripts/nightly", *arguments], env=self.environment(), capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def setUp(self):
        super().setUp()
        own = self.root / "tools/campaign/jobs.toml"
        own.parent.mkdir(parents=True)
        make = '[[job]]\nname = "make"\nabout = "x"\nreader = "exit"\ncommand = ["sh", "-c", "exit $(cat {root}/code)"]\nalone = true\npure = false\n'
        own.write_text(make + self.list.read_text() + make.replace('"make"', '"unprepared"') + 'prepare = ["false"]\n')
        (self.root / ".gitignore").write_text("/target\n/code\n")
        (self.root / "code").write_text("0")

    def test_it_lists_and_refuses(self):
        self.assertRegex(self.nightly("--list"), r"make +alone +x\nplay +cut +synthetic")
        self.assertIn("no job nowhere; there are: make, play, unprepared", self.nightly("--only", "nowhere", code=2))
        self.assertIn("no job can be prepared: `false` fails with exit code 1", self.nightly("--only", "unprepared", code=2))

    def test_a_job_that_fails_is_run_again_and_one_that_passed_is_not(self):
        (self.root / "code").write_text("3")
        said = self.nightly("--only", "make", code=1)
        self.assertIn("not all jobs passed", said)
        self.assertIn("1 FAILED", said)
        (self.root / "code").write_text("0")
        self.assertIn("all jobs passed", self.nightly("--only", "make"))
        (self.root / "code").write_text("3")
        self.assertIn("all jobs passed", self.nightly("--only", "make"))

    def test_it_goes_on_with_the_others(self):
        said = self.nightly("--only", "make,unprepared", code=1)
        self.assertIn("not prepared: unprepared: `false` fails with exit code 1", said)
        self.assertIn("1 of 1       shards", said)


if __name__ == "__main__":
    unittest.main()
