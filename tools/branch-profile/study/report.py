# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table, and whether it shows what it must."""

import statistics

# The programs, in order; the first is the reference, the next two hold no records and show the noise.
BEFORE, COPY, REWRITTEN, BOLT, SAMPLES, BOTH = PROGRAMS = ["before", "copy", "rewritten", "bolt", "samples", "both"]
WHAT = {
    BEFORE: "clang -O2",
    COPY: "the same file again",
    REWRITTEN: "BOLT without records",
    BOLT: "BOLT with records",
    SAMPLES: "clang with records",
    BOTH: "clang, then BOLT, each with records",
}
RECORDED = [BOLT, SAMPLES, BOTH]


def rows(times, speedups, counts):
    return [{
        "program": name,
        "milliseconds": 1000 * statistics.median(times[name]),
        "faster": speedups[name],
        "instructions": counts[name]["INST_RETIRED"],
        "taken_branches": counts[name]["BR_TAKEN_RETIRED"],
    } for name in PROGRAMS]


def markdown(found):
    lines = ["| program | CPU time, median | times as fast, median (quartiles) | instructions | taken branches |", "|---|--:|--:|--:|--:|"]
    for row in found:
        low, high = row["faster"]["quartiles"]
        faster = f"{row['faster']['median']:.3f} ({low:.3f} to {high:.3f})" if row["program"] != BEFORE else ""
        lines.append(f"| {WHAT[row['program']]} | {row['milliseconds']:.0f} ms | {faster} | {row['instructions']:,} | {row['taken_branches']:,} |")
    return "\n".join(lines)


def failures(found):
    """What a table must not say: a program made with records takes as many branches as before, or is not faster than those made without."""
    by_name = {row["program"]: row for row in found}
    noise = max(by_name[name]["faster"]["median"] for name in (BEFORE, COPY, REWRITTEN))
    said = []
    for name in RECORDED:
        if by_name[name]["taken_branches"] >= 0.9 * by_name[BEFORE]["taken_branches"]:
            said.append(f"{WHAT[name]}: no fewer taken branches")
        if by_name[name]["faster"]["median"] <= noise:
            said.append(f"{WHAT[name]}: not faster")
    return said
