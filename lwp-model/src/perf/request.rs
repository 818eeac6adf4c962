//! Step 1 of a cycle, request: what is asked for, and whether it may be.

use super::config::{Config, Sel1En, X2apic};
use super::state::{Answer, Fixed, General, Processor};
use crate::retire::{RegOp, RegRequest, RegResult};
use lwp_regs::access::GeneralProtection;
use lwp_regs::delivery::LvtPerformance;
use lwp_regs::perf::architectural::{
    CounterCaps, Ia32APmc, Ia32FixedCtr, Ia32FixedCtrCtrl, Ia32PerfCapabilities, Ia32PerfEvtSel, Ia32PerfGlobalCtrl,
    Ia32PerfGlobalOvfCtrl, Ia32PerfGlobalStatus, Ia32Pmc, PerfmonCaps, RdpmcCounter, RdpmcSelector,
};
use lwp_regs::perf::p6::{PerfEvtSel0, PerfEvtSel1, RdpmcPolicy};

/// Kinds of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Select,
    Counter,
    FullCounter,
    Fixed,
    Capabilities,
    FixedControl,
    Status,
    Control,
    ClearStatus,
    Lvt,
    /// None of the unit's.
    NotMine,
}

/// How many kinds there are.
const KINDS: usize = Kind::NotMine as usize + 1;

/// A register that some unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register {
    pub(super) kind: Kind,
    /// Which of its kind, from 0.
    pub(super) index: u8,
}

/// Numbers behind the highest one of a register.
const NUMBERS: usize = LvtPerformance::ADDRESS as usize + 1;

/// [`Register::of`] by number. Software asks for any register in any order, of which no chain of comparisons knows the next one.
static REGISTERS: [Register; NUMBERS] = {
    let (mut all, mut number) = ([Register::NOT_MINE; NUMBERS], 0);
    while number < NUMBERS {
        all[number] = Register::of(number as u32);
        number += 1;
    }
    all
};

impl Register {
    pub(super) const NOT_MINE: Self = Self { kind: Kind::NotMine, index: 0 };

    /// The register with this number in a unit that has all.
    const fn of(number: u32) -> Self {
        const GENERAL: u32 = 8;
        const FIXED: u32 = 3;
        let arrays = [
            (Kind::Select, Ia32PerfEvtSel::FIRST, GENERAL),
            (Kind::Counter, Ia32Pmc::FIRST, GENERAL),
            (Kind::FullCounter, Ia32APmc::FIRST, GENERAL),
            (Kind::Fixed, Ia32FixedCtr::FIRST, FIXED),
            (Kind::Capabilities, Ia32PerfCapabilities::ADDRESS, 1),
            (Kind::FixedControl, Ia32FixedCtrCtrl::ADDRESS, 1),
            (Kind::Status, Ia32PerfGlobalStatus::ADDRESS, 1),
            (Kind::Control, Ia32PerfGlobalCtrl::ADDRESS, 1),
            (Kind::ClearStatus, Ia32PerfGlobalOvfCtrl::ADDRESS, 1),
            (Kind::Lvt, LvtPerformance::ADDRESS, 1),
        ];
        let mut at = 0;
        while at < arrays.len() {
            let (kind, first, count) = arrays[at];
            if number >= first && number - first < count {
                return Self { kind, index: (number - first) as u8 };
            }
            at += 1;
        }
        Self::NOT_MINE
    }

    /// The register that a request names.
    #[inline]
    fn named(number: u32) -> Self {
        REGISTERS.get(number as usize).copied().unwrap_or(Self::NOT_MINE)
    }
}

/// How many registers of each kind a unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Existing([u8; KINDS]);

impl Existing {
    pub(super) const fn of(straps: &Config) -> Self {
        let caps = straps.caps();
        let mut count = [0; KINDS];
        count[Kind::Select as usize] = caps.counters;
        count[Kind::Counter as usize] = caps.counters;
        count[Kind::FullCounter as usize] = if caps.capabilities.full_width_write() { caps.counters } else { 0 };
        count[Kind::Fixed as usize] = caps.fixed_counters;
        count[Kind::Capabilities as usize] = caps.pdcm as u8;
        let global = caps.has_global_control() as u8;
        count[Kind::FixedControl as usize] = global;
        count[Kind::Status as usize] = global;
        count[Kind::Control as usize] = global;
        count[Kind::ClearStatus as usize] = global;
        count[Kind::Lvt as usize] = matches!(straps.x2apic, X2apic::Msr) as u8;
        Self(count)
    }

    #[inline]
    const fn has(&self, register: Register) -> bool {
        register.index < self.0[register.kind as usize]
    }
}

/// What a WRMSR that is done writes: the value that the register takes, or the bits that it clears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Write {
    /// [`Register::NOT_MINE`] if nothing is written.
    pub(super) register: Register,
    pub(super) value: u64,
}

impl Write {
    pub(super) const NOTHING: Self = Self { register: Register::NOT_MINE, value: 0 };

