//! The independent reading of the performance counters, which is a specification checker written from the documents: it checks what
//! software sees of the unit `perf`.

mod access;
mod choices;
mod counter;
mod coverage;
mod delivery;
mod event;
mod p6_events;
mod pin;
mod processor;
mod row;
mod select;
mod verdict;
mod world;

pub use choices::{Choices, ResetControl};
pub use coverage::Coverage;
pub use row::outputs;

use lwp_model::perf::{Config, Inputs, Outputs};
use world::World;

/// The specification checker, for a unit of this size.
#[derive(Clone, Debug)]
pub struct Reading<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> {
    straps: Config,
    /// A world for each way to make the open choices that what was seen allows.
    worlds: Vec<World>,
    /// The inputs of the last cycle, whose results are shown in this one.
    last: Option<Inputs<LP, LANES>>,
    /// Whether the cycle before was one of reset.
    after_reset: bool,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Reading<LP, GENERAL, FIXED, LANES> {
    /// Returns the checker of a unit with these straps, at reset.
    #[must_use]
    pub fn new(straps: &Config) -> Self {
        let worlds = choices::all(straps).into_iter().map(|choices| World::new(straps, choices, LP)).collect();
        Self { straps: *straps, worlds, last: None, after_reset: true }
    }

    /// Checks one cycle: its inputs, and the outputs `out` before the clock edge that ends the cycle. In a cycle with `rst_n` = 0 nothing
    /// is checked: the documents define the state after reset, not during it.
    ///
    /// # Errors
    ///
    /// Describes what the unit shows and what the documents define instead.
    pub fn cycle(
        &mut self,
        rst_n: bool,
        inputs: &Inputs<LP, LANES>,
        out: &Outputs<LP, GENERAL, FIXED>,
    ) -> Result<(), String> {
        if !rst_n {
            for world in &mut self.worlds {
                world.reset(&self.straps);
            }
            (self.last, self.after_reset) = (None, true);
            return Ok(());
        }
        if self.after_reset {
            for world in &mut self.worlds {
                world.after_reset(out)?;
            }
        }
        if let Some(last) = self.last {
            let mut reason = Ok(());
            self.worlds.retain_mut(|world| {
                let seen = world.cycle(&last, out);
                let right = seen.is_ok();
                reason = seen;
                right
            });
            if self.worlds.is_empty() {
                return reason;
            }
        }
        (self.last, self.after_reset) = (Some(*inputs), false);
        Ok(())
    }

    /// Returns how much was checked.
    ///
    /// # Panics
    ///
    /// Panics after an error.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.worlds[0].coverage
    }

    /// Returns the ways to make the open choices that what was seen allows.
    #[must_use]
    pub fn choices(&self) -> Vec<Choices> {
        self.worlds.iter().map(|world| world.choices).collect()
    }
}
