//! A bus that finds readings without a selection.
#![allow(unsafe_code)] // passes unsafe accesses on

use super::{QmCtr, QmEvtsel};
use crate::access::MsrBus;
use core::fmt;

/// A bus that refuses to read IA32_QM_CTR before IA32_QM_EVTSEL has been written through it: a checker for drivers that
/// read counts in their own way. Everything else passes.
///
/// Source: Intel SDM volume 3B, "Monitoring Resource Selection and Reporting Infrastructure".
#[derive(Clone, Debug)]
pub struct SelectFirst<B> {
    bus: B,
    selected: bool,
}

/// What [`SelectFirst`] yields: its own complaint, or the fault of the bus behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SelectFault<F> {
    /// IA32_QM_CTR was to be read although nothing had been selected. It has not been read.
    NotSelected,
    /// The access faulted.
    Bus(F),
}

impl<B> SelectFirst<B> {
    /// In front of `bus`, with nothing selected yet.
    #[must_use]
    #[inline]
    pub const fn new(bus: B) -> Self {
        Self { bus, selected: false }
    }

    /// To be called where the thread may have been moved or interrupted: what was selected does not count any more.
    #[inline]
    pub const fn forget(&mut self) {
        self.selected = false;
    }

    /// The bus behind it.
    #[must_use]
    pub fn into_bus(self) -> B {
        self.bus
    }
}

impl<B: MsrBus> MsrBus for SelectFirst<B> {
    type Fault = SelectFault<B::Fault>;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Self::Fault> {
        if address == QmCtr::ADDRESS && !self.selected {
            return Err(SelectFault::NotSelected);
        }
        // SAFETY: passed on to the caller as it is.
        unsafe { self.bus.rdmsr(address) }.map_err(SelectFault::Bus)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { self.bus.wrmsr(address, value) }.map_err(SelectFault::Bus)?;
        self.selected |= address == QmEvtsel::ADDRESS;
        Ok(())
    }
}

impl<F: fmt::Display> fmt::Display for SelectFault<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSelected => f.write_str("IA32_QM_CTR read without a selection; write IA32_QM_EVTSEL first"),
            Self::Bus(fault) => write!(f, "the access faulted: {fault}"),
        }
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for SelectFault<F> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::PqrAssoc;
    use crate::rdt::caps::tests::SKYLAKE_D;
    use crate::rdt::recorder::{Access, Recorder};
    use crate::rdt::{MonitoringEvent, Rmid};

    // RDTM-12, RDTM-29: the checker flags a reading without a selection
    #[test]
    fn a_reading_without_a_selection_is_found() {
        let mut bus = SelectFirst::new(Recorder::default());
        PqrAssoc::MSR.write_unchecked(&mut bus, PqrAssoc::RESET).unwrap();
        assert_eq!(QmCtr::MSR.read(&mut bus), Err(SelectFault::NotSelected));
        QmEvtsel::MSR.write_unchecked(&mut bus, QmEvtsel::from_bits(1)).unwrap();
        assert_eq!(QmCtr::MSR.read(&mut bus), Ok(QmCtr::new()));
        bus.forget();
        assert_eq!(QmCtr::MSR.read(&mut bus), Err(SelectFault::NotSelected));
        let reads = bus.into_bus().trace.iter().filter(|access| matches!(access, Access::Read(_))).count();
        assert_eq!(reads, 1, "what is refused does not reach the bus");
    }

    #[test]
    fn a_selection_that_faults_is_none() {
        let mut bus = SelectFirst::new(Recorder { broken: Some(0), ..Recorder::default() });
        assert!(QmEvtsel::MSR.write_unchecked(&mut bus, QmEvtsel::from_bits(1)).is_err());
        assert_eq!(QmCtr::MSR.read(&mut bus), Err(SelectFault::NotSelected));
    }

    #[test]
    fn the_reader_passes() {
        let mut bus = SelectFirst::new(Recorder::default());
        let l3 = SKYLAKE_D.monitoring.unwrap().l3.unwrap();
        for _ in 0..2 {
            assert!(l3.read(&mut bus, MonitoringEvent::L3Occupancy, Rmid::DEFAULT).is_ok());
            bus.forget();
        }
    }
}
