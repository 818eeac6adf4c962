//! What the worlds are made of.

use lwp_model::perf::{Apic, Inputs, Lane, Line};
use lwp_model::retire::{IntKind, OpMode, RegOp, RegRequest};

/// Number of PerfCtr0.
pub(super) const COUNTER0: u32 = 0xC1;
/// Number of PerfEvtSel0.
pub(super) const SELECT0: u32 = 0x186;
/// Number of IA32_FIXED_CTR0.
pub(super) const FIXED0: u32 = 0x309;
/// Number of IA32_FIXED_CTR_CTRL.
pub(super) const FIXED_CONTROL: u32 = 0x38D;
/// Number of IA32_PERF_GLOBAL_STATUS.
pub(super) const STATUS: u32 = 0x38E;
/// Number of IA32_PERF_GLOBAL_CTRL.
pub(super) const CONTROL: u32 = 0x38F;
/// Number of IA32_PERF_GLOBAL_OVF_CTRL.
pub(super) const CLEAR: u32 = 0x390;
/// USR.
pub(super) const USR: u64 = 1 << 16;
/// USR and OS.
pub(super) const LEVELS: u64 = 3 << 16;
/// INST_RETIRED at all levels.
pub(super) const INSTRUCTIONS: u64 = 0xC0 | LEVELS;
/// Edge.
pub(super) const E: u64 = 1 << 18;
/// Pin control.
pub(super) const PC: u64 = 1 << 19;
/// Interrupt.
pub(super) const INT: u64 = 1 << 20;
/// AnyThread.
pub(super) const ANY: u64 = 1 << 21;
/// Enable.
pub(super) const EN: u64 = 1 << 22;
/// Inversion.
pub(super) const INV: u64 = 1 << 23;

/// A cycle of the core's clock in the operating system, in which nothing happens.
pub(super) fn core<const LP: usize, const LANES: usize>() -> Inputs<LP, LANES> {
    let mut inputs = Inputs { core_clock: true, ..Inputs::default() };
    for lp in &mut inputs.lp {
        lp.op_mode = OpMode::Long64;
    }
    inputs
}

/// A cycle in which both logical processors are halted.
pub(super) fn halted() -> Inputs<2, 2> {
    let mut inputs = core();
    for lp in &mut inputs.lp {
        lp.halted = true;
    }
    inputs
}

/// The same with so many instructions of each logical processor, whose levels are given.
pub(super) fn retire_by(numbers: [usize; 2], levels: [u8; 2]) -> Inputs<2, 2> {
    let mut inputs = halted();
    for (lp, (number, cpl)) in numbers.into_iter().zip(levels).enumerate() {
        inputs.lanes[lp][..number].fill(Lane { valid: true, counts: true, ..Lane::default() });
        inputs.lp[lp].cpl = cpl;
    }
    inputs
}

/// A cycle in which so many instructions retire.
pub(super) fn retires<const LP: usize, const LANES: usize>(number: usize) -> Inputs<LP, LANES> {
    let mut inputs = core();
    inputs.lanes[0][..number].fill(Lane { valid: true, counts: true, ..Lane::default() });
    inputs
}

/// The same with the interrupt taken.
pub(super) fn acknowledged<const LP: usize, const LANES: usize>(mut inputs: Inputs<LP, LANES>) -> Inputs<LP, LANES> {
    inputs.lp[0].irq_ack = true;
    inputs
}

/// The same with a request of the debug store.
pub(super) fn buffer<const LP: usize, const LANES: usize>(mut inputs: Inputs<LP, LANES>) -> Inputs<LP, LANES> {
    inputs.lp[0].ds_pmi = true;
    inputs
}

/// The same with the counters frozen.
pub(super) fn frozen<const LP: usize, const LANES: usize>(mut inputs: Inputs<LP, LANES>) -> Inputs<LP, LANES> {
    inputs.lp[0].freeze = true;
    inputs
}

/// The same with both controls of freezing set.
pub(super) fn freezing<const LP: usize, const LANES: usize>(mut inputs: Inputs<LP, LANES>) -> Inputs<LP, LANES> {
    (inputs.lp[0].freeze_on_pmi, inputs.lp[0].freeze_while_smm) = (true, true);
    inputs
}

/// The same with a system-management interrupt.
pub(super) fn smi<const LP: usize, const LANES: usize>(mut inputs: Inputs<LP, LANES>) -> Inputs<LP, LANES> {
    (inputs.lp[0].int_valid, inputs.lp[0].int_kind) = (true, IntKind::Smi);
    inputs
}

/// The same with the return from one.
pub(super) fn rsm<const LP: usize, const LANES: usize>(mut inputs: Inputs<LP, LANES>) -> Inputs<LP, LANES> {
    (inputs.lp[0].int_valid, inputs.lp[0].int_kind) = (true, IntKind::Rsm);
    inputs
}

/// The same with a tick of the bus clock at this ratio, in halves.
pub(super) fn ticks<const LP: usize, const LANES: usize>(
    inputs: Inputs<LP, LANES>,
    core_ratio: u8,
) -> Inputs<LP, LANES> {
    Inputs { bus_tick: true, core_ratio, ..inputs }
}

/// The same while the processor drives HIT#, which 7AH counts.
pub(super) fn drives<const LP: usize, const LANES: usize>(mut inputs: Inputs<LP, LANES>) -> Inputs<LP, LANES> {
    inputs.lp[0].events.set(Line::BusHitDrv, 1);
    inputs
}

/// No request, though the port is not empty.
pub(super) fn nothing() -> (RegRequest, Apic) {
    let (reg, apic) = write(SELECT0, 77);
    (RegRequest { valid: false, ..reg }, apic)
}

/// A request without a value.
pub(super) fn ask(op: RegOp, number: u32) -> (RegRequest, Apic) {
    (RegRequest { valid: true, op, lp: 0, number, wdata: 0 }, Apic::default())
}

/// A WRMSR.
pub(super) fn write(number: u32, wdata: u64) -> (RegRequest, Apic) {
    let (reg, apic) = ask(RegOp::Wrmsr, number);
    (RegRequest { wdata, ..reg }, apic)
}

/// A write of the local APIC's entry.
pub(super) fn entry(wdata: u32) -> (RegRequest, Apic) {
    (RegRequest::default(), Apic { write: true, lp: 0, wdata })
}
