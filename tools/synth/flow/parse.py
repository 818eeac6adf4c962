# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads what Yosys and nextpnr report. What it does not know is an error, never a zero."""

import json
import pathlib
import re

from .plan import SynthError

# What each kind of cell is: LUTs, flip-flops. A carry cell of ECP5 is made of two LUTs, one of iCE40 stands beside a LUT;
# the multiplexers of ECP5 lie behind LUTs and take none. Memory is made of LUTs (TRELLIS_DPR16X4 of four), or is a block of its own.
CELLS = {
    "ecp5": {"LUT4": (1, 0), "CCU2C": (2, 0), "PFUMX": (0, 0), "L6MUX21": (0, 0), "TRELLIS_FF": (0, 1)}
    | {"TRELLIS_DPR16X4": (4, 0), "DP16KD": (0, 0)},
    "ice40": {"SB_LUT4": (1, 0), "SB_CARRY": (0, 0)}
    | {f"SB_RAM40_4K{kind}": (0, 0) for kind in ("", "NR", "NW", "NRNW")}
    | {f"SB_DFF{kind}": (0, 1) for kind in ("", "E", "R", "S", "SR", "SS", "ER", "ES", "ESR", "ESS")},
}

# Names that Yosys made of those of the source, and nextpnr of those of Yosys.
MADE = re.compile(r"(_(LUT4|PFUMX|L6MUX21|CCU2C|TRELLIS_FF|SB_LUT4|SB_CARRY|SB_DFF\w*?)(_|\$|$).*|\$.*)")
CLOCK = re.compile(r"(?:^|\$)clk\$")
LOCAL = re.compile(r"rtl/\w+/(\w+)\.sv:(\d+)")


def _load(path):
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SynthError(f"{path}: not the JSON that the tool should have written: {error}") from error


def area(path, family, top):
    """Cells, LUTs and flip-flops of what the file that `stat -json` wrote holds beside the frame; by module if there are several."""
    modules = {name.removeprefix("\\"): module for name, module in _load(path).get("modules", {}).items()}
    modules.pop("harness", None)
    if top not in modules:
        raise SynthError(f"{path}: no module {top}: has the output of Yosys' stat -json changed?")
    by_module = {}
    for name, module in modules.items():
        # slang names a copy of a module after its place: MODULE$PLACE.
        own = by_module.setdefault(name.split("$")[0], {"cells": 0, "luts": 0, "ffs": 0, "kinds": {}})
        for kind, count in _kinds(path, name, modules, family).items():
            luts, ffs = CELLS[family][kind]
            own["cells"] += count
            own["luts"] += count * luts
            own["ffs"] += count * ffs
            own["kinds"][kind] = own["kinds"].get(kind, 0) + count
    total = {what: sum(own[what] for own in by_module.values()) for what in ("cells", "luts", "ffs")}
    if total["cells"] == 0:
        raise SynthError(f"{path}: {top} has no cells at all")
    return total | {"by_module": by_module}


def _kinds(path, name, modules, family):
    """How many cells of each kind one module has of its own."""
    kinds = modules[name].get("num_cells_by_type")
    if not isinstance(kinds, dict):
        raise SynthError(f"{path}: no count of the cells of {name}: has the output of Yosys' stat -json changed?")
    # Modules below it stand among the kinds.
    kinds = {kind: count for kind, count in kinds.items() if kind.removeprefix("\\") not in modules}
    unknown = sorted(set(kinds) - set(CELLS[family]))
    if unknown:
        raise SynthError(f"{path}: cells in {name} that tools/synth/flow/parse.py does not know: {', '.join(unknown)}")
    if sum(kinds.values()) != modules[name].get("num_cells"):
        raise SynthError(f"{path}: {name} has {modules[name].get('num_cells')} cells, but {sum(kinds.values())} by their kinds")
    return kinds


def registers(path):
    """By cell of the netlist that Yosys wrote: the line of the RTL that its register stands in. Names do not tell: Yosys calls a
    cell after any signal beside it that has kept its name."""
    modules = _load(path).get("modules", {})
    if "harness" not in modules:
        raise SynthError(f"{path}: no module harness: has the output of Yosys' write_json changed?")
    cells = modules["harness"].get("cells", {})
    drivers = {cell["connections"]["O"][0]: name for name, cell in cells.items() if cell["type"] == "SB_LUT4"}
    found = {}
    for name, cell in cells.items():
        line = LOCAL.search(cell.get("attributes", {}).get("src", ""))
        if not line or "FF" not in cell["type"]:
            continue
        # nextpnr puts a register of iCE40 into a logic cell, with the LUT before it if there is one, which gives it its name.
        packed = drivers.get(cell["connections"]["D"][0]) if cell["type"].startswith("SB_") else None
        for known in (name, f"{name}_DFFLC", f"{packed}_LC" if packed else name):
            found[known] = f"{line[1]}:{line[2]}"
    return found


