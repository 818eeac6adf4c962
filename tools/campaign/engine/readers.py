# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the programs print and write, read as the outcome of a shard.

A reader takes the end of a program and returns an outcome, or raises `NoOutcome` if the run says nothing about the commit: the program
was killed, or could not begin."""

from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
import re
from collections.abc import Callable
from typing import Any

from .model import Failure, Outcome


# A mutant that a list names as equivalent, and that a case kills.
LISTED = re.compile(r"^(?:rtl-mutants: )?((.+) is listed as equivalent and .+)$", re.MULTILINE)
# What a program printed, as an artefact: it has the seconds of each proof, the lines of each build, the tables of a bench.
SAID = {"log": "log"}


class NoOutcome(Exception):
    """The run says nothing about the commit; the shard is still to be done."""


@dataclasses.dataclass(frozen=True)
class End:
    """How a program ended: exit code (negative: the signal), what it printed, and its directory."""

    job: str
    item: str
    seed: int
    span: int
    code: int
    text: str
    scratch: pathlib.Path
    command: str

    def ended_with(self, *codes: int) -> None:
        """Raises `NoOutcome` for another exit code."""
        if self.code not in codes:
            last = self.text.strip().splitlines()[-1:] or ["nothing was printed"]
            raise NoOutcome(f"ended by signal {-self.code}" if self.code < 0 else f"exit code {self.code}: {last[0][:300]}")

    def capsule(self) -> str:
        """The capsule that the program left; empty if there is none."""
        found = sorted(self.scratch.rglob("*.capsule"))
        return str(found[0].relative_to(self.scratch)) if found else ""


def plain(text: str) -> str:
    """Returns a message without numbers, so that messages of one bug are equal."""
    return re.sub(r"0x[0-9a-fA-F]+|\d+", "*", text)


def soak(end: End) -> Outcome:
    """`soak` with one thread: cycles and cases of its state."""
    end.ended_with(0, 1)
    try:
        state = json.loads((end.scratch / "state.json").read_bytes())
        counts = {"cycles": state["cycles"], "cases": state["cases"]}
    except (OSError, ValueError, KeyError) as error:
        raise NoOutcome(f"no state of the run: {error}") from None
    if end.code == 0:
        return Outcome("pass", counts)
    found = re.search(r"^case (\d+) of seed (\d+) does not agree: (.*)$", end.text, re.MULTILINE)
    if not found:
        raise NoOutcome("exit code 1 without a case that does not agree")
    field = re.search(r"differ in (\S+)", found[3])
    repeat = f"target/release/soak --unit {end.item} --seed {found[2]} --case {found[1]}"
    failure = Failure(end.item, "mismatch", "-", field[1].rstrip(",;:") if field else plain(found[3]), found[3], repeat, end.capsule())
    return Outcome("fail", counts, failures=[failure])


def coverage(end: End) -> Outcome:
    """`coverage run`: counts of situations, in a file that `coverage merge` adds."""
    end.ended_with(0, 1)
    failed = re.search(r"^case (\d+) of seed (\d+) fails: (.*)$", end.text, re.MULTILINE)
    if failed:
        repeat = f"target/release/coverage run --unit {end.item} --seed {failed[2]} --case {failed[1]}"
        return Outcome("fail", failures=[Failure(end.item, "mismatch", "-", plain(failed[3]), failed[3], repeat, end.capsule())])
    found = re.search(r"^(\d+) cases, (\d+) cycles; in all", end.text, re.MULTILINE)
    if not found or not (end.scratch / "counts.json").exists():
        raise NoOutcome("no counts were written")
    disproved = [Failure(end.item, "claim", "coverage", line.split(": ", 1)[-1], line, end.command)
                 for line in re.findall(r"^met \d+ times, though .*$", end.text, re.MULTILINE)]
    if (end.code == 0) != (not disproved):
        raise NoOutcome(f"exit code {end.code}, though {len(disproved) or 'no'} claims are disproved")
    counts = {"cases": int(found[1]), "cycles": int(found[2])}
    return Outcome("fail" if disproved else "pass", counts, failures=disproved, artefacts={"counts": "counts.json"})


def small_world(end: End) -> Outcome:
    """`small-world` of one world: its line of the table."""
    end.ended_with(0, 1, 4)
    name = end.item.partition("/")[2] or end.item
    found = re.search(rf"^{re.escape(name)} +(\d+) +(\d+) .*?(closed|OPEN \d+) +(\d+) +\d+ +\S+ +(.*)$", end.text, re.MULTILINE)
    if not found:
        raise NoOutcome("the world has no line in the table")
    if (end.code == 0) != ((found[3], found[5]) == ("closed", "agrees on every edge")):
        raise NoOutcome(f"exit code {end.code}, though the world is {found[3]} and {found[5]}")
    counts = {"states": int(found[1]), "edges": int(found[2]), "cycles": int(found[4])}
    repeat = f"target/release/small-world --unit {end.item.partition('/')[0]} --world '{name}'"
    if end.code == 0:
        return Outcome("pass", counts, {end.item: "closed"}, artefacts={**SAID})
    failure = Failure(end.item.partition("/")[0], "small world", name, plain(found[5]), found[5], repeat, end.capsule())
    # A world that is explored to its end, and in which the two disagree, is not one that is closed.
    verdict = "open" if end.code == 4 else found[5].lower()
    return Outcome("fail", counts, {end.item: verdict}, [failure], {**SAID})


def proofs(end: End) -> Outcome:
    """`verify/formal/prove`: its line for each proof and seeded bug. A proof that ran out of time says nothing."""
    end.ended_with(0, 1)
    rows = re.findall(r"^\[ *\d+/\d+\] (\S+) .* s of processor\)  (.+)$", end.text, re.MULTILINE)
    if not rows:
        raise NoOutcome("no line of a proof was printed")
    late = [name for name, verdict in rows if "TIMEOUT" in verdict]
    if late:
        raise NoOutcome(f"out of time: {', '.join(late)}")
    items = dict(rows)
    failures = [Failure(name.partition("/")[0], "proof", name, verdict, f"{name}: {verdict}", f"verify/formal/prove {name}")
                for name, verdict in rows if verdict != "found" and not verdict.startswith("PASS")]
    if end.code and not failures:
        raise NoOutcome("exit code 1, though every proof is as it should be")
    return Outcome("fail" if failures else "pass", {"proofs": len(items)}, items, failures, {**SAID})


def judged(end: End, file: str) -> list[dict[str, Any]]:
    """The mutants in the files of lines of JSON with this name."""
    mutants = [json.loads(line) for path in sorted(end.scratch.rglob(file)) for line in path.read_text().splitlines()]
    if not mutants:
        raise NoOutcome("no mutant was judged")
    twice = [name for name, times in collections.Counter(mutant["id"] for mutant in mutants).items() if times > 1]
    if twice:
        raise NoOutcome(f"more than one verdict on a mutant: {', '.join(twice[:5])}")
    return mutants


def verdicts(end: End, mutants: list[dict[str, Any]], repeat: str) -> Outcome:
    """A survivor that no list explains is a failure, and so is a mutant that is killed though a list names it as equivalent."""
    items = {mutant["id"]: mutant["verdict"] for mutant in mutants}
    cycles = sum(mutant.get("cycles") or 0 for mutant in mutants)
    unit, _, module = end.item.partition("/")
    failures = [Failure(unit, "mutant", module, name, f"the mutant {name} survives", f"{repeat} --unit {unit} --only '{name}'")
                for name, verdict in items.items() if verdict == "survived"]
    failures += [Failure(unit, "mutant", module, name, said, f"{repeat} --unit {unit} --only '{name}'") for said, name in LISTED.findall(end.text)]
    return Outcome("fail" if failures else "pass", {"mutants": len(items), "cycles": cycles}, items, failures)


def agreed(end: End, outcome: Outcome) -> Outcome:
    """Returns the outcome; `NoOutcome` if the exit code is 1 without a failure, or 0 with one: then the verdicts are not those of the run."""
    if (end.code == 0) != (outcome.verdict == "pass"):
        raise NoOutcome(f"exit code {end.code}, though {len(outcome.failures) or 'none'} of the mutants failed")
    return outcome


def rtl_mutants(end: End) -> Outcome:
    """`rtl-mutants` of a module."""
    if end.code == 2 and "no mutant is left to play" in end.text:
        return Outcome("pass", {"mutants": 0})
    end.ended_with(0, 1)
    return agreed(end, verdicts(end, judged(end, "rtl.jsonl"), "target/release/rtl-mutants"))


def rtl_unit(end: End) -> Outcome:
    """`tools/campaign/mutants-rtl`: a mutant is equivalent if this run proved it, and disproved if a recorded proof fails with it in this run."""
    end.ended_with(0)
    mutants = judged(end, "rtl.jsonl")
    proved = dict(line.split(",")[:2] for line in (end.scratch / "equivalent.csv").read_text().splitlines()[1:])
    disproved = {name: proof for proof, name, at in re.findall(r"^\[ *\d+/\d+\] (\S+) +(\S+) +\d+ s  killed at (.*)$", end.text, re.MULTILINE)
                 if ", recorded: " not in at}
    for mutant in mutants:
        name = mutant["id"]
        if mutant["verdict"] != "killed":
            mutant["verdict"] = "equivalent" if name in proved else "disproved" if name in disproved else "survived"
            mutant["proof"] = proved.get(name, disproved.get(name))
    (end.scratch / "verdicts.jsonl").write_text("".join(json.dumps(mutant, ensure_ascii=False) + "\n" for mutant in mutants))
    outcome = verdicts(end, mutants, "target/release/rtl-mutants")
    wrong = [mutant["id"] for mutant in mutants if mutant["verdict"] == "killed" and mutant["id"] in proved]
    outcome.failures += [Failure(end.item, "mutant", "equivalent", name, f"{name} is killed and proven equivalent", end.command) for name in wrong]
    outcome.verdict = "fail" if outcome.failures else "pass"
    outcome.artefacts |= {"verdicts": "verdicts.jsonl", **SAID}
    for name in sorted({mutant["class"] for mutant in mutants}):
        of_class = [mutant["verdict"] for mutant in mutants if mutant["class"] == name]
        outcome.counts |= {f"{name} {verdict}": of_class.count(verdict) for verdict in ("killed", "disproved", "equivalent", "survived")}
    return outcome


def model_mutants(end: End) -> Outcome:
    """`tools/campaign/mutants-model`: claims of equivalence, then a part of the mutants of a unit. The verdicts are what tables are made of."""
    end.ended_with(0, 1)
    false = [Failure(end.item, "mutant", "equivalent", plain(line), line, "target/tools/z3/bin/python verify/mutation/model/mutants/prove.py")
             for line in re.findall(r"^FALSE: .*$", end.text, re.MULTILINE)]
    if false:
        return Outcome("fail", failures=false)
    outcome = agreed(end, verdicts(end, judged(end, "model.jsonl"), "verify/mutation/model/mutants/main.py"))
    outcome.artefacts |= {"verdicts": "model.jsonl", "reach": "model-reach.json"}
    by_name = list(outcome.items.values())
    outcome.counts |= {verdict: by_name.count(verdict) for verdict in ("killed", "equivalent", "survived", "not viable")}
    return outcome


def rows(end: End) -> Outcome:
    """`requirements list`: rows of the documents by area, and those that are shown."""
    end.ended_with(0)
    found = re.findall(r"^(\S+)-\d+ +\w+ +(shown|missing|later) ", end.text, re.MULTILINE)
    if not found:
        raise NoOutcome("no row was printed")
    counts: dict[str, int] = {}
    for area, state in found:
        for name in ("rows", state):
            counts[f"{area} {name}"] = counts.get(f"{area} {name}", 0) + 1
    failures = [Failure("-", "row", area, state, f"rows of {area} are {state}", "cargo run -p requirements -- missing")
                for area, state in sorted(set(found)) if state != "shown"]
    return Outcome("fail" if failures else "pass", counts, failures=failures)


def toggles(end: End) -> Outcome:
    """`coverage toggles`: a line for each build, and one for each bit that never changes, or changes though it is claimed not to."""
    end.ended_with(0, 1)
    builds = re.findall(r"^\S+: (\d+) of (\d+) ways seen, (\d+) left to a longer wait, (\d+) out of reach$", end.text, re.MULTILINE)
    differs = re.search(rf"^{re.escape(end.item)}: (.+)$", end.text, re.MULTILINE)
    if end.code and not builds and differs:
        return Outcome("fail", failures=[Failure(end.item, "mismatch", "-", plain(differs[1]), differs[1], end.command)], artefacts={**SAID})
    if not builds:
        raise NoOutcome("no line of a build was printed")
    names = ("ways", "reachable ways", "ways left to a longer wait", "ways out of reach")
    counts = {name: sum(map(int, column)) for name, column in zip(names, zip(*builds))}
    failures = [Failure(end.item, "toggle", build, what, f"{build}: {what}", end.command)
                for build, what in re.findall(r"^  (\S+): (.*)$", end.text, re.MULTILINE)]
    if (end.code == 0) != (not failures):
        raise NoOutcome(f"exit code {end.code}, though {len(failures) or 'no'} bits are wrong")
    return Outcome("fail" if failures else "pass", counts, failures=failures, artefacts={**SAID})


def fuzz(end: End) -> Outcome:
    """libFuzzer: executions, and the input that breaks a promise."""
    executions = re.search(r"^stat::number_of_executed_units: *(\d+)", end.text, re.MULTILINE)
    found = sorted((end.scratch / "found").glob("*"))
    if end.code == 0 and found:
        raise NoOutcome(f"exit code 0, though libFuzzer kept {found[0].name}")
    if end.code == 0 and executions:
        return Outcome("pass", {"executions": int(executions[1])})
    if end.code <= 0 or not found:
        end.ended_with(0)
        raise NoOutcome("libFuzzer did not tell its executions")
    said = re.search(r"panicked at .*\n.*|^SUMMARY: .*|^==\d+== ERROR: .*", end.text, re.MULTILINE)
    headline = " ".join(said[0].split()) if said else f"exit code {end.code}"
    repeat = f"target/campaign-programs/fuzz-{end.item} INPUT"
    failure = Failure("-", "fuzz", end.item, plain(headline), f"{end.item}: {headline}", repeat)
    return Outcome("fail", failures=[failure], artefacts={"input": str(found[0].relative_to(end.scratch))})


def tests(end: End) -> Outcome:
    """A test program of Rust: tests and what failed."""
    end.ended_with(0, 101)
    found = re.search(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", end.text, re.MULTILINE)
    if not found:
        raise NoOutcome("no line of results")
    if int(found[1]) + int(found[2]) == 0:
        raise NoOutcome(f"no test was run, {found[3]} were ignored")
    failures = []
    for name in re.findall(r"^test (\S+) \.\.\. FAILED$", end.text, re.MULTILINE):
        said = re.search(rf"^{re.escape(name.rpartition('::')[2])}: (.*)$", end.text, re.MULTILINE)
        repeat = re.search(rf"repeat with: (.*--exact {re.escape(name)}\S*)", end.text)
        reason = said[1] if said else "failed"
        failures.append(Failure(name.partition("::")[0], "property", name, plain(reason), f"{name}: {reason}",
                                repeat[1] if repeat else end.command, end.capsule()))
    if end.code and not failures:
        # What the RTL prints can stand in the line of a test.
        failures.append(Failure(end.item, "property", "-", "failed", f"{found[2]} tests failed", end.command, end.capsule()))
    return Outcome("fail" if failures else "pass", {"tests": int(found[1]) + int(found[2])}, failures=failures)


def exit_code(end: End) -> Outcome:
    """Any program: 0 is a pass. A program that could not begin, or was stopped, says nothing."""
    if end.code < 0 or end.code in (126, 127, 130, 137, 143):
        end.ended_with(0)
    if end.code == 0:
        return Outcome("pass", artefacts={**SAID})
    last = (end.text.strip().splitlines() or ["nothing was printed"])[-1]
    return Outcome("fail", failures=[Failure("-", "command", end.job, f"exit code {end.code}", last[:300], end.command)])


def synthetic(end: End) -> Outcome:
    """The program of the tests: a line of JSON, an outcome."""
    end.ended_with(0)
    data = json.loads(end.text.strip().splitlines()[-1])
    return Outcome(data["verdict"], data["counts"], data.get("items", {}), [Failure(**one) for one in data.get("failures", [])],
                   data.get("artefacts", {}))


READERS: dict[str, Callable[[End], Outcome]] = {
    "soak": soak, "coverage": coverage, "small-world": small_world, "proofs": proofs, "rtl-mutants": rtl_mutants, "rtl-unit": rtl_unit,
    "model-mutants": model_mutants, "rows": rows, "toggles": toggles, "fuzz": fuzz, "tests": tests,
    "exit": exit_code, "synthetic": synthetic,
}
