//! A bus for the tests of this unit that finds classes whose masks have not been written.
#![allow(unsafe_code)] // passes unsafe accesses on

extern crate std;
use super::recorder::{Access, Recorder};
use crate::access::MsrBus;
use std::collections::BTreeSet;

/// A bus that refuses to write class n to IA32_PQR_ASSOC before IA32_L3_MASK_n has been written through it. CDP is off.
#[derive(Debug, Default)]
pub(crate) struct MasksFirst {
    pub(crate) bus: Recorder,
    masks: BTreeSet<u64>,
}

impl MsrBus for MasksFirst {
    type Fault = Access;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Access> {
        // SAFETY: passed on to the caller as it is.
        unsafe { self.bus.rdmsr(address) }
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Access> {
        if address == 0xC8F && !self.masks.contains(&(value >> 32)) {
            return Err(Access::Write(address, value));
        }
        // SAFETY: passed on to the caller as it is.
        unsafe { self.bus.wrmsr(address, value) }?;
        if (0xC90..0xD10).contains(&address) {
            self.masks.insert(u64::from(address) - 0xC90);
        }
        Ok(())
    }
}
