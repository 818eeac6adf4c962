//! What the worlds are made of.

use lwp_model::itanium::{Fetch, Inputs, Issue, Mem, RegOp, RegRequest, Retire};

/// Performance monitor configuration registers.
pub(super) const PMC: u32 = 0;
/// Performance monitor data registers.
pub(super) const PMD: u32 = 1;
/// Instruction breakpoint registers.
pub(super) const IBR: u32 = 2;
/// Data breakpoint registers.
pub(super) const DBR: u32 = 3;
/// Control registers.
pub(super) const CR: u32 = 4;

/// Bits of the PSR.
pub(super) const UP: u64 = 1 << 2;
/// PSR.sp.
pub(super) const SP: u64 = 1 << 20;
/// PSR.pp.
pub(super) const PP: u64 = 1 << 21;

/// Every level in plm.
pub(super) const LEVELS: u64 = 0b1111;
/// External visibility of an overflow.
pub(super) const EV: u64 = 1 << 4;
/// Overflow interrupt.
pub(super) const OI: u64 = 1 << 5;
/// A system-level monitor.
pub(super) const PM: u64 = 1 << 6;
/// The lowest bit of the event, of the unit mask, of the threshold, of the instruction set mask.
pub(super) const ES: u32 = 8;
pub(super) const UMASK: u32 = 16;
pub(super) const THRESHOLD: u32 = 20;
pub(super) const ISM: u32 = 24;

/// nop.m with predicate p0, which PMC\[8\] of the worlds matches.
pub(super) const NOP: u64 = 0x000_0800_0000;
/// PMC\[8\] that matches it alone.
pub(super) const ONLY_NOP: u64 = 0x8000_4000_0000_0000;

/// One bundle, at level 0.
pub(super) type Cycle = Inputs<1>;

/// A request.
pub(super) fn ask(op: RegOp, number: u32, wdata: u64) -> Cycle {
    Cycle { reg: RegRequest { valid: true, op, lp: 0, number, wdata }, ..Cycle::default() }
}

/// mov file\[index\] = value.
pub(super) fn write(file: u32, index: u32, value: u64) -> Cycle {
    ask(RegOp::WriteFile, file << 8 | index, value)
}

/// mov r = file\[index\].
pub(super) fn read(file: u32, index: u32) -> Cycle {
    ask(RegOp::ReadFile, file << 8 | index, 0)
}

/// The same at this level.
pub(super) fn at(cpl: u8, cycle: Cycle) -> Cycle {
    Cycle { cpl, ..cycle }
}

/// The same at this level, with this instruction set.
pub(super) fn in_mode(cpl: u8, psr_is: bool, cycle: Cycle) -> Cycle {
    Cycle { cpl, psr_is, ..cycle }
}

/// The same with a period of the core's clock.
pub(super) fn clocked(cycle: Cycle) -> Cycle {
    Cycle { core_clock: true, ..cycle }
}

/// A bundle is fetched.
pub(super) fn fetch(id: u8, addr: u64) -> Fetch {
    Fetch { valid: true, id, addr, cpl: 0 }
}

/// A bundle of this template is issued, whose slots all hold the same.
pub(super) fn issue(id: u8, template_code: u8, slot: u64) -> Issue {
    Issue { valid: true, id, template_code, slot0: slot, slot1: slot, slot2: slot }
}

/// These slots of a bundle retire.
pub(super) fn retire(id: u8, slots: u8) -> Retire {
    Retire { valid: true, id, slots, ..Retire::default() }
}

/// A load of the instruction in slot 1 of a bundle, which misses the L1 data cache.
pub(super) fn load(id: u8, addr: u64) -> Mem {
    Mem { valid: true, id, slot: 1, addr, read: true, l1d_read: true, l1d_miss: true, ..Mem::default() }
}
