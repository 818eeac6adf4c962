# SPDX-License-Identifier: MIT OR Apache-2.0
"""RTL and model side by side under cocotb: all outputs and registers compared in every cycle.

Environment: SEED (default 1), CYCLES (default 3000), INJECT=N (in cycle N the RTL alone sees ring 0: it must be found).
"""

import os
from random import Random

import cocotb
from cocotb.triggers import Timer
from lwp_model import Inputs, LwpModel, config, number, words

BLOCK, BUFFER, BUFFER_BYTES = 0x1_0000, 0x2_0000, 512
LLWPCB, SLWPCB, WRITE_MSR0 = 0, 1, 3
WRITE = 1


class World:
    """A memory that is now and then slow, and a core that does random things."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.memory = {BLOCK: 3 << 60 | BUFFER_BYTES << 32 | 1 << 31, BLOCK + 8: BUFFER, BLOCK + 32: 256}
        for event in range(3):
            self.memory[BLOCK + 40 + 8 * event] = 5 << 32 | (event + 1) << 26 | (12 + 9 * event)
        self.inputs = Inputs(op_mode=4)
        self.owed = None
        self.operations = [(WRITE_MSR0, 0x8000_000F), (LLWPCB, BLOCK)]
        self.waiting = False
        self.records = 0

    def one_in(self, n):
        return self.random.randrange(n) == 0

    def next_inputs(self, outputs):
        """What the unit sees in a cycle in which it shows these outputs."""
        self.answer(outputs)
        self.operate(outputs)
        self.retire()
        self.inputs.irq_ack = outputs.irq and self.one_in(4)
        if self.inputs.irq_ack:  # the handler takes all records: the tail follows the head
            head = self.memory[BLOCK + 16] & 0xFFFF_FFFF
            self.memory[BLOCK + 16] = head << 32 | head
        return self.inputs

    def answer(self, outputs):
        i = self.inputs
        i.mem_rvalid = self.owed is not None and not self.one_in(3)
        if i.mem_rvalid:
            i.mem_rdata, self.owed = self.owed, None
        i.mem_gnt = outputs.mem_req and not self.one_in(3)
        if i.mem_gnt:
            self.owed = self.memory.get(outputs.mem_addr, 0)
            if outputs.mem_cmd == WRITE:
                mask = sum(0xFF << 8 * byte for byte in range(8) if outputs.mem_be >> byte & 1)
                self.memory[outputs.mem_addr] = self.owed & ~mask | outputs.mem_wdata
                self.records += outputs.mem_addr >= BUFFER and outputs.mem_addr % 32 == 0

    def operate(self, outputs):
        """LWP on in ring 0, then LLWPCB in ring 3; now and then the session starts over."""
        i = self.inputs
        i.ctl_valid = 0
        if self.waiting:
            self.waiting = not outputs.rsp_valid
        elif self.operations and not outputs.stall and not i.lanes[0].valid:
            i.ctl_op, i.ctl_wdata = self.operations.pop(0)
            i.ctl_valid, self.waiting = 1, True
        elif not self.operations:
            i.cpl = 3
            if self.one_in(500):
                self.operations = [(SLWPCB, 0), (LLWPCB, BLOCK)]

    def retire(self):
        pick, bits = self.random.randrange, self.random.getrandbits
        for lane in self.inputs.lanes[:4]:
            lane.valid = not self.inputs.ctl_valid and self.one_in(3)
            lane.counts = 1
            lane.ip, lane.branch_next = bits(47), bits(47)
            lane.branch_kind = pick(11)
            lane.branch_taken, lane.branch_pred_valid, lane.branch_pred_ok = bits(1), bits(1), bits(1)
            for load in lane.loads:
                load.miss, load.addr_valid = self.one_in(4), bits(1)
                load.addr, load.latency, load.source = bits(47), pick(400), pick(8)


@cocotb.test()
async def model_beside_rtl(dut):
    seed, cycles, inject = (int(os.environ.get(*of)) for of in [("SEED", "1"), ("CYCLES", "3000"), ("INJECT", "-1")])
    model = LwpModel(config(core_id=7, gather_policy=1, gather_select=1))
    world = World(seed)
    dut._log.info("seed %d", seed)
    dut.straps_i.value = number(model.straps())
    dut.clk_i.value = 0
    dut.in_i.value = 0  # rst_n is bit 0
    await Timer(1, "ns")

    for cycle in range(cycles):
        inputs = world.next_inputs(model.outputs())
        seen = number(model.pack(inputs))
        if cycle == inject:
            seen &= ~0b1100  # cpl
        dut.in_i.value = seen
        dut.clk_i.value = 0
        await Timer(1, "ns")
        try:
            model.check(words(int(dut.out_o.value), 79))
        except AssertionError as mismatch:
            raise AssertionError(f"cycle {cycle}: {mismatch}") from None
        dut.clk_i.value = 1
        await Timer(1, "ns")
        model.step(inputs)

    dut._log.info("%d cycles compared, %d records, no mismatch", cycles, world.records)
    assert world.records > cycles // 300, "too few records: the stimulus is at fault"
