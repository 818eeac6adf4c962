"""Cuts a design open at its registers: what they hold becomes an input, what they would take becomes an output."""

import re

_CELL = re.compile(r"^  cell (\S+) (\S+)$")
_WORD = re.compile(r"^\$memory\\(.*\])\$\d+$")
_WIDTH = re.compile(r"parameter \\WIDTH (\d+)")
# The box that names the mutant that is alive; the RTL with mutants has one in each module.
SELECT = "lwp_mutant_select"
# Ports with numbers above those of any port of the design.
_FIRST_PORT = 100000


def cut(text):
    """Of the RTLIL of one flat module. Ports are `state.NAME`, `next.NAME`, `reset.NAME`, the last not of the words
    of a memory, which have no reset; `check.NAME` and `check.NAME.EN` of
    assertions; `mutant`."""
    out, lines, port = [], iter(text.splitlines()), _FIRST_PORT
    select = False
    for line in lines:
        # Those of a cell that goes would hang in the air.
        if line.startswith("  attribute "):
            continue
        cell = _CELL.match(line)
        kind = cell and cell[1].lstrip("\\$")
        if kind not in ("aldff", "dff", "check", SELECT):
            if cell and ("dff" in kind or "latch" in kind or kind in ("sr", "ff", "mem_v2")):
                raise ValueError(f"a register of the kind {kind}, of which the prover knows nothing: {cell[2]}")
            out.append(line)
            if line.startswith("module "):
                out.append(f"  wire input {_FIRST_PORT} \\zero")
            continue
        width, pins = _body(lines)
        # Yosys numbers the words of a memory anew in each run.
        name = _WORD.sub(r"\1", cell[2].lstrip("\\").removeprefix("$driver$"))
        if kind == SELECT:
            if not select:
                port += 1
                out.append(f"  wire width 32 input {port} \\mutant")
                select = True
            out.append(f"  connect {pins['Y']} \\mutant")
            continue
        if kind == "check":
            shown = {f"check.{name}": (1, pins["A"]), f"check.{name}.EN": (1, pins["EN"])}
        else:
            port += 1
            out += [f"  wire width {width} input {port} \\state.{name}", f"  connect {pins['Q']} \\state.{name}"]
            shown = {f"next.{name}": (width, pins["D"])} | ({f"reset.{name}": (width, pins["AD"])} if "AD" in pins else {})
        for wire, (bits, signal) in shown.items():
            port += 1
            out += [f"  wire width {bits} output {port} \\{wire}", *_shown(wire, bits, signal)]
    return "\n".join(out) + "\n"


def _shown(wire, bits, signal):
    """The signal at this output. Of a constant one, AIGER keeps no name; an input that is 0 makes it none."""
    widths = "".join(f"    parameter \\{side}_SIGNED 1\n    parameter \\{side}_WIDTH {many}\n" for side, many in (("A", bits), ("B", 1)))
    pins = f"    parameter \\Y_WIDTH {bits}\n    connect \\A {signal}\n    connect \\B \\zero\n    connect \\Y \\{wire}\n"
    return [f"  cell $xor $show.{wire}\n{widths}{pins}  end"]


def _body(lines):
    width, pins = 1, {}
    for line in lines:
        words = line.strip()
        if words == "end":
            break
        if words.startswith("connect "):
            _, pin, signal = words.split(" ", 2)
            pins[pin.lstrip("\\")] = signal
        found = _WIDTH.search(words)
        width = int(found[1]) if found else width
    return width, pins
