# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table at the end, results.json and results.md, and what to do about a failure."""

import json

from .solve import WORK

HEADER = ["proof", "kind", "bound", "seconds", "user", "verdict"]


def beneath(job):
    """The proof whose assertions a job takes as proved; None if it takes none."""
    return f"{job.unit.name}/invariants/{job.run}" if job.lemmas == "assume" and not job.control else None


def shown(results):
    """Names of the proofs that passed."""
    return {result.job.name for result in results if result.good}


def row(result, proved=None):
    """One line of the table. `proved`: names of the proofs that are shown, or still to be run; on another one it says what it rests."""
    job = result.job
    kind = {"prove": f"induction k={job.depth}", "bmc": "bounded", "cover": "cover"}[job.kind]
    verdict = result.verdict
    if job.control:
        kind, verdict = f"control, {kind}", "found" if result.good else f"NOT FOUND ({result.verdict})"
    elif verdict == "UNKNOWN":
        verdict = "FAIL (induction)"
    elif job.alone and result.good:
        verdict = f"PASS ({len(result.reached)} fail alone)"
    elif job.kind == "cover" and result.good:
        verdict = f"PASS ({len(result.reached)} reached)"
    elif result.good and proved is not None and beneath(job) and beneath(job) not in proved:
        verdict = f"PASS (if {beneath(job)} holds)"
    return [job.name, kind, job.bound, f"{result.seconds:.0f}", f"{result.user:.0f}", verdict]


def line(result, done, total, wanted=None):
    """Progress: one line for each job that ended, of those that are `wanted`."""
    name, kind, _, seconds, user, verdict = row(result, wanted)
    return f"[{done:>2}/{total}] {name:<34} {kind:<14} {seconds:>4} s ({user} s of processor)  {verdict}"


def table(results):
    """The table, in columns."""
    rows = [HEADER] + [row(result, shown(results)) for result in results]
    widths = [max(len(line[i]) for line in rows) for i in range(len(HEADER))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in rows)


def advice(result):
    """What went wrong, where the trace is, how to see it again."""
    job = result.job
    again = f"make formal ARGS='{'--controls ' if job.control else ''}{job.name}'"
    lines = [f"{job.name}: {job.about}"]
    if job.control:
        lines.append(f"  the bug seeded into {job.control.file} should break {' or '.join(job.control.expect)}: `{job.control.replace}`")
    if job.alone:
        lines += [f"  can fail alone: {name}" for name in sorted(set(job.restated) & set(result.reached))]
    lines += [f"  failed: {name}" for name in result.failed if name not in job.restated]
    if result.verdict == "UNKNOWN" and not job.control:
        lines.append("  the induction fails: its trace begins in a state that may not be reachable; then a lemma is missing")
    if result.verdict == "TIMEOUT":
        lines.append("  not finished in time: --limit SECONDS gives it more")
    if result.trace:
        lines.append(f"  waves: {result.trace}")
    lines += [f"  log: {result.log}", f"  again: {again}"]
    return "\n".join(lines)


def save(results):
    """Writes results.json and results.md into target/formal."""
    data = [
        {
            "name": r.job.name, "about": r.job.about, "kind": "control" if r.job.control else r.job.kind,
            "depth": r.job.depth, "bound": r.job.bound, "lemmas": r.job.lemmas, "defines": list(r.job.defines),
            "seconds": round(r.seconds, 1), "user_seconds": round(r.user, 1), "verdict": r.verdict, "good": r.good,
            "failed": r.failed, "reached": r.reached, "looked_at": len(r.looked), "trace": r.trace, "log": r.log,
            "rests_on": beneath(r.job),
        }
        for r in results
    ]
    (WORK / "results.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    lines = ["| " + " | ".join(HEADER) + " |", "|" + "---|" * len(HEADER)]
    lines += ["| " + " | ".join(row(result, shown(results))) + " |" for result in results]
    (WORK / "results.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
