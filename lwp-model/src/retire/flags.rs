//! Flags.

use crate::choice::choice;

/// Which iteration of a repeated string instruction a lane is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Rep {
    /// Not repeated, or shown as a whole.
    #[default]
    None = 0,
    /// First iteration, of several.
    First = 1,
    /// Further iteration.
    Further = 2,
    /// Last iteration, or the sole one.
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

/// What the flags did, as far as it decides when debug exceptions come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// EFLAGS.TF was 1 when the instruction began.
    pub tf: bool,
    /// The instruction is a MOV or POP that loads SS.
    pub ss_load: bool,
    /// Which iteration of a repeated string instruction it is.
    pub rep: Rep,
}
