# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs the programs of others, and says which one failed and what it said."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
LLVM = pathlib.Path("/usr/lib/llvm-19/bin")
SCRIPTS = ROOT / "tools/scripts"


class StudyError(Exception):
    """A tool is missing or failed, or its result is not as it must be."""


def run(command, **options):
    """What the command says on both outputs, or on standard error if `stdout` is given."""
    command = [str(part) for part in command]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT if "stdout" not in options else subprocess.PIPE, **options}
    try:
        done = subprocess.run(command, text=True, errors="replace", **options)
    except FileNotFoundError:
        raise StudyError(f"{command[0]} is missing: run tools/scripts/setup profile") from None
    said = (done.stdout or "") + (done.stderr or "")
    if done.returncode:
        raise StudyError(f"exit code {done.returncode} of: {' '.join(command)}\n{said[-2000:]}")
    return said


def lwp_sim():
    return ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release/lwp-sim"


def step(text):
    print(f"branch-profile: {text}", file=sys.stderr, flush=True)
