//! Debug registers: building DR7, checking a breakpoint, decoding DR6.

use super::row;
use lwp_regs::debug::{
    Breakpoint, BreakpointLimits, BreakpointSet, Condition, DebugCaps, Dr6, Dr7, Enable, Length, Slot,
};
use regs_checks::Row;
use x86::debugregs as x86_dr;
use x86_64::registers::debug as x86_64_dr;

const LIMITS: BreakpointLimits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);

/// DR7 with a breakpoint for writes of 8 bytes.
#[inline]
fn write_breakpoint(dr7: Dr7, slot: Slot) -> Dr7 {
    dr7.with_enable(slot, Enable::GLOBAL).with_kind(slot, Condition::Write, Length::Eight)
}

/// The same with the crate `x86_64`. Its DR7 is without bit 10, which its write puts there; `others` tells of a content
/// with other breakpoints, so that Ln has to be cleared, too.
#[inline]
fn x86_64_write_breakpoint(dr7: u64, slot: Slot, others: bool) -> u64 {
    use x86_64_dr::{BreakpointCondition, BreakpointSize, DebugAddressRegisterNumber as Number, Dr7Flags, Dr7Value};
    let n = match slot {
        Slot::Dr0 => Number::Dr0,
        Slot::Dr1 => Number::Dr1,
        Slot::Dr2 => Number::Dr2,
        Slot::Dr3 => Number::Dr3,
    };
    // SAFETY: any content of DR7 is one.
    let mut value = unsafe { Dr7Value::from_bits_unchecked(dr7) };
    if others {
        value.remove_flags(Dr7Flags::local_breakpoint_enable(n));
    }
    value.insert_flags(Dr7Flags::global_breakpoint_enable(n));
    value.set_condition(n, BreakpointCondition::DataWrites);
    value.set_size(n, BreakpointSize::Length8B);
    value.bits()
}

/// The same with the crate `x86`.
#[inline]
fn x86_write_breakpoint(dr7: u64, slot: Slot, others: bool) -> u64 {
    use x86_dr::{BreakCondition, BreakSize, Breakpoint, Dr7};
    let bp = match slot {
        Slot::Dr0 => Breakpoint::Dr0,
        Slot::Dr1 => Breakpoint::Dr1,
        Slot::Dr2 => Breakpoint::Dr2,
        Slot::Dr3 => Breakpoint::Dr3,
    };
    let mut value = Dr7(dr7 as usize);
    if others {
        value.disable_bp(bp, false);
    }
    value.enable_bp(bp, true);
    value.configure_bp(bp, BreakCondition::DataWrites, BreakSize::Bytes8);
    value.0 as u64
}

pub(crate) fn rows() -> Vec<Row> {
    vec![
        row!(
            "DR7: one breakpoint for writes of 8 bytes, constant slot",
            (),
            u64,
            write_breakpoint(Dr7::RESET, Slot::Dr1).into_bits(),
            0x400 | 2 << 2 | 0b1001 << 20,
            "x86_64" => x86_64_write_breakpoint(0x400, Slot::Dr1, false),
            "x86" => x86_write_breakpoint(0x400, Slot::Dr1, false)
        ),
        row!(
            "DR7: one breakpoint for writes of 8 bytes, any slot",
            (slot: Slot),
            u64,
            write_breakpoint(Dr7::RESET, slot).into_bits(),
            0x400 | 2 << (2 * slot as u64) | 0b1001 << (16 + 4 * slot as u64),
            "x86_64" => x86_64_write_breakpoint(0x400, slot, false),
            "x86" => x86_write_breakpoint(0x400, slot, false)
        ),
        row!(
            "DR7: the same, leave the other breakpoints",
            (dr7: u64, slot: Slot),
            u64,
            write_breakpoint(Dr7::from_bits(dr7), slot).into_bits(),
            {
                let (enable, kind) = (2 * slot as u64, 16 + 4 * slot as u64);
                (dr7 & !(0b11 << enable) | 0b10 << enable) & !(0b1111 << kind) | 0b1001 << kind
            },
            "x86_64" => x86_64_write_breakpoint(dr7, slot, true),
            "x86" => x86_write_breakpoint(dr7, slot, true)
        ),
        row!(
            "breakpoint for 8 bytes: aligned and canonical",
            (address: u64, slot: Slot),
            bool,
            Breakpoint::write(address, Length::Eight).check(slot, &LIMITS).is_ok(),
            {
                let _ = slot;
                address & 7 == 0 && ((address << 16) as i64 >> 16) as u64 == address
            }
        ),
        row!(
            "DR6: which conditions held",
            (dr6: u64),
            u8,
            Dr6::from_bits(dr6).conditions().bits(),
            dr6 as u8 & 0xF,
            "x86_64" => {
                use x86_64_dr::Dr6Flags;
                (Dr6Flags::from_bits_truncate(dr6) & Dr6Flags::TRAP).bits() as u8
            },
            "x86" => {
                use x86_dr::Dr6;
                (Dr6::from_bits_truncate(dr6 as usize) & (Dr6::B0 | Dr6::B1 | Dr6::B2 | Dr6::B3)).bits() as u8
            }
        ),
        row!(
            "DR6 and DR7: which breakpoints were hit",
            (dr6: u64, dr7: u64),
            u8,
            BreakpointSet { control: Dr7::from_bits(dr7), ..BreakpointSet::new() }.hits(Dr6::from_bits(dr6)).bits(),
            {
                let on = |n: u8| u8::from(dr7 & 0b11 << (2 * n) != 0) << n;
                dr6 as u8 & (on(0) | on(1) | on(2) | on(3))
            }
        ),
        row!(
            "DR6: a bus lock was taken (active low)",
            (dr6: u64),
            bool,
            Dr6::from_bits(dr6).bus_lock(),
            dr6 & 1 << 11 == 0
        ),
    ]
}
