//! Properties that hold for the model and for the RTL, derived from the specification alone: one family per file.
//!
//! A monitor sees one cycle at a time: the inputs, the registers in that cycle, and the registers in the next one. It
//! does not know how the one follows from the other.

mod counters;
mod ownership;
mod port;
mod privilege;
mod publish;
mod records;
mod requests;
mod ring;

use crate::lwp::bench::Recording;
use crate::lwp::note_property;
use lwp_model::lwp::{Config, Inputs, Outputs, State};

/// One step, from a cycle to the next.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a, const W: usize> {
    /// The straps.
    pub straps: &'a Config,
    /// The inputs of this cycle.
    pub inputs: &'a Inputs<W>,
    /// The output ports in this cycle.
    pub out: &'a Outputs,
    /// The output ports in the next cycle.
    pub next_out: &'a Outputs,
    /// The registers in this cycle.
    pub now: &'a State,
    /// The registers in the next cycle.
    pub next: &'a State,
}

impl<const W: usize> Step<'_, W> {
    /// Whether the core is in user mode outside SMM.
    #[must_use]
    pub fn ring3(&self) -> bool {
        self.inputs.mode.ring3()
    }

    /// Whether an access is granted in this cycle.
    #[must_use]
    pub fn granted(&self) -> bool {
        self.out.mem_req && self.inputs.mem.gnt
    }

    /// Returns the response to an access that has not been abandoned, if there is one in this cycle: `true`, or `false`
    /// for a page fault.
    #[must_use]
    pub fn response(&self) -> Option<bool> {
        (self.now.port.wait && !self.now.port.drop && self.inputs.mem.rvalid).then_some(!self.inputs.mem.err)
    }
}

/// Returns an error with a text unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err(format!($($text)+));
        }
    };
}
use ensure;

/// Runs every family over a recording.
///
/// # Errors
///
/// Describes the first rule that is broken, and the cycle.
pub fn watch<const W: usize>(straps: &Config, recording: &Recording<W>) -> Result<(), String> {
    watch_cycles(straps, recording).map_err(|(cycle, reason)| {
        note_property("monitors", straps, recording, cycle, &reason);
        reason
    })
}

/// Runs every family without a [note](note_property), and returns the cycle with the error.
pub(crate) fn watch_cycles<const W: usize>(straps: &Config, recording: &Recording<W>) -> Result<(), (u64, String)> {
    let mut publish = publish::Publish::default();
    for (number, pair) in recording.cycles.windows(2).enumerate() {
        let [cycle, after] = pair else { continue };
        if !cycle.rst_n || !after.rst_n {
            publish = publish::Publish::default();
            continue;
        }
        let (out, next_out) = (&cycle.out, &after.out);
        let step = Step { straps, inputs: &cycle.inputs, out, next_out, now: &cycle.state, next: &after.state };
        ring::check(&step)
            .and_then(|()| ownership::check(&step))
            .and_then(|()| records::check(&step))
            .and_then(|()| counters::check(&step))
            .and_then(|()| privilege::check(&step))
            .and_then(|()| requests::check(&step))
            .and_then(|()| port::check(&step))
            .and_then(|()| publish.check(&step))
            .map_err(|text| (number as u64 + 1, format!("cycle {}: {text}", number + 1)))?;
    }
    Ok(())
}
