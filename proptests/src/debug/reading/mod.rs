//! The specification checker of the debug unit, written independently from the documents: it checks what the core and software see of the
//! unit `debug`.
//!
//! It is written from the document on debugging, branch records, TSC and RDT (sections 2, 3, 4.1 and 5.3), the numbered requirements DBG-01
//! to DBG-82, the facts about real hardware and the chapters that define the ports. It knows no register of the unit: only the straps, the
//! inputs and the outputs. Of the register layouts it uses the fields of DR6 and DR7, and no rule.
//!
//! The checker holds the states in which the processor may be (`world`): what software wrote, EFLAGS.RF, the shadow of an SS load, the
//! string instruction in progress, hits that are not delivered yet, and the pending request. Each cycle steps every state in every way that
//! the documents allow (`choices`). The outputs of the next cycle leave those that agree. The unit, or the checker, is wrong when none is
//! left.
//!
//! # What the documents leave open
//!
//! The choices that a unit makes once for the whole run are the variants of `choices::Open`. These may differ each time:
//!
//! 1. What an abort shows in `db_b`, `db_bd`, `db_bs` and `db_bt`: all that held, or less. No exception reports it.
//! 2. With `status_off`, whether B0 to B3 also report conditions of breakpoints that are off, of an earlier instruction than that of the
//!    exception, or of the address of the instruction that traps. Conditions of its accesses are reported.
//! 3. With `merge_next`, whether `db_b` already shows a breakpoint of the next lane. DR6 reports it in any case, by `int_from`.
//! 4. Whether the hit of an SS load waits for the end of a repeated string instruction behind it, or for its next iteration.
//!
//! A core that breaks a rule of the ports makes other results possible, never any result:
//!
//! - A lane that contradicts itself (`ss_load` or `rep` with a `kind`, `tx_abort` with any of them) is taken for one thing or the other.
//! - An iteration that does not fit the one before, and a lane other than the one that the question was about, are checked or not.
//! - An interrupt, NMI, SMI or RSM loses a held hit and a pending request, or does not.
//! - `db_ack` with something else than the delivery of its class writes DR6 or not, and pushes RF as either of them would.
//! - A register request together with a question, an interruption or lanes takes its place before or behind them.
//!
//! # Taken literally
//!
//! - General detect inside a transaction is a #DB as any other (DBG-80, DBG-81).
//! - A lane with `tx_abort` executes no instruction, so that no instruction breakpoint is at it (DBG-36).
//!
//! # Not checked
//!
//! `hold` while a request is pending, and `reg_result` without `reg_done`.

mod ask;
mod choices;
mod coverage;
mod expect;
mod interruption;
mod lanes;
mod matching;
mod registers;
mod retire;
mod row;
mod world;

pub use coverage::Coverage;
pub use row::outputs;

use choices::{Choices, Path};
use expect::Expected;
use lanes::Place;
use lwp_model::debug::{Config, Inputs, Lane, Outputs};
use std::collections::HashSet;
use world::{Cycle, World};

/// Number of states above which the checker gives up until the next reset.
const MOST: usize = 20_000;

/// The specification checker, for a unit with `LANES` lanes that compares `ACCESSES` accesses of each.
#[derive(Clone, Debug)]
pub struct Reading<const LANES: usize, const ACCESSES: usize> {
    straps: Config,
    /// The states in which the processor may be.
    worlds: Vec<World>,
    /// The inputs of the last cycle, whose results are shown in this one.
    last: Option<Inputs<LANES>>,
    after_reset: bool,
    /// There were too many states.
    lost: bool,
    coverage: Coverage,
}

/// A state with what was checked on the way to it.
type Counted = (World, Coverage);

impl<const LANES: usize, const ACCESSES: usize> Reading<LANES, ACCESSES> {
    /// Returns the checker of a unit with these straps, at reset.
    #[must_use]
    pub fn new(straps: &Config) -> Self {
        Self {
            straps: *straps,
            worlds: vec![World::new(Choices::default())],
            last: None,
            after_reset: true,
            lost: false,
            coverage: Coverage::default(),
        }
    }

    /// Checks one cycle: its inputs, and the outputs `out` before the clock edge that ends the cycle. In a cycle with `rst_n` = 0 nothing
    /// is checked: the documents define the state after reset, not during it.
    ///
    /// # Errors
    ///
    /// Describes what the unit shows and what the documents define instead.
    pub fn cycle(&mut self, rst_n: bool, inputs: &Inputs<LANES>, out: &Outputs) -> Result<(), String> {
        if !rst_n {
            self.reset();
            return Ok(());
        }
        if self.after_reset {
            Expected { hold: Some(false), ..Expected::default() }.check(out)?;
        } else if let (Some(last), false) = (self.last.take(), self.lost) {
            self.step(&last, out)?;
        }
        (self.last, self.after_reset) = (Some(*inputs), false);
        Ok(())
    }

