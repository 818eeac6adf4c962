//! What is held against the model.

use crate::rtl::{BuildId, Divergence, Flavour, Rtl};

/// Whatever can be powered up again and again: the RTL of one build, or a stand-in for it in a test.
pub trait Target {
    /// The build whose place it takes.
    fn build(&self) -> BuildId;

    /// Fresh from power-up.
    fn power_up(&self, flavour: Flavour, straps: &[u32]) -> Box<dyn Subject>;
}

/// One instance, from power-up on.
pub trait Subject {
    /// Plays rows of inputs and compares what it shows with the rows of `expected`.
    ///
    /// # Errors
    /// The first cycle that differs, or in which an assertion failed. It has been played, and the next call goes on after it.
    fn replay(&mut self, inputs: &[u32], expected: &[u32]) -> Result<(), Divergence>;

    /// Plays one row; `shown` receives what it shows in that cycle.
    fn step(&mut self, inputs: &[u32], shown: &mut [u32]);

    /// The first assertion that has failed.
    fn assertion_label(&mut self) -> Option<String>;
}

impl Target for BuildId {
    fn build(&self) -> BuildId {
        *self
    }

    fn power_up(&self, flavour: Flavour, straps: &[u32]) -> Box<dyn Subject> {
        let mut rtl = Rtl::new(*self, flavour, straps);
        // Candidates fail by the thousand, and the label says what their messages would.
        rtl.mute();
        Box::new(rtl)
    }
}

impl Subject for Rtl {
    fn replay(&mut self, inputs: &[u32], expected: &[u32]) -> Result<(), Divergence> {
        Rtl::replay(self, inputs, expected)
    }

    fn step(&mut self, inputs: &[u32], shown: &mut [u32]) {
        Rtl::step(self, inputs, shown);
    }

    fn assertion_label(&mut self) -> Option<String> {
        Rtl::assertion_label(self)
    }
}
