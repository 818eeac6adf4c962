//! The operating system's handlers: the core enters CPL 0, the handler works for a few cycles, the core returns.

use lwp_model::lwp::Mode;

/// Cycles that a handler spends at CPL 0, the one of the mode change included.
const CYCLES: u32 = 8;

/// Why the handler runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A store or the deferred initialisation page-faulted, which the core takes as a trap.
    PageFaultTrap,
    /// The threshold interrupt.
    Interrupt,
    /// LLWPCB or SLWPCB raised #PF; the core executes it again afterwards.
    OperationFault,
}

/// What the handler does in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It runs at CPL 0.
    Busy,
    /// It does its work: the page comes in, or the ring is drained.
    Work(Cause),
    /// The core has returned: the dead cycle in the interrupted mode.
    Returned,
}

/// A visit to CPL 0, if there is one.
#[derive(Debug, Default)]
pub(super) struct Handler {
    visit: Option<Visit>,
}

#[derive(Debug)]
struct Visit {
    cause: Cause,
    interrupted: Mode,
    left: u32,
}

impl Handler {
    /// The core takes the exception: from this cycle on it is at CPL 0.
    pub(super) fn enter(&mut self, cause: Cause, mode: &mut Mode) {
        self.visit = Some(Visit { cause, interrupted: *mode, left: CYCLES - 1 });
        mode.cpl = 0;
    }

    /// A cycle after the one of [`enter`](Self::enter); `None` if no handler runs.
    #[inline]
    pub(super) fn cycle(&mut self, mode: &mut Mode) -> Option<Step> {
        let visit = self.visit.as_mut()?;
        if visit.left == 0 {
            *mode = visit.interrupted;
            self.visit = None;
            return Some(Step::Returned);
        }
        visit.left -= 1;
        Some(if visit.left == 0 { Step::Work(visit.cause) } else { Step::Busy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works_in_the_last_cycle_and_returns_to_the_interrupted_mode() {
        let mut mode = Mode { cpl: 2, ..Mode::default() };
        let mut handler = Handler::default();
        assert_eq!(handler.cycle(&mut mode), None);
        handler.enter(Cause::Interrupt, &mut mode);
        let mut kernel = 1;
        loop {
            match handler.cycle(&mut mode) {
                Some(Step::Returned) => break,
                Some(Step::Work(cause)) => assert_eq!((cause, kernel), (Cause::Interrupt, CYCLES - 1)),
                step => assert_eq!(step, Some(Step::Busy)),
            }
            assert_eq!(mode.cpl, 0);
            kernel += 1;
        }
        assert_eq!((kernel, mode.cpl), (CYCLES, 2));
        assert_eq!(handler.cycle(&mut mode), None);
    }
}
