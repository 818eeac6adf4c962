//! A core in front of one instruction.

use super::super::{Bundle, Core, Image, Retired, Segment, Unit};

/// Address of the bundle with the instruction.
pub(super) const CODE: u64 = 0x1000;
/// Memory that can be written: 256 bytes, zero.
pub(super) const DATA: u64 = 0x2000;

const NOP_M: u64 = 0x000_0800_0000;
const NOP_I: u64 = 0x000_0800_0000;

/// Returns a bundle with an instruction in a slot of its unit, and that slot. Others are nops.
pub(super) fn bundle(unit: Unit, raw: u64, upper: u64) -> (Bundle, u8) {
    let (template, slots, slot) = match unit {
        Unit::M => (0x01, [raw, NOP_I, NOP_I], 0),
        Unit::I => (0x01, [NOP_M, raw, NOP_I], 1),
        Unit::F => (0x0d, [NOP_M, raw, NOP_I], 1),
        Unit::B => (0x11, [NOP_M, NOP_I, raw], 2),
        Unit::X | Unit::L => (0x05, [NOP_M, upper, raw], 2),
    };
    (Bundle { template, slots }, slot)
}

/// Returns a core in front of an instruction, at level 0.
pub(super) fn in_front_of(unit: Unit, raw: u64, upper: u64) -> Core {
    let (bundle, slot) = bundle(unit, raw, upper);
    let mut image = Image::of_bundles(CODE, &[bundle]);
    let data = Segment { start: DATA, bytes: vec![0; 256], writable: true, executable: false };
    image.add(data).expect("the code is elsewhere");
    let mut core = Core::new(image);
    while core.place().slot != slot {
        core.step().expect("a nop");
    }
    core
}

/// Returns a core in front of an instruction, with values in general registers.
pub(super) fn with(unit: Unit, raw: u64, registers: &[(u8, u64)]) -> Core {
    let mut core = in_front_of(unit, raw, 0);
    for (number, value) in registers {
        core.set_general(*number, *value).expect("a register that can be written");
    }
    core
}

/// Executes the next instruction.
pub(super) fn step(core: &mut Core) -> Retired {
    core.step().unwrap_or_else(|fault| panic!("{fault}"))
}
