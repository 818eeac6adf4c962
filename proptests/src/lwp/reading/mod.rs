//! A third reading of the proposal, beside model and RTL: what happened at the ports, judged an instruction at a time.
//!
//! Model and RTL are written from one contract and are compared in every register and cycle, so a misreading that they share
//! goes unseen. This checker is written from the proposal and the decisions. Of the book it takes the ports, the words of a
//! context and the polynomial of the LFSR. It knows no registers but the ones that the text names, predicts no cycles, and
//! sees the ports only.
//!
//! A front end (`observe`) makes a list of happenings in program order out of the cycles. Behind it stands the set of all states
//! (`world`) that the text allows after what has been seen. Each happening leads every state to its successors: mostly one,
//! several where the text leaves a choice (which of several expired events, random counter bits) or a moment (when a store that
//! runs beside the program ends), none where the state and the happening contradict each other. If no state is left, what
//! was observed is not what the text says.

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
mod store;
mod world;

pub use coverage::Coverage;
pub use env::Disputed;

use checker::Checker;
use happening::Happening;
use lwp_model::lwp::{Config, Inputs, Outputs};
use observe::Observer;

/// The checker, for a unit with `W` retire lanes.
#[derive(Debug)]
pub struct Reading<const W: usize> {
    observer: Observer,
    checker: Checker,
    /// What has been seen but not judged: accesses wait for their answers, operations for their ends.
    list: Vec<Happening>,
}

impl<const W: usize> Reading<W> {
    /// A reading of a unit with these straps and parameters, from power-up on.
    #[must_use]
    pub fn new(straps: &Config, slots: usize, latency_bits: u32) -> Self {
        Self {
            observer: Observer::new(straps, latency_bits),
            checker: Checker::new(straps, slots, latency_bits),
            list: Vec::new(),
        }
    }

    /// The same reading, but one that lets these points pass.
    #[must_use]
    pub fn allowing(mut self, disputed: Disputed) -> Self {
        self.checker.allow(disputed);
        self
    }

    /// One cycle: what goes in, and what stands at the outputs before the clock edge that ends it.
    ///
    /// # Errors
    ///
    /// What was observed and what the text allows instead.
    pub fn cycle(&mut self, rst_n: bool, inputs: &Inputs<W>, out: &Outputs) -> Result<(), String> {
        if !rst_n {
            self.list.clear();
        }
        self.observer.cycle(rst_n, inputs, out, &mut self.list)?;
        self.judge()
    }

    /// The end: what was checked.
    ///
    /// # Errors
    ///
    /// As for [`cycle`](Self::cycle), for what had still to be judged.
    pub fn finish(mut self) -> Result<Coverage, String> {
        self.judge()?;
        Ok(self.checker.into_coverage())
    }

    /// Whether the memory has answered every access that was granted before this place in the list.
    fn answered(&self, end: usize) -> bool {
        let granted = |happening: &Happening| matches!(happening, Happening::Granted(_));
        let last = self.list.iter().rposition(granted);
        !self.observer.awaits() || last.is_none_or(|last| last > end)
    }

    /// Judges everything of which the outcome is known.
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
