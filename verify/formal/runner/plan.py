# SPDX-License-Identifier: MIT OR Apache-2.0
"""The plan: proofs.toml read and checked, and the jobs that a call asks for."""

import dataclasses
import pathlib
import tomllib

FORMAL = pathlib.Path(__file__).resolve().parent.parent
ROOT = FORMAL.parent.parent
KINDS = {"prove", "bmc", "cover"}
LEMMAS = {"prove", "assume", "none"}


class PlanError(Exception):
    """Something in proofs.toml, or in what was asked for, is wrong."""


@dataclasses.dataclass(frozen=True)
class Control:
    """A seeded bug: one line of one file of the RTL."""

    about: str
    file: str
    find: str
    replace: str
    # Of the assertions that fail, one whose name contains one of these.
    expect: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Job:
    """One run of the solver."""

    name: str
    about: str
    kind: str
    depth: int
    skip: int
    lemmas: str
    top: str
    families: tuple
    defines: tuple
    quick: bool
    # The two runs of its top share their registers (join.py).
    join: bool = False
    control: Control | None = None
    # Names of assertions of the RTL that are not taken as proved: the family says it itself.
    without: tuple = ()
    # Modules whose mutants the proof is tried against, and the mutant of this job (mutants.py).
    modules: tuple = ()
    mutant: object = None
    # Instead of the unit, anything that its assertions allow; each assertion has to fail alone (alone.py).
    alone: bool = False
    # Those that cannot, because the unit's own assertions say the same.
    restated: tuple = ()

    @property
    def rewritten(self):
        """Whether the flat module is changed before sby reads it."""
        return self.join or self.alone

    @property
    def folder(self):
        return self.name.replace("/", "-").replace("#", "-control-").replace("@", "-mutant-")

    @property
    def bound(self):
        """What the verdict holds for."""
        return {"prove": "none", "bmc": f"{self.depth} cycles", "cover": f"{self.depth} cycles"}[self.kind]


def load(path=FORMAL / "proofs.toml"):
    """Every job of the plan, proofs first, then controls."""
    try:
        plan = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise PlanError(f"{path}: {error}") from error
    try:
        jobs = [job for proof in plan["proof"] for job in _jobs(plan, proof)]
        by_name = {job.name: job for job in jobs}
        if len(by_name) != len(jobs):
            raise PlanError(f"{path}: two proofs have the same name")
        for job in jobs:
            beneath = f"invariants/{job.name.split('/', 1)[1]}"
            if job.lemmas == "assume" and beneath not in by_name:
                raise PlanError(f"{path}: {job.name} takes lemmas as proved, but there is no {beneath}")
        return jobs + _controls(plan, by_name)
    except KeyError as error:
        raise PlanError(f"{path}: there is no {error}") from error


def _jobs(plan, proof):
    if proof["kind"] not in KINDS or proof["lemmas"] not in LEMMAS:
        raise PlanError(f"{proof['name']}: kind is one of {sorted(KINDS)}, lemmas one of {sorted(LEMMAS)}")
    unknown = set(proof.get("quick", [])) - set(proof["runs"])
    if unknown:
        raise PlanError(f"{proof['name']}: {sorted(unknown)} are quick but not among its runs")
    for run in proof["runs"]:
        build, straps = run.split("/")
        sizes = plan["builds"][build]
        families = tuple(proof.get("family", []))
        defines = [
            f"FORMAL_LANES={sizes['lanes']}",
            f"FORMAL_SLOTS={sizes['slots']}",
            f"FORMAL_LATENCY_BITS={sizes['latency_bits']}",
            f"FORMAL_CORE={int(proof.get('core', False))}",
            f"FORMAL_FAIR={int(proof.get('fair', False))}",
            *plan["straps"][straps],
            *(f"FORMAL_{family.upper()}" for family in families),
            *proof.get("defines", []),
        ]
        yield Job(
            name=f"{proof['name']}/{run}",
            about=proof["about"],
            kind=proof["kind"],
            depth=proof["depth"],
            skip=proof.get("skip", 0),
            lemmas=proof["lemmas"],
            top=proof.get("top", "formal_top"),
            families=families,
            defines=tuple(defines),
            quick=run in proof.get("quick", []),
            join=proof.get("join", False),
            without=tuple(proof.get("without", [])),
            alone=proof.get("alone", False),
            restated=tuple(proof.get("restated", [])),
            modules=tuple(proof.get("modules", [])),
        )


def _controls(plan, by_name):
    jobs, number = [], {}
    for entry in plan["control"]:
        proof = by_name[entry["proof"]]
        number[proof.name] = number.get(proof.name, 0) + 1
        expect = (entry["expect"],) if isinstance(entry["expect"], str) else tuple(entry["expect"])
        control = Control(entry["about"], entry["file"], entry["find"], entry["replace"], expect)
        jobs.append(
            dataclasses.replace(
                proof,
                name=f"{proof.name}#{number[proof.name]}", about=entry["about"],
                control=control,
                quick=entry.get("quick", False),
                kind=entry.get("kind", proof.kind),
                depth=entry.get("depth", proof.depth),
                skip=entry.get("skip", proof.skip),
                lemmas=entry.get("lemmas", proof.lemmas),
                join=entry.get("join", proof.join),
                defines=proof.defines + tuple(entry.get("defines", [])),
            )
        )
    return jobs


def choose(jobs, names, quick, controls):
    """The jobs that a call asks for: by name or the beginning of one, all if none is given."""
    pool = [job for job in jobs if job.control or not controls]
    if quick:
        pool = [job for job in pool if job.quick]
    if not names:
        return pool
    chosen = []
    for name in names:
        found = [job for job in pool if job.name == name or job.name.startswith((f"{name}/", f"{name}#"))]
        if not found:
            known = sorted({job.name.split("/")[0] for job in pool})
            raise PlanError(f"no proof is called {name}; there are: {', '.join(known)}")
        chosen += [job for job in found if job not in chosen]
    return chosen
