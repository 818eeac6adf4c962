//! The processor itself: the instructions.

use core::convert::Infallible;
use lwp_regs::bare_metal::BareMetal;

/// What an access yields that fails: none does, exceptions go to handlers.
pub type Fault = Infallible;

/// Every way to the registers.
pub type Machine = BareMetal;

/// The processor that this runs on.
pub fn machine() -> Machine {
    // SAFETY: firmware runs at level 0 of the only processor, and an exception stops the board.
    unsafe { BareMetal::new() }
}
