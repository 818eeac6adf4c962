"""Proves mutants equivalent: in no run from reset, whatever the inputs and for all legal straps, does anything that is seen of the unit
differ: outputs or registers.

Registers are equal after reset; the words of a memory, which have no reset, hold the same anything in both. So it is enough that no mutant differs in the first cycle of all in which it could: the state is one that
the RTL itself reaches. Of such a state it is known that all assertions and lemmas hold in it and in the states before it. A SAT solver
looks for the last of CYCLES cycles in a row, all of them with that property, in which something differs, and then for one of the first
cycles after reset. Both in each build that unit.toml names (`proven`, else `builds`).

Where `proven` has smaller builds than the tests use, a mutant may be absent from them: a bit or an element that only a larger build has. That
is no proof. A mutant whose logic is the RTL's in every build of the proofs counts only if it is so in every tested build too."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from . import invariants, netlist
from .checked import Checked, alone
from .entry import entries
from .hunt import Hunt
from .limit import limited
from .unrolled import Unrolled

METHOD = "cycles"
# States that are no more than allowed by the invariants, and yet are not reached, do not come after two others.
CYCLES = 3
# Nodes behind a mutant that are asked for one by one if the time is too short for one question about all: a change may show no
# further than a few nodes.
MERGED = 400


def named(build):
    """The values of its parameters."""
    return "x".join(str(size) for size in build)


class Prover:
    """Runs Yosys in folders below `work`, which is its own as long as the process lives."""

    def __init__(self, source, yosys, seconds, jobs, build=None, trust=False, hunt=0, work=None):
        self.source, self.yosys, self.seconds, self.jobs, self.trust = source, yosys, seconds, jobs, trust
        self.hunt = hunt
        self.builds = [one for one in source.proven if build in (None, named(one))]
        if not self.builds:
            raise SystemExit(f"mutate: no build is called {build}; there are: {', '.join(map(named, source.proven))}")
        # Only what holds in every build, and rests on nothing unchecked, is a proof.
        self.complete = self.builds == source.proven and not trust
        self.work = Path(work or Path("target/mutants") / source.unit / "proofs")
        self._lock = alone(self.work)

    def prove(self, mutants, told):
        """Calls `told` with each mutant, what it is (`equal`, `different`, `open`), why and the seconds, as soon as that is known."""
        spent, rest, present = dict.fromkeys((mutant.id for mutant in mutants), 0.0), mutants, set()
        tested = [build for build in self.source.builds if build not in self.source.proven] if self.complete else []
        for build in self.builds:
            last, left = build == self.builds[-1], []
            if not rest:
                return
            for mutant, (verdict, why, another, seconds) in self._build(build, rest):
                spent[mutant.id] += seconds
                present |= {mutant.id} if another else set()
                if verdict == "equal" and (not last or (tested and mutant.id not in present)):
                    left.append(mutant)
                else:
                    told(mutant, verdict, why, spent[mutant.id])
            rest = left
        missed = self._absent(tested, rest)
        for mutant in rest:
            where = missed.get(mutant.id)
            why = f"absent from the builds of the proofs, but not from {where}" if where else ""
            told(mutant, "open" if where else "equal", why, spent[mutant.id])

    def _absent(self, tested, mutants):
        """Those of the mutants whose logic is another than the RTL's in a tested build: ids, each with the first such build."""
        found = {}
        for build in tested:
            rest = [mutant for mutant in mutants if mutant.id not in found]
            if not rest:
                break
            unit, others = self._read(build, rest, "bare", bare=True)
            cycle = netlist.Alike(unit)
            found |= {mutant.id: named(build) for mutant in rest if cycle.another(mutant.number, others(mutant))}
        return found

    def _read(self, build, mutants, name, bare=False):
        """The netlist of these mutants, and a function that reads the one of a mutant of a package: what a package holds is changed in
        place, so each such mutant is read by itself."""
        folder = self.work / named(build)
        inside = [mutant for mutant in mutants if not mutant.module.endswith("_pkg")]
        unit = netlist.read(self.source, inside, build, folder / name, self.yosys, bare)

        def other(mutant):
            return None if mutant in inside else netlist.read(self.source, [mutant], build, folder / mutant.id, self.yosys, bare)

        return unit, other

    def _build(self, build, mutants):
        """Mutants and answers for one build."""
        unit, others = self._read(build, mutants, "unit")
        self._check(unit, build)
        runs = Hunt(unit, self.hunt, self.source.inputs(build), self.source.hunt) if self.hunt else None
        cycles = Unrolled(unit, CYCLES - 1)
        cycles.assume_invariants(range(CYCLES))
        # States that come so early that there are no CYCLES cycles.
        early = [Unrolled(unit, last, reset=True) for last in range(CYCLES - 1)]
        for question in (cycles, *early):
            if not question.satisfiable():
                raise SystemExit(f"mutate: no proof is possible: no run of the build {named(build)} keeps what is assumed, so everything holds in it")

        def ask(mutant):
            began = time.monotonic()
            other = others(mutant)
            question = partial(_ask, [cycles, *early], mutant.number, other)
            answer = limited(question, self.seconds) or limited(partial(question, merged=MERGED), self.seconds)
            verdict, why, another = answer[0] if answer else ("open", f"{self.seconds} s of processor time are too short", True)
            if runs and not other and verdict != "equal":
                run = limited(partial(runs.find, mutant.number), self.seconds)
                why += "; " + ((run[0] or f"no run of {self.hunt} cycles from reset shows it") if run else "the hunt takes too long")
            return verdict, why, another, time.monotonic() - began

        with ThreadPoolExecutor(self.jobs) as pool:
            yield from zip(mutants, pool.map(ask, mutants))

    def _check(self, unit, build):
        """Once for the same sources and tools, whatever the comments say."""
        mark = Checked(self.work, self.source, build)
        if self.trust or mark.holds():
            return
        print(f"the invariants of the build {named(build)}: a few minutes, once", flush=True)
        wrong = invariants.check(unit)
        if wrong:
            raise SystemExit(f"mutate: no proof is possible: {wrong}")
        mark.set()


def _ask(questions, number, other, merged=0):
    """What the mutant is, why, and whether its logic is another than the RTL's: if not, this build does not have it."""
    another = _another(questions[0], number, other)
    for cycles in questions:
        found = _found(cycles, number, other, merged)
        if found:
            return "different", ", ".join(_short(found)), another
    return "equal", "", another


def _another(cycles, number, other):
    """Whether anything that is seen of the mutant is other logic than the RTL's in the last of these cycles."""
    return bool(cycles.differs(_placed(cycles, number, other)))


def _placed(cycles, number, other):
    return cycles.mutant(number, [cycles.graph.free() for _ in other.undefined], other) if other else cycles.mutant(number)


def _found(cycles, number, other, merged):
    """Names of what differs in the last of these cycles, or None; behind the mutant so many nodes are asked for first."""
    mutant = _placed(cycles, number, other)
    if not other:
        # Most that are equivalent are so because the change itself never shows; that is a small question.
        begin = entries(cycles.netlist.circuit, cycles.rtl[-1].nodes, mutant.nodes)
        if begin is not None and not cycles.possible([("", a, b) for a, b in begin]):
            return None
        if merged:
            cycles.merge(mutant, merged)
    return cycles.possible(cycles.differs(mutant))


def _short(names):
    """Registers and outputs, without the way there."""
    bare = [re.sub(r"^(next|reset)\.", "", name) for name in names]
    short = sorted({name.rsplit(".u_", 1)[-1] for name in bare})
    return short[:3] + (["..."] if len(short) > 3 else [])
