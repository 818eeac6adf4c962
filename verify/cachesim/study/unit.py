# SPDX-License-Identifier: MIT OR Apache-2.0
"""The unit: `lwp-sim rdt --direct`, once with write-backs as bandwidth and once without."""

import json
import re
import subprocess

from study import StudyError

COMPARED = re.compile(r"^compared +([\d,]+) cycles of model and RTL, no mismatch", re.MULTILINE)


class Disagreement(Exception):
    """lwp-sim has ended with exit code 1: model and RTL, or registers and ports, disagree."""


def session(case, write_backs, plant=None):
    """Returns the session file of a case. Program n has RMID n + 1."""
    cache, whole = case.cache, (1 << case.cache.ways) - 1
    masks = sorted({program.mask for program in case.programs if program.mask})
    classes = [whole >> cache.ways // 2 if plant == "half-ways" else whole, *masks]
    text = [f"[cache]\nsets = {cache.sets}\nways = {cache.ways}\nline = {cache.line}\n",
            f"[straps]\nwrite_backs = {write_backs if plant != 'no-write-backs' else 0}\nsparse = 1"]
    if len(case.programs) > 3:
        text.append("max_rmid = 4\nl3_max_rmid = 4")
    for number, program in enumerate(case.programs):
        text.append(f"\n[[program]]\nrmid = {number + 1}\nclass = {masks.index(program.mask) + 1 if program.mask else 0}")
    text += [f"\n[[class]]\nl3_mask = {mask:#x}" for mask in classes]
    return "\n".join(text) + "\n"


def once(options, case, traces, write_backs, limit):
    """Runs lwp-sim; returns the last line of each RMID, and the cycles in which model and RTL were compared."""
    name = f"{case.name}-{write_backs}"
    session_file, result = options.work / f"{name}.toml", options.work / f"{name}.json"
    session_file.write_text(session(case, write_backs, options.plant), encoding="utf-8")
    command = [options.lwp_sim, "rdt", "--direct", "--session", session_file, "--json", result, "--interval", "100000000",
               "--capsule", options.work / f"{name}.capsule"]
    for trace in traces:
        command += ["--program", trace]
    if limit:
        command += ["--limit", str(limit)]
    if options.no_rtl:
        command.append("--no-rtl")
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    except OSError as error:
        raise StudyError(f"{options.lwp_sim} cannot be run: {error.strerror}; `make cachesim` builds it", 2) from error
    said = f"{' '.join(map(str, command))}\n{done.stderr.strip()}"
    if done.returncode == 1:
        raise Disagreement(said)
    if done.returncode:
        raise StudyError(f"exit code {done.returncode} of {said}", 130 if done.returncode == 130 else 3)
    rows = [json.loads(line) for line in result.read_text(encoding="utf-8").splitlines()]
    found = COMPARED.search(done.stdout)
    return {row["rmid"]: row for row in rows if "hits" in row}, int(found[1].replace(",", "")) if found else 0


def run(options, case, traces, limit=None):
    """Returns the results of each program as those of the reference, and the cycles of RTL that were compared."""
    both, cycles = once(options, case, traces, 1, limit)
    reads, more = once(options, case, traces, 0, limit)
    results = []
    for rmid in range(1, len(traces) + 1):
        row, line = both[rmid], case.cache.line
        fetched = reads[rmid]["total_bytes"] // line
        results.append({"hits": row["hits"], "misses": row["misses"], "fetched": fetched,
                        "written back": row["total_bytes"] // line - fetched, "lines": row["lines"]})
    return results, cycles + more
