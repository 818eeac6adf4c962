//! What is explored: the model, and a bug in it if a test wants one.

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

/// A bug: changes what the model sees in a cycle, as its registers say.
pub type Bug = fn(&State, &mut Inputs<LANES>);

/// What is explored: the model, with a bug in it or without.
#[derive(Clone, Debug)]
pub struct Machine {
    unit: Unit,
    bug: Option<Bug>,
}

impl Machine {
    /// The model as it is.
    #[must_use]
    pub fn new(unit: Unit) -> Self {
        Self { unit, bug: None }
    }

    /// The model with a bug, which the walk has to find.
    #[must_use]
    pub fn with_bug(unit: Unit, bug: Bug) -> Self {
        Self { unit, bug: Some(bug) }
    }

    /// The registers in the present cycle.
    #[must_use]
    pub fn state(&self) -> &State {
        self.unit.state()
    }

    /// The straps.
    #[must_use]
    pub fn config(&self) -> &Config {
        self.unit.config()
    }

    /// One cycle.
    pub fn step(&mut self, inputs: &Inputs<LANES>) {
        match self.bug {
            None => self.unit.step(inputs),
            Some(bug) => {
                let mut seen = *inputs;
                bug(self.unit.state(), &mut seen);
                self.unit.step(&seen);
            }
        }
    }

    /// The registers as a reset leaves them.
    pub fn reset(&mut self) {
        self.unit.reset();
    }
}
