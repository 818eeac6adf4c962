//! RDTSC and RDTSCP.
#![allow(unsafe_code)] // executes the instructions

use super::{BareMetal, Unprivileged};
use crate::access::TimeBus;
#[cfg(target_arch = "x86")]
use core::arch::x86::{__rdtscp, _rdtsc};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__rdtscp, _rdtsc};
use core::convert::Infallible;

/// RDTSC may be executed before what precedes it in the program; RDTSCP waits until all of that has been executed.
///
/// Source: Intel SDM volume 2, "RDTSC - Read Time-Stamp Counter" and "RDTSCP - Read Time-Stamp Counter and Processor ID".
impl TimeBus for Unprivileged {
    type Fault = Infallible;

    #[inline]
    fn rdtsc(&mut self) -> Result<u64, Infallible> {
        // SAFETY: reads the counter and changes nothing; where it is not allowed, an exception ends the program.
        Ok(unsafe { _rdtsc() })
    }

    #[inline]
    fn rdtscp(&mut self) -> Result<(u64, u32), Infallible> {
        let mut aux = 0;
        // SAFETY: as for RDTSC; `aux` is a place for 32 bits.
        let time = unsafe { __rdtscp(&raw mut aux) };
        Ok((time, aux))
    }
}

impl TimeBus for BareMetal {
    type Fault = Infallible;

    #[inline]
    fn rdtsc(&mut self) -> Result<u64, Infallible> {
        Unprivileged.rdtsc()
    }

    #[inline]
    fn rdtscp(&mut self) -> Result<(u64, u32), Infallible> {
        Unprivileged.rdtscp()
    }
}

#[cfg(test)]
mod tests {
    use super::{TimeBus, Unprivileged};

    #[test]
    fn time_goes_on() {
        let Ok(first) = Unprivileged.rdtsc();
        let Ok((second, _)) = Unprivileged.rdtscp();
        let Ok(third) = Unprivileged.rdtsc();
        assert!(first > 0 && first <= second && second <= third, "{first} {second} {third}");
    }
}
