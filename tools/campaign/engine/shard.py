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

from . import source
from .model import Job, Outcome, Shard, safe
from .readers import READERS, End, NoOutcome
from .store import SCHEMA, Store

# The end of what a program prints is kept to be read; a longer text is cut in front.
LOG_BYTES = 4_000_000

# A program ends when the campaign is killed, which then cannot end it. What the program has started is not reached.
WITH_PARENT = ("setpriv", "--pdeathsig", "KILL", "--") if shutil.which("setpriv") else ()


def now() -> str:
    """The time of day, for the reader's eyes only: nothing is decided or ordered by it."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Worker:
    """Runs shards of a campaign in this process."""

    def __init__(self, store: Store, root: pathlib.Path, started: Callable[[str, subprocess.Popen[bytes]], None] = lambda *_: None):
        self.store, self.root, self.started = store, root, started
        # Seconds of this process before its first shard, which are of that shard in a task of a scheduler.
        self.ahead = 0.0
        manifest = store.manifest()
        self.commit: str = manifest["commit"]
        self.jobs = {data["name"]: Job.from_json(data) for data in manifest["jobs"]}

    def command(self, job: Job, shard: Shard, scratch: pathlib.Path) -> tuple[list[str], dict[str, str]]:
        """Returns the command of a shard and its additions to the environment."""
        values = {**job.sizes, "item": shard.item, "seed": shard.first, "span": shard.span, "scratch": scratch, "root": self.root,
                  "bin": self.store.folder.resolve() / "programs"}
        return ([word.format_map(values) for word in job.command],
                {name: value.format_map(values) for name, value in job.environment.items()})

    def run(self, shard: Shard, again: bool = False) -> str:
        """Runs a shard that has no result, or `again` one that has. Returns `kept`, `stored`, `agrees`, `differs` or `error: WHY`."""
        job = self.jobs[shard.job]
        # What is not a function of the seeds, and has failed, may pass now.
        earlier = self.store.done(shard, self.commit)
        if earlier and not again and (job.pure or earlier["outcome"]["verdict"] == "pass"):
            return "kept"
        begin, self.ahead = time.monotonic() - self.ahead, 0.0
        scratch = self.store.folder.resolve() / "scratch" / f"{safe(shard.key)}.{socket.gethostname()}.{os.getpid()}.{threading.get_ident()}"
        try:
            scratch.mkdir(parents=True)
            self.of_commit(job)
            end, spent = self.program(job, shard, scratch, begin)
            self.of_commit(job)
            outcome = READERS[job.reader](end)
            self.keep(shard, outcome, scratch)
            result = {"schema": SCHEMA, "key": shard.key, "commit": self.commit, "outcome": outcome.to_json(),
                      "run": {**spent, "host": socket.gethostname(), "ended": now(), "seconds": round(time.monotonic() - begin, 3)}}
            return self.store.put(shard, result, replace=not job.pure)
        except NoOutcome as error:
            self.note(shard, str(error), scratch)
            return f"error: {error}"
        except OSError as error:
            self.note(shard, str(error), None)
            return f"error: {error.strerror or error}{f': {error.filename}' if error.filename else ''}"
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

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
            timer = threading.Timer(job.limit, stop, [process]) if job.limit else None
            if timer:
                timer.start()
            try:
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            finally:
                if timer:
                    timer.cancel()
        with log.open("rb") as text:
            text.seek(max(0, log.stat().st_size - LOG_BYTES))
            said = text.read().decode(errors="replace")
        end = End(shard.job, shard.item, shard.first, shard.span, process.returncode, said, scratch, " ".join(command))
        spent = {"before": round(before, 4), "program": round(time.monotonic() - begin - before, 3),
                 "cpu": round(usage.ru_utime + usage.ru_stime, 3), "peak_kb": usage.ru_maxrss}
        return end, spent

    def keep(self, shard: Shard, outcome: Outcome, scratch: pathlib.Path) -> None:
        """Moves artefacts and capsules out of the directory of the run, under names of the shard."""
        moved = [(scratch / name, self.store.folder / "artefacts" / shard.file.removesuffix(".json") / name, key)
                 for key, name in outcome.artefacts.items()]
        for made, target, key in moved:
            place(made, target)
            outcome.artefacts[key] = str(target.relative_to(self.store.folder))
        for at, failure in enumerate(outcome.failures):
            if failure.capsule:
                target = self.store.folder / "capsules" / failure.unit / f"{safe(shard.key)}-{at}.capsule"
                if (scratch / failure.capsule).exists():
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
                said = (scratch / "log").read_bytes()[-20_000:]
            target.write_bytes(f"{shard.key}\n{why}\non {socket.gethostname()}, {now()}\n\n".encode() + said)


def age() -> float:
    """Returns the seconds since this process began."""
    ticks = int(pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))


def place(source: pathlib.Path, target: pathlib.Path) -> None:
    """Moves a file under its last name when it is whole there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.{os.getpid()}.new")
    shutil.copyfile(source, fresh)
    os.replace(fresh, target)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a program with all that it started: it leads a group of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
