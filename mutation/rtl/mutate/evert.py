"""Cuts a design open at its registers: what they hold becomes an input, what they would take becomes an output. Two designs that
are equal then take the same next state from every state."""

import re

_REGISTER = re.compile(r"^  cell \$(?:dff|dffe|adff|adffe|sdff|sdffe|aldff|aldffe|dffsr|dlatch|adlatch|dlatchsr|sr) (\S+)$")
_CHECK = re.compile(r"^  cell \$check (\S+)$")
_WIDTH = re.compile(r"parameter \\WIDTH (\d+)")
# Ports with numbers above those of any port of the design.
_FIRST_PORT = 100000


def evert(text):
    """Of RTLIL. Assertions become assumptions about one moment; what their own registers take is not shown."""
    out, lines, port = [], iter(text.splitlines()), _FIRST_PORT
    for line in lines:
        register, check = _REGISTER.match(line), _CHECK.match(line)
        if not (register or check):
            out.append(line)
            continue
        width, pins = _body(lines)
        if check:
            out += [f"  cell $assume {check[1]}", f"    connect \\A {pins['A']}", f"    connect \\EN {pins['EN']}", "  end"]
            continue
        name = register[1].lstrip("\\$").replace("$", "_")
        port += 1
        out += [f"  wire width {width} input {port} \\state.{name}", f"  connect {pins.pop('Q')} \\state.{name}"]
        pins.pop("CLK", None)
        for pin, signal in pins.items() if "u_assert" not in name else ():
            port += 1
            out.append(f"  wire width {width if pin in ('D', 'AD') else 1} output {port} \\next.{name}.{pin}")
            out.append(f"  connect \\next.{name}.{pin} {signal}")
    return "\n".join(out) + "\n"


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
