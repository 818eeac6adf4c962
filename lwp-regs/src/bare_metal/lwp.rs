//! LLWPCB and SLWPCB as AMD family 15h has them.
#![allow(unsafe_code)] // the instructions make the processor write memory

use crate::lwp::LwpInstructions;
use core::arch::asm;
use core::convert::Infallible;
use core::marker::PhantomData;

/// LLWPCB and SLWPCB with the opcodes of the processors that were built (AMD family 15h). The proposal of 2007, which
/// [`lwp`](crate::lwp) follows, gives none; whether a machine that follows the proposal has these is for the machine to
/// say.
///
/// | instruction | bytes, for RAX | |
/// |---|---|---|
/// | LLWPCB | `8F E9 F8 12 C0` | XOP map 9, W = 1, opcode 12 /0; returns nothing |
/// | SLWPCB | `8F E9 F8 12 C8` | XOP map 9, W = 1, opcode 12 /1; returns the address |
///
/// The proposal's LLWPCB returns the old address. That of family 15h does not, so here an SLWPCB comes before it; an
/// interrupt between the two that loads another block would go unnoticed.
///
/// Source of the encodings: the tables of binutils and of Xen's emulator. AMD's manual (APM volume 3, "LLWPCB" and
/// "SLWPCB") was not at hand to confirm them.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ShippedLwpInstructions {
    of_this_thread: PhantomData<*mut ()>,
}

impl ShippedLwpInstructions {
    /// Claims the instructions for this thread.
    ///
    /// # Safety
    ///
    /// While the value or a copy of it is used:
    ///
    /// - The processor reads a control block at these opcodes in the layout that the caller writes. Family 15h has
    ///   another one than [`lwp::LwpcbImage`](crate::lwp::LwpcbImage): it would take other words of that for the place of
    ///   the buffer, and write there.
    /// - An exception that an instruction raises (#UD without LWP, #GP, #PF) goes to a handler that does not continue
    ///   behind it unless it has carried it out.
    #[must_use]
    #[inline]
    pub const unsafe fn new() -> Self {
        Self { of_this_thread: PhantomData }
    }
}

impl LwpInstructions for ShippedLwpInstructions {
    type Fault = Infallible;

    unsafe fn llwpcb(&mut self, address: u64) -> Result<u64, Infallible> {
        // SAFETY: the caller vouches for the old block.
        let Ok(old) = unsafe { self.slwpcb() };
        // SAFETY: the caller vouches for both blocks; the instruction is what it is taken for, as `new` asks.
        unsafe {
            asm!("llwpcb rax", in("rax") address, options(nostack));
        }
        Ok(old)
    }

    unsafe fn slwpcb(&mut self) -> Result<u64, Infallible> {
        let address;
        // SAFETY: the caller vouches for the block; the instruction is what it is taken for, as `new` asks.
        unsafe {
            asm!("slwpcb rax", out("rax") address, options(nostack));
        }
        Ok(address)
    }
}
