# SPDX-License-Identifier: MIT OR Apache-2.0
"""The plan: proofs.toml of every unit read and checked, and the jobs that a call asks for.

Each folder of verify/formal with a proofs.toml is a unit, whose RTL is rtl/UNIT. Its keys:

sources   files of UNIT/sv that every proof reads after the RTL, in this order
switches  keys of a proof that its sources see as a macro, 0 or 1
mutants   BUILD/STRAPS with which `verify/formal/prove --mutants` tries a proof
join      apart: registers of the second run that stay its own (join.py)
alone     file: the top whose stages are taken away; decided: its outputs that no register drives; wires: those between stages
          that assertions see (alone.py)
builds    sizes of a build; each is the macro FORMAL_SIZE
straps    macros of a choice of straps

and for each proof, which runs once for each of its `runs`:

kind      prove: k-induction with k = depth, so without a bound; bmc: all runs of `depth` cycles from reset;
          cover: every cover statement is reached within `depth` cycles, of which the first `skip` are not looked at
lemmas    prove: the assertions of the RTL and formal_lemmas are part of what is proved; assume: they are taken as
          proved by `invariants` of the same build and straps; none: not used
without   names of the RTL's assertions that are not taken as proved, because the family claims the same or more, or another
          proof does
shows     with lemmas = "assume": assertions of the RTL that this proof shows and does not take as proved
join      the two runs of the top share their registers; "later": that both would take the same is asserted in the next cycle
apart     with join: more registers of the second run that stay its own in this proof
family    files props/formal_FAMILY.sv, instantiated by formal_top; `top` names another top instead
cases     of a run: `wire` of the flat module, which the solver chooses once, and how many `values` it has; the run is a proof for each value,
          one after the other, and passes if all do
split     of its runs, those that are shown in parts, one after the other; it passes if all do. Of each `[[proof.part]]`: `show`, the assertions,
          patterns of names in which `*` is anything and `{}` a number, of which each value is a part of its own; `take`: of the others,
          the lemmas and what the family assumes, those that are taken, all if it is not there; `solver`: anew, it gets each question
          anew, which it simplifies then, instead of adding to the one before; mcsat, the same by Yices' other procedure. What no part
          shows is the first one (parts.py)
alone     the unit is taken away, and each assertion of a family has to fail while its neighbours hold; each family is a job
          NAME-FAMILY of its own: of all their covers at once the solver does not come to an end
restated  of alone: the assertions that cannot
modules   those of the RTL that it is about: with their mutants `verify/formal/prove --mutants` tries it
quick     of its runs, those of `make formal ARGS=--quick`

and for each seeded bug (`control`), one line of RTL that makes a proof fail: `proof`, without the unit, or a list of them, of which
`quick` means the first; `file`; `find`, which stands once in the file, and `replace`; `expect`: it, or one of them, is the label of an
assertion that fails, as the solver shows one state, in which not all do. A bug that the RTL's own assertions exclude is one of
`invariants`: a family takes those as proved.
"""

import dataclasses
import pathlib
import tomllib

FORMAL = pathlib.Path(__file__).resolve().parent.parent
ROOT = FORMAL.parent.parent
KINDS = {"prove", "bmc", "cover"}
LEMMAS = {"prove", "assume", "none"}


# The keys of a proof, next to the switches of its unit, of one of its parts, and of a seeded bug.
PROOF = set("name about kind depth skip lemmas without shows join apart family top cases split part alone restated modules quick runs defines".split())
PART = {"show", "take", "solver"}
CONTROL = set("proof about file find replace expect quick kind depth skip lemmas join defines".split())


class PlanError(Exception):
    """Something in proofs.toml, or in what was asked for, is wrong."""


@dataclasses.dataclass(frozen=True)
class Unit:
    """What the proofs of a unit share."""

    name: str
    sources: tuple
    switches: tuple
    mutants: str
    # Registers of a second run that are not joined (join.py).
    apart: tuple
    # The file whose stages are taken away, the outputs that no register drives, and the wires between stages (alone.py).
    top: str
    decided: tuple
    wires: tuple

    @property
    def folder(self):
        return FORMAL / self.name


@dataclasses.dataclass(frozen=True)
class Control:
    """A seeded bug: one line of one file of the RTL."""

    about: str
    file: str
    find: str
    replace: str
    # Of the assertions that fail, one with one of these labels.
    expect: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Part:
    """Assertions that are shown together, and those of the others that are taken; None: all. `solver`: one of parts.SOLVERS."""

    show: tuple[str, ...]
    take: tuple[str, ...] | None
    solver: str


