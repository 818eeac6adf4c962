//! What the worlds are made of.

use super::{Level, PROCESSORS};
use lwp_model::retire::{OpMode, Processor, RegOp, RegRequest};
use lwp_model::tsc::{Config, State};
use lwp_regs::tsc::{TimeStampCounter, TscAdjust, TscAux};

/// IA32_TIME_STAMP_COUNTER.
pub(super) const COUNTER: u32 = TimeStampCounter::ADDRESS;
/// IA32_TSC_ADJUST.
pub(super) const ADJUST: u32 = TscAdjust::ADDRESS;
/// IA32_TSC_AUX.
pub(super) const AUX: u32 = TscAux::ADDRESS;

/// The operating system.
pub(super) const SYSTEM: Level = (0, OpMode::Long64, false);

/// No request, though the port is not empty.
pub(super) fn nothing() -> RegRequest {
    RegRequest { valid: false, ..write(COUNTER, 1, 77) }
}

/// A request without a value.
pub(super) fn ask(op: RegOp, number: u32, lp: u8) -> RegRequest {
    RegRequest { valid: true, op, lp, number, wdata: 0 }
}

/// A write.
pub(super) fn write(number: u32, lp: u8, wdata: u64) -> RegRequest {
    RegRequest { wdata, ..ask(RegOp::Wrmsr, number, lp) }
}

/// A tick of the crystal.
pub(super) fn crystal() -> Processor {
    Processor { crystal_tick: true, ..Processor::default() }
}

/// A tick of the bus clock at this ratio, in halves.
pub(super) fn bus(core_ratio: u8) -> Processor {
    Processor { bus_tick: true, core_ratio, ..Processor::default() }
}

/// Counters of the bus clock without adjustment and auxiliary register.
pub(super) fn of_bus() -> Config {
    Config { adjust: false, aux: false, max_ratio: 3, ..Config::default() }
}

/// The counters, those just below 2^64 as negative numbers.
pub(super) fn counters(state: &State<PROCESSORS>) -> impl Iterator<Item = i64> {
    state.processors.iter().map(|processor| u64::from(processor.counter) as i64)
}

/// Ticks since reset.
pub(super) fn elapsed(state: &State<PROCESSORS>) -> u64 {
    let first = &state.processors[0];
    u64::from(first.counter).wrapping_sub(u64::from(first.adjust))
}
