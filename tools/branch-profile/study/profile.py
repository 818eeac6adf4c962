# SPDX-License-Identifier: MIT OR Apache-2.0
"""From a run of the program to profiles: capture, branch records by model and RTL in lockstep, stacks as text and as perf's file, what LLVM makes of them."""

import json
import re
import tomllib

from .tools import LLVM, SCRIPTS, StudyError, lwp_sim, run

# An environment of its own: its size moves the stack, and the loader reads it.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
# What perf2bolt says of the pieces of code between two branches of a stack: how many contradict the code, how many are not in the program.
MISMATCHING = re.compile(r"traces mismatching disassembled function contents: (\d+)")
OUTSIDE = re.compile(r"out of range traces involving unknown regions: (\d+) \(([\d.]+)%\)")


def capture(binary, script, trace):
    with open(trace.with_suffix(".out"), "wb") as out:
        run([lwp_sim(), "capture", "-o", trace, "--", binary, script], stdout=out, env=ENVIRONMENT)


def perf_data(binary, session, records, out):
    period = tomllib.loads(session.read_text(encoding="utf-8"))["pebs"]["period"]
    run([SCRIPTS / "perf-data", "--binary", binary, "--period", str(period), "-o", out, records])


def record(binary, script, session, folder, engine):
    """Branch stacks of a run, as text and as a file of perf; what the run was."""
    trace, records, summary = folder / "run.trace", folder / "run.jsonl", folder / "run.json"
    capture(binary, script, trace)
    run([lwp_sim(), "cosim", "--unit", "trace", "--trace", trace, "--session", session, "--engine", engine, "--quiet",
         "--records", records, "--json", summary])
    perf_data(binary, session, records, folder / "perf.data")
    with open(folder / "stacks.txt", "w", encoding="utf-8") as text:
        run([SCRIPTS / "brstack", "--binary", binary, records], stdout=text)
    return json.loads(summary.read_text(encoding="utf-8"))


def perf2bolt(binary, data, out):
    """What perf2bolt says: traces that contradict the code, and percent of traces outside the program. It runs `perf script` on the file."""
    said = run([LLVM / "perf2bolt", binary, "-p", data, "-o", out])
    mismatching, outside = MISMATCHING.search(said), OUTSIDE.search(said)
    if not mismatching or not outside:
        raise StudyError(f"perf2bolt does not say how many traces it took:\n{said[-2000:]}")
    return int(mismatching[1]), float(outside[2])


def of_bolt(binary, folder):
    """A profile for BOLT, which follows each stack through the code; and percent outside the program."""
    out = folder / "bolt.fdata"
    mismatching, outside = perf2bolt(binary, folder / "perf.data", out)
    if mismatching:
        raise StudyError(f"{mismatching} pieces between two branches of a stack are not of the program's code")
    return out, outside


def control(binary, session, folder):
    """How many traces perf2bolt finds wrong if each branch begins two bytes later."""
    records, data = folder / "moved.jsonl", folder / "moved.data"
    with open(folder / "run.jsonl", encoding="utf-8") as good, open(records, "w", encoding="utf-8") as moved:
        for line in good:
            record = json.loads(line)
            if "from" in record:
                record["from"] = hex(int(record["from"], 16) + 2)
            moved.write(json.dumps(record) + "\n")
    perf_data(binary, session, records, data)
    mismatching, _ = perf2bolt(binary, data, folder / "moved.fdata")
    if not mismatching:
        raise StudyError("perf2bolt takes branches that are not in the program")
    return mismatching


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
