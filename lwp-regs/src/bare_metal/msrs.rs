//! RDMSR and WRMSR.
#![allow(unsafe_code)] // executes the instructions

use super::BareMetal;
use crate::access::MsrBus;
use core::arch::asm;
use core::convert::Infallible;

/// Source: Intel SDM volume 2, "RDMSR - Read From Model Specific Register" and "WRMSR - Write to Model Specific Register".
///
/// Neither is `nomem`: there are registers that make the processor read and write memory, so the compiler has to have
/// written before what the program wrote before, and to read after what it reads after.
impl MsrBus for BareMetal {
    type Fault = Infallible;

    #[inline]
    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Infallible> {
        let (low, high): (u32, u32);
        // SAFETY: privileged code, as `new` asks for; the caller vouches for the effects of the register.
        unsafe {
            asm!("rdmsr", in("ecx") address, out("eax") low, out("edx") high, options(nostack, preserves_flags));
        }
        Ok(u64::from(high) << 32 | u64::from(low))
    }

    #[inline]
    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Infallible> {
        let (low, high) = (value as u32, (value >> 32) as u32);
        // SAFETY: privileged code, as `new` asks for; the caller vouches for the effects of the register.
        unsafe {
            asm!("wrmsr", in("ecx") address, in("eax") low, in("edx") high, options(nostack, preserves_flags));
        }
        Ok(())
    }
}