@dataclasses.dataclass(frozen=True)
class Job:
    """One run of the solver."""

    unit: Unit
    # UNIT/NAME/BUILD/STRAPS.
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
    join: bool | str = False
    # Registers of its second run that are not joined, those of the unit among them.
    apart: tuple = ()
    control: Control | None = None
    # Names of assertions of the RTL that are not taken as proved: the family says it itself.
    without: tuple = ()
    # Names of assertions of the RTL that are shown here.
    shows: tuple = ()
    # Modules whose mutants the proof is tried against, and the mutant of this job (mutants.py).
    modules: tuple = ()
    mutant: object = None
    # Instead of the unit, anything that its assertions allow; each assertion has to fail alone (alone.py).
    alone: bool = False
    # Those that cannot, because the unit's own assertions say the same.
    restated: tuple = ()
    # A wire that the solver chooses once, and how many values it has: each is a proof of its own.
    cases: tuple[str, int] | None = None
    # Parts in which its assertions are shown.
    parts: tuple[Part, ...] = ()

    @property
    def rewritten(self):
        """Whether the flat module is changed before sby reads it."""
        return self.join or self.alone

    @property
    def flattened(self):
        """Whether Yosys writes the flat module for sby to read."""
        return self.rewritten or self.cases or self.parts

    @property
    def short(self):
        """The name without the unit."""
        return self.name.split("/", 1)[1]

    @property
    def run(self):
        """Build and straps."""
        return self.name.split("/", 2)[2]

    @property
    def folder(self):
        return self.name.replace("/", "-").replace("#", "-control-").replace("@", "-mutant-")

    @property
    def bound(self):
        """What the verdict holds for."""
        return {"prove": "none", "bmc": f"{self.depth} cycles", "cover": f"{self.depth} cycles"}[self.kind]


def units():
    """Names of the units that have proofs."""
    return sorted(path.parent.name for path in FORMAL.glob("*/proofs.toml"))


def load(names=()):
    """Every job of these units, of all if none is named: of each the proofs first, then the controls."""
    known = units()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise PlanError(f"no unit {', '.join(unknown)} has proofs; there are: {', '.join(known)}")
    return [job for name in (names or known) for job in _load(FORMAL / name / "proofs.toml")]


def _load(path):
    try:
        plan = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise PlanError(f"{path}: {error}") from error
    try:
        unit = _unit(plan, path.parent.name)
        for proof in plan["proof"]:
            _known(path, proof, PROOF | set(unit.switches))
            for part in proof.get("part", []):
                _known(path, part, PART)
        for control in plan.get("control", []):
            _known(path, control, CONTROL)
        jobs = [job for proof in plan["proof"] for job in _jobs(plan, unit, proof)]
        by_name = {job.name: job for job in jobs}
        if len(by_name) != len(jobs):
            raise PlanError(f"{path}: two proofs have the same name")
        for job in jobs:
            beneath = f"{unit.name}/invariants/{job.run}"
            if job.lemmas == "assume" and beneath not in by_name:
                raise PlanError(f"{path}: {job.name} takes lemmas as proved, but there is no {beneath}")
        return jobs + _controls(plan, unit, by_name)
    except KeyError as error:
        raise PlanError(f"{path}: there is no {error}") from error


def _known(path, table, keys):
    """Refuses a key that nothing reads: what it says would not be done."""
    if unknown := set(table) - keys:
        raise PlanError(f"{path}: {table.get('name', table.get('proof', 'a part'))} has the key {', '.join(sorted(unknown))}; there are: {', '.join(sorted(keys))}")


def _unit(plan, name):
    alone = plan.get("alone", {})
    return Unit(
        name=name,
        sources=tuple(plan["sources"]),
        switches=tuple(plan.get("switches", [])),
        mutants=plan["mutants"],
        apart=tuple(plan.get("join", {}).get("apart", [])),
        top=alone.get("file", ""),
        decided=tuple(alone.get("decided", [])),
        wires=tuple(alone.get("wires", [])),
    )


def _jobs(plan, unit, proof):
    if proof["kind"] not in KINDS or proof["lemmas"] not in LEMMAS:
        raise PlanError(f"{unit.name}/{proof['name']}: kind is one of {sorted(KINDS)}, lemmas one of {sorted(LEMMAS)}")
    unknown = set(proof.get("quick", [])) - set(proof["runs"])
    if unknown:
        raise PlanError(f"{unit.name}/{proof['name']}: {sorted(unknown)} are quick but not among its runs")
    unknown = set(proof.get("cases", {})) - set(proof["runs"])
    if unknown:
        raise PlanError(f"{unit.name}/{proof['name']}: {sorted(unknown)} have cases but are not among its runs")
    unknown = set(proof.get("split", [])) - set(proof["runs"])
    if unknown:
        raise PlanError(f"{unit.name}/{proof['name']}: {sorted(unknown)} are split but not among its runs")
    if ("split" in proof) != ("part" in proof):
        raise PlanError(f"{unit.name}/{proof['name']}: split and [[proof.part]] go together")
    if "split" in proof and (proof["kind"] != "prove" or not {"join", "alone", "cases"}.isdisjoint(proof)):
        raise PlanError(f"{unit.name}/{proof['name']}: what is split is of kind prove, and has no join, alone or cases")
    if proof.get("skip", 0) and proof["kind"] != "cover":
        raise PlanError(f"{unit.name}/{proof['name']}: skip is of covers: what is skipped would not be looked at")
    families = tuple(proof.get("family", []))
    strange = [name for name in proof.get("restated", []) if not name.startswith(tuple(f"u_{one}." for one in families))]
    if strange:
        raise PlanError(f"{unit.name}/{proof['name']}: {strange} are restated, but of no family of it")
    for run in proof["runs"]:
        if proof.get("alone", False):
            yield from (_job(plan, unit, proof, f"{proof['name']}-{family}/{run}", (family,)) for family in families)
        else:
            yield _job(plan, unit, proof, f"{proof['name']}/{run}", families)


