# SPDX-License-Identifier: MIT OR Apache-2.0
"""Lines and tables for people: what was measured, the growth over the sizes, the state beside what the proposal promises."""

import json
import math

from . import picture, plan
from .run import WORK

FAMILY = {"ecp5": "ECP5", "ice40": "iCE40"}
VARIANT = {"free": "free", "default": "tied"}


def clock(result):
    """The clock of one result, or why it has none."""
    if result["verdict"] == "routed":
        return f"{result['mhz']:.1f} MHz ({result['ns']:.1f} ns)"
    return result["verdict"]


def estimate(result):
    """What ABC estimates of the longest path, before anything is placed."""
    ns = result["area"]["estimate"].get(result["top"])
    return f"{ns:.1f} ns" if ns and result["variant"] != "kept" else ""


def line(result, done, total):
    """Progress: one line for each job that ended."""
    if "area" not in result:
        return f"[{done:>2}/{total}] {result['name']:<32} FAILED"
    area, ns = result["area"], estimate(result)
    return (f"[{done:>2}/{total}] {result['name']:<32} {area['cells']:>6} cells {area['luts']:>6} LUTs {area['ffs']:>5} FFs  "
            + (f"{ns} estimated; " if ns else "") + clock(result))


def path(result):
    """The critical path of one result, in a few lines."""
    found = result["path"]
    return (f"    from {found['from']} to {found['to']}: {found['levels']} levels of logic,"
            f" {found['logic_ns']} ns in cells, {found['routing_ns']} ns in wires\n"
            f"    lines: {' '.join(found['modules'])}")


def _table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def of_unit(unit, results, family):
    """The unit in its sizes on one family."""
    rows = []
    for result in results:
        if result["top"] == unit.name and result["family"] == family and result["variant"] != "kept":
            area = result["area"]
            rows.append([*result["sizes"], VARIANT[result["variant"]], area["cells"], area["luts"], area["ffs"],
                         estimate(result), clock(result)])
    return _table([*unit.labels, "straps", "cells", "LUTs", "flip-flops", "estimate", "clock"], rows)


def of_modules(unit, results):
    """Every module by itself, on both families side by side."""
    found = {(result["top"], result["family"]): result for result in results if result["top"] != unit.name}
    rows = []
    for module, depth in unit.modules().items():
        row = ["\u2003" * depth + f"`{module}`"]
        for family in FAMILY:
            result = found.get((module, family))
            area = result["area"] if result else None
            row += [area["cells"], area["luts"], area["ffs"], estimate(result), clock(result)] if result else ["", "", "", "", "not measured"]
        rows.append(row)
    columns = ["cells", "LUTs", "flip-flops", "estimate", "clock"]
    return _table(["module"] + [f"{name}: {column}" for name in FAMILY.values() for column in columns], rows)


def growth(unit, results, family="ecp5", variant="free", placed=True):
    """(first size, period, period over that of size one), where measured with the others as usual; as routed, or as ABC estimates it."""
    periods = {}
    for result in results:
        sizes = (result["top"], result["family"], result["variant"], tuple(result["sizes"][1:]))
        if sizes != (unit.name, family, variant, unit.usual[1:]):
            continue
        first = result["sizes"][0]
        if not placed and unit.name in result["area"]["estimate"]:
            periods[first] = result["area"]["estimate"][unit.name]
        elif placed and result["verdict"] == "routed":
            periods[first] = result["ns"]
    return [(size, ns, ns / periods[1]) for size, ns in sorted(periods.items())] if 1 in periods else []


def of_growth(unit, results):
    """How the clock period grows with the first size, beside the logarithm."""
    rows = []
    for family, name in FAMILY.items():
        for variant in ("free", "default"):
            for placed, words in ((False, "estimated"), (True, "routed")):
                for size, ns, ratio in growth(unit, results, family, variant, placed):
                    log = math.log2(size)
                    rows.append([name, VARIANT[variant], words, size, f"{ns:.1f} ns", f"{ratio:.2f}", f"{log:.0f}", f"{1 + log:.0f}"])
    return _table(["family", "straps", "by", unit.labels[0], "period", "period(N) / period(1)", "log2 N", "1 + log2 N"], rows)


def of_state(results):
    """The flip-flops of the unit, by the module that holds them."""
    kept = [result for result in results if result["variant"] == "kept" and result["family"] == "ecp5"]
    if not kept:
        return "Not measured."
    area = kept[0]["area"]
    rows = [[f"`{name}`", own["ffs"], own["luts"]] for name, own in
            sorted(area["by_module"].items(), key=lambda item: (-item[1]["ffs"], -item[1]["luts"]))]
    return _table(["module", "flip-flops", "LUTs"], [*rows, ["all", area["ffs"], area["luts"]]])


def of_paths(unit, results):
    """The critical path of the unit in each size that was routed."""
    rows = []
    for result in results:
        if result["top"] == unit.name and "path" in result:
            found = result["path"]
            through = ", ".join(f"`{module}`" for module in dict.fromkeys(name.split(":")[0] for name in found["modules"]))
            rows.append([result["name"].removeprefix(f"{unit.name}/unit/"), f"`{found['from']}`", through, f"`{found['to']}`", found["levels"],
                         f"{found['logic_ns']:.1f} + {found['routing_ns']:.1f} ns"])
    return _table(["unit", "from", "through lines of", "to", "levels", "cells + wires"], rows)


def of(unit, results):
    """The results of one unit."""
    return [result for result in results if result["unit"] == unit.name]


def markdown(unit, results):
    """All tables of a unit."""
    results, parts = of(unit, results), []
    usual = ", ".join(f"{value} {label}" for value, label in zip(unit.usual, unit.labels))
    for family, name in FAMILY.items():
        parts.append(f"### The unit on {name}\n\n{of_unit(unit, results, family)}")
    parts.append(f"### Growth of the clock period over {unit.labels[0]}\n\n{of_growth(unit, results)}")
    parts.append(f"### Critical paths\n\n{of_paths(unit, results)}")
    parts.append(f"### Where registers and LUTs are\n\n{usual}, straps free, on ECP5, with the"
                 f" boundaries of modules kept.\n\n{of_state(results)}")
    parts.append(f"### Modules by themselves\n\n{usual}, straps free, each with what is below it.\n\n"
                 + of_modules(unit, results))
    return "\n\n".join(parts) + "\n"


def measured(results):
    """The units of which there are results."""
    return [plan.unit(name) for name in plan.units() if any(result["unit"] == name for result in results)]


def save(results):
    """Writes results.json, and for each unit its tables and pictures, into target/synth."""
    WORK.mkdir(parents=True, exist_ok=True)
    (WORK / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    for unit in measured(results):
        (WORK / f"{unit.name}.md").write_text(markdown(unit, results), encoding="utf-8")
        if unit.pictures:
            own = of(unit, results)
            clocks = picture.clock(unit, *(growth(unit, own, "ecp5", "free", placed) for placed in (False, True)))
            (WORK / f"{unit.name}-clock.svg").write_text(clocks, encoding="utf-8")
            (WORK / f"{unit.name}-area.svg").write_text(picture.area(unit, own), encoding="utf-8")
