# SPDX-License-Identifier: MIT OR Apache-2.0
"""Jobs that are programs of others: some at a time, a line that tells what runs, and all of them ended when this one is.

`make formal` and `make synth` run theirs with it."""

import concurrent.futures
import os
import signal
import sys
import threading
import time


class Pool:
    """Runs jobs; `stop` ends the programs that it started, and only those. `one`, which runs a job, is its heir's."""

    def __init__(self):
        # Programs by the job's name, and since when their jobs run.
        self.running, self.since, self.stopped, self.lock = {}, {}, False, threading.Lock()

    def stop(self):
        """Ends every program that was started."""
        with self.lock:
            self.stopped = True
            for process in self.running.values():
                end(process)

    def run(self, jobs, workers, report):
        """Runs `jobs`, `workers` at a time; calls `report` with each result as it comes."""
        with concurrent.futures.ThreadPoolExecutor(workers) as threads:
            futures = [threads.submit(self.one, job) for job in jobs]
            try:
                for future in concurrent.futures.as_completed(futures):
                    report(future.result())
            except BaseException:
                for future in futures:
                    future.cancel()
                self.stop()
                raise
        return [future.result() for future in futures]


# Seconds after which a program that was asked to end is killed.
PATIENCE = 10


def end(process):
    """Ends a program with all that it started: it leads a group of its own."""
    if process.returncode is None and _signal(process, signal.SIGTERM):
        late = threading.Timer(PATIENCE, lambda: process.returncode is None and _signal(process, signal.SIGKILL))
        late.daemon = True
        late.start()


def _signal(process, which):
    """Whether there was someone to be told."""
    try:
        os.killpg(process.pid, which)
    except ProcessLookupError:
        return False
    return True


class Status:
    """On a terminal, a line that tells what runs and for how long; to a file, nothing."""

    def __init__(self, pool):
        self.pool = pool
        self.shown = sys.stderr.isatty()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._loop, daemon=True)

    def __enter__(self):
        if self.shown:
            self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        if self.shown:
            self.thread.join()
            self.clear()

    def clear(self):
        """Makes room for a line of the report."""
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _loop(self):
        while not self.over.wait(1):
            now = time.monotonic()
            running = [f"{name} {now - self.pool.since.get(name, now):.0f} s" for name in list(self.pool.running)]
            # Cut, so that it stays one line.
            print(f"\r\x1b[K{'running: ' + ', '.join(running) if running else ''}"[:110], end="", file=sys.stderr, flush=True)
