# SPDX-License-Identifier: MIT OR Apache-2.0
"""Processor time of programs that take turns, and what it says."""

import hashlib
import os
import random
import statistics
import subprocess

from .tools import StudyError


def seconds(binary, script):
    """Processor time, user and system, of one run; and the hash of what it printed."""
    process = subprocess.Popen([binary, script], stdout=subprocess.PIPE)
    with process.stdout as pipe:
        printed = hashlib.sha256(pipe.read()).hexdigest()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise StudyError(f"{binary} {script} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, printed


def rounds(binaries, script, count, report=lambda round: None):
    """The times of each program, `count` of each; in each round all run once, in an order of its own. They must print the same."""
    order, times, printed = random.Random(1), {name: [] for name in binaries}, set()
    for index in range(count + 1):
        report(index)
        for name in order.sample(list(binaries), len(binaries)):
            time, said = seconds(binaries[name], script)
            printed.add(said)
            if index:  # the first round warms the caches
                times[name].append(time)
    if len(printed) != 1:
        raise StudyError(f"the programs do not print the same: {', '.join(binaries)}")
    return times


def speedup(before, after):
    """How many times faster: the median over the rounds, with its quartiles."""
    ratios = [slow / fast for slow, fast in zip(before, after, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return {"median": middle, "quartiles": [low, high], "rounds": len(ratios)}
