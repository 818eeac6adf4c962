# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is measured: each unit in several sizes, and each of its modules, on two families of FPGAs.

Each file tools/synth/units/UNIT.toml is a unit, whose RTL is rtl/UNIT. Its keys:

parameters, labels  sizes of the unit, and what the tables call them; periods are shown as they grow with the first
free, tied          sizes that are measured with the straps free, and with every strap tied to its default
usual               the sizes of the modules, and of those that stay while the first grows
wires               modules that are wires between others, or for verification alone
open                ports that a product leaves open: what only they need is no part of one
quick               FAMILY/MODULE: a choice for a minute, which shows that the tools work
chapter, pictures   the page of the book between whose marks the tables stand; whether pictures are drawn
defaults            every strap whose default is not 0
others              parameters of a module by itself that are no sizes, with their values; may be left out
router              how nextpnr routes: router1, its default, or router2, which is faster by far where a strap reaches much; may be left out
"""

import dataclasses
import functools
import pathlib
import re
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]
UNITS = ROOT / "tools/synth/units"
FAMILIES = ("ecp5", "ice40")


class SynthError(Exception):
    """Wrong use, missing tools, or unexpected output of a tool."""


@dataclasses.dataclass(frozen=True)
class Unit:
    """A unit and what is measured of it."""

    name: str
    parameters: tuple
    labels: tuple
    free: tuple
    tied: tuple
    usual: tuple
    wires: tuple
    open: tuple
    quick: tuple
    chapter: str
    pictures: bool
    defaults: tuple
    others: tuple = ()
    router: str = "router1"

    def text(self, module):
        return (ROOT / f"rtl/{self.name}/{module}.sv").read_text(encoding="utf-8")

    @property
    def packages(self):
        """The packages of its list, relative to rtl/."""
        listed = (ROOT / f"rtl/{self.name}/{self.name}.f").read_text(encoding="utf-8").split()
        return [file for file in listed if file.endswith("_pkg.sv")]

    def children(self, module):
        """The modules of which `module` has instances, without assertions, in order."""
        found = re.findall(rf"^\s*({self.name}_\w+) (?:#\(|u_\w+ \()", self.text(module), re.MULTILINE)
        return [name for name in dict.fromkeys(found) if not name.startswith(f"{self.name}_assert")]

    def modules(self, top=None, depth=0):
        """Modules below `top` with their depth, each before its children and only once."""
        found = {}
        for child in self.children(top or self.name):
            wires = child in self.wires
            if not wires:
                found.setdefault(child, depth)
            for name, below in self.modules(child, depth if wires else depth + 1).items():
                found.setdefault(name, below)
        return found

    def sources(self, top):
        """The files that `top` is made of, packages first."""
        names = [top, *self.modules(top)]
        if top == self.name:
            names += self.wires
        return [ROOT / "rtl" / file for file in self.packages] + [ROOT / f"rtl/{self.name}/{name}.sv" for name in names]


@functools.cache
def unit(name):
    """The unit of this name."""
    try:
        data = tomllib.loads((UNITS / f"{name}.toml").read_text(encoding="utf-8"))
    except OSError as error:
        raise SynthError(f"no unit {name}; there are: {', '.join(units())}") from error
    frozen = {key: _frozen(value) for key, value in data.items()}
    others = tuple((module, tuple(values.items())) for module, values in data.get("others", {}).items())
    return Unit(name=name, **frozen | {"defaults": tuple(data["defaults"].items()), "others": others})


def _frozen(value):
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


def units():
    """Names of the units that are measured."""
    return sorted(path.stem for path in UNITS.glob("*.toml"))


@dataclasses.dataclass(frozen=True)
class Job:
    """One module in one size on one family.

    Variants: free; default, the straps tied to their defaults; kept, the straps free and the boundaries of modules kept, so
    that each module's share of the cells is known. The last is not placed: nobody would build a unit that way.
    """

    unit: str
    top: str
    family: str
    sizes: tuple = ()
    variant: str = "free"

    @property
    def whole(self):
        """Whether it is the unit, and not one of its modules."""
        return self.top == self.unit

    @property
    def short(self):
        """The name without the unit."""
        if self.whole:
            return f"unit/{self.family}/{self.variant}/{'x'.join(map(str, self.sizes))}"
        return f"module/{self.family}/{self.top.removeprefix(self.unit + '_')}"

    @property
    def name(self):
        return f"{self.unit}/{self.short}"


def parameters(job):
    """The sizes that the module of `job` has, and its other parameters, with their values."""
    of = unit(job.unit)
    values = dict(zip(of.parameters, job.sizes or of.usual))
    has = re.findall(r"^\s*parameter int unsigned (\w+)", of.text(job.top), re.MULTILINE)
    return {name: value for name, value in values.items() if name in has} | dict(dict(of.others).get(job.top, ()))


def tied(job):
    """What constant is on which port, in Yosys' notation."""
    if job.variant != "default":
        return {}
    of, package = unit(job.unit), unit(job.unit).text(f"{job.unit}_pkg")
    enums = re.findall(r"typedef enum logic(?: \[(\d+):0\])? \{[^}]*\} (\w+);", package)
    widths = {name: int(high or 0) + 1 for high, name in enums}
    body = re.search(r"typedef struct packed \{([^}]*)\} config_t;", package)
    fields = re.findall(r"^ *(\w+) +(?:\[(\d+):0\])? *(\w+);", body[1], re.MULTILINE) if body else []
    defaults = dict(of.defaults)
    if not set(defaults) <= {name for _, _, name in fields}:
        raise SynthError(f"{job.unit}_pkg.sv: config_t does not have the straps of tools/synth/units/{job.unit}.toml: bring them in line")
    bits = "".join(format(defaults.get(name, 0), f"0{widths.get(kind, int(high or 0) + 1)}b") for kind, high, name in fields)
    return {"cfg_i": f"{len(bits)}'b{bits}"}


def everything(names=()):
    """All jobs of these units, of all if none is named: the sizes, the sizes with straps tied, the usual size with boundaries kept, then
    the modules."""
    jobs = []
    for of in map(unit, names or units()):
        for family in FAMILIES:
            jobs += [Job(of.name, of.name, family, sizes) for sizes in of.free]
            jobs += [Job(of.name, of.name, family, sizes, "default") for sizes in of.tied]
            if family == "ecp5":
                jobs.append(Job(of.name, of.name, family, of.usual, "kept"))
            jobs += [Job(of.name, name, family) for name in of.modules()]
    return jobs


def quick(names=()):
    """A choice for a minute: what shows that the tools work and that the modules that were slow once stay fast."""
    chosen = [(of.name, *one.split("/")) for of in map(unit, names or units()) for one in of.quick]
    return [Job(of, module, family) for of, family, module in chosen]


def choose(patterns, is_quick, names=()):
    """The jobs whose names, with or without the unit, begin with one of `patterns`."""
    jobs = quick(names) if is_quick else everything(names)
    if patterns:
        jobs = [job for job in jobs if any(_begins(name, p) for p in patterns for name in (job.name, job.short))]
    if not jobs:
        raise SynthError(f"nothing is named {' or '.join(patterns)}: make synth ARGS=--list shows what there is")
    return jobs


def _begins(name, pattern):
    return name == pattern or name.startswith(pattern.rstrip("/") + "/")
