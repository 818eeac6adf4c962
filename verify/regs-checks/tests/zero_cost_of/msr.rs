//! A register reached by its handle.

use super::row;
use lwp_regs::access::MsrBus;
use lwp_regs::lwp::LwpMsr0;
use regs_checks::Row;
use std::ptr::{read_volatile, write_volatile};

/// A processor with LWPMSR0 and nothing else, in memory; accesses are volatile, so that none is left out.
struct OneRegister(u64);

/// There is no such register.
struct Fault;

impl MsrBus for OneRegister {
    type Fault = Fault;

    #[inline]
    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Fault> {
        // SAFETY: reads what is borrowed.
        if address == 0xC000_0105 { Ok(unsafe { read_volatile(&raw const self.0) }) } else { Err(Fault) }
    }

    #[inline]
    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Fault> {
        if address != 0xC000_0105 {
            return Err(Fault);
        }
        // SAFETY: writes what is borrowed.
        unsafe { write_volatile(&raw mut self.0, value) };
        Ok(())
    }
}

pub(crate) fn rows() -> Vec<Row> {
    vec![row!(
        "Msr::update_unchecked: clear one bit, set another",
        (content: u64),
        u64,
        {
            let mut bus = OneRegister(content);
            match LwpMsr0::MSR.update_unchecked(&mut bus, |msr| msr.with_dme(false).with_enabled(true)) {
                Ok(()) => bus.0,
                Err(Fault) => 0,
            }
        },
        {
            let mut memory = content;
            // SAFETY: reads a local variable.
            let read = unsafe { read_volatile(&raw const memory) };
            // SAFETY: writes a local variable.
            unsafe { write_volatile(&raw mut memory, read & !(1 << 3) | 1) };
            memory
        }
    )]
}
