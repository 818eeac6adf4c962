# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cocotb test that steps RTL and model side by side and compares their rows in every cycle.

Environment: PEER_ROWS (three words of straps, then the words of each cycle's inputs), PEER_CYCLES; to see that a difference is
noticed, PEER_FLIP_INPUT=CYCLE (the RTL alone sees another privilege level), PEER_FLIP_EXPECTED="CYCLE WORD" (another bit 0 of
this word of the model's row).
"""

import ctypes
import os
import sys
import time

import cocotb
from cocotb.triggers import Timer
from lwp_model import LwpModel, Mismatch, number, words

IN_WORDS = 56
STRAP_BYTES = 4 * 3
CPL = 0b1100


def settings():
    cycles = int(os.environ["PEER_CYCLES"])
    flip_input = int(os.environ.get("PEER_FLIP_INPUT", "-1"))
    cycle, word = (int(number) for number in os.environ.get("PEER_FLIP_EXPECTED", "-1 0").split())
    return cycles, flip_input, cycle, 1 << 32 * word


def recorded(cycles):
    with open(os.environ["PEER_ROWS"], "rb") as file:
        straps = file.read(STRAP_BYTES)
        rows = (ctypes.c_uint32 * IN_WORDS * cycles)()
        assert file.readinto(rows) == ctypes.sizeof(rows), "PEER_ROWS has fewer cycles"
    return straps, rows


@cocotb.test()
async def model_beside_rtl(dut):
    cycles, flip_input, flip_expected, flipped = settings()
    straps, rows = recorded(cycles)
    model = LwpModel()
    assert bytes(model.straps()) == straps, "the rows were recorded with other straps"
    dut.straps_i.value = int.from_bytes(straps, "little")
    dut.in_i.value = 0  # rst_n is bit 0
    for clk in (0, 1):
        dut.clk_i.value = clk
        await Timer(1, "ns")

    start = time.perf_counter()
    for cycle, row in enumerate(rows):
        seen = number(row)
        dut.in_i.value = seen ^ CPL if cycle == flip_input else seen
        dut.clk_i.value = 0
        await Timer(1, "ns")
        expected = number(model.probe())
        if cycle == flip_expected:
            expected ^= flipped
        if int(dut.out_o.value) != expected:
            tell(model, int(dut.out_o.value))
            print(f"peer: cycle {cycle} differs", flush=True)
            raise AssertionError(f"cycle {cycle}: RTL and model differ")
        dut.clk_i.value = 1
        await Timer(1, "ns")
        model.step_words(row)
    seconds = time.perf_counter() - start
    print(f"peer: {cycles} cycles in {seconds:.9f} s", flush=True)


def tell(model, row):
    """The library names the fields."""
    try:
        model.check(words(row, 79))
    except Mismatch as mismatch:
        print(mismatch, file=sys.stderr, flush=True)
