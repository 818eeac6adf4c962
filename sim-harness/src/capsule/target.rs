//! Targets of a replay, which are compared with the model.

use crate::rtl::{BuildId, Divergence, Flavour, Rtl};
use capsule_file::Checkpoint;

/// Target that can be powered up repeatedly: the RTL of one build, or a substitute for it in a test.
pub trait Target {
    /// Returns the build that the target stands for.
    fn build(&self) -> BuildId;

    /// Returns an instance at power-up.
    fn power_up(&self, flavour: Flavour, straps: &[u32]) -> Box<dyn Subject>;

    /// Returns an instance in a cycle in which it shows `row` and is given `inputs`; the next cycle that it plays is the one after. `None`:
    /// it cannot begin there. Assertions of the RTL are off.
    fn resume(&self, flavour: Flavour, straps: &[u32], row: &[u32], inputs: &[u32]) -> Option<Box<dyn Subject>> {
        let _ = (flavour, straps, row, inputs);
        None
    }
}

/// Returns an instance at the start of a capsule, and the number of cycles that it has played, 0 or 1. `inputs` are those of the first cycle.
pub(super) fn begin(
    target: &dyn Target,
    flavour: Flavour,
    straps: &[u32],
    checkpoint: Option<&Checkpoint>,
    inputs: &[u32],
) -> Option<(Box<dyn Subject>, usize)> {
    match checkpoint {
        None => Some((target.power_up(flavour, straps), 0)),
        Some(checkpoint) => Some((target.resume(flavour, straps, &checkpoint.row, inputs)?, 1)),
    }
}

/// Instance of a target, from power-up on.
pub trait Subject {
    /// Replays rows of inputs, and compares the outputs with the rows of `expected`.
    ///
    /// # Errors
    /// The first cycle that differs, or in which an assertion failed. That cycle has been run, and the next call continues after it.
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

    fn resume(&self, flavour: Flavour, straps: &[u32], row: &[u32], inputs: &[u32]) -> Option<Box<dyn Subject>> {
        let mut rtl = Rtl::new(*self, flavour, straps);
        rtl.mute();
        rtl.load(straps, row, inputs).then(|| Box::new(rtl) as Box<dyn Subject>)
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
