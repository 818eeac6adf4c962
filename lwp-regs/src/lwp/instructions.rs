//! The instructions LLWPCB and SLWPCB.
#![allow(unsafe_code)] // the instructions make the processor write memory

use super::LwpMsr1;
use crate::access::MsrBus;

/// The two instructions by which a program controls LWP for its own thread. They come in from outside, because the
/// proposal gives them no opcodes: a wrapper around the instructions, a model, a driver's system call.
///
/// An implementation belongs to one thread, the one on which the instructions take effect.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Instructions".
pub trait LwpInstructions {
    /// What a failing instruction yields: #UD (no LWP here, or not enabled), #GP (misaligned address), #PF (the old or
    /// the new block is not writable).
    type Fault;

    /// LLWPCB: flushes the active block, makes the one at `address` the active one, or none if it is 0, and returns the
    /// address of the block that was active, or 0.
    ///
    /// # Safety
    ///
    /// As for [`LwpMsr1::write`](crate::lwp::LwpMsr1::write).
    ///
    /// # Errors
    ///
    /// The fault that the instruction raised; the old session goes on then.
    unsafe fn llwpcb(&mut self, address: u64) -> Result<u64, Self::Fault>;

    /// SLWPCB: writes the state of hardware to the active block and returns its address, or 0. The session goes on.
    ///
    /// # Safety
    ///
    /// As for [`LwpMsr1::read`](crate::lwp::LwpMsr1::read).
    ///
    /// # Errors
    ///
    /// The fault that the instruction raised; nothing has been changed then.
    unsafe fn slwpcb(&mut self) -> Result<u64, Self::Fault>;
}

impl<I: LwpInstructions + ?Sized> LwpInstructions for &mut I {
    type Fault = I::Fault;

    unsafe fn llwpcb(&mut self, address: u64) -> Result<u64, Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { (**self).llwpcb(address) }
    }

    unsafe fn slwpcb(&mut self) -> Result<u64, Self::Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { (**self).slwpcb() }
    }
}

/// The instructions by way of LWPMSR1, for firmware that runs where RDMSR and WRMSR are allowed. A block that is
/// written this way is read when ring 3 is entered.
///
/// LLWPCB takes two accesses: WRMSR returns nothing, so the old address is read first. Addresses are linear; the
/// instructions take them relative to DS, which is the same where its base is 0.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWPMSR1 - LWPCB".
#[derive(Clone, Copy, Debug)]
pub struct ByMsr<B>(pub B);

impl<B: MsrBus> LwpInstructions for ByMsr<B> {
    type Fault = B::Fault;

    unsafe fn llwpcb(&mut self, address: u64) -> Result<u64, B::Fault> {
        // SAFETY: the caller vouches for the old block.
        let old = unsafe { LwpMsr1::read(&mut self.0) }?;
        // SAFETY: the caller vouches for both blocks.
        unsafe { self.0.wrmsr(LwpMsr1::ADDRESS, address) }?;
        Ok(old)
    }

    unsafe fn slwpcb(&mut self) -> Result<u64, B::Fault> {
        // SAFETY: the caller vouches for the block.
        unsafe { LwpMsr1::read(&mut self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::{ByMsr, LwpInstructions};
    use crate::access::MsrBus;

    /// LWPMSR1, and how often it was read.
    struct Msr1(u64, u32);

    impl MsrBus for Msr1 {
        type Fault = u32;
        unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, u32> {
            self.1 += 1;
            if address == 0xC000_0106 { Ok(self.0) } else { Err(address) }
        }
        unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), u32> {
            self.0 = value;
            if address == 0xC000_0106 { Ok(()) } else { Err(address) }
        }
    }

    // LWP-MSR1-02, LWP-MSR1-03: the register does what the instructions do; LWP-LLW-02: the chain A, B, 0
    #[test]
    fn the_register_stands_in_for_the_instructions() {
        let mut lwp = ByMsr(Msr1(0, 0));
        for (address, old) in [(0xA0, 0), (0xB0, 0xA0), (0, 0xB0)] {
            // SAFETY: the register is a variable; no hardware is behind it.
            assert_eq!(unsafe { lwp.llwpcb(address) }, Ok(old));
            // SAFETY: as above.
            assert_eq!(unsafe { lwp.slwpcb() }, Ok(address));
        }
        assert_eq!(lwp.0.1, 6, "one read for each instruction");
    }
}
