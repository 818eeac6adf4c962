//! Rules of the contract that hold in every cycle of a run, whichever way the unit came there: one family per file.
//!
//! A monitor sees the inputs, the outputs and the registers of a cycle, and those of the next one. The memories are followed by their writes,
//! which the registers show.

mod bandwidth;
mod caches;
mod memories;
mod pace;
mod port;

pub use memories::{Caches, Line};

use crate::rdt::Registers;
use core::ops::AddAssign;
use lwp_model::rdt::{Config, Inputs, Outputs, Sizes, Step};

/// A step, from a cycle to the next.
#[derive(Debug)]
pub struct Moment<'a, const LP: usize> {
    /// The straps.
    pub straps: &'a Config,
    /// The sizes of the build.
    pub sizes: Sizes,
    /// The inputs of this cycle.
    pub inputs: &'a Inputs<LP>,
    /// The outputs of this cycle.
    pub out: &'a Outputs<LP>,
    /// The registers in this cycle.
    pub now: Registers<'a>,
    /// The registers in the next cycle.
    pub next: Registers<'a>,
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

/// A cycle of a run: `rst_n`, inputs, outputs, registers.
pub type Cycle<'a, const LP: usize> = (bool, &'a Inputs<LP>, &'a Outputs<LP>, Registers<'a>);

/// What was there to be checked, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Cycles behind clear.
    pub cycles: u64,
    /// Idle cycles in which the caches were compared with each other.
    pub compared: u64,
    /// Transfers at the memory port.
    pub transfers: u64,
    /// Accesses that were chosen for the L3 cache under a delay.
    pub paced: u64,
    /// Sets that `show` has shown.
    pub shown: u64,
}

impl AddAssign for Checked {
    fn add_assign(&mut self, other: Self) {
        self.cycles += other.cycles;
        self.compared += other.compared;
        self.transfers += other.transfers;
        self.paced += other.paced;
        self.shown += other.shown;
    }
}

/// Follows a run.
#[derive(Clone, Debug)]
pub struct Monitors<const LP: usize> {
    straps: Config,
    sizes: Sizes,
    caches: Caches,
    pace: pace::Pace<LP>,
    checked: Checked,
}

impl<const LP: usize> Monitors<LP> {
    /// The monitors of a unit of these sizes that comes out of reset.
    #[must_use]
    pub fn new(straps: &Config, sizes: Sizes) -> Self {
        Self {
            straps: *straps,
            sizes,
            caches: Caches::new(sizes),
            pace: pace::Pace::default(),
            checked: Checked::default(),
        }
    }

    /// Follows a whole run, and returns what was checked.
    ///
    /// # Errors
    ///
    /// The first cycle in which a rule is broken, and the rule.
    pub fn watch<'a>(mut self, cycles: impl Iterator<Item = Cycle<'a, LP>>) -> Result<Checked, (u64, String)> {
        let mut cycles = cycles.enumerate().peekable();
        while let Some((number, (rst_n, inputs, out, now))) = cycles.next() {
            let Some((_, (next_rst_n, _, _, next))) = cycles.peek() else { break };
            if !rst_n || !next_rst_n {
                self.caches = Caches::new(self.sizes);
                self.pace = pace::Pace::default();
                continue;
            }
            let (straps, sizes) = (self.straps, self.sizes);
            let moment = Moment { straps: &straps, sizes, inputs, out, now, next: *next };
            self.one(&moment).map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
        }
        Ok(self.checked)
    }

    fn one(&mut self, moment: &Moment<'_, LP>) -> Result<(), String> {
        self.caches.follow(&moment.next);
        if moment.next.job.step == Step::Clear {
            return Ok(());
        }
        self.checked.cycles += 1;
        caches::check(&mut self.caches, moment, &mut self.checked)?;
        if moment.now.job.step == Step::Clear {
            return Ok(());
        }
        bandwidth::check(moment, &mut self.checked)?;
        port::check(moment)?;
        self.pace.check(moment, &mut self.checked)
    }
}
