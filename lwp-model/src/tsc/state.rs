//! Every register of the unit, in the order of the RTL's `state_t`. All reset to zero.

use crate::retire::RegResult;
use lwp_regs::tsc::{TimeStampCounter, TscAdjust, TscAux};

/// Registers of the rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateRegs {
    /// Whether the first cycle after reset has passed. Stays 0 unless the rate is constant-boot.
    pub booted: bool,
    /// Ratio of core clock to bus clock in the first cycle after reset, in halves.
    pub boot_ratio: u8,
    /// Fraction of a tick that the last ticks of the time base left over, in units of 1 / denominator.
    pub fraction: u16,
}

/// Registers of a logical processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    /// IA32_TIME_STAMP_COUNTER.
    pub counter: TimeStampCounter,
    /// IA32_TSC_ADJUST. 0 if the strap `adjust` is 0.
    pub adjust: TscAdjust,
    /// IA32_TSC_AUX. Only its low 32 bits are a register; the others are 0.
    pub aux: TscAux,
}

/// Registers of the answer, which are the outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Whether the result of the last cycle's request is valid.
    pub reg_done: bool,
    /// Result of the request.
    pub reg_result: RegResult,
    /// EDX:EAX of RDTSC, RDTSCP or RDMSR; 0 unless such a request is done.
    pub reg_rdata: u64,
    /// ECX of RDTSCP; 0 unless RDTSCP is done.
    pub reg_aux: u32,
}

/// Every register of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<const LP: usize> {
    /// Registers of the rate.
    pub rate: RateRegs,
    /// Registers of the logical processors.
    pub processors: [Processor; LP],
    /// Registers of the answer.
    pub answer: Answer,
}

impl<const LP: usize> Default for State<LP> {
    fn default() -> Self {
        Self { rate: RateRegs::default(), processors: [Processor::default(); LP], answer: Answer::default() }
    }
}
