#!/usr/bin/env python3
"""Mutants of the model, held against recorded runs of the RTL and the model's own tests.

  verify/mutation/model/mutants/main.py                   every mutant
  verify/mutation/model/mutants/main.py --unit NAME       those of another unit than the first
  verify/mutation/model/mutants/main.py --sample 60       sixty of them, chosen by --seed
  verify/mutation/model/mutants/main.py --only 'store.rs' those whose name has this in it
  verify/mutation/model/mutants/main.py --parts           the parts that a campaign judges one by one
  verify/mutation/model/mutants/main.py --unit lwp --part 3of17

The recording has to be there (`cargo run --release -p proptests --bin record -- --unit NAME`). Verdicts go to a file in
target/mutants/NAME, a line each.

Exit codes: 0 every mutant was killed, or is proven equivalent, or does not compile; 1 some survive, or one that is listed as equivalent
does not; 2 the mutants cannot be judged: no recording, a model that fails by itself, a tree that does not compile, an end that no
mutant causes, an entry of equivalent.toml that fits no mutant or several, no cargo-mutants (tools/scripts/setup mutants).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import equivalents
import judge
import listing
import reach
from tree import Alone, Broken, Endless, Tree, Weaver

ROOT = Path(__file__).resolve().parents[4]
CARGO_MUTANTS = str(ROOT / "target/tools/bin/cargo-mutants")
# Mutants of a part at most.
PART = 120


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = listing.units(ROOT)
    parser.add_argument("--unit", choices=names, default=names[0], help="whose mutants [%(default)s]")
    parser.add_argument("--recording", type=Path, help="[default: target/mutants/UNIT/model.recording]")
    parser.add_argument("--output", type=Path, help="verdicts, a line each [default: target/mutants/UNIT/model.jsonl, or model-some.jsonl]")
    parser.add_argument("--trees", type=Path, default=ROOT / "target/mutants", help="where sources are changed and built [target/mutants]")
    parser.add_argument("--sample", type=int, help="so many mutants instead of all")
    parser.add_argument("--seed", type=int, default=2007, help="which ones")
    parser.add_argument("--only", default="", help="regular expression for the names of the mutants")
    parser.add_argument("--part", type=which, help="every N-th mutant from the K-th on, as KofN")
    parser.add_argument("--parts", action="store_true", help="list the parts of all units and stop")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    parser.add_argument("--quick", action="store_true", help="the model's tests look only at what the recording does not notice")
    parser.add_argument("--one-build", action="store_true", help="leave out the mutants that need a build each")
    options = parser.parse_args()
    # Some verdicts are not to take the place of all.
    folder = ROOT / "target/mutants" / options.unit
    options.recording = options.recording or folder / "model.recording"
    options.output = options.output or folder / ("model-some.jsonl" if partial(options) or options.part else "model.jsonl")
    return options


def which(text: str) -> tuple[int, int]:
    """`3of17` as (3, 17)."""
    found = re.fullmatch(r"(\d+)of(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"`{text}` is no part: KofN, with K from 1 to N")
    return int(found[1]), int(found[2])


def list_parts() -> int:
    """Prints the parts of all units, in which mutants of every file are mixed."""
    for unit in listing.units(ROOT):
        count = len(listing.every(ROOT, CARGO_MUTANTS, unit))
        parts = -(-count // PART)
        for part in range(1, parts + 1):
            print(f"{unit}/{part}of{parts} {len(range(part, count + 1, parts))} mutants")
    return 0


class Progress:
    """How far it is, on a terminal."""

    def __init__(self, total: int):
        self.total, self.began, self.survive = total, time.monotonic(), 0

    def __call__(self, done: int, verdict: judge.Verdict) -> None:
        if verdict.verdict == "survived":
            self.survive += 1
            print(f"survived: {verdict.mutant.id}", file=sys.stderr, flush=True)
        if not sys.stderr.isatty() and done * 10 // self.total == (done - 1) * 10 // self.total:
            return
        left = (time.monotonic() - self.began) / done * (self.total - done)
        end = "\r" if sys.stderr.isatty() and done < self.total else "\n"
        print(f"{done}/{self.total} mutants, {self.survive} survive, {left:.0f} s to go  ", end=end, file=sys.stderr, flush=True)


def woven(options: argparse.Namespace, mutants: list[listing.Mutant]) -> tuple[list[judge.Verdict], list[listing.Mutant], judge.Programs]:
    """The verdicts of one build for all, the mutants that it cannot hold, and the programs of the build."""
    tree = Tree(ROOT, options.trees / "tree", woven=True)
    weaver = Weaver(tree, mutants)
    weaver.weave()
    replay, tests = tree.build(tests=True)
    functions = {number: first for file in weaver.woven.values() for number, first in file.functions.items()}
    programs = judge.Programs(replay, options.recording, tests, functions=functions)
    base = judge.baseline(programs)
    print(f"without a mutant: {base['runs']} runs, {base['cycles']} cycles, {len(tests)} test programs", file=sys.stderr)
    unviable = [judge.Verdict(m, "not viable", why=weaver.unviable[m.number]) for m in mutants if m.number in weaver.unviable]
    single = [m for m in mutants if weaver.alone(m) and m.number not in weaver.unviable]
    rest = [m for m in mutants if not weaver.alone(m) and m.number not in weaver.unviable]
    verdicts = judge.judge_all(programs, rest, options.jobs, not options.quick, Progress(len(rest)))
    if not partial(options):
        # What a part's tests enter is joined with that of the others before requirements are told apart.
        functions = reach.entered(programs, rest)
        found = {"entered": functions} if options.part else {"requirements": reach.of_requirements(reach.shown_by(ROOT), functions)}
        options.output.with_name("model-reach.json").write_text(json.dumps(base | found, indent=1))
    return unviable + list(verdicts), single, programs


def partial(options: argparse.Namespace) -> bool:
    """Whether not all mutants are judged."""
    return bool(options.only) or options.sample is not None or options.quick or options.one_build


def one_by_one(options: argparse.Namespace, mutants: list[listing.Mutant], programs: judge.Programs) -> list[judge.Verdict]:
    """The verdicts of mutants that need a build each."""
    if not mutants or options.one_build:
        return []
    builder, verdicts, progress = Alone(Tree(ROOT, options.trees / "alone", woven=False)), [], Progress(len(mutants))
    for mutant in mutants:
        verdict = alone(builder, mutant, programs)
        verdicts.append(verdict)
        progress(len(verdicts), verdict)
    return verdicts


def alone(builder: Alone, mutant: listing.Mutant, programs: judge.Programs) -> judge.Verdict:
    """The tests are built only if the replay does not notice."""
    verdict = judge.Verdict(mutant, "survived")
    for tests in (False, True):
        try:
            built = builder.build(mutant, tests)
        except Endless as endless:
            return judge.Verdict(mutant, "killed", killed_by=["compiler"], field="never ends", why=str(endless))
        if isinstance(built, str):
            return judge.Verdict(mutant, "not viable", why=built)
        verdict = judge.judge(programs.for_one(*built), mutant, 0, all_tests=tests)
        if verdict.verdict == "killed":
            break
    return verdict


def main() -> int:
    options = arguments()
    if options.parts:
        return list_parts()
    mutants = listing.every(ROOT, CARGO_MUTANTS, options.unit)
    proofs = equivalents.load(ROOT, options.unit, mutants)
    total = len(mutants)
    if options.sample is not None:
        mutants = listing.sample(mutants, options.sample, options.seed)
        print(f"{len(mutants)} of {total} mutants, seed {options.seed}", file=sys.stderr)
    if options.part:
        part, parts = options.part
        mutants = [mutant for mutant in mutants if mutant.number % parts == part % parts]
    mutants = [mutant for mutant in mutants if re.search(options.only, mutant.id)]
    if not mutants:
        raise judge.Unsound(f"no mutant has `{options.only}` in its name")
    verdicts, single, programs = woven(options, mutants)
    verdicts = sorted(verdicts + one_by_one(options, single, programs), key=lambda verdict: verdict.mutant.number)
    wrong = equivalents.apply(proofs, verdicts)
    options.output.write_text("".join(verdict.line() + "\n" for verdict in verdicts))
    return told(options, verdicts, wrong)


def told(options: argparse.Namespace, verdicts: list[judge.Verdict], wrong: list[str]) -> int:
    """Prints the sum, what survives, and which proofs are wrong."""
    count = {name: sum(v.verdict == name for v in verdicts) for name in ("killed", "survived", "equivalent", "not viable")}
    print(", ".join(f"{number} {name}" for name, number in count.items()))
    for verdict in verdicts:
        if verdict.verdict == "survived":
            print(f"survived: {verdict.mutant.id}\n  - {verdict.mutant.before}\n  + {verdict.mutant.after}")
    for line in wrong:
        print(line)
    print(f"verdicts: {options.output}")
    return 1 if count["survived"] or wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough
    except (judge.Unsound, Broken, equivalents.Stale, subprocess.CalledProcessError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
