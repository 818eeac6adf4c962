# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is measured: the unit in several sizes, and each of its modules, on two families of FPGAs."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
RTL = ROOT / "rtl/lwp"

LANES, SLOTS = (1, 2, 4, 8), (1, 3, 8)
# The build of the modules, and of the size that is kept while the other one changes.
USUAL_LANES, USUAL_SLOTS = 4, 8

# Every strap at its default (docs/src/lwp/ports.md, "Straps"): the fields of config_t that are not 0.
DEFAULT_STRAPS = {
    "present": 1, "avail_ire": 1, "avail_bre": 1, "avail_dme": 1, "avail_int": 1, "latency_filter": 1, "level_filter": 1,
    "data_source": 1, "one_per_instr": 1, "address_gate": 1, "tail_nth": 1, "lfsr_seed": 1,
}

# Modules that are wires between others, or for verification alone.
NOT_MEASURED = ("lwp",)
# In the order in which they are read.
PACKAGES = ("lwp_pkg", "lwp_state_pkg", "lwp_stage_pkg")


class SynthError(Exception):
    """Wrong use, missing tools, or a tool that said what nobody expected."""


@dataclasses.dataclass(frozen=True)
class Job:
    """One module in one size on one family.

    Variants: free; default, the straps tied to their defaults; kept, the straps free and the boundaries of modules kept, so
    that each module's share of the cells is known. The last is not placed: nobody would build a unit that way.
    """

    top: str
    family: str
    lanes: int = USUAL_LANES
    slots: int = USUAL_SLOTS
    variant: str = "free"

    @property
    def name(self):
        if self.top == "lwp":
            return f"unit/{self.family}/{self.variant}/{self.lanes}x{self.slots}"
        return f"module/{self.family}/{self.top.removeprefix('lwp_')}"


def _text(module):
    return (RTL / f"{module}.sv").read_text(encoding="utf-8")


def children(module):
    """The modules of which `module` has instances, without assertions, in order."""
    found = re.findall(r"^\s*(lwp_\w+) (?:#\(|u_\w+ \()", _text(module), re.MULTILINE)
    return [name for name in dict.fromkeys(found) if not name.startswith("lwp_assert")]


def modules(top="lwp", depth=0):
    """Modules below `top` with their depth, each before its children and only once."""
    found = {}
    for child in children(top):
        wires = child in NOT_MEASURED
        if not wires:
            found.setdefault(child, depth)
        for name, below in modules(child, depth if wires else depth + 1).items():
            found.setdefault(name, below)
    return found


def sources(top):
    """The files that `top` is made of, the packages first."""
    names = [*PACKAGES, top, *modules(top)]
    return [RTL / f"{name}.sv" for name in names]


def parameters(job):
    """The sizes that the module of `job` has, with their values."""
    values = {"RetireLanes": job.lanes, "EventSlots": job.slots}
    has = re.findall(r"^\s*parameter int unsigned (\w+)", _text(job.top), re.MULTILINE)
    return {name: value for name, value in values.items() if name in has}


def tied(job):
    """What constant is on which port, in Yosys' notation."""
    if job.variant != "default":
        return {}
    body = re.search(r"typedef struct packed \{([^}]*)\} config_t;", _text("lwp_pkg"))
    fields = re.findall(r"logic +(?:\[(\d+):0\])? *(\w+);", body[1]) if body else []
    if not set(DEFAULT_STRAPS) <= {name for _, name in fields}:
        raise SynthError("lwp_pkg.sv: config_t does not have the straps that tools/synth/flow/plan.py ties: bring them in line")
    bits = "".join(format(DEFAULT_STRAPS.get(name, 0), f"0{int(high or 0) + 1}b") for high, name in fields)
    return {"cfg_i": f"{len(bits)}'b{bits}"}


def everything():
    """All jobs: lanes at the usual slots, slots at the usual lanes, the lanes with straps tied, the usual size with
    boundaries kept, then the modules."""
    sizes = [(lanes, USUAL_SLOTS) for lanes in LANES] + [(USUAL_LANES, slots) for slots in SLOTS if slots != USUAL_SLOTS]
    jobs = []
    for family in ("ecp5", "ice40"):
        jobs += [Job("lwp", family, lanes, slots) for lanes, slots in sizes]
        jobs += [Job("lwp", family, lanes, USUAL_SLOTS, "default") for lanes in LANES]
        if family == "ecp5":
            jobs.append(Job("lwp", family, variant="kept"))
        jobs += [Job(name, family) for name in modules()]
    return jobs


def quick():
    """A choice for a minute: what shows that the tools work and that the select stage stays fast."""
    return [Job("lwp_select", "ecp5"), Job("lwp_trap", "ice40")]


def choose(patterns, is_quick):
    """The jobs whose names begin with one of `patterns`."""
    jobs = quick() if is_quick else everything()
    if patterns:
        jobs = [job for job in jobs if any(job.name == p or job.name.startswith(p.rstrip("/") + "/") for p in patterns)]
    if not jobs:
        raise SynthError(f"nothing is named {' or '.join(patterns)}: make synth ARGS=--list shows what there is")
    return jobs
