//! What the unit shows in one cycle.

use super::state::{Processor, State};
use crate::retire::RegResult;

/// Outputs of a logical processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LpOut {
    /// A performance interrupt is requested, until acknowledged.
    pub irq: bool,
    /// How it is delivered: 0 the interrupt `irq_vector`, 2 SMI, 4 NMI.
    pub irq_mode: u8,
    /// Its vector.
    pub irq_vector: u8,
    /// Vector of the local APIC's entry.
    pub lvt_vector: u8,
    /// Delivery mode of the entry.
    pub lvt_mode: u8,
    /// Mask of the entry.
    pub lvt_mask: bool,
    /// A performance interrupt was asked for in the last cycle.
    pub pmi: bool,
}

/// Outputs of a general counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GeneralOut {
    /// It overflowed in the last cycle.
    pub overflow: bool,
    /// Its pin is asserted.
    pub pin: bool,
}

/// Outputs of a fixed counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedOut {
    /// It overflowed in the last cycle.
    pub overflow: bool,
}

/// Outputs of one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs<const LP: usize, const GENERAL: usize, const FIXED: usize> {
    /// The request of the last cycle is answered.
    pub reg_done: bool,
    /// Its result.
    pub reg_result: RegResult,
    /// EDX:EAX of RDMSR, RDPMC.
    pub reg_rdata: u64,
    /// The logical processors.
    pub lp: [LpOut; LP],
    /// The general counters of each.
    pub general: [[GeneralOut; GENERAL]; LP],
    /// The fixed counters of each.
    pub fixed: [[FixedOut; FIXED]; LP],
}

impl LpOut {
    #[inline(always)]
    const fn of(lp: &Processor) -> Self {
        Self {
            irq: lp.irq,
            irq_mode: lp.irq_mode,
            irq_vector: lp.irq_vector,
            lvt_vector: lp.lvt_vector,
            lvt_mode: lp.lvt_mode,
            lvt_mask: lp.lvt_mask,
            pmi: lp.pmi,
        }
    }
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize> Outputs<LP, GENERAL, FIXED> {
    /// Reads the outputs from the registers.
    #[must_use]
    #[inline(always)]
    pub fn of(state: &State<LP, GENERAL, FIXED>) -> Self {
        let mut outputs = Self {
            reg_done: state.answer.reg_done,
            reg_result: state.answer.reg_result,
            reg_rdata: state.answer.reg_rdata,
            lp: [LpOut::default(); LP],
            general: [[GeneralOut::default(); GENERAL]; LP],
            fixed: [[FixedOut::default(); FIXED]; LP],
        };
        for (own, lp) in state.lp.iter().enumerate() {
            outputs.lp[own] = LpOut::of(lp);
            for (out, counter) in outputs.general[own].iter_mut().zip(&state.general[own]) {
                *out = GeneralOut { overflow: counter.overflow, pin: counter.pin };
            }
            for (out, counter) in outputs.fixed[own].iter_mut().zip(&state.fixed[own]) {
                *out = FixedOut { overflow: counter.overflow };
            }
        }
        outputs
    }
}
