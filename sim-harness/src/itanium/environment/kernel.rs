//! The operating system: what it does at privilege level 0, one request after the other.

use super::setup::{Setup, Write};
use crate::itanium::machine::File;
use crate::itanium::records::{Cause, Recorder, Sample};
use lwp_model::itanium::{COUNTERS, RegOp, RegRequest};
use std::collections::VecDeque;

/// A step, which is one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// mov to a register file.
    Write(Write),
    /// mov r = pmc\[0\].
    ReadOverflow,
    /// mov r = pmd\[4 + c\].
    ReadCount(usize),
    /// rfi with this IPSR.
    Return(u64),
}

/// What a request of the kernel was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// Something else: the kernel goes on.
    Step,
    /// The program goes on.
    Returned,
}

/// The operating system.
#[derive(Debug)]
pub(super) struct Kernel {
    steps: VecDeque<Step>,
    /// The step whose answer comes next.
    asked: Option<Step>,
    start: [u32; COUNTERS],
    /// Counts when they were read or set last.
    loaded: [u32; COUNTERS],
    sample: Sample,
}

impl Kernel {
    /// Returns a kernel that boots: writes its registers, then runs the program.
    pub(super) fn new(setup: &Setup) -> Self {
        let mut steps = VecDeque::with_capacity(64 + setup.writes.len());
        for (number, value) in (4..).map(|index| File::Pmd.number(index)).zip(setup.start) {
            steps.push_back(Step::Write(Write { number, value: value.into() }));
        }
        steps.extend(setup.writes.iter().copied().map(Step::Write));
        steps.push_back(Step::Return(setup.psr));
        Self { steps, asked: None, start: setup.start, loaded: setup.start, sample: Sample::default() }
    }

    /// Whether everything is done and answered.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.steps.is_empty() && self.asked.is_none()
    }

    /// Handles an interruption of a program that had this PSR; `None` at the end of the program.
    #[cold]
    pub(super) fn handle(&mut self, cause: Cause, cycle: u64, instructions: u64, psr: Option<u64>) {
        self.sample = Sample { cycle, instructions, cause, counts: self.sample.counts, ..Sample::default() };
        self.steps.push_back(Step::ReadOverflow);
        self.steps.extend((0..COUNTERS).map(Step::ReadCount));
        if let Some(psr) = psr {
            self.steps.push_back(Step::Return(psr));
        }
    }

    /// Returns the next request, if the one before has been answered.
    #[inline]
    pub(super) fn ask(&mut self) -> Option<RegRequest> {
        if self.asked.is_some() {
            return None;
        }
        let step = self.steps.pop_front()?;
        self.asked = Some(step);
        let (op, number, wdata) = match step {
            Step::Write(Write { number, value }) => (RegOp::WriteFile, number, value),
            Step::ReadOverflow => (RegOp::ReadFile, File::Pmc.number(0), 0),
            Step::ReadCount(c) => (RegOp::ReadFile, File::Pmd.number(4 + c as u8), 0),
            Step::Return(psr) => (RegOp::Rfi, 0, psr),
        };
        Some(RegRequest { valid: true, op, lp: 0, number, wdata })
    }

    /// Takes the answer to its request.
    pub(super) fn take(&mut self, rdata: u64, records: &mut Recorder) -> Done {
        match self.asked.take() {
            Some(Step::ReadOverflow) => {
                self.sample.frozen = rdata & 1 != 0;
                self.sample.overflow = std::array::from_fn(|c| rdata >> (4 + c) & 1 != 0);
            }
            Some(Step::ReadCount(c)) => {
                self.counted(c, rdata as u32);
                if c + 1 == COUNTERS {
                    records.sampled(self.sample);
                    self.resume();
                }
            }
            Some(Step::Return(_)) => return Done::Returned,
            Some(Step::Write(_)) | None => {}
        }
        Done::Step
    }

    /// What a counter has counted since it was looked at last; one that overflowed begins again.
    fn counted(&mut self, c: usize, count: u32) {
        self.sample.counts[c] += u64::from(count.wrapping_sub(self.loaded[c]));
        self.loaded[c] = count;
    }

    /// Sets counters that overflowed to their start, and thaws, before it returns.
    fn resume(&mut self) {
        if !self.sample.frozen {
            return;
        }
        self.steps.push_front(Step::Write(Write { number: File::Pmc.number(0), value: 0 }));
        for c in (0..COUNTERS).filter(|&c| self.sample.overflow[c]) {
            self.loaded[c] = self.start[c];
            let (number, value) = (File::Pmd.number(4 + c as u8), self.start[c].into());
            self.steps.push_front(Step::Write(Write { number, value }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Done, Kernel};
    use crate::itanium::environment::Setup;
    use crate::itanium::machine::File;
    use crate::itanium::records::{Cause, Recorder};
    use lwp_model::itanium::RegOp;

    /// Runs a kernel to its return, and gives its requests; `pmc0` and `pmd4` are what it reads.
    fn requests(kernel: &mut Kernel, records: &mut Recorder, pmc0: u64, pmd4: u64) -> Vec<(RegOp, u32, u64)> {
        let mut all = Vec::new();
        while let Some(request) = kernel.ask() {
            all.push((request.op, request.number, request.wdata));
            let rdata = match (request.op, request.number) {
                (RegOp::ReadFile, 0) => pmc0,
                (RegOp::ReadFile, number) if number == File::Pmd.number(4) => pmd4,
                _ => 0,
            };
            if kernel.take(rdata, records) == Done::Returned {
                break;
            }
        }
        all
    }

    #[test]
    fn an_overflow_is_read_reloaded_and_thawed() {
        let setup = Setup { start: [0xFFFF_FFF0, 0, 0, 0], psr: 4, ..Setup::default() };
        let (mut kernel, mut records) = (Kernel::new(&setup), Recorder::default());
        assert_eq!(requests(&mut kernel, &mut records, 0, 0).last(), Some(&(RegOp::Rfi, 0, 4)));
        kernel.handle(Cause::Overflow, 100, 50, Some(4));
        let all = requests(&mut kernel, &mut records, 0x11, 3);
        let reload = (RegOp::WriteFile, File::Pmd.number(4), 0xFFFF_FFF0);
        assert_eq!(all[5..], [reload, (RegOp::WriteFile, File::Pmc.number(0), 0), (RegOp::Rfi, 0, 4)]);
        assert_eq!(records.last().counts, [19, 0, 0, 0], "from FFFF_FFF0 to 3");
        kernel.handle(Cause::Timer, 200, 90, Some(4));
        let all = requests(&mut kernel, &mut records, 0, 0xFFFF_FFF8);
        assert_eq!(all[5..], [(RegOp::Rfi, 0, 4)], "nothing overflowed");
        assert_eq!(records.last().counts, [27, 0, 0, 0]);
    }
}
