//! A bus for tests: registers in a table, every access noted, and one access that may be made to fail.
#![allow(unsafe_code)] // implements the bus, whose accesses are unsafe

extern crate std;
use crate::access::{CounterBus, MsrBus};
use std::collections::BTreeMap;
use std::vec::Vec;

/// An access as the bus sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Rdmsr(u32),
    Wrmsr(u32, u64),
    Rdpmc(u32),
}

/// That the access failed that was to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failed;

#[derive(Debug, Default)]
pub(super) struct TestBus {
    registers: BTreeMap<u32, u64>,
    pub(super) trace: Vec<Access>,
    fail_after: Option<usize>,
}

impl TestBus {
    pub(super) fn with<const N: usize>(registers: [(u32, u64); N]) -> Self {
        Self { registers: registers.into(), ..Self::default() }
    }

    /// A bus on which the access after `accesses` others fails.
    pub(super) fn failing_after(accesses: usize) -> Self {
        Self { fail_after: Some(accesses), ..Self::default() }
    }

    pub(super) fn register(&self, address: u32) -> u64 {
        self.registers.get(&address).copied().unwrap_or(0)
    }

    fn note(&mut self, access: Access) -> Result<(), Failed> {
        if self.fail_after == Some(self.trace.len()) {
            return Err(Failed);
        }
        self.trace.push(access);
        Ok(())
    }
}

impl MsrBus for TestBus {
    type Fault = Failed;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Failed> {
        self.note(Access::Rdmsr(address))?;
        Ok(self.register(address))
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Failed> {
        self.note(Access::Wrmsr(address, value))?;
        self.registers.insert(address, value);
        Ok(())
    }
}

impl CounterBus for TestBus {
    type Fault = Failed;

    fn rdpmc(&mut self, selector: u32) -> Result<u64, Failed> {
        self.note(Access::Rdpmc(selector))?;
        Ok(self.register(0xC1 + selector))
    }
}
