//! RDPMC.
#![allow(unsafe_code)] // executes the instruction

use super::{BareMetal, Unprivileged};
use crate::access::CounterBus;
use core::arch::asm;
use core::convert::Infallible;

/// Not serialising. It is not `nomem`, so that the accesses to memory that are to be counted stay between two reads.
///
/// Source: Intel SDM volume 2, "RDPMC - Read Performance-Monitoring Counters".
impl CounterBus for Unprivileged {
    type Fault = Infallible;

    #[inline]
    fn rdpmc(&mut self, selector: u32) -> Result<u64, Infallible> {
        let (low, high): (u32, u32);
        // SAFETY: reads a counter and changes nothing; where it is not allowed, an exception ends the program.
        unsafe {
            asm!("rdpmc", in("ecx") selector, out("eax") low, out("edx") high, options(nostack, preserves_flags));
        }
        Ok(u64::from(high) << 32 | u64::from(low))
    }
}

impl CounterBus for BareMetal {
    type Fault = Infallible;

    #[inline]
    fn rdpmc(&mut self, selector: u32) -> Result<u64, Infallible> {
        Unprivileged.rdpmc(selector)
    }
}
