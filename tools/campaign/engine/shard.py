# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs one shard: the program in a directory of its own, its outcome into the store."""

from __future__ import annotations

import contextlib
import datetime
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

from . import Refused, source
from .model import Job, Outcome, Shard, safe
from .readers import READERS, SAID, End, NoOutcome
from .store import SCHEMA, Store, fresh, sha

# The end of what a program prints is kept to be read; a longer text is cut in front.
LOG_BYTES = 64_000_000
# Readers to which the end of a text is enough.
END_IS_ENOUGH = ("exit", "fuzz", "synthetic")
# Artefacts that are functions of the seeds.
SEALED = ("counts",)
# Seconds after which a program that was asked to end is killed.
PATIENCE = 10

# A program ends when the campaign is killed, which then cannot end it. What the program has started is not reached.
WITH_PARENT = ("setpriv", "--pdeathsig", "KILL", "--") if shutil.which("setpriv") else ()


def now() -> str:
    """The time of day, for the reader's eyes only: nothing is decided or ordered by it."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Worker:
    """Runs shards of a campaign in this process."""

    def __init__(self, store: Store, root: pathlib.Path, started: Callable[[str, subprocess.Popen[bytes]], None] = lambda *_: None,
                 stopped: Callable[[], bool] = lambda: False):
        self.store, self.root, self.started, self.stopped = store, root, started, stopped
        # Seconds of this process before its first shard, which are of that shard in a task of a scheduler.
        self.ahead = 0.0
        manifest = store.manifest()
        self.commit: str = manifest["commit"]
        self.jobs = {data["name"]: Job.from_json(data) for data in manifest["jobs"]}

    def command(self, job: Job, shard: Shard, scratch: pathlib.Path) -> tuple[list[str], dict[str, str]]:
        """Returns the command of a shard and its additions to the environment."""
        values = {**job.sizes, "item": shard.item, "seed": shard.first, "span": shard.span, "scratch": scratch, "root": self.root,
                  "bin": self.store.folder / "programs"}
        return ([word.format_map(values) for word in job.command],
                {name: value.format_map(values) for name, value in job.environment.items()})

    def run(self, shard: Shard, again: bool = False) -> str:
        """Runs a shard that has no result, or `again` one that has. Returns `kept`, `stored`, `agrees`, `differs` or `error: WHY`."""
        job = self.jobs[shard.job]
        begin, self.ahead = time.monotonic() - self.ahead, 0.0
        scratch = self.store.folder / "scratch" / f"{safe(shard.key)}.{socket.gethostname()}.{os.getpid()}.{threading.get_ident()}"
        try:
            # What is not a function of the seeds, and has failed, may pass now.
            earlier = self.store.done(shard, self.commit)
            if earlier and not again and (job.pure or earlier["outcome"]["verdict"] == "pass"):
                return "kept"
            return self.fresh(job, shard, scratch, begin, first=not earlier or not job.pure)
        except (NoOutcome, Refused) as error:
            self.note(shard, str(error), scratch)
            return f"error: {error}"
        except OSError as error:
            self.note(shard, str(error), None)
            return f"error: {error.strerror or error}{f': {error.filename}' if error.filename else ''}"
        except Exception as error:
            # A file of the program that its reader does not understand, such as one that is half written.
            why = f"the reader {job.reader} does not understand the outcome: {type(error).__name__}: {error}"
            self.note(shard, why, scratch)
            return f"error: {why}"
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def fresh(self, job: Job, shard: Shard, scratch: pathlib.Path, begin: float, first: bool) -> str:
        """Runs a shard and stores its result. Artefacts of a repeated run take no one's place."""
        if job.digest() != shard.mark:
            raise NoOutcome(f"the job {job.name} of the campaign has another command or other sizes now")
        scratch.mkdir(parents=True)
        self.of_commit(job)
        end, spent = self.program(job, shard, scratch, begin)
        self.of_commit(job)
        outcome = READERS[job.reader](end)
        seals = {key: sha(scratch / name) for key, name in outcome.artefacts.items() if key not in SAID}
        outcome.seals = {key: seal for key, seal in seals.items() if key in SEALED}
        self.keep(shard, outcome, scratch, first)
        result = {"schema": SCHEMA, "key": shard.key, "commit": self.commit, "outcome": outcome.to_json(),
                  "run": {**spent, "sha256": seals, "host": socket.gethostname(), "ended": now(), "seconds": round(time.monotonic() - begin, 3)}}
        return self.store.put(shard, result, replace=not job.pure)

    def of_commit(self, job: Job) -> None:
        """Raises `NoOutcome` if a job reads the sources and they are no longer those of the campaign."""
        if job.tree:
            found = source.commit(self.root)
            if found != self.commit:
                raise NoOutcome(f"the sources are those of {found}, the campaign is of {self.commit}")

    def program(self, job: Job, shard: Shard, scratch: pathlib.Path, begin: float) -> tuple[End, dict[str, Any]]:
        """Runs the program of a shard to its end."""
        command, additions = self.command(job, shard, scratch)
        # The variables of a make above are not those of a make below.
        environment = {name: value for name, value in os.environ.items() if name not in ("ARGS", "MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        log = scratch / "log"
        with log.open("wb") as out:
            before = time.monotonic() - begin
            process = subprocess.Popen([*WITH_PARENT, *command], cwd=self.root, env={**environment, **additions}, stdout=out, stderr=subprocess.STDOUT,
                                       stdin=subprocess.DEVNULL, start_new_session=True)
            self.started(shard.key, process)
            late = threading.Event()
            timers = [threading.Timer(job.limit, stop, [process, signal.SIGTERM, late]),
                      threading.Timer(job.limit + PATIENCE, stop, [process, signal.SIGKILL, late])] if job.limit else []
            for timer in timers:
                timer.start()
            try:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            finally:
                for timer in timers:
                    timer.cancel()
                # What the program has left behind in its group.
                stop(process, signal.SIGKILL)
        if late.is_set():
            raise NoOutcome(f"stopped at its limit of {job.limit} s")
        if self.stopped():
            raise NoOutcome("stopped with the campaign")
        said = self.said(job, log)
        end = End(shard.job, shard.item, shard.first, shard.span, process.returncode, said, scratch, " ".join(command))
        spent = {"before": round(before, 4), "program": round(time.monotonic() - begin - before, 3),
                 "cpu": round(usage.ru_utime + usage.ru_stime, 3), "peak_kb": usage.ru_maxrss}
        return end, spent

    @staticmethod
    def said(job: Job, log: pathlib.Path) -> str:
        """Returns what a program printed; of a longer text the end, in the file as well."""
        size = log.stat().st_size
        if size > LOG_BYTES and job.reader not in END_IS_ENOUGH:
            raise NoOutcome(f"{size:,} bytes were printed, of which {LOG_BYTES:,} can be read")
        said = tail(log, LOG_BYTES)
        if size > LOG_BYTES:
            log.write_bytes(said)
        return said.decode(errors="replace")

    def keep(self, shard: Shard, outcome: Outcome, scratch: pathlib.Path, first: bool) -> None:
        """Moves artefacts and capsules out of the directory of the run, under names of the shard; of a repeated run it names them alone."""
        moved = [(scratch / name, self.store.folder / "artefacts" / shard.file.removesuffix(".json") / name, key)
                 for key, name in outcome.artefacts.items()]
        for made, target, key in moved:
            if first:
                place(made, target)
            outcome.artefacts[key] = str(target.relative_to(self.store.folder))
        for at, failure in enumerate(outcome.failures):
            if failure.capsule:
                target = self.store.folder / "capsules" / safe(failure.unit) / f"{safe(shard.key)}-{at}.capsule"
                if first and (scratch / failure.capsule).exists():
                    place(scratch / failure.capsule, target)
                object.__setattr__(failure, "capsule", str(target.relative_to(self.store.folder)))
        if outcome.verdict != "pass":
            place(scratch / "log", self.store.folder / "logs" / (shard.file.removesuffix(".json") + ".log"))

    def note(self, shard: Shard, why: str, scratch: pathlib.Path | None) -> None:
        """Leaves a note of a run without an outcome, for `campaign status`; a full disk takes none."""
        with contextlib.suppress(OSError):
            target = self.store.folder / "errors" / (shard.file.removesuffix(".json") + ".txt")
            target.parent.mkdir(parents=True, exist_ok=True)
            said = b""
            if scratch and (scratch / "log").exists():
                said = tail(scratch / "log", 20_000)
            target.write_bytes(f"{shard.key}\n{why}\non {socket.gethostname()}, {now()}\n\n".encode() + said)


def age() -> float:
    """Returns the seconds since this process began."""
    ticks = int(pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))


def tail(path: pathlib.Path, most: int) -> bytes:
    """Returns the last bytes of a file."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - most))
        return file.read(most)


def place(source: pathlib.Path, target: pathlib.Path) -> None:
    """Copies a file to a place, where it has its name when it is whole and on disk."""
    with source.open("rb") as file, fresh(target) as out:
        shutil.copyfileobj(file, out)


def stop(process: subprocess.Popen[bytes], how: signal.Signals, late: threading.Event | None = None) -> None:
    """Ends a program with all that it started: it leads a group of its own."""
    if late and process.returncode is None:
        late.set()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, how)
