"""Campaigns on real daemons of Slurm: tasks killed, a node lost, a full disk, clocks that jump. The merge is that of an undisturbed run.

    make campaign-test            as root; prints a line for each, shards, killed, resumed, equal
"""

import atexit
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

from cluster import running, until  # noqa: E402
from helper import Checkout  # noqa: E402

ROOT = HERE.parents[2]
CLUSTER = None
SHARDS = 12


def setUpModule():
    global CLUSTER
    home = pathlib.Path("/tmp") / f"campaign-slurm-{os.getpid()}"
    context = running(home)
    CLUSTER = context.__enter__()
    # Ctrl-C ends the program without the cleanups of a module.
    atexit.register(CLUSTER.stop)
    unittest.addModuleCleanup(context.__exit__, None, None, None)


class Slurm(Checkout):
    def setUp(self):
        super().setUp()
        # Long enough that a busy machine finds tasks to kill.
        self.jobs(shards=SHARDS // 2, wait=2)
        self.resumed = 0

    def environment(self, **more):
        return {**super().environment(), "SLURM_CONF": str(CLUSTER.configuration), **more}

    def submit(self, *arguments, code=0, folder="one", **more):
        return self.campaign("run", "--jobs-file", self.list, "--on", "slurm", *arguments, code=code, folder=folder, **more)

    def start(self, *arguments, folder="one", **more):
        """Submits, and waits until a task has stored a result while others are open."""
        said = self.submit(*arguments, folder=folder, **more)
        until(lambda: len(self.results(folder)) > 0, 60, "a first result")
        return re.search(r"in the jobs (\d+)", said)[1]

    def queue_is_empty(self):
        return not CLUSTER.ask("squeue", "--noheader").strip()

    def ended(self, seconds=120):
        until(self.queue_is_empty, seconds, f"the end of {CLUSTER.ask('squeue')}")

    def equal(self, what, killed, folder="one"):
        """Compares with an undisturbed run on this machine, and prints the measures."""
        self.run_("--jobs", "4", folder="local")
        here, there = self.merged("local"), self.merged(folder)
        same = here["digest"] == there["digest"]
        print(f"{what:32} {len(self.results(folder)):>3} shards  {killed:>2} killed  {self.resumed:>2} resumed  merged result equal: "
              f"{'yes' if same else 'NO'}", file=sys.stderr)
        self.assertEqual(there["missing"], [])
        self.assertEqual(there["outcome"], here["outcome"])
        self.assertTrue(same)

    def resume(self, folder="one", **more):
        """The same command again, until nothing is missing."""
        before = len(self.results(folder))
        self.submit("--wait", code=1, folder=folder, **more)
        self.resumed += len(self.results(folder)) - before

    def test_undisturbed(self):
        self.jobs(shards=SHARDS // 2)
        self.submit("--wait", code=1)
        self.equal("undisturbed", 0)

    def test_what_a_task_costs(self):
        """Programs that do nothing: what is left is start, manifest, result, and Slurm."""
        self.jobs(shards=15, wait=0)
        begin = time.monotonic()
        self.submit("--wait", code=1)
        one = time.monotonic() - begin
        runs = [json.loads(path.read_bytes())["run"] for path in self.results()]
        begin = time.monotonic()
        self.submit("--wait", "--tasks", "1", code=1, folder="two")
        all_of = time.monotonic() - begin
        middle = sorted(run["before"] for run in runs)[len(runs) // 2]
        print(f"{'what a task costs':32} {len(runs):>3} shards  {middle * 1000:.0f} ms before the program; {one:.1f} s as tasks of one shard, {all_of:.1f} s "
              "as one task", file=sys.stderr)
        self.assertGreater(middle, 0.02)
        self.equal("a task for each, one for all", 0, folder="two")

    def test_many_shards_a_task(self):
        self.jobs(shards=SHARDS // 2)
        said = self.submit("--wait", "--tasks", "3", code=1)
        self.assertIn("12 shards in the jobs", said)
        deal = json.loads((self.home / "one/arrays/0-shards.json").read_bytes())
        self.assertEqual([len(part) for part in deal], [4, 4, 4])
        self.equal("four shards a task", 0)

    def test_tasks_are_killed(self):
        array = self.start()
        draw, killed = random.Random(3), 0
        for _ in range(4):
            tasks = CLUSTER.tasks()
            if tasks:
                os.kill(draw.choice(tasks), signal.SIGKILL)
                killed += 1
            time.sleep(0.7)
        CLUSTER.ask("scancel", f"{array}_11")
        killed += 1
        self.ended()
        missing = len(self.merged()["missing"])
        self.assertGreater(missing, 0)
        self.assertEqual(len(self.results()) + missing, SHARDS)
        self.assertFalse(list((self.home / "one/results").rglob(".*.new")))
        self.resume()
        self.equal("tasks killed, one cancelled", killed)

    def test_the_node_is_lost_and_comes_back(self):
        self.start()
        until(CLUSTER.tasks, 60, "a task that can be lost")
        lost = len(CLUSTER.members())
        self.addCleanup(lambda: CLUSTER.node.poll() is None or CLUSTER.node_back())
        CLUSTER.node_lost()
        until(lambda: CLUSTER.state() in ("down", "down*"), 90, "the node is down")
        CLUSTER.node_back()
        self.ended(180)
        # Slurm has requeued what ran there: nobody resumes.
        self.equal("a node lost and back", lost)

    def test_a_full_disk(self):
        small = self.home / "small"
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", small], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", small])
        self.start("--shared", folder="small/one")
        with (small / "filler").open("wb", buffering=0) as filler, contextlib.suppress(OSError):
            while True:
                filler.write(b"x" * 4096)
        self.ended()
        kept = len(self.results("small/one"))
        self.assertLess(kept, SHARDS)
        # What is there is whole.
        for path in self.results("small/one"):
            self.assertIn("digest", json.loads(path.read_bytes()))
        said = self.submit("--wait", "--rounds", "1", code=2, folder="small/one")
        self.assertIn("No space left on device; results that are whole are kept", said)
        self.ended()
        (small / "filler").unlink()
        self.resume(folder="small/one")
        self.equal("a full disk", SHARDS - kept, folder="small/one")

    def test_a_clock_that_jumps(self):
        library = next(pathlib.Path("/usr/lib").rglob("libfaketime.so.1"))
        clock = self.home / "clock"
        clock.write_text("+0d\n")
        clocks = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        export = ",".join(["ALL", *(f"{name}={value}" for name, value in clocks.items())])
        self.start(f"--sbatch=--export={export}")
        jumps = 0
        while not self.queue_is_empty():
            jumps += 1
            clock.write_text(f"{'-' if jumps % 2 else '+'}{400 * jumps}d\n")
            time.sleep(0.3)
        ended = {json.loads(path.read_bytes())["run"]["ended"][:4] for path in self.results()}
        self.assertGreater(len(ended), 2, f"the clocks of the tasks did not jump: {ended}")
        for path in self.results():
            self.assertLess(json.loads(path.read_bytes())["run"]["seconds"], 60)
        self.campaign("merge", code=1)
        self.equal(f"a clock that jumps {jumps} times", 0)

    def test_a_second_campaign_in_the_directory(self):
        self.start()
        said = self.submit(code=2)
        self.assertRegex(said, r"the jobs \d+, \d+ of .* are still in Slurm's queue; .*; nothing was changed")
        self.assertIn("in Slurm's queue: ", self.campaign("status", code=self.status_code()))
        self.ended()
        self.equal("a second campaign is refused", 0)

    def status_code(self):
        run = subprocess.run(self.command("status"), env=self.environment(), capture_output=True)
        return run.returncode

    def test_a_partition_that_does_not_exist(self):
        said = self.submit("--partition", "nowhere", code=2)
        self.assertIn("Slurm has no partition nowhere; there are: main; nothing was submitted", said)
        self.assertFalse((self.home / "one/slurm.json").exists())

    def test_a_directory_that_the_nodes_do_not_see(self):
        # The command sees a disk of its own there; the daemons do not.
        (self.home / "own").mkdir()
        command = subprocess.list2cmdline(map(str, self.command("run", "--jobs-file", self.list, "--on", "slurm", "--wait", "--rounds", "1",
                                                                folder="own/one")))
        run = subprocess.run(["unshare", "--mount", "sh", "-c", f"mount -t tmpfs tmpfs {self.home}/own && exec {command}"],
                             env=self.environment(), capture_output=True, text=True)
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertIn("no task has left a log in", run.stderr)
        self.assertIn("do the nodes see this directory?", run.stderr)

    def test_real_shards(self):
        """Shards of the project's own soak."""
        if not (ROOT / "target/release/soak").exists():
            self.skipTest("target/release/soak is not built: cargo build --release -p proptests --bin soak")
        # A clone with copies: whatever is edited or built meanwhile, both runs are of one commit and one program.
        clone = self.home / "clone"
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, clone], check=True)
        (clone / "target/release").mkdir(parents=True)
        for name in ("soak", "lwp-sim"):
            shutil.copy2(ROOT / "target/release" / name, clone / "target/release" / name)
        sizes = ["--no-build", "--only", "soak/lwp,soak/tsc", "--size", "soak=3", "--size", "soak.cycles=20000"]
        real = {"CAMPAIGN_ROOT": str(clone)}
        self.campaign("run", "--on", "slurm", "--wait", *sizes, **real)
        self.campaign("run", "--jobs", "2", *sizes, folder="local", **real)
        same = self.merged()["digest"] == self.merged("local")["digest"]
        counts = self.merged()["outcome"]["jobs"]["soak"]["counts"]
        print(f"{'soak of lwp and tsc':32} {len(self.results()):>3} shards, {counts['cycles']:,} cycles        merged result equal: "
              f"{'yes' if same else 'NO'}", file=sys.stderr)
        self.assertTrue(same)


if __name__ == "__main__":
    unittest.main()
