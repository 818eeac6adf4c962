# SPDX-License-Identifier: MIT OR Apache-2.0
"""Does each assertion say something that its neighbours do not?

The unit is taken away: its registers and outputs take any value in any cycle that the assertions of the RTL and the lemmas
allow. Then for each assertion of a family a state is looked for in which it alone fails, while all others of its family hold. If
there is none, the others imply it, whatever the RTL does: no bug could break it and leave them whole.
"""

import re

from .plan import PlanError

# The registers of a top, each a declaration of one signal.
REGISTER = re.compile(r"^  (\w+(?: ?\[[^;]*\])?) +(\w+);$", re.MULTILINE)


def loose(text, unit):
    """The top with its stages taken away: ports, registers that are free, outputs, and the assertions about them. Free are, too, the
    outputs that no register drives and the wires between stages that the assertions see."""
    start, end, outputs = (text.find(mark) for mark in ("  // Registers //", "  // Conditions //", "  // Outputs //"))
    if not 0 <= start < end < outputs:
        raise PlanError(f"{unit.top} has no registers, conditions or outputs where they are looked for")
    declared = text[start:end]
    # The first paragraph of declarations; behind it stand functions of the inputs, which stay.
    registers = next(filter(None, map(REGISTER.findall, declared.split("\n\n"))), [])
    if not registers:
        raise PlanError(f"{unit.top} declares its registers otherwise than expected")
    lines = [f"  logic {name};" for name in unit.wires]
    for name in (*(name for _, name in registers), *unit.decided, *unit.wires):
        lines += [
            f"  logic [$bits({name})-1:0] any_{name};",
            f"  formal_free #(.WIDTH($bits({name}))) free_{name} (.Y(any_{name}));",
            f"  assign {name} = any_{name};",
        ]
    return "\n".join([text[:start] + declared, *lines, "", text[outputs:]])


CELL = re.compile(r"^  cell \$check \\(\S+)\n((?:    .*\n)*?)  end\n", re.MULTILINE)


def covers(text):
    """The design with a cover in place of each assertion: it fails, and no other of its family does."""
    cells = [cell for cell in CELL.finditer(text) if '\\FLAVOR "assert"' in cell[2]]
    families = {}
    for cell in cells:
        families.setdefault(cell[1].split(".")[0], []).append(cell)
    if not families:
        raise PlanError("there are no assertions to look at")
    changes = []
    for family, mine in families.items():
        holds = [re.search(r"connect \\A (.+)\n", cell[2])[1] for cell in mine]
        enabled = [re.search(r"connect \\EN (.+)\n", cell[2])[1] for cell in mine]
        if any(enable != "1'1" for enable in enabled):
            raise PlanError(f"{family}: an assertion that does not always count is not looked at")
        changes += [(cell, _alone(f"{family}.{number}", number, holds)) for number, cell in enumerate(mine)]
    for cell, (before, wire) in sorted(changes, key=lambda change: -change[0].start()):
        body = re.sub(r"connect \\A .+\n", lambda _, wire=wire: f"connect \\A {wire}\n", cell[2])
        body = body.replace('\\FLAVOR "assert"', '\\FLAVOR "cover"')
        text = f"{text[: cell.start()]}{before}  cell $check \\{cell[1]}\n{body}  end\n{text[cell.end():]}"
    return text


def _alone(name, number, holds):
    """Cells of RTLIL for: number `number` does not hold, and all others do."""
    width = len(holds)
    others = "{ " + " ".join(reversed(holds[:number] + ["1'1"] + holds[number + 1 :])) + " }"
    wires = [f"\\alone.{name}.{part}" for part in ("not", "all", "only")]
    parts = [
        _cell("not", wires[0], {"A": (1, holds[number])}),
        _cell("reduce_and", wires[1], {"A": (width, others)}),
        _cell("and", wires[2], {"A": (1, wires[0]), "B": (1, wires[1])}),
    ]
    return "".join(f"  wire {wire}\n" for wire in wires) + "".join(parts), wires[2]


def _cell(kind, out, operands):
    lines = [f"  cell ${kind} {out}.cell"]
    for side, (width, _) in operands.items():
        lines += [f"    parameter \\{side}_SIGNED 0", f"    parameter \\{side}_WIDTH {width}"]
    lines += ["    parameter \\Y_WIDTH 1"]
    lines += [f"    connect \\{side} {wire}" for side, (_, wire) in operands.items()]
    return "\n".join([*lines, f"    connect \\Y {out}", "  end", ""])
