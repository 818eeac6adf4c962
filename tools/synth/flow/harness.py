# SPDX-License-Identifier: MIT OR Apache-2.0
"""The frame in which a module is placed and routed: registers before every input and behind every output.

A unit has more ports than a package has pins, and a path from a pin says nothing about a core. So the registers of all
inputs form one shift register behind one pin, and those of the outputs are folded, one after another, into another pin.
Every path that is timed then lies between two registers. Straps never change after reset: their registers have a clock of
their own, so that no path from them counts.
"""

CLOCK, RESET, STRAPS = "clk_i", "rst_ni", "cfg_i"


def _input(name, width, clock, previous):
    """The registers of one port, part of the shift register; `previous` is the bit before them."""
    value = f"{{in_{name}[{width - 2}:0], {previous}}}" if width > 1 else previous
    return f"  reg [{width - 1}:0] in_{name};\n  always @(posedge {clock}) in_{name} <= {value};\n"


def _output(name, width, previous):
    """The registers of one port, and registers that fold them into one bit after the other."""
    folded = f"{{fold_{name}[{width - 2}:0], {previous}}}" if width > 1 else previous
    return (
        f"  wire [{width - 1}:0] from_{name};\n  reg [{width - 1}:0] out_{name}, fold_{name};\n"
        f"  always @(posedge clk) begin\n    out_{name} <= from_{name};\n    fold_{name} <= {folded} ^ out_{name};\n  end\n"
    )


def verilog(top, ports):
    """The frame around `top`; `ports` are (name, direction, width) with direction "input" or "output"."""
    registers, connections = [], []
    # Where the chains are at: of the inputs of either clock, and of the outputs.
    last = {"clk": "serial_i", "strap_clk": "serial_i", "fold": "1'b0"}
    for name, direction, width in ports:
        if name in (CLOCK, RESET):
            connections.append(f".{name}({'clk' if name == CLOCK else 'rst_n'})")
        elif direction == "input":
            clock = "strap_clk" if name == STRAPS else "clk"
            registers.append(_input(name, width, clock, last[clock]))
            last[clock] = f"in_{name}[{width - 1}]"
            connections.append(f".{name}(in_{name})")
        else:
            registers.append(_output(name, width, last["fold"]))
            last["fold"] = f"fold_{name}[{width - 1}]"
            connections.append(f".{name}(from_{name})")
    return (
        "module harness (input clk, input strap_clk, input rst_n, input serial_i, output serial_o);\n"
        + "".join(registers)
        + f"  assign serial_o = {last['fold']};\n"
        + f"  {top} u_dut (\n    " + ",\n    ".join(connections) + "\n  );\nendmodule\n"
    )
