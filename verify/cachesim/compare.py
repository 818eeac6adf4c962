#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares the shared cache of the unit rdt with pycachesim, access for access the same programs.

examples:
  verify/cachesim/compare.py                                   all cases but those of a captured program
  verify/cachesim/compare.py --capture target/cosim/perl.lwptrace
  verify/cachesim/compare.py --only shared,mixed --seed 7 -v   some kinds of cases, other programs, a line for each case
  verify/cachesim/compare.py --plant half-ways                 an error on purpose: must end with exit code 1

Run it with the Python of target/tools/cachesim-venv; `make cachesim` does, and installs it. Traces, sessions and results
of `lwp-sim rdt --direct` stay in target/cachesim.

exit codes:
  0 equal                      1 a difference, or lwp-sim reports one
  2 wrong use                  3 something cannot be read or run
  130 interrupted
"""

import argparse
import json
import os
import pathlib
import sys

# The sources hold nothing that was built.
sys.dont_write_bytecode = True
from study import StudyError, capture, cases, reference, unit, workloads

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
PLANTS = {
    "half-ways": "the unit may fill half of the ways (cases without masks)",
    "no-write-backs": "the unit does not count write-backs",
    "fifo": "pycachesim replaces the line that came first",
    "plain-stores": "pycachesim gets stores without a load before them",
    "lost-access": "pycachesim does not get access 1000",
    "charge": "write-backs of pycachesim go to the program that displaces the line (cases with programs that share ways)",
    "turn": "pycachesim begins with program 0 (cases with programs that share ways)",
}
COLUMNS = ("hits", "misses", "fetched", "written back", "lines")
HEAD = ("case", "caches", "runs", "accesses", "hits", "misses", "written back", "cycles of RTL", "differences")


def at_least_one(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("1 or more")
    return number


def arguments(argv):
    summary, _, rest = __doc__.partition("\n\n")
    plants = "\n".join(f"  {name:15} {what}" for name, what in PLANTS.items())
    parser = argparse.ArgumentParser(prog="verify/cachesim/compare.py", description=summary,
                                     epilog=f"errors for --plant:\n{plants}\n\n{rest}",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the generated programs [1]")
    parser.add_argument("--accesses", type=at_least_one, default=10_000, metavar="N",
                        help="least instructions of a generated program; four for each line of the cache if that is more [10000]")
    parser.add_argument("--only", metavar="KIND,...", help=f"kinds of cases: {', '.join(cases.KIND_NAMES)}")
    parser.add_argument("--capture", type=pathlib.Path, metavar="FILE", help="also a program that `lwp-sim capture` has captured")
    parser.add_argument("--instructions", type=at_least_one, default=1_000_000, metavar="N",
                        help="first instructions of the captured program [1000000]")
    parser.add_argument("--no-rtl", action="store_true", help="do not compare model and RTL meanwhile")
    parser.add_argument("--lwp-sim", type=pathlib.Path, default=TARGET / "release/lwp-sim", metavar="FILE",
                        help="[target/release/lwp-sim]")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target/cachesim", metavar="FOLDER",
                        help="traces, sessions and results [target/cachesim]")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="a line of JSON for each program of each case")
    parser.add_argument("--plant", choices=PLANTS, metavar="ERROR", help="make an error on purpose, see below")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each case, as it is done")
    options = parser.parse_args(argv)
    options.kinds = options.only.split(",") if options.only else list(cases.KIND_NAMES)
    for kind in options.kinds:
        if kind not in cases.KIND_NAMES:
            parser.error(f"no kind {kind}; there are: {', '.join(cases.KIND_NAMES)}")
    if options.only and cases.CAPTURED in options.kinds and not options.capture:
        parser.error("the kind captured needs --capture FILE")
    return options


class Programs:
    """Traces of programs and their instructions, each made once."""

    def __init__(self, options):
        self.options = options
        wanted = options.capture and cases.CAPTURED in options.kinds
        self.captured = capture.read(options.capture, options.instructions) if wanted else []
        if wanted and not self.captured:
            raise StudyError(f"{options.capture} has no instructions", 2)

    def of(self, case):
        """Returns the files of a case's traces, and the accesses of each."""
        files, all_accesses = [], []
        for program in case.programs:
            instructions, path = self.captured, self.options.capture
            if program.workload != cases.CAPTURED:
                cache, least = case.cache, self.options.accesses
                instructions = workloads.generate(program.workload, cache, least, self.options.seed)
                name = f"{program.workload.replace('/', '')}-{cache.sets}x{cache.ways}x{cache.line}.jsonl"
                path = self.options.work / name
                workloads.write_log(path, instructions)
            limit = self.options.instructions if case.kind == cases.CAPTURED else None
            files.append(path)
            all_accesses.append(list(workloads.accesses(instructions[:limit])))
        return files, all_accesses


