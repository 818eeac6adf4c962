//! A specification checker that is independent of the contract of model and RTL: it reconstructs what happened at the
//! ports, and checks it one instruction at a time.
//!
//! Model and RTL are written from one contract and are compared in every register and cycle, so the comparison does not
//! detect a misreading that they share. This checker is written from the proposal and the decisions. From the book it
//! takes the ports, the words of a context and the polynomial of the LFSR. It has no registers except those that the
//! text names, predicts no cycles, and sees the ports only.
//!
//! A front end (`observe`) turns the cycles into a list of happenings in program order. The checker keeps the set of
//! all possible states (`state`) that the text allows after what has been seen. Each happening leads every state to its
//! successors: mostly one; several where the text leaves open a choice (which of several expired events, random counter
//! bits) or a moment (when a store that runs in parallel with the program ends); none where the state and the happening
//! contradict each other. If no state is left, the observed behaviour contradicts the text.

mod access;
mod buffer;
mod bytes;
mod checker;
mod context;
mod count;
mod coverage;
mod env;
mod flush;
mod happening;
mod judge;
mod leave;
mod observe;
mod operation;
mod replay;
mod report;
mod state;
mod store;

pub use coverage::Coverage;
pub use env::Disputed;

use checker::Checker;
use happening::Happening;
use lwp_model::lwp::{Config, Inputs, Outputs};
use observe::Observer;

/// The specification checker, for a unit with `W` retire lanes.
#[derive(Debug)]
pub struct Reading<const W: usize> {
    observer: Observer,
    checker: Checker,
    /// The happenings that have been seen but not checked: accesses wait for their responses, operations for their
    /// ends.
    list: Vec<Happening>,
}

impl<const W: usize> Reading<W> {
    /// Returns the checker of a unit with these straps and parameters, from power-up on.
    #[must_use]
    pub fn new(straps: &Config, slots: usize, latency_bits: u32) -> Self {
        Self {
            observer: Observer::new(straps, latency_bits),
            checker: Checker::new(straps, slots, latency_bits),
            list: Vec::new(),
        }
    }

    /// Returns the same checker, but one that permits these disputed points.
    #[must_use]
    pub fn allowing(mut self, disputed: Disputed) -> Self {
        self.checker.allow(disputed);
        self
    }

    /// Takes one cycle: the inputs, and the outputs before the clock edge that ends the cycle.
    ///
    /// # Errors
    ///
    /// Describes what was observed and what the text allows instead.
    pub fn cycle(&mut self, rst_n: bool, inputs: &Inputs<W>, out: &Outputs) -> Result<(), String> {
        if !rst_n {
            self.list.clear();
        }
        self.observer.cycle(rst_n, inputs, out, &mut self.list)?;
        self.judge()
    }

    /// Checks the happenings that are left, and returns how much was checked.
    ///
    /// # Errors
    ///
    /// As for [`cycle`](Self::cycle), for the happenings that were still to be checked.
    pub fn finish(mut self) -> Result<Coverage, String> {
        self.judge()?;
        Ok(self.checker.into_coverage())
    }

    /// Whether the memory has responded to every access that was granted before this position in the list.
    fn answered(&self, end: usize) -> bool {
        let granted = |happening: &Happening| matches!(happening, Happening::Granted(_));
        let last = self.list.iter().rposition(granted);
        !self.observer.awaits() || last.is_none_or(|last| last > end)
    }

    /// Checks everything whose outcome is known.
    fn judge(&mut self) -> Result<(), String> {
        loop {
            let ready = match self.list.first() {
                None => return Ok(()),
                Some(Happening::Accepted(_)) => {
                    let done = self.list.iter().position(|happening| matches!(happening, Happening::Done(_)));
                    done.filter(|done| self.answered(*done)).map(|done| done + 1)
                }
                Some(Happening::Granted(_)) => {
                    let last = self.list.iter().skip(1).any(|happening| matches!(happening, Happening::Answered));
                    (last || !self.observer.awaits()).then_some(1)
                }
                Some(_) => Some(1),
            };
            let Some(ready) = ready else { return Ok(()) };
            let batch: Vec<Happening> = self.list.drain(..ready).collect();
            self.checker.judge(batch)?;
        }
    }
}
