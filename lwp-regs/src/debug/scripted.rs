//! A debug bus for tests: it expects accesses in order.
#![allow(unsafe_code)] // stands for MOV to DR

extern crate std;
use crate::access::{DebugBus, DebugFault, DebugRegister};
use std::collections::VecDeque;

/// An expected access, by number of the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A read and what it yields.
    Read(u8, u64),
    /// A write of this value.
    Write(u8, u64),
    /// Any access, which finds the registers protected.
    Protected(u8),
}

/// The accesses that are still to come.
pub(super) struct Scripted(VecDeque<Step>);

impl Scripted {
    pub(super) fn new(steps: &[Step]) -> Self {
        Self(steps.iter().copied().collect())
    }

    /// To be called at the end: everything expected has happened.
    pub(super) fn finished(self) {
        assert!(self.0.is_empty(), "still expected: {:x?}", self.0);
    }
}

impl DebugBus for Scripted {
    type Fault = DebugFault;

    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, DebugFault> {
        match self.0.pop_front() {
            Some(Step::Read(expected, value)) if expected == register as u8 => Ok(value),
            Some(Step::Protected(expected)) if expected == register as u8 => Err(DebugFault::GeneralDetect),
            step => panic!("read of {register:?}, expected {step:x?}"),
        }
    }

    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), DebugFault> {
        match self.0.pop_front() {
            Some(Step::Protected(expected)) if expected == register as u8 => Err(DebugFault::GeneralDetect),
            step => {
                assert_eq!(step, Some(Step::Write(register as u8, value)), "write of {value:#x} to {register:?}");
                Ok(())
            }
        }
    }
}
