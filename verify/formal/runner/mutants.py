# SPDX-License-Identifier: MIT OR Apache-2.0
"""Proofs against mutants of the RTL: does the proof of a family fail if the modules that it is about have a fault?

The mutants are those of verify/mutation/rtl: a sample of the class `fault` (a carry that is cut, a bit that is stuck, a register that
saturates early), or any that are named. A family takes the assertions of the RTL as proved; so a mutant with which it still
passes is given to `invariants` of the same build and straps too, which is what proves them.
"""

import collections
import csv
import dataclasses
import json
import os
import pathlib
import random
import subprocess
import threading

from .plan import ROOT, PlanError, choose
from .solve import WORK, Runner

PYTHON = ROOT / "target/tools/rtl-venv/bin/python"
PACKAGE = ROOT / "verify/mutation/rtl"


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A file of the RTL with a fault."""

    id: str
    about: str
    file: str
    text: str
    # Assertions of which one has to fail; none: of this mutant nothing is recorded.
    expected: tuple = ()


@dataclasses.dataclass
class Trial:
    """What one proof says of one mutant."""

    proof: str
    mutant: Mutant
    # killed; killed by invariants; still proven; undecided (out of time); error
    verdict: str
    labels: list
    seconds: float

    @property
    def as_recorded(self):
        """A mutant of proved.csv is killed by the proof that stands there, at one of the assertions that stand there."""
        expected = self.mutant.expected
        return not expected or (self.verdict == "killed" and any(label in expected for label in self.labels))


def _mutate(package, unit, *arguments):
    """Runs the program that makes mutants."""
    command = [PYTHON, "-m", "mutate", "--rtl", ROOT / "rtl", "--unit", unit, *arguments]
    environment = dict(os.environ, PYTHONPATH=str(package), PYTHONDONTWRITEBYTECODE="1")
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except OSError as error:
        raise PlanError(f"{PYTHON.relative_to(ROOT)} does not run: run tools/scripts/setup linters ({error})") from error
    if done.returncode != 0:
        raise PlanError(f"verify/mutation/rtl makes no mutants: {done.stderr.strip()[-400:]}")


def listed(unit, package=PACKAGE):
    """Every mutant of a unit, of both classes, by the list of verify/mutation/rtl."""
    WORK.mkdir(parents=True, exist_ok=True)
    out = WORK / f"mutants-{unit}.jsonl"
    _mutate(package, unit, "list", "--out", out)
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def _made(unit, entry, package):
    """The text of one mutant."""
    folder = WORK / "mutants" / unit / entry["id"]
    _mutate(package, unit, "one", "--id", entry["id"], "--out", folder)
    text = (folder / entry["file"]).read_text(encoding="utf-8")
    name = pathlib.Path(entry["file"]).name
    return Mutant(entry["id"], f"{entry['operator']} in {name}: {entry['before']}", name, text)


def sample(job, entries, number, seed):
    """Of the faults of the modules that a proof is about, `number` (0: all); the same for the same seed and the same list."""
    about = (entry for entry in entries if entry["class"] == "fault" and entry["module"] in job.modules)
    pool = sorted(about, key=lambda entry: entry["id"])
    if number == 0 or number >= len(pool):
        return pool
    return random.Random(f"{seed} {job.short}").sample(pool, number)


def named(entries, ids):
    """The mutants with these ids, of whatever module and class."""
    by_id = {entry["id"]: entry for entry in entries}
    unknown = [one for one in ids if one not in by_id]
    if unknown:
        raise PlanError(f"no mutant is called {', '.join(unknown)}: `python -m mutate --rtl rtl list` names them all")
    return [by_id[one] for one in dict.fromkeys(ids)]


def chosen(jobs, names):
    """The proofs to run: those with modules; where a name does not say build and straps, those that its unit has for mutants, or
    the first run of a proof that lacks these."""
    known = [job for job in jobs if job.modules and job.control is None]
    usual = {}
    for job in known:
        family = job.name.removesuffix(f"/{job.run}")
        if job.run == job.unit.mutants or family not in usual:
            usual[family] = job
    usual = list(usual.values())
    found = usual if not names else []
    for name in names:
        match = choose(usual, [name], False, False, strict=False) or choose(known, [name], False, False, strict=False)
        if not match:
            raise PlanError(f"no proof with `modules` is called {name}")
        found += [job for job in match if job not in found]
    return found


def trials(jobs, every, ids, number, seed, package=PACKAGE):
    """The jobs of a call: for each proof the mutants `ids`, or a sample if there are none, and `invariants` of the same build and
    straps with the same mutant."""
    entries = {unit: listed(unit, package) for unit in dict.fromkeys(job.unit.name for job in jobs)}
    by_name = {job.name: job for job in every}
    made = {}
    for job in jobs:
        unit = job.unit.name
        for entry in named(entries[unit], ids) if ids else sample(job, entries[unit], number, seed):
            if entry["id"] not in made:
                made[entry["id"]] = _made(unit, entry, package)
            mutant = made[entry["id"]]
            beneath = by_name[f"{unit}/invariants/{job.run}"] if job.lemmas == "assume" else None
            yield _with(job, mutant), _with(beneath, mutant) if beneath else None


def recorded(jobs, every, package=PACKAGE):
    """The jobs for what proved.csv of each unit lists: a mutant, the proof that fails with it, and the assertions."""
    by_name = {job.name: job for job in every}
    for unit in dict.fromkeys(job.unit.name for job in jobs):
        path = pathlib.Path(package) / unit / "proved.csv"
        if not path.is_file():
            continue
        with open(path, encoding="utf-8", newline="") as rows:
            rows = list(csv.DictReader(rows))
        entries = listed(unit, package) if rows else []
        for row, entry in zip(rows, named(entries, [row["id"] for row in rows]), strict=True):
            job = by_name.get(f"{unit}/{row['proof']}")
            if job is None:
                raise PlanError(f"{path}: there is no proof {row['proof']}")
            if job in jobs:
                yield _with(job, dataclasses.replace(_made(unit, entry, package), expected=tuple(row["assertions"].split(";")))), None


def _with(job, mutant):
    return dataclasses.replace(job, name=f"{job.name}@{mutant.id}", about=mutant.about, mutant=mutant)


class Hunter(Runner):
    """Runs a proof with a mutant, and `invariants` with it if the proof still passes."""

    def __init__(self, limit, resume=False):
        super().__init__(limit, resume)
        # Results of `invariants`: several families may meet the same mutant.
        self.known, self.locks = {}, collections.defaultdict(threading.Lock)

    def one(self, pair):
        job, beneath = pair
        result = super().one(job)
        if result.verdict != "PASS" or beneath is None or self.stopped:
            return judge(result, None)
        with self.locks[beneath.name]:
            if beneath.name not in self.known:
                self.known[beneath.name] = super().one(beneath)
        return judge(result, self.known[beneath.name])


def judge(result, beneath):
    """A verdict from the result of a family and of `invariants`, which is None if it was not asked."""
    job, last = result.job, beneath or result
    labels = sorted({name.rsplit(".", 1)[-1] for name in last.failed if not name.startswith("ERROR")})
    seconds = result.seconds + (beneath.seconds if beneath else 0)
    verdict = {"PASS": "still proven", "TIMEOUT": "undecided", "ERROR": "error"}.get(last.verdict, "killed")
    if verdict == "killed" and beneath:
        verdict = "killed by invariants"
    return Trial(job.name.split("@")[0], job.mutant, verdict, labels if verdict.startswith("killed") else [], seconds)


def line(trial, done, total):
    """Progress: one line for each mutant."""
    at = f" at {', '.join(trial.labels)}" if trial.labels else ""
    recorded = "" if trial.as_recorded else f", recorded: killed at {' or '.join(trial.mutant.expected)}"
    return f"[{done:>3}/{total}] {trial.proof:<28} {trial.mutant.id:<18} {trial.seconds:>4.0f} s  {trial.verdict}{at}{recorded}"


def table(done):
    """A row for each proof, in Markdown."""
    rows = ["| proof | tried | killed | by `invariants` | still proven | undecided | labels |", "|---|---|---|---|---|---|---|"]
    for proof in dict.fromkeys(trial.proof for trial in done):
        mine = [trial for trial in done if trial.proof == proof]
        count = collections.Counter(trial.verdict for trial in mine)
        labels = collections.Counter(label for trial in mine for label in trial.labels if trial.verdict == "killed")
        named = ", ".join(f"`{label}`" for label in sorted(labels)) or "-"
        cells = [len(mine), count["killed"], count["killed by invariants"], count["still proven"],
                 count["undecided"] + count["error"], named]
        rows.append(f"| `{proof}` | " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(rows)


def save(done):
    """Writes mutants.json and mutants.md into target/formal."""
    data = [
        {"proof": trial.proof, "mutant": trial.mutant.id, "about": trial.mutant.about, "verdict": trial.verdict,
         "labels": trial.labels, "seconds": round(trial.seconds, 1)}
        for trial in done
    ]
    (WORK / "mutants.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    (WORK / "mutants.md").write_text(table(done) + "\n", encoding="utf-8")
