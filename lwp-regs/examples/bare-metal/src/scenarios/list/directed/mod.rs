//! The scenarios by hand, by what they are about.

mod data;
mod fetch;
mod interrupts;
mod ports;
mod registers;
mod shadow;
mod steps;

use super::{Image, Piece, Scenario};
use lwp_regs::debug::{Condition, Enable, Length};

/// Calls `visit` with each of them.
pub(super) fn each(visit: &mut dyn FnMut(&Scenario)) {
    for topic in [registers::each, fetch::each, data::each, ports::each, steps::each, shadow::each, interrupts::each] {
        topic(visit);
    }
}

const TF: Image = Image { tf: true, rf: false, interrupts: false };
const RF: Image = Image { tf: false, rf: true, interrupts: false };
const IF: Image = Image { tf: false, rf: false, interrupts: true };
const NONE: Image = Image { tf: false, rf: false, interrupts: false };

/// Store of four bytes.
const fn store(at: i8) -> Piece {
    Piece::Store { at, width: 4 }
}

/// Load of four bytes.
const fn load(at: i8) -> Piece {
    Piece::Load { at, width: 4 }
}

impl Scenario {
    /// The program begins with this image.
    fn with(mut self, image: Image) -> Self {
        self.image = image;
        self
    }

    /// The handler of #DB leaves DR6.
    fn keeping(mut self) -> Self {
        self.policy.clears = false;
        self
    }

    /// CR4.DE is 0.
    fn without_extensions(mut self) -> Self {
        self.extensions = false;
        self
    }

    /// At level 3.
    fn at_user_level(mut self) -> Self {
        self.user = true;
        self
    }

    /// Adds a breakpoint on data that are read or written, of four bytes.
    fn watches(self, at: i8) -> Self {
        self.watch(super::Place::Data(at), Condition::ReadWrite, Length::Four, Enable::GLOBAL)
    }

    /// Adds a breakpoint on data that are written.
    fn watches_writes(self, at: i8, length: Length) -> Self {
        self.watch(super::Place::Data(at), Condition::Write, length, Enable::GLOBAL)
    }

    /// Adds a breakpoint on ports.
    fn watches_ports(self, port: u16, length: Length) -> Self {
        self.watch(super::Place::Port(port), Condition::Io, length, Enable::GLOBAL)
    }
}
