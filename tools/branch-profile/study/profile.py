# SPDX-License-Identifier: MIT OR Apache-2.0
"""From a run of the program to profiles: capture, branch records by model and RTL in lockstep, stacks as text and as perf's file, what LLVM makes of them."""

import json
import re

from .tools import LLVM, SCRIPTS, StudyError, lwp_sim, run

# Of the traces between two branches of a stack, in percent, that contradict the program's code.
MISMATCHING = re.compile(r"traces mismatching disassembled function contents: (\d+)")
OUTSIDE = re.compile(r"out of range traces involving unknown regions: (\d+) \(([\d.]+)%\)")


def capture(binary, script, trace):
    with open(trace.with_suffix(".out"), "wb") as out:
        run([lwp_sim(), "capture", "-o", trace, "--", binary, script], stdout=out)


def record(binary, script, session, folder, engine):
    """Branch stacks of a run, as text and as a file of perf; what the run was."""
    trace, records, summary = folder / "run.trace", folder / "run.jsonl", folder / "run.json"
    capture(binary, script, trace)
    run([lwp_sim(), "cosim", "--unit", "trace", "--trace", trace, "--session", session, "--engine", engine, "--quiet",
         "--records", records, "--json", summary])
    run([SCRIPTS / "perf-data", "--binary", binary, "--period", "97", "-o", folder / "perf.data", records])
    with open(folder / "stacks.txt", "w", encoding="utf-8") as text:
        run([SCRIPTS / "brstack", "--binary", binary, records], stdout=text)
    return json.loads(summary.read_text(encoding="utf-8"))


def of_bolt(binary, folder):
    """A profile for BOLT. perf2bolt runs `perf script` on the file and follows each stack through the code."""
    out = folder / "bolt.fdata"
    said = run([LLVM / "perf2bolt", binary, "-p", folder / "perf.data", "-o", out])
    mismatching, outside = MISMATCHING.search(said), OUTSIDE.search(said)
    if not mismatching or not outside:
        raise StudyError(f"perf2bolt does not say how many traces it took:\n{said[-2000:]}")
    if int(mismatching[1]):
        raise StudyError(f"{mismatching[1]} pieces between two branches of a stack are not of the program's code")
    return out, float(outside[2])


def of_clang(binary, folder):
    """A sample profile for clang, from the text of `brstack`; the same from perf's file."""
    outs = []
    for option, name in (("--perfscript", "stacks.txt"), ("--perfdata", "perf.data")):
        outs.append(folder / f"{name}.prof")
        run([LLVM / "llvm-profgen", f"{option}={folder / name}", f"--binary={binary}", f"--output={outs[-1]}", "--format=text"])
    text, data = (out.read_bytes() for out in outs)
    if text != data or not text:
        raise StudyError(f"llvm-profgen makes other profiles of the text and of perf's file: {outs[0]}, {outs[1]}")
    return outs[0]


def branches(binary, script, folder):
    """Instructions and taken branches of a run, counted by the performance counters' model."""
    trace, counts = folder / "count.trace", folder / "count.json"
    capture(binary, script, trace)
    run([lwp_sim(), "count", "--engine", "model", "--quiet", "--trace", trace, "--json", counts, "-e",
         "INST_RETIRED,BR_TAKEN_RETIRED"])
    events = json.loads(counts.read_text(encoding="utf-8"))["events"]
    return {event["event"]: event["count"] for event in events}
