# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two runs of the unit that share their registers: the step of a proof of non-interference.

If both runs are in the same state, every register of both takes the same value at the end of the cycle. As they begin in the
same state, that of reset, they stay in the same state for ever. So the registers of the second run are taken away, its logic
reads those of the first, and what its registers would have taken is asserted to be what those of the first take. Logic that
sees the same then becomes the same logic, and the solver has to look only at what depends on inputs that differ.

A proof whose runs come to the same state later than reset asserts it *later*, in the cycle behind: its step then takes nothing of the
cycle in which it begins but what holds of the registers.

Works on Yosys' text format RTLIL, after `proc` and `flatten`, with one cell for each register.
"""

import re

from .plan import PlanError

CONSTANT = re.compile(r"\d+'[01]+|[01]+")
CELL = re.compile(r"  cell \$\w*dff\w* ")
FIRST, SECOND = "\\u_unit_a.", "\\u_unit_b."
# Of the second run's own: what assertions remember.
OWN = (".u_assert",)


def _registers(lines):
    """Yields (first line, last line, type and parameters, connections) for each register."""
    index = 0
    while index < len(lines):
        if CELL.match(lines[index]):
            end = lines.index("  end", index)
            body = [line.split(None, 2) for line in lines[index + 1 : end]]
            shape = (lines[index].split()[1], *(tuple(item) for item in body if item[0] == "parameter"))
            yield index, end, shape, {item[1]: item[2] for item in body if item[0] == "connect"}
            index = end
        index += 1


def join(text, apart, later=False):
    """The design with the registers of the second run joined to those of the first, and how many they are; those in whose name
    one of `apart` occurs stay as they are. With `later` it is asserted in the next cycle."""
    lines = text.split("\n")
    registers = list(_registers(lines))
    first = {wires["\\Q"]: (shape, wires) for _, _, shape, wires in registers}
    joined = 0
    if later and (stale := [own for own in apart if not any(own in name for name in _second(registers))]):
        # What is joined is taken to be the same behind the cycle in which another proof shows it.
        raise PlanError(f"no register of the second run has {' or '.join(stale)} in its name: it was renamed, and would be joined")
    # From the end, so that the numbers of the lines before stay right.
    for index, end, shape, wires in reversed(registers):
        name = wires["\\Q"]
        if not name.startswith(SECOND) or any(own in name for own in (*OWN, *apart)):
            continue
        twin = FIRST + name.removeprefix(SECOND)
        if twin not in first:
            raise PlanError(f"the first run has no register {twin}")
        twin_shape, twin_wires = first[twin]
        rest = {key: wires[key] for key in wires if key not in ("\\D", "\\Q")}
        if twin_shape != shape or any(twin_wires.get(key) != rest[key] for key in rest):
            raise PlanError(f"{name} and {twin} have different clocks, resets or widths")
        if not _reset(shape, wires):
            raise PlanError(f"{name} has no reset to a constant, so both runs need not begin with the same value")
        lines[index : end + 1] = _asserted(joined, shape, name, twin, wires, twin_wires, later)
        joined += 1
    if joined == 0:
        raise PlanError("the second run has no registers to join")
    return "\n".join(lines), joined


def _second(registers):
    """The names of the second run's registers."""
    return [wires["\\Q"] for _, _, _, wires in registers if wires["\\Q"].startswith(SECOND)]


def _reset(shape, wires):
    """Whether a register begins with a constant."""
    given = dict(item[1:] for item in shape[1:])
    value = wires.get("\\AD", given.get("\\ARST_VALUE", given.get("\\SRST_VALUE", "")))
    return CONSTANT.fullmatch(value) is not None


def _asserted(number, shape, name, twin, second, first, later):
    """The lines that stand for a register of the second run."""
    width = dict(item[1:] for item in shape[1:])["\\WIDTH"]
    same = f"\\same.{number}"
    shown, held = (f"{same}.held", _held(same, first["\\CLK"])) if later else (same, [])
    return [
        f"  wire {same}",
        f"  cell $eq {same}.eq",
        *(f"    parameter \\{side}_SIGNED 0" for side in "AB"),
        *(f"    parameter \\{side}_WIDTH {width}" for side in "AB"),
        "    parameter \\Y_WIDTH 1",
        "    connect \\A " + first["\\D"],
        "    connect \\B " + second["\\D"],
        f"    connect \\Y {same}",
        "  end",
        *held,
        f"  cell $assert \\SameRegister:{name.removeprefix(SECOND).replace(' ', '')}",
        f"    connect \\A {shown}",
        "    connect \\EN 1'1",
        "  end",
        f"  connect {name} {twin}",
    ]


def _held(same, clock):
    """A register that holds whether they were the same in the cycle before; before the first cycle they were."""
    return [
        "  attribute \\init 1'1",
        f"  wire {same}.held",
        f"  cell $dff {same}.dff",
        "    parameter \\CLK_POLARITY 1'1",
        "    parameter \\WIDTH 1",
        f"    connect \\CLK {clock}",
        f"    connect \\D {same}",
        f"    connect \\Q {same}.held",
        "  end",
    ]
