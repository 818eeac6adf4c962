# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs sby on jobs, several at a time, and reads what it found."""

import concurrent.futures
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import threading
import time

from . import build
from .plan import ROOT

WORK = ROOT / "target/formal"
TOOLS = ROOT / "target/tools/formal-venv"
# sby looks for the programs yosys, yosys-smtbmc and yosys-witness; scripts/setup put them here.
WRAPPERS = TOOLS / "wrappers"

FAILED = re.compile(r"Assert failed in [^:]*: (\S+)")
UNREACHED = re.compile(r"Unreached cover statement at [^:]*: (\S+)")
TRACE = re.compile(r"(?:counterexample trace(?: \[\w+\])?|trace): (\S+\.vcd)")
REACHED = re.compile(r"Reached cover statement in step (\d+) at [^:]*: (\S+)")


@dataclasses.dataclass
class Result:
    """What came of a job."""

    job: object
    verdict: str  # PASS, FAIL, UNKNOWN (induction failed), TIMEOUT, ERROR
    seconds: float  # of the wall clock
    user: float  # of the processors
    failed: list
    reached: dict
    trace: str | None
    log: str

    @property
    def good(self):
        """A proof has to pass, a seeded bug has to be found."""
        if self.job.control:
            expected = any(self.job.control.expect in name for name in self.failed)
            return self.verdict in ("FAIL", "UNKNOWN") and expected
        return self.verdict == "PASS"


class Runner:
    """Runs jobs; `stop` ends those that run, and only those."""

    def __init__(self, limit):
        self.limit = limit
        self.running = {}
        self.stopped = False
        self.lock = threading.Lock()

    def stop(self):
        """Ends every solver that this program started."""
        with self.lock:
            self.stopped = True
            for process in self.running.values():
                _end(process)

    def run(self, jobs, workers, report):
        """Runs `jobs`, `workers` at a time; calls `report` with each result as it comes."""
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            futures = [pool.submit(self.one, job) for job in jobs]
            try:
                for future in concurrent.futures.as_completed(futures):
                    report(future.result())
            except BaseException:
                for future in futures:
                    future.cancel()
                self.stop()
                raise
        return [future.result() for future in futures]

    def one(self, job):
        """Runs one job to its end or its limit."""
        folder = WORK / "work" / job.folder
        path = build.prepare(job, folder)
        environment = dict(os.environ, PATH=f"{WRAPPERS}:{TOOLS / 'bin'}:{os.environ['PATH']}")
        log = folder / "sby.log"
        began = time.monotonic()
        with open(log, "w", encoding="utf-8") as output, self.lock:
            if self.stopped:
                return Result(job, "ERROR", 0, 0, [], {}, None, str(log))
            process = subprocess.Popen(
                ["yowasp-sby", "-f", "-j", "1", "-d", "run", path.name],
                cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )
            self.running[job.name] = process
        timer = threading.Timer(self.limit, _end, [process])
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timed_out = not timer.is_alive()
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        with self.lock:
            del self.running[job.name]
        return _read(job, folder, log, time.monotonic() - began, usage.ru_utime, timed_out)


def _end(process):
    """Ends a solver with all that it started: it leads a group of its own."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass


def _read(job, folder, log, seconds, user, timed_out):
    text = log.read_text(encoding="utf-8", errors="replace")
    done = re.search(r"DONE \((\w+), rc=\d+\)", text)
    verdict = "TIMEOUT" if timed_out else done.group(1) if done else "ERROR"
    errors = re.findall(r"ERROR: .+", text) if verdict in ("ERROR", "TIMEOUT") else []
    failed = set(errors[:3]) | set(FAILED.findall(text)) | set(UNREACHED.findall(text))
    traces = TRACE.findall(text)
    trace = str((folder / traces[0]).relative_to(ROOT)) if traces else None
    reached = {name: int(step) for step, name in REACHED.findall(text)}
    if verdict == "PASS" and not job.control:
        # The model of a proof that passed is large and of no more use.
        shutil.rmtree(folder / "run" / "model", ignore_errors=True)
    return Result(job, verdict, seconds, user, sorted(failed), reached, trace, str(log.relative_to(ROOT)))
