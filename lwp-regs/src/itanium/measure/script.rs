//! A bus for the tests of the driver: every register file, a record of every access, and a fault on demand.

extern crate std;
use crate::itanium::{ItaniumBus, PmcBus, PmcFault};
use std::collections::BTreeMap;
use std::vec::Vec;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum File {
    Pmc,
    Pmd,
    Ibr,
    Dbr,
    Dcr,
    Psr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read(File, u8),
    Write(File, u8, u64),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    pub(super) registers: BTreeMap<(File, u8), u64>,
    pub(super) trace: Vec<Access>,
    /// The access with this number, from 0, faults.
    pub(super) broken: Option<usize>,
}

impl Script {
    pub(super) fn get(&self, file: File, index: u8) -> u64 {
        self.registers.get(&(file, index)).copied().unwrap_or_default()
    }

    pub(super) fn set(&mut self, file: File, index: u8, value: u64) {
        self.registers.insert((file, index), value);
    }

    /// The writes, without the reads between them.
    pub(super) fn writes(&self) -> Vec<(File, u8, u64)> {
        let write = |access: &Access| match *access {
            Access::Read(..) => None,
            Access::Write(file, index, value) => Some((file, index, value)),
        };
        self.trace.iter().filter_map(write).collect()
    }

    fn access(&mut self, access: Access) -> Result<(), PmcFault> {
        let faults = self.broken == Some(self.trace.len());
        self.trace.push(access);
        if faults { Err(PmcFault::PrivilegedOperation) } else { Ok(()) }
    }

    fn read(&mut self, file: File, index: u8) -> Result<u64, PmcFault> {
        self.access(Access::Read(file, index))?;
        Ok(self.get(file, index))
    }

    fn write(&mut self, file: File, index: u8, value: u64) -> Result<(), PmcFault> {
        self.access(Access::Write(file, index, value))?;
        self.set(file, index, value);
        Ok(())
    }
}

impl PmcBus for Script {
    type Fault = PmcFault;

    fn read_pmc(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.read(File::Pmc, index)
    }

    fn write_pmc(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.write(File::Pmc, index, value)
    }

    fn read_pmd(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.read(File::Pmd, index)
    }

    fn write_pmd(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.write(File::Pmd, index, value)
    }
}

impl ItaniumBus for Script {
    fn read_ibr(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.read(File::Ibr, index)
    }

    fn write_ibr(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.write(File::Ibr, index, value)
    }

    fn read_dbr(&mut self, index: u8) -> Result<u64, PmcFault> {
        self.read(File::Dbr, index)
    }

    fn write_dbr(&mut self, index: u8, value: u64) -> Result<(), PmcFault> {
        self.write(File::Dbr, index, value)
    }

    fn read_dcr(&mut self) -> Result<u64, PmcFault> {
        self.read(File::Dcr, 0)
    }

    fn write_dcr(&mut self, value: u64) -> Result<(), PmcFault> {
        self.write(File::Dcr, 0, value)
    }

    fn read_psr(&mut self) -> Result<u64, PmcFault> {
        self.read(File::Psr, 0)
    }

    fn write_psr(&mut self, value: u64) -> Result<(), PmcFault> {
        self.write(File::Psr, 0, value)
    }
}
