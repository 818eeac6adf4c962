//! The program of a thread.

use lwp_model::lwp::{Lane, Outputs};
use std::collections::VecDeque;

/// The instructions of a thread, in order: those that have retired, and those that still have to retire.
///
/// Source: "Ports" in the unit's chapters of the book: a group that is cut, an instruction that is undone.
#[derive(Debug)]
pub struct Program<I> {
    instructions: I,
    /// Instructions that were presented but not accepted, or that were undone. They are presented again.
    again: VecDeque<Lane>,
    /// The accepted part of the last group.
    last: Vec<Lane>,
    retired: u64,
}

/// The reason why [`Machine::run`](super::Machine::run) has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "the kernel has to act on it"]
pub enum Stop {
    /// All instructions have retired, and none of their records is in flight.
    Ended,
    /// The core has taken the threshold interrupt.
    Interrupt,
    /// The core has taken a page fault of the unit.
    PageFault {
        /// The first failing byte.
        address: u64,
        /// Whether the access was a write.
        write: bool,
    },
}

impl<I: Iterator<Item = Lane>> Program<I> {
    /// Creates a program that retires these instructions.
    pub fn new(instructions: impl IntoIterator<IntoIter = I>) -> Self {
        Self { instructions: instructions.into_iter(), again: VecDeque::new(), last: Vec::new(), retired: 0 }
    }

    /// Returns the number of instructions that have retired.
    #[must_use]
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// Fills the lanes with the next instructions and returns their number.
    pub(super) fn present(&mut self, lanes: &mut [Lane]) -> usize {
        let mut count = 0;
        for lane in lanes {
            let Some(next) = self.again.pop_front().or_else(|| self.instructions.next()) else { break };
            *lane = next;
            if count == 0 {
                self.last.clear();
            }
            self.last.push(next);
            count += 1;
        }
        self.retired += count as u64;
        count
    }

    /// Takes back the instructions of the last group that the unit has not accepted.
    pub(super) fn observe(&mut self, out: &Outputs) {
        if out.cut_valid {
            self.take_back(usize::from(out.cut_lane) + 1);
        }
    }

    /// Takes back the instruction after which the unit cut the last group: the unit has undone it.
    pub(super) fn undo(&mut self, out: &Outputs) {
        self.take_back(usize::from(out.cut_lane));
    }

    /// Takes back the lanes of the last group from `first` on; they are presented again.
    fn take_back(&mut self, first: usize) {
        for lane in self.last.drain(first.min(self.last.len())..).rev() {
            self.again.push_front(lane);
            self.retired -= 1;
        }
    }
}

/// Returns consecutive instructions of 4 bytes each that neither branch nor load.
pub fn straight_line(first: u64, count: u64) -> impl Iterator<Item = Lane> {
    (0..count).map(move |n| Lane { valid: true, counts: true, ip: first + 4 * n, ..Lane::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presented<I: Iterator<Item = Lane>>(program: &mut Program<I>) -> Vec<u64> {
        let mut lanes = [Lane::default(); 4];
        let count = program.present(&mut lanes);
        lanes[..count].iter().map(|lane| lane.ip).collect()
    }

    #[test]
    fn what_is_cut_or_undone_comes_again_in_order() {
        let mut program = Program::new(straight_line(0, 6));
        assert_eq!(presented(&mut program), [0, 4, 8, 12]);
        let cut = Outputs { cut_valid: true, cut_lane: 1, ..Outputs::default() };
        program.observe(&cut);
        assert_eq!(program.retired(), 2);
        program.undo(&cut);
        assert_eq!(program.retired(), 1);
        assert_eq!(presented(&mut program), [4, 8, 12, 16]);
        program.observe(&Outputs::default());
        assert_eq!(presented(&mut program), [20]);
        assert_eq!(presented(&mut program), [0; 0]);
        assert_eq!(program.retired(), 6);
    }

    #[test]
    fn the_last_group_can_be_undone_after_the_end() {
        let mut program = Program::new(straight_line(0, 1));
        assert_eq!(presented(&mut program), [0]);
        assert_eq!(presented(&mut program), [0; 0]);
        program.undo(&Outputs::default());
        assert_eq!(presented(&mut program), [0]);
    }
}
