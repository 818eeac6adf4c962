//! Step 1 of a cycle, request: what is asked for, and whether it may be.

use super::config::{Config, Sel1En, X2apic};
use super::state::{Fixed, General, Processor};
use crate::retire::{RegOp, RegRequest, RegResult};
use lwp_regs::access::GeneralProtection;
use lwp_regs::delivery::LvtPerformance;
use lwp_regs::perf::architectural::{
    CounterCaps, Ia32APmc, Ia32FixedCtr, Ia32FixedCtrCtrl, Ia32PerfCapabilities, Ia32PerfEvtSel, Ia32PerfGlobalCtrl,
    Ia32PerfGlobalOvfCtrl, Ia32PerfGlobalStatus, Ia32Pmc, PerfmonCaps, RdpmcCounter, RdpmcSelector,
};
use lwp_regs::perf::p6::{PerfEvtSel0, PerfEvtSel1, RdpmcPolicy};

/// A register that the unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    Select(usize),
    Counter(usize),
    FullCounter(usize),
    Fixed(usize),
    Capabilities,
    FixedControl,
    Status,
    Control,
    ClearStatus,
    Lvt,
}

/// What a WRMSR that is done writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    Select(usize, u32),
    Counter(usize, u64),
    Fixed(usize, u64),
    FixedControl(Ia32FixedCtrCtrl),
    GlobalControl(Ia32PerfGlobalCtrl),
    ClearStatus(Ia32PerfGlobalOvfCtrl),
    Lvt(LvtPerformance),
}

/// What a request with the result done comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    Read(Register),
    Rdpmc(RdpmcSelector),
    Write(Write),
}

/// The logical processor that asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asking<'a> {
    pub(super) level: u8,
    pub(super) pce: bool,
    pub(super) general: &'a [General],
    pub(super) fixed: &'a [Fixed],
    pub(super) processor: &'a Processor,
}

pub(super) fn decide(reg: &RegRequest, asking: &Asking<'_>, straps: &Config) -> Result<Done, RegResult> {
    let caps = straps.caps();
    match reg.op {
        RegOp::Rdpmc => {
            let selector = RdpmcSelector::decode(reg.number, &caps, straps.fast_read).ok_or(RegResult::NotMine)?;
            let policy = if asking.pce { RdpmcPolicy::Everybody } else { RdpmcPolicy::KernelOnly };
            if policy.permits(asking.level) { Ok(Done::Rdpmc(selector)) } else { Err(RegResult::GeneralProtection) }
        }
        RegOp::Rdmsr | RegOp::Wrmsr => {
            let register = register(reg.number, &caps, straps).ok_or(RegResult::NotMine)?;
            if asking.level != 0 {
                return Err(RegResult::GeneralProtection);
            }
            if reg.op == RegOp::Rdmsr {
                return Ok(Done::Read(register));
            }
            match write(register, reg.wdata, asking.processor, &caps, straps) {
                Ok(write) => Ok(Done::Write(write)),
                Err(_) => Err(RegResult::GeneralProtection),
            }
        }
        _ => Err(RegResult::NotMine),
    }
}

/// The register with this number, if the unit has it.
fn register(number: u32, caps: &PerfmonCaps, straps: &Config) -> Option<Register> {
    let general = |first: u32| {
        let index = number.checked_sub(first).and_then(|index| u8::try_from(index).ok())?;
        caps.counter(index).map(|counter| usize::from(counter.number()))
    };
    let fixed = || {
        let index = number.checked_sub(Ia32FixedCtr::FIRST).and_then(|index| u8::try_from(index).ok())?;
        caps.fixed(index).map(|counter| usize::from(counter.number()))
    };
    if let Some(index) = general(Ia32PerfEvtSel::FIRST) {
        return Some(Register::Select(index));
    }
    if let Some(index) = general(Ia32Pmc::FIRST) {
        return Some(Register::Counter(index));
    }
    if let Some(index) = general(Ia32APmc::FIRST) {
        return caps.capabilities.full_width_write().then_some(Register::FullCounter(index));
    }
    if let Some(index) = fixed() {
        return Some(Register::Fixed(index));
    }
    let (register, exists) = match number {
        Ia32PerfCapabilities::ADDRESS => (Register::Capabilities, caps.pdcm),
        Ia32FixedCtrCtrl::ADDRESS => (Register::FixedControl, caps.has_global_control()),
        Ia32PerfGlobalStatus::ADDRESS => (Register::Status, caps.has_global_control()),
        Ia32PerfGlobalCtrl::ADDRESS => (Register::Control, caps.has_global_control()),
        Ia32PerfGlobalOvfCtrl::ADDRESS => (Register::ClearStatus, caps.has_global_control()),
        LvtPerformance::ADDRESS => (Register::Lvt, straps.x2apic == X2apic::Msr),
        _ => return None,
    };
    exists.then_some(register)
}

