"""What a proof about mutants builds on, checked for each build before it is used."""

from .unrolled import Unrolled


def check(netlist):
    """What is wrong, in words; empty if nothing is. Some straps are legal. The assertions are invariants: they hold in the state of reset,
    which is thus one that satisfies them, and if they hold in a cycle, they hold in the next. Nothing that is seen depends on what the RTL leaves undefined."""
    first = Unrolled(netlist, 0, reset=True)
    if not first.satisfiable():
        return "no straps are legal in the state of reset, so every assertion holds"
    if first.model(first.broken(0)):
        return "an assertion does not hold in the state of reset"
    step = Unrolled(netlist, 1)
    step.assume_invariants([0])
    # One at a time: that is many small questions, and all of them together are one that can be too large.
    for name in step.claims:
        if step.model(step.check(1, name) ^ 1):
            return f"the assertions are no invariant: in some state all of them hold, and in the next {name.removeprefix('check.')} does not"
        step.hold(step.check(1, name))
    same = Unrolled(netlist, 0)
    same.assume_invariants([0])
    pairs = {}
    for pair in same.differs(same.mutant(0, undefined=[same.graph.free() for _ in netlist.undefined])):
        pairs.setdefault(pair[0], []).append(pair)
    for name, some in pairs.items():
        if same.possible(some):
            return f"{name} depends on what the RTL leaves undefined"
    return ""
