//! Front of the pipeline: executes bundles in program order, as far as no answer is needed.

use super::flight::{Chunk, Flight};
use crate::itanium::ia64::{Answer, Bundle, Core, Fault, File, MonitorBits, Place, Request, Retired};
use lwp_model::itanium::Outputs;

/// Why the front does not fetch.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// It does.
    Runs,
    /// The last instruction of the youngest bundle waits for an answer.
    Asks {
        /// It is rfi.
        returns: bool,
    },
    /// The timer rings.
    Rings,
    /// The next instruction faults.
    Faults(Fault),
}

/// The core and what stops it.
#[derive(Debug)]
pub(super) struct Front {
    pub(super) core: Core,
    pub(super) state: State,
    /// Instructions above level 0 until the timer rings.
    pub(super) left: u64,
}

impl Front {
    pub(super) const fn new(core: Core, left: u64) -> Self {
        Self { core, state: State::Runs, left }
    }

    /// Returns the next bundle, as far as it can be read: without one the instruction faults.
    pub(super) fn next(&mut self) -> Option<(u64, Bundle)> {
        let Place { ip, .. } = self.core.place();
        match self.core.image().bundle(ip) {
            Ok(bundle) => Some((ip, bundle)),
            Err(_) => {
                if let Err(fault) = self.core.step() {
                    self.state = State::Faults(fault);
                }
                None
            }
        }
    }

    /// Executes a bundle up to its end, a taken branch, a request or a fault.
    pub(super) fn execute(&mut self, flight: &mut Flight) {
        let mut chunk = Chunk::at(self.core.cpl());
        loop {
            if self.core.cpl() != chunk.cpl {
                flight.push(chunk);
                chunk = Chunk::at(self.core.cpl());
            }
            if self.left == 0 && self.core.accepts_interrupts() {
                self.state = State::Rings;
                flight.complete = true;
                break;
            }
            match self.core.step() {
                Ok(retired) => {
                    let refused = retired.request.is_some_and(|request| is_refused(request, chunk.cpl));
                    chunk.add(&retired, refused);
                    if chunk.cpl != 0 && !refused {
                        self.left = self.left.saturating_sub(1);
                    }
                    if let Some(request) = retired.request {
                        self.state = State::Asks { returns: matches!(request, Request::Rfi(_)) };
                        break;
                    }
                    if ends(&retired) {
                        flight.complete = true;
                        break;
                    }
                }
                Err(fault) => {
                    self.state = State::Faults(fault);
                    flight.complete = true;
                    break;
                }
            }
        }
        flight.push(chunk);
    }

    /// Takes the answer to the request of a bundle, and goes on with the bundle.
    pub(super) fn answered(&mut self, answer: Answer, flight: &mut Flight) {
        let returns = matches!(self.state, State::Asks { returns: true });
        self.state = State::Runs;
        match self.core.answer(answer) {
            Err(fault) => {
                self.state = State::Faults(fault);
                flight.complete = true;
            }
            // What rfi returns to is fetched again, even if it is the same bundle.
            Ok(()) if self.core.place().ip == flight.ip && !returns => self.execute(flight),
            Ok(()) => flight.complete = true,
        }
    }

    /// Tells the core what the unit shows of the PSR.
    pub(super) fn watch(&mut self, out: &Outputs) {
        self.core.set_monitor_bits(MonitorBits { up: out.psr_up, sp: out.psr_sp, pp: out.psr_pp });
    }
}

/// Whether an instruction is the last of its bundle that executes.
fn ends(retired: &Retired) -> bool {
    retired.taken || retired.next.ip != retired.ip
}

/// Whether the unit will refuse a request: an instruction that faults does not retire.
const fn is_refused(request: Request, cpl: u8) -> bool {
    match request {
        Request::Read { file: File::Pmd, .. } | Request::Sum(_) | Request::Rum(_) | Request::MoveUm(_) => false,
        Request::Read { file, index } | Request::Write { file, index, .. } => {
            cpl != 0 || (matches!(file, File::Ibr | File::Dbr) && index > 7)
        }
        Request::Ssm(_) | Request::Rsm(_) | Request::MoveL(_) | Request::Rfi(_) => cpl != 0,
    }
}
