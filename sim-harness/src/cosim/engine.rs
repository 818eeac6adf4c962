//! What runs.

use clap::ValueEnum;

/// What runs: model, RTL, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// The model in its environment, and the RTL compared with it in every bit of every cycle
    Lockstep,
    /// The model alone: fastest
    Model,
    /// The RTL alone, in the same environment
    Rtl,
}

impl Engine {
    /// Returns its name on the command line and in the summary.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lockstep => "lockstep",
            Self::Model => "model",
            Self::Rtl => "rtl",
        }
    }
}
