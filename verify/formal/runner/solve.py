# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs sby on jobs, several at a time, and reads what it found."""

import dataclasses
import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import time
from xml.etree import ElementTree

import pool

from . import build
from .plan import ROOT, PlanError

WORK = ROOT / "target/formal"
TOOLS = ROOT / "target/tools/formal-venv"
# sby looks for the programs yosys, yosys-smtbmc and yosys-witness; tools/scripts/setup put them here.
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
    # Names of the assertions that were looked at, of a cover those of its statements.
    looked: list

    @property
    def good(self):
        """A proof has to pass, a seeded bug has to be found."""
        if self.job.control:
            expected = any(label(name) in self.job.control.expect for name in self.failed)
            return self.verdict in ("FAIL", "UNKNOWN") and expected
        if self.job.alone:
            return self.verdict in ("PASS", "FAIL") and set(self.failed) == set(self.job.restated)
        return self.verdict == "PASS"


def label(name):
    """The label of an assertion: the last part of its name; behind a colon stands of what."""
    return name.partition(":")[0].rpartition(".")[2]


def looked_at(folder, script):
    """What sby was to decide in a run, by its report: names of assertions and of covers."""
    try:
        cases = ElementTree.parse(folder / "run" / pathlib.Path(script).with_suffix(".xml").name).iter("testcase")
        return {case.get("id", "") for case in cases if case.get("type") in ("ASSERT", "COVER")}
    except (OSError, ElementTree.ParseError):
        return set()


def empty(job, looked):
    """Why a verdict would say nothing; None if it says something. A name that the RTL or a family no longer has leaves less to show."""
    if not looked:
        return "ERROR: nothing is left to show"
    gone = [] if job.parts or job.alone else [family for family in job.families if not any(name.startswith(f"u_{family}.") for name in looked)]
    if gone:
        return f"ERROR: of the family {', '.join(gone)} nothing is left to show"
    return None


def tools():
    """The versions of what setup installed, as it marks them."""
    return [path.name for path in WRAPPERS.glob(".complete*")]


def check_tools():
    """What setup installs has to be there."""
    for tool in (WRAPPERS / "yosys", WRAPPERS / "yosys-smtbmc", TOOLS / "bin/yowasp-sby", TOOLS / "bin/yices-smt2"):
        if not tool.is_file():
            raise PlanError(f"{tool.relative_to(ROOT)} is missing: run tools/scripts/setup formal")


@dataclasses.dataclass
class _Spent:
    """What a job has used up so far, of the limit and of the processors."""

    until: float
    timed_out: bool = False
    user: float = 0.0


class Runner(pool.Pool):
    """Runs sby."""

    def __init__(self, limit, resume=False):
        super().__init__()
        self.limit = limit
        # Verdicts of runs with the same sources are taken.
        self.resume = resume

    def one(self, job):
        """Runs one job to its end or its limit."""
        folder = WORK / "work" / job.folder
        files = build.contents(job)
        digest = build.digest(files, [job.join, job.apart, [dataclasses.astuple(part) for part in job.parts]], tools())
        # Another process may be at the same proof.
        (WORK / "locks").mkdir(parents=True, exist_ok=True)
        with open(WORK / "locks" / job.folder, "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return self._run(job, folder, files, digest)

    def _run(self, job, folder, files, digest):
        if self.resume and (known := _recall(job, folder, digest)):
            return known
        build.write(files, folder)
        log = folder / "sby.log"
        began = self.since[job.name] = time.monotonic()
        spent = _Spent(began + self.limit)
        with open(log, "w", encoding="utf-8") as output:
            good = True
            if job.flattened:
                good = self._call(job, ["yosys", "-q", "read.ys"], folder / "source", output, spent)
            if good and job.rewritten:
                build.rewrite(job, folder)
            if good and job.cases:
                build.check_cases(job, folder)
            # The first that does not pass is the verdict.
            count, looked, why = 0, set(), None
            for label, script in build.runs(job, files, folder) if good else ():
                count += 1
                if job.cases or job.parts:
                    print(label, file=output, flush=True)
                good = self._call(job, ["yowasp-sby", "-f", "-j", "1", "-d", "run", script], folder, output, spent)
                if not good:
                    break
                these = looked_at(folder, script)
                looked |= these
                if why := empty(job, these):
                    print(why, file=output, flush=True)
                    break
        result = _read(job, folder, log, count, time.monotonic() - began, spent, sorted(looked))
        if why:
            result = dataclasses.replace(result, verdict="ERROR", failed=[why])
        if not self.stopped:
            _keep(result, folder, digest)
        return result

    def _call(self, job, command, folder, output, spent):
        """Runs one program of a job; True if it ended well."""
        environment = dict(os.environ, PATH=f"{WRAPPERS}:{TOOLS / 'bin'}:{os.environ['PATH']}")
        with self.lock:
            if self.stopped:
                return False
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
            self.running[job.name] = process
        timer = threading.Timer(max(0, spent.until - time.monotonic()), pool.end, [process])
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        spent.timed_out |= not timer.is_alive()
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        spent.user += usage.ru_utime
        with self.lock:
            del self.running[job.name]
        return process.returncode == 0


# What is kept of a result.
FIELDS = ("verdict", "seconds", "user", "failed", "reached", "trace", "log", "looked")


def _keep(result, folder, digest):
    data = {"digest": digest} | {name: getattr(result, name) for name in FIELDS}
    (folder / "verdict.json").write_text(json.dumps(data) + "\n", encoding="utf-8")


def _recall(job, folder, digest):
    """The last result if it was good and of the same sources."""
    try:
        data = json.loads((folder / "verdict.json").read_text(encoding="utf-8"))
        result = Result(job, **{name: data[name] for name in FIELDS})
    except (OSError, ValueError, KeyError):
        return None
    # Of a mutant every verdict is a good one, but for those that more time may change.
    good = result.verdict in ("PASS", "FAIL", "UNKNOWN") if job.mutant else result.good
    return result if data["digest"] == digest and good else None


def _read(job, folder, log, scripts, seconds, spent, looked):
    text = log.read_text(encoding="utf-8", errors="replace")
    done = re.findall(r"DONE \((\w+), rc=\d+\)", text)
    ended = done and (done[-1] != "PASS" or len(done) == scripts)
    verdict = "TIMEOUT" if spent.timed_out else done[-1] if ended else "ERROR"
    errors = re.findall(r"ERROR: .+", text) if verdict in ("ERROR", "TIMEOUT") else []
    failed = set(errors[:3]) | set(FAILED.findall(text)) | set(UNREACHED.findall(text))
    traces = TRACE.findall(text)
    trace = str((folder / traces[0]).relative_to(ROOT)) if traces else None
    reached = {name: int(step) for step, name in REACHED.findall(text)}
    if job.mutant or (verdict == "PASS" and not job.control):
        # The model is large; of a proof that passed, and of one of many mutants, it is of no more use.
        shutil.rmtree(folder / "run" / "model", ignore_errors=True)
    return Result(job, verdict, seconds, spent.user, sorted(failed), reached, trace, str(log.relative_to(ROOT)), looked)
