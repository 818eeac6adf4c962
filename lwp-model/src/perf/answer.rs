//! Step 9 of a cycle, answer: what a read shows.

use super::config::Config;
use super::global;
use super::request::{Asking, Done, Register, Write};
use super::state::Answer;
use crate::retire::RegResult;
use lwp_regs::perf::architectural::Ia32PerfGlobalCtrl;

impl Answer {
    /// The answer to a request, and what it writes.
    pub(super) fn to(decided: Result<Done, RegResult>, asking: &Asking<'_>, straps: &Config) -> (Self, Option<Write>) {
        let done = |reg_rdata| Self { reg_done: true, reg_result: RegResult::Done, reg_rdata };
        match decided {
            Ok(Done::Read(register)) => (done(read(register, asking, straps)), None),
            Ok(Done::Rdpmc(selector)) => (done(asking.rdpmc(selector)), None),
            Ok(Done::Write(write)) => (done(0), Some(write)),
            Err(reg_result) => (Self { reg_done: true, reg_result, reg_rdata: 0 }, None),
        }
    }
}

/// A register as software sees it.
fn read(register: Register, asking: &Asking<'_>, straps: &Config) -> u64 {
    let Asking { general, fixed, processor, .. } = asking;
    match register {
        Register::Select(index) => general[index].select.into(),
        Register::Counter(index) | Register::FullCounter(index) => general[index].counter,
        Register::Fixed(index) => fixed[index].counter,
        Register::Capabilities => straps.capabilities.into_bits(),
        Register::FixedControl => {
            fixed.iter().enumerate().map(|(k, counter)| u64::from(counter.control.into_bits()) << (4 * k)).sum()
        }
        Register::Status => global::status(general, fixed, processor).into_bits(),
        Register::Control => control(asking, straps).into_bits(),
        Register::ClearStatus => 0,
        Register::Lvt => processor.lvt().into_bits(),
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
