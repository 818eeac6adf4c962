//! What the operating system writes: the counters before the first instruction, and what the handler of an overflow restores.

use super::setup::{Counter, Setup, Which};
use lwp_model::perf::{Apic, Config, Inputs, X2apic};
use lwp_model::retire::{RegOp, RegRequest};
use std::collections::VecDeque;

/// Number of IA32_X2APIC_LVT_PMI.
const LVT: u32 = 0x834;
/// Number of IA32_FIXED_CTR_CTRL.
const FIXED_CONTROL: u32 = 0x38D;
/// Number of IA32_PERF_GLOBAL_CTRL.
const GLOBAL_CONTROL: u32 = 0x38F;
/// Number of IA32_PERF_GLOBAL_OVF_CTRL.
const CLEAR_STATUS: u32 = 0x390;

/// A register write, which takes a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// WRMSR.
    Msr(u32, u64),
    /// Write of the local APIC's entry in memory.
    Apic(u32),
}

impl Step {
    /// Makes the write at the unit's ports.
    pub(super) fn show<const LP: usize, const LANES: usize>(self, lp: u8, inputs: &mut Inputs<LP, LANES>) {
        match self {
            Self::Msr(number, wdata) => {
                inputs.reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp, number, wdata };
            }
            Self::Apic(wdata) => inputs.apic = Apic { write: true, lp, wdata },
        }
    }
}

/// Returns the writes that a logical processor makes before the first instruction. The enables come last; in P6 that of register 0
/// is for both counters.
pub(super) fn program(setup: &Setup, lp: u8) -> VecDeque<Step> {
    let own = || setup.counters.iter().filter(move |counter| counter.lp == lp);
    let mut steps = VecDeque::from([entry(setup)]);
    steps.extend(own().map(|counter| preset(counter, &setup.straps)));
    let mut selects: Vec<Step> = own().filter_map(select).collect();
    selects.reverse();
    steps.extend(selects);
    let fixed = own().filter_map(|counter| match counter.which {
        Which::Fixed(index) => Some(u64::from(counter.select) << (4 * index)),
        Which::General(_) => None,
    });
    if setup.straps.fixed > 0 {
        steps.push_back(Step::Msr(FIXED_CONTROL, fixed.sum()));
    }
    steps.extend(enable(&setup.straps));
    steps
}

/// Returns what the handler writes after these counters have overflowed.
pub(super) fn restore(setup: &Setup, lp: u8, overflowed: &[Which]) -> VecDeque<Step> {
    let mut steps = VecDeque::new();
    for counter in setup.counters.iter().filter(|counter| counter.lp == lp && overflowed.contains(&counter.which)) {
        if counter.period.is_some() {
            steps.push_back(preset(counter, &setup.straps));
        }
    }
    if setup.straps.version() >= 2 {
        let bits = overflowed.iter().map(|which| match which {
            Which::General(index) => 1 << index,
            Which::Fixed(index) => 1 << (32 + index),
        });
        steps.push_back(Step::Msr(CLEAR_STATUS, bits.sum()));
    }
    if setup.straps.mask_on_delivery {
        steps.push_back(entry(setup));
    }
    if setup.freeze_on_pmi {
        steps.extend(enable(&setup.straps));
    }
    steps
}

const fn entry(setup: &Setup) -> Step {
    match setup.straps.x2apic {
        X2apic::Msr => Step::Msr(LVT, setup.interrupt.entry as u64),
        X2apic::Memory => Step::Apic(setup.interrupt.entry),
    }
}

/// The value from which the counter overflows after its period. A general counter is written by its low 32 bits, which the hardware
/// extends by their sign.
fn preset(counter: &Counter, straps: &Config) -> Step {
    let value = u64::from(counter.period.unwrap_or(0)).wrapping_neg();
    match counter.which {
        Which::General(index) => Step::Msr(0xC1 + u32::from(index), value & 0xFFFF_FFFF),
        Which::Fixed(index) => Step::Msr(0x309 + u32::from(index), value & ((1 << straps.fixed_width) - 1)),
    }
}

fn select(counter: &Counter) -> Option<Step> {
    match counter.which {
        Which::General(index) => Some(Step::Msr(0x186 + u32::from(index), counter.select.into())),
        Which::Fixed(_) => None,
    }
}

/// Enables every counter that exists, where there is a register for that.
fn enable(straps: &Config) -> Option<Step> {
    let bits = (1_u64 << straps.counters) - 1 + (((1_u64 << straps.fixed) - 1) << 32);
    (straps.version() >= 2).then_some(Step::Msr(GLOBAL_CONTROL, bits))
}
