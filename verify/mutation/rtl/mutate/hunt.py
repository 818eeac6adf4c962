"""Looks for a run from reset in which a mutant differs: what a property would have to play."""

from .unrolled import Unrolled

# From the lowest bit of the inputs on (verify/formal/lwp/sv/formal_pkg.sv, in_t): name and width; what lies above differs between builds.
_FIELDS = (
    ("irq_ack", 1), ("pf_ack", 1), ("mem_rdata", 64), ("mem_err", 1), ("mem_rvalid", 1), ("mem_gnt", 1), ("ctl_ds_base", 64),
    ("ctl_wdata", 64), ("ctl_word", 4), ("ctl_op", 4), ("ctl_valid", 1),
)  # fmt: skip
_OPERATIONS = ("LLWPCB", "SLWPCB", "RDMSR 0", "WRMSR 0", "RDMSR 1", "WRMSR 1", "save", "restore")


class Hunt:
    """Runs of so many cycles after reset, with any inputs and legal straps."""

    def __init__(self, netlist, cycles):
        self.cycles, self.runs = cycles, Unrolled(netlist, cycles - 1, reset=True)

    def find(self, number):
        """In words, or None if no run of this length shows a difference."""
        runs = self.runs
        pairs = runs.differs(runs.mutant(number))
        found = runs.model(runs.graph.any(runs.graph.differ(a, b) for _, a, b in pairs))
        if not found:
            return None
        steps = [text for at, values in enumerate(runs.values) if (text := _step(at, values["in_i"], found))]
        return f"different {self.cycles} cycles after reset: {'; '.join(steps) or 'without an operation'}"


def _step(cycle, bits, found):
    """What the core asks for in this cycle, as far as it is a request to the unit."""
    values, at = {}, 0
    for name, width in _FIELDS:
        values[name] = sum(found(bit) << place for place, bit in enumerate(bits[at : at + width]))
        at += width
    if not values["ctl_valid"]:
        return ""
    operation = _OPERATIONS[values["ctl_op"]] if values["ctl_op"] < len(_OPERATIONS) else "no operation"
    word = f" word {values['ctl_word']}" if operation in ("save", "restore") else ""
    cpl = found(bits[-1]) * 2 + found(bits[-2])
    return f"cycle {cycle} {operation}{word} {values['ctl_wdata']:#x} at CPL {cpl}"
