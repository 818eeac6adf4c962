"""Proves mutants equivalent: in no run from reset, whatever the inputs and for all legal straps, does anything that is seen of the unit
differ: outputs or registers.

Registers are equal after reset; the words of a memory, which have no reset, hold the same anything in both. So it is enough that no mutant differs in the first cycle of all in which it could: the state is one that
the RTL itself reaches. Of such a state it is known that all assertions and lemmas hold in it and in the states before it. A SAT solver
looks for the last of CYCLES cycles in a row, all of them with that property, in which something differs, and then for one of the first
cycles after reset. Both in each build that unit.toml names (`proven`, else `builds`)."""

import hashlib
import re
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from . import invariants, netlist
from .entry import entries
from .hunt import Hunt
from .limit import limited
from .source import code
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
    """Runs Yosys in folders below `work`, which has to lie below the folder that it is started in: it sees no others."""

    def __init__(self, source, yosys, seconds, jobs, build=None, trust=False, hunt=0):
        self.source, self.yosys, self.seconds, self.jobs, self.trust = source, yosys, seconds, jobs, trust
        self.hunt = hunt
        self.work = Path("target/mutants") / source.unit / "proofs"
        self.builds = [one for one in source.proven if build in (None, named(one))]
        if not self.builds:
            raise SystemExit(f"mutate: no build is called {build}; there are: {', '.join(map(named, source.proven))}")
        # Only what holds in every build, and rests on nothing unchecked, is a proof.
        self.complete = self.builds == source.proven and not trust

    def prove(self, mutants, told):
        """Calls `told` with each mutant, what it is (`equal`, `different`, `open`), why and the seconds, as soon as that is known."""
        spent, rest = dict.fromkeys((mutant.id for mutant in mutants), 0.0), mutants
        for build in self.builds:
            last, left = build == self.builds[-1], []
            if not rest:
                return
            for mutant, (verdict, why, seconds) in self._build(build, rest):
                spent[mutant.id] += seconds
                if verdict == "equal" and not last:
                    left.append(mutant)
                else:
                    told(mutant, verdict, why, spent[mutant.id])
            rest = left

    def _build(self, build, mutants):
        """Mutants and answers for one build."""
        folder = self.work / named(build)
        # What a package holds is changed in place: each such mutant is read by itself.
        alone = [mutant for mutant in mutants if mutant.module.endswith("_pkg")]
        unit = netlist.read(self.source, [m for m in mutants if m not in alone], build, folder / "unit", self.yosys)
        self._check(unit, build)
        runs = Hunt(unit, self.hunt, self.source.inputs(build), self.source.hunt) if self.hunt else None
        cycles = Unrolled(unit, CYCLES - 1)
        cycles.assume_invariants(range(CYCLES))
        # States that come so early that there are no CYCLES cycles.
        early = [Unrolled(unit, last, reset=True) for last in range(CYCLES - 1)]

        def ask(mutant):
            began = time.monotonic()
            other = netlist.read(self.source, [mutant], build, folder / mutant.id, self.yosys) if mutant in alone else None
            question = partial(_ask, [cycles, *early], mutant.number, other)
            answer = limited(question, self.seconds) or limited(partial(question, merged=MERGED), self.seconds)
            verdict, why = answer[0] if answer else ("open", f"{self.seconds} s of processor time are too short")
            if runs and not other and verdict != "equal":
                run = limited(partial(runs.find, mutant.number), self.seconds)
                why += "; " + ((run[0] or f"no run of {self.hunt} cycles from reset shows it") if run else "the hunt takes too long")
            return verdict, why, time.monotonic() - began

        with ThreadPoolExecutor(self.jobs) as pool:
            yield from zip(mutants, pool.map(ask, mutants))

    def _check(self, unit, build):
        """Once for the same sources, whatever their comments say."""
        formal = sorted((self.source.rtl.parent / "verify/formal" / self.source.unit / "sv").glob("*.sv"))
        texts = [*map(code, self.source.texts.values()), *(code(path.read_text()) for path in formal), str(build), *self.source.without]
        mark = self.work / f"invariants-{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:16]}"
        if self.trust or mark.exists():
            return
        print(f"the invariants of the build {named(build)}: a few minutes, once", flush=True)
        wrong = invariants.check(unit)
        if wrong:
            raise SystemExit(f"mutate: no proof is possible: {wrong}")
        mark.touch()


def _ask(questions, number, other, merged=0):
    for cycles in questions:
        found = _found(cycles, number, other, merged)
        if found:
            return "different", ", ".join(_short(found))
    return "equal", ""


def _found(cycles, number, other, merged):
    """Names of what differs in the last of these cycles, or None; behind the mutant so many nodes are asked for first."""
    if other:
        mutant = cycles.mutant(number, [cycles.graph.free() for _ in other.undefined], other)
    else:
        mutant = cycles.mutant(number)
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
