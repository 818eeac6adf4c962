//! The operating system's handlers: the core enters CPL 0, the handler works for a few cycles, the core returns.

/// Cycles that a handler spends at CPL 0, the one of the mode change included.
const CYCLES: u32 = 8;

/// What the handler does in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<M, C> {
    /// It runs at CPL 0.
    Busy,
    /// It does its work, which depends on the cause.
    Work(C),
    /// The core returns: the cycle of the change to the interrupted mode.
    Return(M),
}

/// A visit to CPL 0 for a cause `C`, if there is one, from a mode `M`.
#[derive(Debug)]
pub(crate) struct Handler<M, C> {
    visit: Option<Visit<M, C>>,
}

#[derive(Debug)]
struct Visit<M, C> {
    cause: C,
    interrupted: M,
    left: u32,
}

impl<M: Copy, C: Copy> Handler<M, C> {
    /// No handler runs.
    pub(crate) const fn new() -> Self {
        Self { visit: None }
    }

    /// The core takes an exception in the mode `interrupted`: it is at CPL 0 from this cycle on.
    pub(crate) fn enter(&mut self, cause: C, interrupted: M) {
        self.visit = Some(Visit { cause, interrupted, left: CYCLES - 1 });
    }

    /// A cycle after the one of [`enter`](Self::enter); `None` if no handler runs.
    #[inline]
    pub(crate) fn cycle(&mut self) -> Option<Step<M, C>> {
        let visit = self.visit.as_mut()?;
        if visit.left == 0 {
            let interrupted = visit.interrupted;
            self.visit = None;
            return Some(Step::Return(interrupted));
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
        let mut handler = Handler::new();
        assert_eq!(handler.cycle(), None);
        handler.enter('i', 2);
        let steps: Vec<_> = std::iter::from_fn(|| handler.cycle()).collect();
        let (last, kernel) = steps.split_last().unwrap();
        let (work, busy) = kernel.split_last().unwrap();
        assert_eq!((*work, *last), (Step::Work('i'), Step::Return(2)));
        // The first cycle at CPL 0 is that of `enter`.
        assert_eq!(busy, [Step::Busy; CYCLES as usize - 2]);
        assert_eq!(handler.cycle(), None);
    }
}
