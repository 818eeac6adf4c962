//! What determines a run besides the trace and the unit.

use lwp_regs::Refused;
use lwp_regs::debug::{Breakpoint, BreakpointSet, Condition, Enable, Length, Slot};
use miette::Diagnostic;
use thiserror::Error;

use crate::session::{InvalidSession, SessionText};
use crate::traces::ProgramMap;
use lwp_regs::debug::{BreakpointLimits, DebugCaps};
use std::ops::Range;

/// Where a breakpoint or an end of stepping is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A linear address, or a port.
    Address(u64),
    /// A symbol of the traced program.
    Symbol(Symbol),
}

/// A symbol, and where it is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Bytes of the session's text that name it, if a session does.
    pub at: Option<Range<usize>>,
}

/// A breakpoint of the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The register that holds its address.
    pub slot: Slot,
    /// Where it is.
    pub place: Place,
    /// What it waits for.
    pub condition: Condition,
    /// How many bytes it covers.
    pub length: Length,
}

/// Single step of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Only taken branches are steps.
    pub branches: bool,
    /// The first instruction that is stepped; without it the first of the trace.
    pub from: Option<Place>,
    /// The first instruction behind it that is not; without it stepping does not end.
    pub to: Option<Place>,
}

/// Everything that determines a run besides the trace and the unit itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Instructions that retire in one cycle at most.
    pub lanes: usize,
    /// Cycles from one group of instructions to the next.
    pub spacing: u64,
    /// The breakpoints, each in a register of its own.
    pub watches: Vec<Watch>,
    /// Whether the program is stepped.
    pub steps: Option<Steps>,
    /// Text of the session that says so, in which errors point at a symbol.
    pub text: Option<SessionText>,
}

/// Why a run cannot begin or go on.
#[derive(Clone, Debug, Error, Diagnostic, PartialEq, Eq)]
pub enum DebugFailure {
    /// The trace has no symbols.
    #[error("the trace has no symbols, so `{symbol}` has no address")]
    #[diagnostic(code(debug::no_symbols), help("captures have symbols; for other traces give an `address`"))]
    NoSymbols {
        /// Name in the session.
        symbol: String,
    },
    /// The program has no such symbol.
    #[error("no file of the traced program has a symbol `{symbol}`")]
    #[diagnostic(code(debug::no_symbol), help("`nm PROGRAM` lists its symbols; a stripped program has none"))]
    NoSymbol {
        /// Name in the session.
        symbol: String,
    },
    /// No hardware takes the breakpoint.
    #[error("{why}")]
    #[diagnostic(code(debug::breakpoint), help("a breakpoint is aligned to its length"))]
    Refused {
        /// The rule of `lwp-regs`, which names the register.
        why: Refused,
    },
    /// A symbol of the session makes no sense for this trace.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Session(Box<InvalidSession>),
    /// The unit refuses an access of the operating system.
    #[error("{what} in cycle {cycle} is not done: {result}")]
    #[diagnostic(code(debug::not_done), help("the unit breaks its contract: compare it with `--engine lockstep`"))]
    NotDone {
        /// The access.
        what: &'static str,
        /// Its cycle.
        cycle: u64,
        /// The answer.
        result: &'static str,
    },
}

/// What the operating system and the core know: addresses alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) set: BreakpointSet,
    pub(super) steps: Stepping,
}

/// Single step, with addresses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stepping {
    pub(super) branches: bool,
    pub(super) from: Option<u64>,
    pub(super) to: Option<u64>,
    /// Whether the next instruction is stepped.
    pub(super) on: bool,
}

impl Stepping {
    /// Whether the instruction at this address is stepped.
    #[inline]
    pub(super) fn steps(&mut self, ip: u64) -> bool {
        if self.from == Some(ip) {
            self.on = true;
        }
        if self.to == Some(ip) {
            self.on = false;
        }
        self.on
    }
}

impl Setup {
    /// Finds the addresses of all symbols.
    pub(super) fn plan(&self, symbols: Option<&ProgramMap>, caps: &DebugCaps) -> Result<Plan, DebugFailure> {
        let limits = BreakpointLimits::new(caps, 1 << BreakpointLimits::CR4_DE);
        let mut set = BreakpointSet::new();
        for watch in &self.watches {
            let address = self.address(&watch.place, symbols)?;
            let &Watch { slot, condition, length, .. } = watch;
            let breakpoint = Breakpoint { address, length, condition, enable: Enable::GLOBAL };
            let refused = |why| self.pointing_at(&watch.place, DebugFailure::Refused { why });
            set.set(slot, breakpoint, &limits).map_err(refused)?;
        }
        let steps = match &self.steps {
            None => Stepping::default(),
            Some(steps) => Stepping {
                branches: steps.branches,
                from: steps.from.as_ref().map(|place| self.address(place, symbols)).transpose()?,
                to: steps.to.as_ref().map(|place| self.address(place, symbols)).transpose()?,
                on: steps.from.is_none(),
            },
        };
        Ok(Plan { set, steps })
    }

    fn address(&self, place: &Place, symbols: Option<&ProgramMap>) -> Result<u64, DebugFailure> {
        let symbol = match place {
            Place::Address(address) => return Ok(*address),
            Place::Symbol(Symbol { name, .. }) => name.clone(),
        };
        let found = match symbols {
            None => Err(DebugFailure::NoSymbols { symbol }),
            Some(map) => map.address_of(&symbol).ok_or(DebugFailure::NoSymbol { symbol }),
        };
        found.map_err(|failure| self.pointing_at(place, failure))
    }

    /// The failure, with the place in the session that names the symbol.
    fn pointing_at(&self, place: &Place, failure: DebugFailure) -> DebugFailure {
        match (&self.text, place) {
            (Some(text), Place::Symbol(Symbol { at: Some(at), .. })) => {
                let help = failure.help().map(|help| help.to_string());
                DebugFailure::Session(Box::new(text.invalid(failure.to_string(), at.clone(), help)))
            }
            _ => failure,
        }
    }
}
