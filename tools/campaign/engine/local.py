# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs shards on the cores of this machine."""

from __future__ import annotations

import pathlib
import signal
import subprocess
import sys
import threading
import time
from typing import Any

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import pool  # noqa: E402

from .model import Shard  # noqa: E402
from .shard import Worker  # noqa: E402
from .store import Store  # noqa: E402
from .terminal import tell  # noqa: E402


class Local(pool.Pool):  # type: ignore[misc]
    """Shards, some at a time. Jobs that want the machine for themselves come last, one after the other."""

    def __init__(self, store: Store, root: pathlib.Path, again: bool = False, quiet: bool = False):
        super().__init__()
        self.worker = Worker(store, root, self.began, lambda: self.stopped)
        self.again, self.quiet = again, quiet
        self.ended: dict[str, int] = {}
        self.errors: dict[str, str] = {}
        self.total, self.start, self.shown = 0, time.monotonic(), 0.0

    def began(self, key: str, process: subprocess.Popen[bytes]) -> None:
        """Remembers the program of a shard; one that begins while all are stopped is stopped."""
        with self.lock:
            self.running[key] = process
            if self.stopped:
                pool.end(process)

    def one(self, shard: Shard) -> tuple[Shard, str]:
        """Runs a shard in a thread of the pool."""
        if self.stopped:
            return shard, "stopped"
        how = self.worker.run(shard, self.again)
        with self.lock:
            self.running.pop(shard.key, None)
        return shard, "stopped" if self.stopped and how.startswith("error") else how

    def all(self, shards: list[Shard], workers: int) -> bool:
        """Runs the shards. Returns whether all were run, with Ctrl-C or SIGTERM unpressed."""
        self.total = len(shards)
        alone = [shard for shard in shards if self.worker.jobs[shard.job].alone]
        shared = [shard for shard in shards if not self.worker.jobs[shard.job].alone]
        in_main = threading.current_thread() is threading.main_thread()
        # A terminal that is closed ends the campaign as Ctrl-C does.
        before = {one: signal.signal(one, self.terminated) for one in (signal.SIGTERM, signal.SIGHUP)} if in_main else {}
        try:
            self.run(shared, workers, self.report)
            self.run(alone, 1, self.report)
        except KeyboardInterrupt:
            return False
        finally:
            for one, was in before.items():
                signal.signal(one, was)
            self.line(last=True)
        return True

    @staticmethod
    def terminated(*_: Any) -> None:
        raise KeyboardInterrupt

    def report(self, result: tuple[Shard, str]) -> None:
        """Counts an end, and prints a line for an error; the line of progress follows."""
        shard, how = result
        kind = how.partition(":")[0]
        self.ended[kind] = self.ended.get(kind, 0) + 1
        if kind in ("error", "differs"):
            self.errors[shard.key] = how
            if not self.quiet:
                self.clear()
                tell(f"campaign: {shard.key}: {how}")
        self.line()

    def clear(self) -> None:
        if sys.stderr.isatty():
            tell("\r\x1b[K", end="")

    def line(self, last: bool = False) -> None:
        """One line of progress: rewritten on a terminal, every ten seconds in a file."""
        now = time.monotonic()
        if self.quiet or (not last and now - self.shown < (0.2 if sys.stderr.isatty() else 10)):
            return
        self.shown = now
        done = sum(self.ended.values())
        kept = self.ended.get("kept", 0)
        left = (now - self.start) / max(1, done - kept) * (self.total - done)
        bad = ", ".join(f"{count} {kind}" for kind, count in sorted(self.ended.items()) if kind not in ("stored", "kept", "agrees"))
        said = f"campaign: {done} of {self.total} shards, {kept} were there{', ' + bad if bad else ''}"
        self.clear()
        said += f", {now - self.start:.0f} s" if last or not done else f", {left:.0f} s left"
        tell(said[:110], end="\n" if last or not sys.stderr.isatty() else "")
