"""How programs end, and what the campaign makes of it."""

import json
import signal
import subprocess
import time
import unittest
from unittest import mock

from helper import Checkout

from engine import jobs, store
from engine import shard as worker
from engine.local import pool
from engine.readers import NoOutcome

PASS = 'echo \'{"verdict": "pass", "counts": {"cycles": 1}}\''


class Ends(Checkout):
    def play(self, text, more="", name="play"):
        """A job that runs this script."""
        program = self.home / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        return f'[[job]]\nname = "{name}"\nabout = "x"\nreader = "synthetic"\ncommand = ["{program}", "{{scratch}}"]\n{more}'

    def gone(self, words):
        """Whether no process has these words in its command line, after a moment."""
        for _ in range(50):
            if not subprocess.run(["pgrep", "-f", words], capture_output=True).stdout:
                return True
            time.sleep(0.1)
        return False

    def test_a_limit_is_no_verdict(self):
        """Whatever the program makes of it."""
        for text in ("trap 'exit 0' TERM; sleep 9.01 & wait", "trap 'exit 1' TERM; sleep 9.02 & wait"):
            self.list.write_text(self.play(text, "limit = 1\n").replace('"synthetic"', '"exit"'))
            self.assertIn("stopped at its limit of 1 s", self.run_(code=4))
            self.assertFalse(self.results())

    def test_one_that_does_not_heed_its_limit_is_killed(self):
        self.list.write_text(self.play("trap '' TERM; while :; do sleep 0.06; done", "limit = 1\n"))
        job = jobs.made(self.root, jobs.tables(self.list)[0], "", None, {})
        held = store.Store(self.home / "one")
        held.plan("c", [job], {}, {})
        with mock.patch.object(worker, "PATIENCE", 0.5):
            self.assertIn("stopped at its limit", worker.Worker(held, self.root).run(next(job.cut())))

    def test_one_that_does_not_heed_a_stop_is_killed(self):
        process = subprocess.Popen(["sh", "-c", "trap '' TERM; echo; while :; do sleep 0.05; done"], stdout=subprocess.PIPE, start_new_session=True)
        self.addCleanup(process.stdout.close)
        process.stdout.readline()
        with mock.patch.object(pool, "PATIENCE", 0.3):
            pool.end(process)
        self.assertEqual(process.wait(5), -9)

    def test_a_stop_is_no_verdict(self):
        for one, code in ((signal.SIGTERM, 130), (signal.SIGHUP, 130)):
            self.list.write_text(self.play("trap 'exit 0' TERM; sleep 9.03 & wait").replace('"synthetic"', '"exit"'))
            process = subprocess.Popen([*self.command("run"), "--jobs-file", str(self.list)], env=self.environment(), stderr=subprocess.PIPE, stdout=subprocess.PIPE)
            for _ in range(100):
                if list((self.home / "one/scratch").glob("*/log")):
                    break
                time.sleep(0.1)
            time.sleep(0.3)
            process.send_signal(one)
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, code)
            self.assertFalse(self.results())

    def test_what_a_program_leaves_running_is_ended(self):
        self.list.write_text(self.play(f"sleep 9.04 &\n{PASS}"))
        self.run_(code=0)
        self.assertTrue(self.gone("sleep 9.04"))

    def test_a_closed_pipe_stops_nothing(self):
        self.jobs(shards=2)
        told = " ".join(f"'{word}'" for word in [*self.command("run"), "--jobs-file", self.list])
        ended = subprocess.run(["bash", "-c", f"{told} 2>&1 | head -c 5; echo ${{PIPESTATUS[0]}}"], env=self.environment(), capture_output=True, text=True)
        self.assertEqual(ended.stdout.splitlines()[-1][-1], "0" if not self.merged()["outcome"]["groups"] else "1", ended.stderr)
        self.assertEqual(len(self.results()), 4)
        self.assertTrue((self.home / "pages/index.html").exists())

    def test_a_file_that_no_reader_understands_is_of_one_shard(self):
        half = self.play("echo '{\"id\"' >$1/model.jsonl", name="half").replace('"synthetic"', '"model-mutants"')
        self.list.write_text(half + self.play(PASS))
        said = self.run_(code=4)
        self.assertIn("the reader model-mutants does not understand the outcome", said)
        self.assertEqual(len(self.results()), 1)

    def test_a_text_that_is_too_long_is_not_half_read(self):
        log = self.home / "log"
        log.write_bytes(b"test a ... FAILED\n" + 100 * b"-" + b"end")
        of = {name: type("Job", (), {"reader": name}) for name in ("tests", "exit")}
        with mock.patch.object(worker, "LOG_BYTES", 50):
            with self.assertRaisesRegex(NoOutcome, "121 bytes were printed, of which 50 can be read"):
                worker.Worker.said(of["tests"], log)
            self.assertEqual(worker.Worker.said(of["exit"], log), 47 * "-" + "end")
        self.assertEqual(log.stat().st_size, 50)

    def test_another_command_does_not_run_under_an_old_key(self):
        self.jobs()
        self.run_()
        key = json.loads(self.results()[0].read_bytes())["key"]
        self.results()[0].unlink()
        self.run_("--size", "play.depth=4")
        (self.home / "deal").write_text(json.dumps([[key]]))
        said = self.campaign("task", self.home / "deal", code=75, SLURM_ARRAY_TASK_ID="0")
        self.assertIn("has another command or other sizes now", said)

    def test_a_tree_that_changed_is_not_verified(self):
        self.jobs()
        self.run_()
        (self.root / "file").write_text("two\n")
        self.assertIn("nothing was changed", self.campaign("verify", code=2))
        self.assertFalse((self.home / "one/disagreements").exists())

    def test_control_characters_do_not_reach_the_terminal(self):
        said = '{"verdict": "fail", "counts": {}, "failures": [{"unit": "../../out", "kind": "k", "stage": "s", "field": "f", "headline": "a\\\\u001b[2Jb", "repeat": "r"}]}'
        self.list.write_text(self.play(f"echo '{said}'"))
        self.assertNotIn("\x1b", self.run_(code=1, PYTHONIOENCODING="latin-1"))


if __name__ == "__main__":
    unittest.main()
