//! What a thread runs.

use lwp_model::lwp::{Lane, Outputs};
use std::collections::VecDeque;

/// The instructions of a thread, in order: what has retired, and what has still to.
///
/// Source: "Ports" in the unit's chapters of the book: a group that is cut, an instruction that is undone.
#[derive(Debug)]
pub struct Program<I> {
    instructions: I,
    /// Presented, but not accepted or undone: they come again.
    again: VecDeque<Lane>,
    /// The last group, as far as it has been accepted.
    last: Vec<Lane>,
    retired: u64,
}

/// Why [`Machine::run`](super::Machine::run) has come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "the kernel has to act on it"]
pub enum Stop {
    /// All instructions have retired, and nothing of them is on its way to memory any more.
    Ended,
    /// The core has taken the threshold interrupt.
    Interrupt,
    /// The core has taken a page fault of the unit.
    PageFault {
        /// First failing byte.
        address: u64,
        /// The access was a write.
        write: bool,
    },
}

impl<I: Iterator<Item = Lane>> Program<I> {
    /// A program that is to retire these.
    pub fn new(instructions: impl IntoIterator<IntoIter = I>) -> Self {
        Self { instructions: instructions.into_iter(), again: VecDeque::new(), last: Vec::new(), retired: 0 }
    }

    /// How many instructions have retired.
    #[must_use]
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// Fills the lanes with what is next; how many there are.
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

    /// Takes back what the unit says that it has not accepted of the last group.
    pub(super) fn observe(&mut self, out: &Outputs) {
        if out.cut_valid {
            self.take_back(usize::from(out.cut_lane) + 1);
        }
    }

    /// The unit has undone the instruction after which it cut the last group.
    pub(super) fn undo(&mut self, out: &Outputs) {
        self.take_back(usize::from(out.cut_lane));
    }

    /// Of the last group the lanes from `first` on have to come again.
    fn take_back(&mut self, first: usize) {
        for lane in self.last.drain(first.min(self.last.len())..).rev() {
            self.again.push_front(lane);
            self.retired -= 1;
        }
    }
}

/// Instructions one after the other, 4 bytes each, that neither branch nor load.
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
