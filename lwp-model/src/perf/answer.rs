//! Step 9 of a cycle, answer: what a read shows.

use super::config::Config;
use super::global;
use super::request::{Asking, Kind, Register};
use super::state::Answer;
use crate::retire::RegResult;
use lwp_regs::perf::architectural::Ia32PerfGlobalCtrl;

impl Answer {
    /// The answer without data.
    pub(super) const fn of(reg_result: RegResult) -> Self {
        Self { reg_done: true, reg_result, reg_rdata: 0 }
    }

    /// The answer of a read that is done.
    pub(super) const fn read(reg_rdata: u64) -> Self {
        Self { reg_done: true, reg_result: RegResult::Done, reg_rdata }
    }
}

impl Asking<'_> {
    /// A register that exists, as software sees it.
    pub(super) fn read(&self, register: Register, straps: &Config) -> u64 {
        let Asking { general, fixed, processor, .. } = self;
        let index = usize::from(register.index);
        match register.kind {
            Kind::Select => general[index].select.into(),
            Kind::Counter | Kind::FullCounter => general[index].counter,
            Kind::Fixed => fixed[index].counter,
            Kind::Capabilities => straps.capabilities.into_bits(),
            Kind::FixedControl => {
                fixed.iter().enumerate().map(|(k, counter)| u64::from(counter.control.into_bits()) << (4 * k)).sum()
            }
            Kind::Status => global::status(general, fixed, processor).into_bits(),
            Kind::Control => control(self, straps).into_bits(),
            Kind::ClearStatus | Kind::NotMine => 0,
            Kind::Lvt => processor.lvt().into_bits(),
        }
    }
}

/// IA32_PERF_GLOBAL_CTRL. Counters that do not exist have no bit.
fn control(asking: &Asking<'_>, straps: &Config) -> Ia32PerfGlobalCtrl {
    let general = asking.general.iter().take(straps.counters.into()).enumerate();
    let fixed = asking.fixed.iter().take(straps.fixed.into()).enumerate();
    Ia32PerfGlobalCtrl::new()
        .with_pmc(general.map(|(c, counter)| u32::from(counter.on) << c).sum())
        .with_fixed(fixed.map(|(k, counter)| u16::from(counter.on) << k).sum())
}
