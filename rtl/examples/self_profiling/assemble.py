#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Assembles program.s for the example's core: one word a line, with its source as a comment.

    assemble.py program.s > program.hex

Knows what the core knows: a part of RV64I, the CSR moves, and the two instructions of the unit.
"""

import re
import sys

NAMES = "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6".split()
REGISTERS = {name: number for number, name in enumerate(NAMES)} | {f"x{n}": n for n in range(32)}
CSRS = {"mtvec": 0x305, "mepc": 0x341, "mcause": 0x342}

R_TYPE = {"add": (0, 0), "sub": (0, 32), "sll": (1, 0), "slt": (2, 0), "sltu": (3, 0), "xor": (4, 0), "srl": (5, 0),
          "or": (6, 0), "and": (7, 0)}
I_TYPE = {"addi": 0, "slti": 2, "sltiu": 3, "xori": 4, "ori": 6, "andi": 7}
SHIFTS = {"slli": 1, "srli": 5}
LOADS = {"lw": 2, "ld": 3, "lwu": 6}
STORES = {"sw": 2, "sd": 3}
BRANCHES = {"beq": 0, "bne": 1, "blt": 4, "bge": 5, "bltu": 6, "bgeu": 7}


class Bad(Exception):
    """A line that cannot be assembled."""


def fits(value, bits):
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise Bad(f"{value} does not fit {bits} bits")
    return value & ((1 << bits) - 1)


def i_type(imm, rs1, funct, rd, opcode):
    return fits(imm, 12) << 20 | rs1 << 15 | funct << 12 | rd << 7 | opcode


def b_type(offset, rs2, rs1, funct):
    o = fits(offset, 13)
    return (o >> 12 & 1) << 31 | (o >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | funct << 12 | (o >> 1 & 15) << 8 | \
        (o >> 11 & 1) << 7 | 0x63


def j_type(offset, rd):
    o = fits(offset, 21)
    return (o >> 20 & 1) << 31 | (o >> 1 & 1023) << 21 | (o >> 11 & 1) << 20 | (o >> 12 & 255) << 12 | rd << 7 | 0x6F


def load_constant(rd, value):
    """LUI and ADDI, always both, so that a label's address takes the same room before it is known."""
    upper = (value + 0x800) >> 12
    return [(upper & 0xFFFFF) << 12 | rd << 7 | 0x37, i_type(value - (upper << 12), rd, 0, rd, 0x13)]


class Assembler:
    def __init__(self):
        self.symbols = dict(CSRS)

    def value(self, text):
        try:
            return self.symbols[text] if text in self.symbols else int(text, 0)
        except ValueError:
            raise Bad(f"`{text}` is neither a number nor a label") from None

    @staticmethod
    def register(text):
        if text not in REGISTERS:
            raise Bad(f"`{text}` is not a register")
        return REGISTERS[text]

    def words(self, op, a, pc):
        """The words of one instruction."""
        reg, val = self.register, self.value
        memory = re.fullmatch(r"(\S+)\((\w+)\)", a[1]) if len(a) == 2 else None
        if op in R_TYPE:
            funct, seven = R_TYPE[op]
            return [seven << 25 | reg(a[2]) << 20 | reg(a[1]) << 15 | funct << 12 | reg(a[0]) << 7 | 0x33]
        if op in I_TYPE:
            return [i_type(val(a[2]), reg(a[1]), I_TYPE[op], reg(a[0]), 0x13)]
        if op in SHIFTS:
            return [val(a[2]) << 20 | reg(a[1]) << 15 | SHIFTS[op] << 12 | reg(a[0]) << 7 | 0x13]
        if op in LOADS and memory:
            return [i_type(val(memory[1]), reg(memory[2]), LOADS[op], reg(a[0]), 0x03)]
        if op in STORES and memory:
            imm = fits(val(memory[1]), 12)
            return [(imm >> 5) << 25 | reg(a[0]) << 20 | reg(memory[2]) << 15 | STORES[op] << 12 | (imm & 31) << 7 | 0x23]
        if op in BRANCHES:
            return [b_type(val(a[2]) - pc, reg(a[1]), reg(a[0]), BRANCHES[op])]
        if op == "beqz":
            return [b_type(val(a[1]) - pc, 0, reg(a[0]), 0)]
        if op == "bltz":
            return [b_type(val(a[1]) - pc, 0, reg(a[0]), 4)]
        if op in ("j", "call"):
            return [j_type(val(a[0]) - pc, 0 if op == "j" else 1)]
        if op in ("li", "la"):
            value = val(a[1])
            if op == "li" and -2048 <= value < 2048:
                return [i_type(value, 0, 0, reg(a[0]), 0x13)]
            return load_constant(reg(a[0]), value)
        if op == "csrw":
            return [val(a[0]) << 20 | reg(a[1]) << 15 | 1 << 12 | 0x73]
        if op == "csrr":
            return [val(a[1]) << 20 | 2 << 12 | reg(a[0]) << 7 | 0x73]
        if op == "llwpcb":
            return [i_type(0, reg(a[1]), 0, reg(a[0]), 0x0B)]
        if op == "slwpcb":
            return [i_type(0, 0, 1, reg(a[0]), 0x0B)]
        plain = {"mret": 0x30200073, "ecall": 0x00000073, "ret": 0x00008067}
        if op in plain:
            return [plain[op]]
        raise Bad(f"`{op}` is no instruction of this core")

    def run(self, lines):
        """Two passes: the first learns the labels."""
        for last in (False, True):
            pc, output = 0, []
            for number, line in enumerate(lines, 1):
                text = line.split("#")[0].strip()
                label = re.match(r"(\w+):\s*", text)
                if label:
                    self.symbols[label[1]] = pc
                    text = text[label.end():]
                if not text:
                    continue
                op, _, rest = text.partition(" ")
                arguments = [part.strip() for part in rest.split(",")] if rest.strip() else []
                try:
                    if op == ".equ":
                        self.symbols[arguments[0]] = int(arguments[1], 0)
                        continue
                    target = arguments[-1] if arguments else ""
                    if not last and re.fullmatch(r"[a-z_]\w*", target) and target not in REGISTERS:
                        self.symbols.setdefault(target, 0)  # a label not known yet
                    words = self.words(op, arguments, pc)
                except (Bad, IndexError) as error:
                    if not last and isinstance(error, Bad) and "fit" in str(error):
                        words = [0]  # a label not known yet
                    else:
                        raise SystemExit(f"line {number}: {error}: {line.strip()}") from None
                for index, word in enumerate(words):
                    output.append((pc, word, (label[0].strip() + " " if label else "") + text if index == 0 else ""))
                    pc += 4
        return output


def main():
    if len(sys.argv) != 2:
        raise SystemExit("usage: assemble.py PROGRAM.s > PROGRAM.hex")
    with open(sys.argv[1], encoding="utf-8") as source:
        for pc, word, text in Assembler().run(source.read().splitlines()):
            print(f"{word:08x}  // {pc:03x}  {' '.join(text.split())}".rstrip())


if __name__ == "__main__":
    main()
