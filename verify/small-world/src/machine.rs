//! What is explored: the model, or something in its place.

use lwp_model::lwp::{Config, Inputs, Lwp, State};
use sim_harness::rtl::BuildId;

/// Retire lanes of the small worlds.
pub const LANES: usize = 1;
/// Event slots.
pub const SLOTS: usize = 3;
/// Width of a latency.
pub const LATENCY_BITS: u32 = 10;
/// The build of the RTL with these sizes.
const BUILD: &str = "lwp_w1";

/// The model with the sizes of the small worlds.
pub type Unit = Lwp<LANES, SLOTS, LATENCY_BITS>;

/// The RTL with the sizes of the small worlds.
///
/// # Panics
/// If the harness was built without it: the table of builds has always had it.
#[must_use]
pub fn build() -> BuildId {
    BuildId::from_name(BUILD).expect("the harness has the build with one lane")
}

/// A model: its registers, and what a cycle does to them.
pub trait Machine: Clone + Send {
    /// The registers in the present cycle.
    fn state(&self) -> &State;
    /// The straps.
    fn config(&self) -> &Config;
    /// One cycle.
    fn step(&mut self, inputs: &Inputs<LANES>);
    /// The registers as a reset leaves them.
    fn reset(&mut self);
}

impl Machine for Unit {
    fn state(&self) -> &State {
        Lwp::state(self)
    }

    fn config(&self) -> &Config {
        Lwp::config(self)
    }

    fn step(&mut self, inputs: &Inputs<LANES>) {
        Lwp::step(self, inputs);
    }

    fn reset(&mut self) {
        Lwp::reset(self);
    }
}
