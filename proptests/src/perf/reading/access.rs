//! The meaning of a register request, the privilege that it needs, and the register that it names.

use super::select::version;
use lwp_model::perf::{Config, X2apic};
use lwp_model::retire::RegOp;

/// A register of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// PerfEvtSel0 and 1, or `IA32_PERFEVTSELx`.
    Select(usize),
    /// PerfCtr0 and 1, or `IA32_PMCx`.
    Counter(usize),
    /// `IA32_A_PMCx`: the same counter, written in full width.
    FullCounter(usize),
    /// `IA32_FIXED_CTRx`.
    Fixed(usize),
    /// `IA32_FIXED_CTR_CTRL`.
    FixedControl,
    /// `IA32_PERF_GLOBAL_STATUS`.
    Status,
    /// `IA32_PERF_GLOBAL_CTRL`.
    GlobalControl,
    /// `IA32_PERF_GLOBAL_OVF_CTRL`.
    OverflowControl,
    /// `IA32_PERF_CAPABILITIES`.
    Capabilities,
    /// The entry of the local APIC, as an MSR.
    Entry,
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Read(Register),
    Write(Register),
    /// RDPMC, and the bits that it returns.
    ReadCounter(Register, u64),
    /// RDPMC of a counter that does not exist.
    NoCounter,
    /// Anything else.
    Nothing,
}

/// Returns the meaning of a request.
pub(super) fn asked(straps: &Config, op: RegOp, number: u32) -> Asked {
    match op {
        RegOp::Rdmsr => register(straps, number).map_or(Asked::Nothing, Asked::Read),
        RegOp::Wrmsr => register(straps, number).map_or(Asked::Nothing, Asked::Write),
        RegOp::Rdpmc => counter(straps, number),
        _ => Asked::Nothing,
    }
}

fn register(straps: &Config, number: u32) -> Option<Register> {
    let general = |first: u32| {
        let at = number.checked_sub(first)?;
        (at < straps.counters.into()).then_some(at as usize)
    };
    let version = version(straps);
    let full = straps.pdcm && straps.capabilities.into_bits() >> 13 & 1 == 1;
    if let Some(at) = general(0x186) {
        return Some(Register::Select(at));
    }
    if let Some(at) = general(0xC1) {
        return Some(Register::Counter(at));
    }
    if let Some(at) = general(0x4C1).filter(|_| full) {
        return Some(Register::FullCounter(at));
    }
    match number {
        0x309..=0x30B if number - 0x309 < straps.fixed.into() => Some(Register::Fixed((number - 0x309) as usize)),
        0x345 if straps.pdcm => Some(Register::Capabilities),
        0x38D if version >= 2 => Some(Register::FixedControl),
        0x38E if version >= 2 => Some(Register::Status),
        0x38F if version >= 2 => Some(Register::GlobalControl),
        0x390 if version >= 2 => Some(Register::OverflowControl),
        0x834 if straps.x2apic == X2apic::Msr => Some(Register::Entry),
        _ => None,
    }
}

/// Returns the counter that RDPMC names. Bit 30 asks for a fixed counter; bit 31 for bits 31:0 alone, if the strap has it.
fn counter(straps: &Config, number: u32) -> Asked {
    let fast = number >> 31 == 1;
    if fast && !straps.fast_read {
        return Asked::NoCounter;
    }
    let bits = if fast { 0xFFFF_FFFF } else { u64::MAX };
    let (fixed, at) = (number >> 30 & 1 == 1, number & 0x3FFF_FFFF);
    let exists = at < u32::from(if fixed { straps.fixed } else { straps.counters });
    match exists {
        true if fixed => Asked::ReadCounter(Register::Fixed(at as usize), bits),
        true => Asked::ReadCounter(Register::Counter(at as usize), bits),
        false => Asked::NoCounter,
    }
}
