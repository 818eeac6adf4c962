//! The meaning of a request, and the privilege that it needs.

use lwp_model::retire::{OpMode, RegOp, RegResult};
use lwp_model::tsc::{Config, Inputs, Outputs};

/// The numbers of the registers, from the facts about real hardware.
const IA32_TIME_STAMP_COUNTER: u32 = 0x10;
const IA32_TSC_ADJUST: u32 = 0x3B;
const IA32_TSC_AUX: u32 = 0xC000_0103;

/// The meaning of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// RDTSC.
    Time,
    /// RDTSCP.
    Stamp,
    /// RDMSR of the counter.
    ReadCounter,
    /// RDMSR of `IA32_TSC_ADJUST`.
    ReadAdjust,
    /// RDMSR of `IA32_TSC_AUX`.
    ReadAux,
    /// WRMSR to the counter.
    WriteCounter,
    /// WRMSR to `IA32_TSC_ADJUST`.
    WriteAdjust,
    /// WRMSR to `IA32_TSC_AUX`.
    WriteAux,
    /// RDTSC or RDTSCP, on a processor without it.
    NoInstruction,
    /// Anything else.
    Nothing,
}

/// A request that was made in the last cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) asked: Asked,
    /// The logical processor that makes the request.
    pub(super) lp: usize,
    /// The privilege level of the processor.
    pub(super) level: u8,
    /// The processor's CR4.TSD.
    pub(super) tsd: bool,
    /// The value of WRMSR.
    pub(super) value: u64,
    /// The time at the beginning and at the end of the cycle.
    pub(super) time: [u64; 2],
}

impl Pending {
    pub(super) fn new<const LP: usize>(straps: &Config, inputs: &Inputs, time: [u64; 2]) -> Self {
        Self {
            asked: asked(straps, inputs.reg.op, inputs.reg.number),
            // The lowest log2(LP) bits are used.
            lp: usize::from(inputs.reg.lp) % LP,
            level: level(inputs.op_mode, inputs.cpl),
            tsd: inputs.tsd,
            value: inputs.reg.wdata,
            time,
        }
    }
}

fn asked(straps: &Config, op: RegOp, number: u32) -> Asked {
    match op {
        RegOp::Rdtsc if straps.present => Asked::Time,
        RegOp::Rdtscp if straps.aux => Asked::Stamp,
        RegOp::Rdtsc | RegOp::Rdtscp => Asked::NoInstruction,
        RegOp::Rdmsr | RegOp::Wrmsr => {
            let read = op == RegOp::Rdmsr;
            match number {
                IA32_TIME_STAMP_COUNTER if straps.present && read => Asked::ReadCounter,
                IA32_TIME_STAMP_COUNTER if straps.present => Asked::WriteCounter,
                IA32_TSC_ADJUST if straps.adjust && read => Asked::ReadAdjust,
                IA32_TSC_ADJUST if straps.adjust => Asked::WriteAdjust,
                IA32_TSC_AUX if straps.aux && read => Asked::ReadAux,
                IA32_TSC_AUX if straps.aux => Asked::WriteAux,
                _ => Asked::Nothing,
            }
        }
        _ => Asked::Nothing,
    }
}

/// Returns the privilege level: real mode has 0, virtual-8086 mode 3.
fn level(mode: OpMode, cpl: u8) -> u8 {
    match mode {
        OpMode::Real => 0,
        OpMode::Virtual8086 => 3,
        _ => cpl & 3,
    }
}

/// Checks that all outputs are 0 without a request in the last cycle, also in the first cycle after reset.
pub(super) fn none(out: &Outputs) -> Result<(), String> {
    if *out != Outputs::default() {
        return Err(format!("the unit responds without a request: {out:x?}"));
    }
    Ok(())
}

/// Checks the result of a request, and that its values are `rdata` and `aux`: 0 for all that the request does not read.
pub(super) fn shown(pending: &Pending, out: &Outputs, result: RegResult, rdata: u64, aux: u32) -> Result<(), String> {
    let Pending { asked, lp, level, tsd, .. } = pending;
    let who = format!("{asked:?} of logical processor {lp} in level {level}, TSD {}", u8::from(*tsd));
    if !out.reg_done {
        return Err(format!("{who}: no answer in the next cycle"));
    }
    if out.reg_result != result {
        return Err(format!("{who}: the result is {:?}, not {result:?}", out.reg_result));
    }
    if out.reg_rdata != rdata {
        return Err(format!("{who}: EDX:EAX is {:#x}, not {rdata:#x}", out.reg_rdata));
    }
    if out.reg_aux != aux {
        return Err(format!("{who}: ECX is {:#x}, not {aux:#x}", out.reg_aux));
    }
    Ok(())
}