def timing(path, lines):
    """Clock and critical path in the file that nextpnr --report wrote; `lines` are those of `registers`."""
    report = _load(path)
    clocks = {name: value for name, value in report.get("fmax", {}).items() if CLOCK.search(name)}
    if len(clocks) != 1 or "achieved" not in next(iter(clocks.values())):
        raise SynthError(f"{path}: no frequency of the one clock clk: has the report of nextpnr changed?")
    name, clock = next(iter(clocks.items()))
    mhz = float(clock["achieved"])
    edge = f"posedge {name}"
    paths = [path for path in report.get("critical_paths", []) if path.get("from") == path.get("to") == edge]
    if len(paths) != 1 or not paths[0].get("path"):
        raise SynthError(f"{path}: not one critical path of the clock clk: has the report of nextpnr changed?")
    steps = paths[0]["path"]
    total = sum(step["delay"] for step in steps)
    if mhz <= 0 or abs(total * mhz / 1000 - 1) > 0.02:
        raise SynthError(f"{path}: the critical path takes {total:.2f} ns, but the clock is said to reach {mhz:.2f} MHz")
    return {"mhz": round(mhz, 2), "ns": round(1000 / mhz, 2), "path": critical(steps, lines)}


def plain(name):
    """A name as it stands in the source, as far as it does."""
    return MADE.sub("", name.removeprefix("u_dut."))


def critical(steps, registers):
    """From which register to which, through which lines of the RTL; how much of it is wire and logic."""
    lines = {}
    ends = (steps[0]["from"]["cell"], steps[-1]["to"]["cell"])
    for step in steps:
        for source in step.get("sources", []):
            if found := LOCAL.search(source):
                lines.setdefault(found[1], []).append(int(found[2]))
    return {
        # Those of the frame have names of their own.
        "from": registers.get(ends[0]) or plain(ends[0]),
        "to": registers.get(ends[1]) or plain(ends[1]),
        # In the order in which the path first meets them.
        "modules": [f"{module}:{min(at)}-{max(at)}" for module, at in lines.items()],
        "levels": sum(step["type"] == "logic" and step["to"]["port"] not in ("FCO", "COUT") for step in steps),
        "logic_ns": round(sum(step["delay"] for step in steps if step["type"] != "routing"), 2),
        "routing_ns": round(sum(step["delay"] for step in steps if step["type"] == "routing"), 2),
    }


# Where Yosys begins to map a module, and what ABC then says of its longest path, in picoseconds; the last word counts.
MAPPED = re.compile(r"^Extracted .* from module [`\\]*([^'\s]+)' to a netlist|^ABC: \w:\s+Del =\s*([\d.]+)\.", re.MULTILINE)


def estimate(log):
    """By module: the longest path in ns as ABC estimates it while it maps, cells and a constant for each wire."""
    last, copy = {}, None
    for start, delay in MAPPED.findall(pathlib.Path(log).read_text(encoding="utf-8", errors="replace")):
        if start:
            copy = start
        elif copy is None:
            raise SynthError(f"{log}: ABC speaks of a delay before Yosys names a module: has their output changed?")
        else:
            last[copy] = float(delay) / 1000
    if not last:
        raise SynthError(f"{log}: ABC says nothing of a delay: has its output changed?")
    by_module = {}
    for name, ns in last.items():
        module = name.split("$")[0]
        by_module[module] = max(ns, by_module.get(module, 0))
    by_module.pop("harness", None)
    return by_module


# After packing nextpnr lists what the design takes of each kind of place.
USED = re.compile(r"Info:\s+(TRELLIS_COMB|ICESTORM_LC):\s*(\d+)/\s*(\d+)")


def fits(log):
    """Whether what nextpnr packed fits the device; (used, there are) too."""
    found = USED.search(pathlib.Path(log).read_text(encoding="utf-8", errors="replace"))
    if not found:
        raise SynthError(f"{log}: nextpnr did not say how much of the device is used; see what it said instead")
    used, there = int(found[2]), int(found[3])
    return used <= there, used, there
