//! Request of a logical processor.

use crate::core::{Ask, Timed, When};
use lwp_model::retire::OpMode;

/// A request, or many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// When it is made.
    pub when: When,
    /// The logical processor that asks.
    pub lp: u8,
    /// What it asks.
    pub ask: Ask,
    /// Privilege level; `None`: that of the instruction that retires.
    pub cpl: Option<u8>,
    /// Operating mode.
    pub mode: OpMode,
    /// CR4.TSD.
    pub tsd: bool,
}

impl Timed for Request {
    fn when(&self) -> When {
        self.when
    }
}
