//! The operating system on logical processor 0: from the change to CPL 0 until the return.

use super::program::Step;
use crate::perf::records::Asked;
use std::collections::VecDeque;

/// What the operating system does in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    /// The core changes to CPL 0.
    Enter,
    /// Nothing that the unit sees.
    Wait,
    /// It writes a register.
    Write(Step),
    /// It makes a request of the session.
    Ask(Asked),
    /// It leaves system management mode.
    Resume,
    /// The core changes back to this level.
    Return(u8),
}

/// A stay at CPL 0.
#[derive(Debug)]
pub(super) struct Visit {
    entered: bool,
    steps: VecDeque<Step>,
    request: Option<Asked>,
    /// Further cycles before the return.
    left: u64,
    /// Whether it ends with RSM.
    resumes: bool,
    /// Level to which the core returns.
    cpl: u8,
}

impl Visit {
    /// The operating system before the first instruction: the core is at CPL 0, and stays there until that changes the mode.
    pub(super) const fn beginning(steps: VecDeque<Step>) -> Self {
        Self { entered: true, steps, request: None, left: 0, resumes: false, cpl: 0 }
    }

    /// A request of the session.
    pub(super) const fn asking(cpl: u8, request: Asked) -> Self {
        Self { entered: false, steps: VecDeque::new(), request: Some(request), left: 0, resumes: false, cpl }
    }

    /// A handler of overflows, which makes these writes and takes `left` cycles more.
    pub(super) const fn handling(cpl: u8, steps: VecDeque<Step>, left: u64, resumes: bool) -> Self {
        Self { entered: false, steps, request: None, left, resumes, cpl }
    }

    /// One cycle.
    pub(super) fn cycle(&mut self) -> Turn {
        if !self.entered {
            self.entered = true;
            return Turn::Enter;
        }
        if let Some(step) = self.steps.pop_front() {
            return Turn::Write(step);
        }
        if let Some(request) = self.request.take() {
            return Turn::Ask(request);
        }
        if self.left > 0 {
            self.left -= 1;
            return Turn::Wait;
        }
        if self.resumes {
            self.resumes = false;
            return Turn::Resume;
        }
        Turn::Return(self.cpl)
    }
}
