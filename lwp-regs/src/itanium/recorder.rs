//! A bus for the tests of this unit: both register files, a record of every access, and a fault on demand.

extern crate std;
use super::{PmcAccess, PmcBus, PmcFault};
use std::collections::BTreeMap;
use std::vec::Vec;

#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) pmc: BTreeMap<u8, u64>,
    pub(crate) pmd: BTreeMap<u8, u64>,
    pub(crate) trace: Vec<PmcAccess>,
    /// The access with this number, from 0, faults.
    pub(crate) broken: Option<usize>,
}

impl Recorder {
    fn access(&mut self, access: PmcAccess) -> Result<(), PmcFault> {
        let faults = self.broken == Some(self.trace.len());
        self.trace.push(access);
        if faults { Err(PmcFault::PrivilegedOperation) } else { Ok(()) }
    }
}

impl PmcBus for Recorder {
    type Fault = PmcFault;

    fn read_pmc(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.access(PmcAccess::ReadPmc(index))?;
        Ok(self.pmc.get(&index).copied().unwrap_or_default())
    }

    fn write_pmc(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.access(PmcAccess::WritePmc(index, value))?;
        self.pmc.insert(index, value);
        Ok(())
    }

    fn read_pmd(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.access(PmcAccess::ReadPmd(index))?;
        Ok(self.pmd.get(&index).copied().unwrap_or_default())
    }

    fn write_pmd(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.access(PmcAccess::WritePmd(index, value))?;
        self.pmd.insert(index, value);
        Ok(())
    }
}
