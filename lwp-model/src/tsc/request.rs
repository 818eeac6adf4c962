//! Step 1 of a cycle, request, and the answer.

use super::inputs::Inputs;
use super::state::{Answer, Processor};
use crate::retire::{RegOp, RegResult};
use lwp_regs::tsc::{TimeFault, TimeStampCounter, TimeStampDisable, TscAdjust, TscAux, TscFeatures};

/// Write of a WRMSR that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    /// Writes this value to the counter.
    Counter(u64),
    /// Writes this value to the adjustment.
    Adjust(u64),
    /// Writes this content to the signature.
    Aux(TscAux),
}

/// Outcome of a request.
type Outcome = Result<Done, RegResult>;

/// Returns the outcome of a request that is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Done {
    rdata: u64,
    aux: u32,
    write: Option<Write>,
}

/// Returns the answer to the request of this cycle, which `asking` makes, and the write.
#[inline]
pub(super) fn answer(inputs: &Inputs, features: TscFeatures, asking: &Processor) -> (Answer, Option<Write>) {
    if !inputs.reg.valid {
        return (Answer::default(), None);
    }
    match outcome(inputs, features, asking) {
        Ok(Done { rdata, aux, write }) => {
            let answer = Answer { reg_done: true, reg_result: RegResult::Done, reg_rdata: rdata, reg_aux: aux };
            (answer, write)
        }
        Err(reg_result) => (Answer { reg_done: true, reg_result, ..Answer::default() }, None),
    }
}

#[inline]
fn outcome(inputs: &Inputs, features: TscFeatures, asking: &Processor) -> Outcome {
    let level = inputs.op_mode.level(inputs.cpl);
    let disable = TimeStampDisable::from_tsd(inputs.tsd);
    let time = asking.counter.ticks();
    match inputs.reg.op {
        RegOp::Rdtsc => {
            features.check_rdtsc(disable, level).map_err(code)?;
            Ok(Done { rdata: time, ..Done::default() })
        }
        RegOp::Rdtscp => {
            features.check_rdtscp(disable, level).map_err(code)?;
            Ok(Done { rdata: time, aux: asking.aux.signature(), write: None })
        }
        RegOp::Rdmsr => {
            check_msr(inputs.reg.number, features, level)?;
            Ok(Done { rdata: read(inputs.reg.number, asking), ..Done::default() })
        }
        RegOp::Wrmsr => {
            check_msr(inputs.reg.number, features, level)?;
            Ok(Done { write: Some(write(inputs.reg.number, inputs.reg.wdata, asking)?), ..Done::default() })
        }
        _ => Err(RegResult::NotMine),
    }
}

#[inline]
const fn code(fault: TimeFault) -> RegResult {
    match fault {
        TimeFault::InvalidOpcode => RegResult::InvalidOpcode,
        TimeFault::GeneralProtection => RegResult::GeneralProtection,
    }
}

/// Whether RDMSR and WRMSR may access the register.
#[inline]
const fn check_msr(number: u32, features: TscFeatures, level: u8) -> Result<(), RegResult> {
    if !features.has(number) {
        Err(RegResult::NotMine)
    } else if level != 0 {
        Err(RegResult::GeneralProtection)
    } else {
        Ok(())
    }
}

#[inline]
const fn read(number: u32, asking: &Processor) -> u64 {
    match number {
        TscAdjust::ADDRESS => asking.adjust.ticks(),
        TscAux::ADDRESS => asking.aux.into_bits(),
        _ => asking.counter.ticks(),
    }
}

/// Returns the write of a WRMSR to a register that exists.
#[inline]
fn write(number: u32, wdata: u64, asking: &Processor) -> Result<Write, RegResult> {
    match number {
        TimeStampCounter::ADDRESS => Ok(Write::Counter(wdata)),
        TscAdjust::ADDRESS => Ok(Write::Adjust(wdata)),
        _ => match TscAux::check_write(asking.aux, wdata, &()) {
            Ok(aux) => Ok(Write::Aux(aux)),
            Err(_) => Err(RegResult::GeneralProtection),
        },
    }
}