    /// The value that is written to a register of this kind, if one is.
    #[inline]
    pub(super) fn to(&self, kind: Kind) -> Option<u64> {
        (self.register.kind == kind).then_some(self.value)
    }
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

/// Decides about a request, answers it, and returns what it writes. In line, so that both results are values and not memory.
#[inline(always)]
pub(super) fn decide(reg: &RegRequest, asking: &Asking<'_>, existing: &Existing, straps: &Config) -> (Answer, Write) {
    match reg.op {
        RegOp::Rdpmc => (rdpmc(reg.number, asking, straps), Write::NOTHING),
        RegOp::Rdmsr | RegOp::Wrmsr => {
            let register = Register::named(reg.number);
            if !existing.has(register) {
                (Answer::of(RegResult::NotMine), Write::NOTHING)
            } else if asking.level != 0 {
                (Answer::of(RegResult::GeneralProtection), Write::NOTHING)
            } else if reg.op == RegOp::Rdmsr {
                (Answer::read(asking.read(register, straps)), Write::NOTHING)
            } else {
                match write(register, reg.wdata, asking.processor, straps) {
                    Ok(value) => (Answer::of(RegResult::Done), Write { register, value }),
                    Err(_) => (Answer::of(RegResult::GeneralProtection), Write::NOTHING),
                }
            }
        }
        _ => (Answer::of(RegResult::NotMine), Write::NOTHING),
    }
}

fn rdpmc(number: u32, asking: &Asking<'_>, straps: &Config) -> Answer {
    let policy = if asking.pce { RdpmcPolicy::Everybody } else { RdpmcPolicy::KernelOnly };
    match RdpmcSelector::decode(number, &straps.caps(), straps.fast_read) {
        None => Answer::of(RegResult::NotMine),
        Some(_) if !policy.permits(asking.level) => Answer::of(RegResult::GeneralProtection),
        Some(selector) => Answer::read(asking.rdpmc(selector)),
    }
}

/// What a WRMSR to a register that exists writes.
fn write(register: Register, wdata: u64, processor: &Processor, straps: &Config) -> Result<u64, GeneralProtection> {
    let caps = &straps.caps();
    Ok(match register.kind {
        Kind::Select => select(register.index, wdata, caps, straps)?,
        Kind::Counter => Ia32Pmc::check_write(Ia32Pmc::new(), wdata, caps)?.value(),
        Kind::FullCounter => Ia32APmc::check_write(Ia32APmc::new(), wdata, caps)?.value(),
        Kind::Fixed => Ia32FixedCtr::check_write(Ia32FixedCtr::new(), wdata, caps)?.value(),
        Kind::Capabilities => return read_only(Ia32PerfCapabilities::check_write(caps.capabilities, wdata, &())),
        Kind::Status => {
            return read_only(Ia32PerfGlobalStatus::check_write(Ia32PerfGlobalStatus::new(), wdata, caps));
        }
        Kind::FixedControl => Ia32FixedCtrCtrl::check_write(Ia32FixedCtrCtrl::RESET, wdata, caps)?.into_bits(),
        Kind::Control => Ia32PerfGlobalCtrl::check_write(Ia32PerfGlobalCtrl::STOPPED, wdata, caps)?.into_bits(),
        Kind::ClearStatus => {
            // What is written is what is cleared; the register itself stays 0.
            Ia32PerfGlobalOvfCtrl::check_write(Ia32PerfGlobalOvfCtrl::new(), wdata, caps)?;
            wdata
        }
        Kind::Lvt => LvtPerformance::check_write(processor.lvt(), wdata, &())?.into_bits(),
        Kind::NotMine => return Err(GeneralProtection::NoSuchRegister),
    })
}

/// The rule of a register that is read-only always faults.
fn read_only<T>(checked: Result<T, GeneralProtection>) -> Result<u64, GeneralProtection> {
    match checked {
        Ok(_) => Err(GeneralProtection::NoSuchRegister),
        Err(fault) => Err(fault),
    }
}

/// What a write makes of an event select.
fn select(index: u8, wdata: u64, caps: &PerfmonCaps, straps: &Config) -> Result<u64, GeneralProtection> {
    Ok(if !straps.is_p6() {
        let counter = caps.counter(index).ok_or(GeneralProtection::NoSuchRegister)?;
        Ia32PerfEvtSel::check_write(Ia32PerfEvtSel::RESET, wdata, &CounterCaps::new(*caps, counter))?.into_bits()
    } else if index == 0 {
        PerfEvtSel0::check_write(PerfEvtSel0::new(), wdata, &())?.into_bits()
    } else {
        let enable = PerfEvtSel0::new().with_enable(true).into_bits();
        let wdata = if straps.sel1_en == Sel1En::Ignored { wdata & !enable } else { wdata };
        PerfEvtSel1::check_write(PerfEvtSel1::new(), wdata, &())?.into_bits()
    })
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
