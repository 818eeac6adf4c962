//! Flags.

use crate::choice::choice;

/// Iteration of a repeated string instruction that a lane shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Rep {
    /// The instruction is not repeated, or is shown as a whole.
    #[default]
    None = 0,
    /// First of several iterations.
    First = 1,
    /// Iteration between the first and the last.
    Further = 2,
    /// Last iteration, or the only one.
    Last = 3,
}

choice!(Rep { None = "none", First = "first", Further = "further", Last = "last" });

impl Rep {
    /// Whether the lane contributes to the number of retired instructions: a repeated instruction counts with its last
    /// iteration.
    #[must_use]
    pub const fn counts(self) -> bool {
        matches!(self, Self::None | Self::Last)
    }
}

/// Flags that decide when debug exceptions are raised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Whether EFLAGS.TF was 1 when the instruction began.
    pub tf: bool,
    /// Whether the instruction is a MOV or POP that loads SS.
    pub ss_load: bool,
    /// Iteration of a repeated string instruction.
    pub rep: Rep,
}