def compared(options, case, programs):
    """Returns a row of the result for each program of a case."""
    files, all_accesses = programs.of(case)
    expected = reference.run(case, all_accesses, options.plant)
    limit = options.instructions if case.kind == cases.CAPTURED else None
    found, cycles = unit.run(options, case, files, limit)
    rows = []
    for number, (program, ours, theirs) in enumerate(zip(case.programs, found, expected, strict=True)):
        cache = case.cache
        rows.append({"case": case.name, "kind": case.kind, "sets": cache.sets, "ways": cache.ways, "line": cache.line,
                     "rmid": number + 1, "program": program.workload, "mask": program.mask,
                     "rtl_cycles": cycles if number == 0 else 0, "unit": ours, "pycachesim": theirs,
                     "different": [name for name in COLUMNS if ours[name] != theirs[name]]})
    return rows


def differences(rows):
    """Yields a line for each number that differs."""
    for row in rows:
        for name in row["different"]:
            yield (f"{row['case']}, RMID {row['rmid']} ({row['program']}): {name} {row['unit'][name]:,} of the unit, "
                   f"{row['pycachesim'][name]:,} of pycachesim")


def table(rows):
    """Returns the lines of the table: a row for each kind of case."""
    lines = [HEAD]
    for kind in [*dict.fromkeys(row["kind"] for row in rows), "all"]:
        some = [row for row in rows if kind in (row["kind"], "all")]
        hits, misses, back = (sum(row["unit"][name] for row in some) for name in ("hits", "misses", "written back"))
        caches = {(row["sets"], row["ways"], row["line"]) for row in some}
        numbers = (len(caches), len({row["case"] for row in some}), hits + misses, hits, misses, back,
                   sum(row["rtl_cycles"] for row in some), sum(len(row["different"]) for row in some))
        lines.append((kind, *(f"{number:,}" for number in numbers)))
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEAD))]
    return ["  ".join(text.ljust(width) if place == 0 else text.rjust(width)
                      for place, (text, width) in enumerate(zip(line, widths, strict=True))) for line in lines]


def run(options):
    """Compares all cases; returns the rows."""
    options.work.mkdir(parents=True, exist_ok=True)
    programs = Programs(options)
    wanted = [*cases.generated(), *(cases.captured() if options.capture else ())]
    rows = []
    for case in wanted:
        if case.kind not in options.kinds:
            continue
        more = compared(options, case, programs)
        rows += more
        if options.verbose:
            accesses = sum(row["unit"]["hits"] + row["unit"]["misses"] for row in more)
            print(f"{case.name:60} {accesses:>10,} accesses {sum(len(row['different']) for row in more)} differences", flush=True)
    return rows


def main(argv=None):
    options = arguments(argv)
    try:
        rows = run(options)
        if options.json:
            options.json.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    except unit.Disagreement as error:
        print(f"compare: lwp-sim reports a difference of its own: {error}", file=sys.stderr)
        return 1
    except StudyError as error:
        print(f"compare: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"compare: {error.filename}: {error.strerror}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130
    print("\n".join(table(rows)))
    if cases.CAPTURED in options.kinds and not options.capture:
        print("no captured program: --capture names one")
    found = list(differences(rows))
    for line in found[:40]:
        print(f"compare: {line}", file=sys.stderr)
    if len(found) > 40:
        print(f"compare: and {len(found) - 40} more; --json has all", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
