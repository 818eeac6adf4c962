//! A processor of the tests: registers that take what the manual says, counters that advance when told, and a trace.
#![allow(unsafe_code)] // a bus of the tests
extern crate std;

use super::{Role, WriteOrder};
use crate::access::{CounterBus, GeneralProtection, MsrBus, TimeBus};
use crate::perf::amd::{AmdCounterIndex, AmdGlobalStatus, AmdGlobalStatusClr, AmdPerfCaps};
use crate::perf::architectural::{
    CounterCaps, CounterIndex, Ia32APmc, Ia32PerfEvtSel, Ia32PerfGlobalCtrl, Ia32PerfGlobalOvfCtrl, Ia32Pmc,
    PerfmonCaps,
};
use std::vec::Vec;

/// An access to the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Rdtsc,
    Rdpmc(u32),
    Wrmsr(u32, u64),
}

/// An Intel processor, or an AMD processor if it has no `caps`.
#[derive(Debug)]
pub(super) struct Machine {
    caps: Option<PerfmonCaps>,
    /// What an AMD processor has.
    pub(super) amd: AmdPerfCaps,
    /// Overflows that an AMD processor with `PerfMonV2` remembers.
    pub(super) status: AmdGlobalStatus,
    order: WriteOrder,
    pub(super) tsc: u64,
    pub(super) pmc: [u64; 8],
    pub(super) select: [u64; 8],
    pub(super) steps: Vec<Step>,
    /// After so many further accesses, everything faults.
    pub(super) faults_after: usize,
}

impl Machine {
    pub(super) fn new(caps: Option<PerfmonCaps>) -> Self {
        let role = if caps.is_some() { CounterIndex::role } else { AmdCounterIndex::role };
        Self {
            caps,
            amd: AmdPerfCaps::new(true),
            status: AmdGlobalStatus::new(),
            order: WriteOrder::new(role),
            tsc: 0,
            pmc: [0; 8],
            select: [0; 8],
            steps: Vec::new(),
            faults_after: usize::MAX,
        }
    }

    /// Time passes: enabled counters advance by `events`, the time-stamp counter by `cycles`.
    pub(super) fn run(&mut self, cycles: u64, events: u64) {
        self.tsc += cycles;
        let width = self.caps.map_or(48, |caps| caps.width);
        for (number, (pmc, select)) in self.pmc.iter_mut().zip(self.select).enumerate() {
            if select >> 22 & 1 != 0 {
                let before = *pmc;
                *pmc = pmc.wrapping_add(events) & crate::layout::mask(width.into());
                let wrapped = u64::from(*pmc < before && self.amd.perfmon_v2) << number;
                self.status = AmdGlobalStatus::from_bits(self.status.into_bits() | wrapped);
            }
        }
    }

    pub(super) fn take_steps(&mut self) -> Vec<Step> {
        core::mem::take(&mut self.steps)
    }

    fn step(&mut self, step: Step) -> Result<(), GeneralProtection> {
        self.faults_after = self.faults_after.checked_sub(1).ok_or(GeneralProtection::Privilege)?;
        self.steps.push(step);
        Ok(())
    }

    fn write_intel(&mut self, caps: PerfmonCaps, address: u32, value: u64) -> Result<(), GeneralProtection> {
        match CounterIndex::role(address) {
            Some(Role::Select(number)) => {
                let counter = caps.counter(number).ok_or(GeneralProtection::NoSuchRegister)?;
                let caps = CounterCaps { perfmon: caps, counter };
                let select = Ia32PerfEvtSel::check_write(Ia32PerfEvtSel::RESET, value, &caps)?;
                self.select[usize::from(number)] = select.into_bits();
            }
            Some(Role::Counter(number)) => {
                self.pmc[usize::from(number)] = if address < 0x4C1 {
                    Ia32Pmc::check_write(Ia32Pmc::new(), value, &caps)?.into_bits()
                } else {
                    Ia32APmc::check_write(Ia32APmc::new(), value, &caps)?.into_bits()
                };
            }
            None if address == 0x38F => {
                Ia32PerfGlobalCtrl::check_write(Ia32PerfGlobalCtrl::STOPPED, value, &caps)?;
            }
            None if address == 0x390 => {
                Ia32PerfGlobalOvfCtrl::check_write(Ia32PerfGlobalOvfCtrl::new(), value, &caps)?;
            }
            None => return Err(GeneralProtection::NoSuchRegister),
        }
        Ok(())
    }

    fn write_amd(&mut self, address: u32, value: u64) -> Result<(), GeneralProtection> {
        if address == 0xC000_0302 {
            AmdGlobalStatusClr::check_write(AmdGlobalStatusClr::new(), value, &self.amd)?;
            self.status = self.status.cleared_by(AmdGlobalStatusClr::from_bits(value));
            return Ok(());
        }
        match AmdCounterIndex::role(address).ok_or(GeneralProtection::NoSuchRegister)? {
            Role::Select(number) => self.select[usize::from(number)] = value,
            Role::Counter(number) => self.pmc[usize::from(number)] = value,
        }
        Ok(())
    }
}

impl MsrBus for Machine {
    type Fault = GeneralProtection;

    unsafe fn rdmsr(&mut self, _address: u32) -> Result<u64, GeneralProtection> {
        Err(GeneralProtection::NoSuchRegister)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), GeneralProtection> {
        self.step(Step::Wrmsr(address, value))?;
        self.order.observe(address, value)?;
        match self.caps {
            Some(caps) => self.write_intel(caps, address, value),
            None => self.write_amd(address, value),
        }
    }
}

impl CounterBus for Machine {
    type Fault = GeneralProtection;

    fn rdpmc(&mut self, selector: u32) -> Result<u64, GeneralProtection> {
        self.step(Step::Rdpmc(selector))?;
        self.pmc.get(selector as usize).copied().ok_or(GeneralProtection::NoSuchRegister)
    }
}

impl TimeBus for Machine {
    type Fault = GeneralProtection;

    fn rdtsc(&mut self) -> Result<u64, GeneralProtection> {
        self.step(Step::Rdtsc)?;
        Ok(self.tsc)
    }

    fn rdtscp(&mut self) -> Result<(u64, u32), GeneralProtection> {
        Ok((self.rdtsc()?, 0))
    }
}
