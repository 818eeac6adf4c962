//! The processor's registers, as a table that writes down how it is used; for the tests of this unit.
#![allow(unsafe_code)] // implements the bus; nothing is behind it

extern crate std;
use crate::access::{GeneralProtection, MsrBus};
use std::collections::BTreeMap;
use std::vec::Vec;

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read(u32),
    Write(u32, u64),
}

/// Registers that hold what is written to them. Others fault.
#[derive(Debug)]
pub(crate) struct Recorder {
    registers: BTreeMap<u32, u64>,
    log: Vec<Access>,
}

impl Recorder {
    pub(crate) fn new<const N: usize>(registers: [(u32, u64); N]) -> Self {
        Self { registers: registers.into(), log: Vec::new() }
    }

    /// Sets a register behind the back of the log, as hardware does.
    pub(crate) fn set(&mut self, address: u32, value: u64) {
        self.registers.insert(address, value);
    }

    pub(crate) fn get(&self, address: u32) -> u64 {
        self.registers[&address]
    }

    pub(crate) fn log(&self) -> &[Access] {
        &self.log
    }

    pub(crate) fn writes(&self) -> Vec<(u32, u64)> {
        let write =
            |access: &Access| if let Access::Write(address, value) = *access { Some((address, value)) } else { None };
        self.log.iter().filter_map(write).collect()
    }
}

impl MsrBus for Recorder {
    type Fault = GeneralProtection;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, GeneralProtection> {
        self.log.push(Access::Read(address));
        self.registers.get(&address).copied().ok_or(GeneralProtection::NoSuchRegister)
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), GeneralProtection> {
        self.log.push(Access::Write(address, value));
        let register = self.registers.get_mut(&address).ok_or(GeneralProtection::NoSuchRegister)?;
        *register = value;
        Ok(())
    }
}