    /// Returns how much was checked.
    #[must_use]
    pub const fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Returns the number of states in which the processor may be; 0 if there were too many to follow.
    #[must_use]
    pub fn states(&self) -> usize {
        if self.lost { 0 } else { self.worlds.len() }
    }

    /// Resets the state. The choices that were seen remain.
    fn reset(&mut self) {
        let mut worlds: Vec<World> = Vec::new();
        for world in self.worlds.iter().map(|world| World::new(world.choices)) {
            if !worlds.contains(&world) {
                worlds.push(world);
            }
        }
        (self.worlds, self.last, self.after_reset, self.lost) = (worlds, None, true, false);
        self.coverage.resets += 1;
    }

    /// Steps all states by a cycle, and keeps those that agree with the outputs of the next one.
    fn step(&mut self, inputs: &Inputs<LANES>, out: &Outputs) -> Result<(), String> {
        let straps = self.straps;
        // All states agree about what the outputs showed.
        let pending = self.worlds.first().is_some_and(World::pending);
        let accepts = !pending && !inputs.int.valid;
        let mut worlds: Vec<Counted> = self.worlds.iter().map(|world| (*world, Coverage::default())).collect();
        if accepts && inputs.partial && inputs.lanes[0].retired.valid {
            worlds = each_way(&worlds, &straps, inputs, (ACCESSES, out), |world, c| {
                world.early(c, &inputs.lanes[0]);
                Ok(())
            })?;
        }
        let places = if accepts && !inputs.partial { places(inputs) } else { Vec::new() };
        for place in &places {
            worlds = each_way(&worlds, &straps, inputs, (ACCESSES, out), |world, c| world.lane(c, *place))?;
        }
        let shows = accepts && (inputs.partial || !places.is_empty());
        worlds = each_way(&worlds, &straps, inputs, (ACCESSES, out), |world, c| world.end(c, pending, shows))?;
        if let Some((_, seen)) = worlds.first() {
            self.coverage += *seen;
        }
        self.lost = worlds.len() > MOST;
        self.worlds = worlds.into_iter().map(|(world, _)| world).collect();
        Ok(())
    }
}

/// Returns the valid lanes of a cycle.
fn places<const LANES: usize>(inputs: &Inputs<LANES>) -> Vec<Place<'_>> {
    let valid: Vec<(usize, &Lane)> = inputs.lanes.iter().enumerate().filter(|(_, lane)| lane.retired.valid).collect();
    let place = |at: usize| {
        let (number, lane) = valid[at];
        let io = (number == 0 && inputs.io.valid).then_some(inputs.io);
        Place { lane, number, first: at == 0, next: valid.get(at + 1).map(|(_, next)| *next), io }
    };
    (0..valid.len()).map(place).collect()
}

/// Returns the states that follow from these in every way that is allowed, without repetition.
fn each_way<const LANES: usize>(
    worlds: &[Counted],
    straps: &Config,
    inputs: &Inputs<LANES>,
    (accesses, out): (usize, &Outputs),
    step: impl Fn(&mut World, &mut Cycle<'_>) -> Result<(), String>,
) -> Result<Vec<Counted>, String> {
    let mut next: Vec<Counted> = Vec::new();
    let mut known: HashSet<World> = HashSet::new();
    let mut error = None;
    let mut path = Path::default();
    for (world, seen) in worlds {
        loop {
            let (mut world, mut seen) = (*world, *seen);
            let mut cycle = Cycle {
                straps,
                mode: inputs.mode,
                de: inputs.de,
                btf: inputs.btf,
                rtm_debug: inputs.rtm_debug && straps.rtm,
                int: inputs.int,
                ask: inputs.ask,
                ack: inputs.db_ack,
                reg: inputs.reg,
                accesses,
                out,
                path: &mut path,
                seen: &mut seen,
            };
            match step(&mut world, &mut cycle) {
                Ok(()) if known.insert(world) => next.push((world, seen)),
                Ok(()) => (),
                Err(text) => error = error.or(Some(text)),
            }
            if !path.next() {
                break;
            }
        }
    }
    match error {
        Some(error) if next.is_empty() => Err(error),
        _ => Ok(next),
    }
}
