//! Every register of the unit, in the order of the RTL's `state_t`. All reset to zero.

use crate::retire::RegResult;
use lwp_regs::tsc::{TimeStampCounter, TscAdjust, TscAux};

/// The rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateRegs {
    /// The first cycle after reset has passed. Stays 0 unless the rate is constant-boot.
    pub booted: bool,
    /// The core's ratio in that cycle, in halves.
    pub boot_ratio: u8,
    /// What the last ticks of the time base left over, in units of 1 / denominator.
    pub fraction: u16,
}

/// The registers of a logical processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    /// IA32_TIME_STAMP_COUNTER.
    pub counter: TimeStampCounter,
    /// IA32_TSC_ADJUST. 0 if the strap `adjust` is 0.
    pub adjust: TscAdjust,
    /// IA32_TSC_AUX, of which 32 bits are a register; the others are 0.
    pub aux: TscAux,
}

/// The answer to a request, which becomes the outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The request of the last cycle is answered.
    pub reg_done: bool,
    /// Its result.
    pub reg_result: RegResult,
    /// EDX:EAX of RDTSC, RDTSCP, RDMSR.
    pub reg_rdata: u64,
    /// ECX of RDTSCP.
    pub reg_aux: u32,
}

/// All registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<const LP: usize> {
    /// The rate.
    pub rate: RateRegs,
    /// The logical processors.
    pub processors: [Processor; LP],
    /// The answer.
    pub answer: Answer,
}

impl<const LP: usize> Default for State<LP> {
    fn default() -> Self {
        Self { rate: RateRegs::default(), processors: [Processor::default(); LP], answer: Answer::default() }
    }
}