def _job(plan, unit, proof, short, families):
    """One run of a proof with the properties of these families."""
    run = short.split("/", 1)[1]
    build, straps = run.split("/")
    if proof.get("join", False) not in (False, True, "later"):
        raise PlanError(f"{short}: join is true, false or \"later\", not {proof['join']!r}")
    if proof.get("join") == "later" and proof["depth"] != 1:
        # With more cycles the step would take as the same what it has to show.
        raise PlanError(f"{short}: what is joined later has a step of one cycle: depth = 1")
    mine = tuple(f"u_{family}." for family in families)
    defines = [
        *(f"FORMAL_{size.upper()}={value}" for size, value in plan["builds"][build].items()),
        *(f"FORMAL_{switch.upper()}={int(proof.get(switch, False))}" for switch in unit.switches),
        *plan["straps"][straps],
        *(f"FORMAL_{family.upper()}" for family in families),
        *proof.get("defines", []),
    ]
    return Job(
        unit=unit,
        name=f"{unit.name}/{short}",
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
        apart=unit.apart + tuple(proof.get("apart", [])),
        without=tuple(proof.get("without", [])),
        shows=tuple(proof.get("shows", [])),
        alone=proof.get("alone", False),
        restated=tuple(name for name in proof.get("restated", []) if name.startswith(mine)),
        modules=tuple(proof.get("modules", [])),
        cases=_cases(proof.get("cases", {}).get(run)),
        parts=_parts(proof) if run in proof.get("split", []) else (),
    )


def _cases(case):
    """The wire of a run's cases, and how many there are: all values of its bits."""
    if case and case["values"].bit_count() != 1:
        raise PlanError(f"{case['wire']}: a wire has not {case['values']} values, but a power of two")
    return (case["wire"], case["values"]) if case else None


def _parts(proof):
    """The parts of a proof."""
    return tuple(Part(tuple(part["show"]), tuple(part["take"]) if "take" in part else None, part.get("solver", "")) for part in proof["part"])


def _listed(value):
    """One or several."""
    return [value] if isinstance(value, str) else value


def _controls(plan, unit, by_name):
    jobs, number = [], {}
    entries = [(entry, at, name) for entry in plan.get("control", []) for at, name in enumerate(_listed(entry["proof"]))]
    for entry, at, name in entries:
        proof = by_name[f"{unit.name}/{name}"]
        number[proof.name] = number.get(proof.name, 0) + 1
        control = Control(entry["about"], entry["file"], entry["find"], entry["replace"], tuple(_listed(entry["expect"])))
        jobs.append(
            dataclasses.replace(
                proof,
                name=f"{proof.name}#{number[proof.name]}", about=entry["about"],
                control=control,
                quick=entry.get("quick", False) and at == 0,
                kind=entry.get("kind", proof.kind),
                depth=entry.get("depth", proof.depth),
                skip=entry.get("skip", proof.skip),
                lemmas=entry.get("lemmas", proof.lemmas),
                join=entry.get("join", proof.join),
                defines=proof.defines + tuple(entry.get("defines", [])),
            )
        )
    return jobs


def choose(jobs, names, quick, controls, strict=True):
    """The jobs that a call asks for: by name or the beginning of one, with or without its unit; all if none is given.
    Strict: a name that no job has is an error."""
    pool = [job for job in jobs if job.control or not controls]
    if quick:
        pool = [job for job in pool if job.quick]
    if not names:
        return pool
    chosen = []
    for name in names:
        found = [job for job in pool if any(_begins(whole, name) for whole in (job.name, job.short))]
        if not found and strict:
            known = sorted({"/".join(job.name.split("/")[:2]) for job in pool})
            raise PlanError(f"no proof is called {name}; there are: {', '.join(known)}")
        chosen += [job for job in found if job not in chosen]
    return chosen


def _begins(whole, name):
    return whole == name or whole.startswith((f"{name}/", f"{name}-", f"{name}#"))