/// What a WRMSR to a register that exists writes.
fn write(
    register: Register,
    wdata: u64,
    processor: &Processor,
    caps: &PerfmonCaps,
    straps: &Config,
) -> Result<Write, GeneralProtection> {
    Ok(match register {
        Register::Select(index) => Write::Select(index, select(index, wdata, caps, straps)?),
        Register::Counter(index) => Write::Counter(index, Ia32Pmc::check_write(Ia32Pmc::new(), wdata, caps)?.value()),
        Register::FullCounter(index) => {
            Write::Counter(index, Ia32APmc::check_write(Ia32APmc::new(), wdata, caps)?.value())
        }
        Register::Fixed(index) => {
            Write::Fixed(index, Ia32FixedCtr::check_write(Ia32FixedCtr::new(), wdata, caps)?.value())
        }
        Register::Capabilities => return read_only(Ia32PerfCapabilities::check_write(caps.capabilities, wdata, &())),
        Register::Status => {
            return read_only(Ia32PerfGlobalStatus::check_write(Ia32PerfGlobalStatus::new(), wdata, caps));
        }
        Register::FixedControl => {
            Write::FixedControl(Ia32FixedCtrCtrl::check_write(Ia32FixedCtrCtrl::RESET, wdata, caps)?)
        }
        Register::Control => {
            Write::GlobalControl(Ia32PerfGlobalCtrl::check_write(Ia32PerfGlobalCtrl::STOPPED, wdata, caps)?)
        }
        Register::ClearStatus => {
            // What is written is what is cleared; the register itself stays 0.
            Ia32PerfGlobalOvfCtrl::check_write(Ia32PerfGlobalOvfCtrl::new(), wdata, caps)?;
            Write::ClearStatus(Ia32PerfGlobalOvfCtrl::from_bits(wdata))
        }
        Register::Lvt => Write::Lvt(LvtPerformance::check_write(processor.lvt(), wdata, &())?),
    })
}

/// The rule of a register that is read-only always faults.
fn read_only<T>(checked: Result<T, GeneralProtection>) -> Result<Write, GeneralProtection> {
    match checked {
        Ok(_) => Err(GeneralProtection::NoSuchRegister),
        Err(fault) => Err(fault),
    }
}

/// What a write makes of an event select.
fn select(index: usize, wdata: u64, caps: &PerfmonCaps, straps: &Config) -> Result<u32, GeneralProtection> {
    let bits = if !straps.is_p6() {
        let counter = caps.counter(index as u8).ok_or(GeneralProtection::NoSuchRegister)?;
        Ia32PerfEvtSel::check_write(Ia32PerfEvtSel::RESET, wdata, &CounterCaps::new(*caps, counter))?.into_bits()
    } else if index == 0 {
        PerfEvtSel0::check_write(PerfEvtSel0::new(), wdata, &())?.into_bits()
    } else {
        let enable = PerfEvtSel0::new().with_enable(true).into_bits();
        let wdata = if straps.sel1_en == Sel1En::Ignored { wdata & !enable } else { wdata };
        PerfEvtSel1::check_write(PerfEvtSel1::new(), wdata, &())?.into_bits()
    };
    Ok(bits as u32)
}

impl Asking<'_> {
    /// What RDPMC reads.
    pub(super) fn rdpmc(&self, selector: RdpmcSelector) -> u64 {
        selector.value(match selector.counter {
            RdpmcCounter::General(index) => self.general[usize::from(index.number())].counter,
            RdpmcCounter::Fixed(index) => self.fixed[usize::from(index.number())].counter,
        })
    }
}
