//! A bus for the tests of this unit: a few registers, a record of every access, and a fault on demand.
#![allow(unsafe_code)] // implements the bus; nothing here performs an unsafe access

extern crate std;
use crate::access::MsrBus;
use std::collections::BTreeMap;
use std::vec::Vec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read(u32),
    Write(u32, u64),
}

#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) registers: BTreeMap<u32, u64>,
    pub(crate) trace: Vec<Access>,
    /// The access with this number, from 0, faults.
    pub(crate) broken: Option<usize>,
}

impl Recorder {
    pub(crate) fn with(registers: &[(u32, u64)]) -> Self {
        Self { registers: registers.iter().copied().collect(), ..Self::default() }
    }

    pub(crate) fn take_trace(&mut self) -> Vec<Access> {
        std::mem::take(&mut self.trace)
    }

    fn access(&mut self, access: Access) -> Result<(), Access> {
        let faults = self.broken == Some(self.trace.len());
        self.trace.push(access);
        if faults { Err(access) } else { Ok(()) }
    }
}

impl MsrBus for Recorder {
    type Fault = Access;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Access> {
        self.access(Access::Read(address))?;
        Ok(self.registers.get(&address).copied().unwrap_or_default())
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Access> {
        self.access(Access::Write(address, value))?;
        self.registers.insert(address, value);
        Ok(())
    }
}
