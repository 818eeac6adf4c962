//! Instructions that the core presents a second time: those above the lane after which a group was cut, and the one that
//! was undone because its record could not be stored.
//!
//! Source: "Ports" in the unit's chapters of the book: Retire, Fault.

use super::stats::Stats;
use lwp_model::lwp::{Inputs, Lane};

/// The last group that was cut, as far as it has to come again.
#[derive(Debug)]
pub(super) struct Again<const W: usize> {
    group: [Lane; W],
    /// First lane that has not retired.
    first: usize,
    /// Behind the last lane of the group.
    end: usize,
}

impl<const W: usize> Again<W> {
    pub(super) fn new() -> Self {
        Self { group: [Lane::default(); W], first: 0, end: 0 }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.first == self.end
    }

    /// The group that `shown` presented was cut after `lane`: what is above has not retired.
    #[cold]
    pub(super) fn cut(&mut self, lane: u8, shown: &Inputs<W>, stats: &mut Stats) {
        self.group = shown.lanes;
        self.end = shown.lanes.iter().take_while(|lane| lane.valid).count();
        self.first = (usize::from(lane) + 1).min(self.end);
        let above = (self.end - self.first) as u64;
        stats.instructions -= above;
        stats.ring3_instructions -= above;
    }

    /// The instruction after which the group was cut has been undone. It is executed again before those above it, and the
    /// data of its loads is in the cache by now.
    #[cold]
    pub(super) fn undo(&mut self, stats: &mut Stats) {
        if self.first == 0 {
            // Nothing was cut: there is nothing that could have been undone.
            return;
        }
        self.first -= 1;
        self.group[self.first].loads = Default::default();
        stats.instructions -= 1;
        stats.ring3_instructions -= 1;
    }

    /// Presents what has to come again, from lane 0 on, and says how many instructions that is.
    #[cold]
    pub(super) fn show(&mut self, lanes: &mut [Lane; W]) -> usize {
        let count = self.end - self.first;
        lanes[..count].copy_from_slice(&self.group[self.first..self.end]);
        (self.first, self.end) = (0, 0);
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_model::lwp::Load;

    fn group(count: u64) -> Inputs<4> {
        let mut inputs = Inputs::default();
        for (lane, ip) in inputs.lanes.iter_mut().zip(0..count) {
            *lane = Lane { valid: true, counts: true, ip, ..Lane::default() };
            lane.loads[0] = Load { miss: true, ..Load::default() };
        }
        inputs
    }

    fn shown(again: &mut Again<4>) -> Vec<(u64, bool)> {
        let mut lanes = [Lane::default(); 4];
        let count = again.show(&mut lanes);
        assert!(again.is_empty());
        lanes[..count].iter().map(|lane| (lane.ip, lane.loads[0].miss)).collect()
    }

    fn stats() -> Stats {
        Stats { instructions: 10, ring3_instructions: 8, ..Stats::default() }
    }

    #[test]
    fn lanes_above_the_cut_come_again_in_order() {
        let (mut again, mut stats) = (Again::new(), stats());
        again.cut(1, &group(4), &mut stats);
        assert_eq!((stats.instructions, stats.ring3_instructions), (8, 6));
        assert_eq!(shown(&mut again), [(2, true), (3, true)]);
        again.cut(3, &group(4), &mut stats);
        assert!(again.is_empty(), "nothing stands above the last lane");
        again.cut(7, &group(2), &mut stats);
        assert!(again.is_empty(), "a lane that does not exist");
    }

    #[test]
    fn what_was_undone_comes_before_them_without_misses() {
        let (mut again, mut stats) = (Again::new(), stats());
        again.undo(&mut stats);
        assert!(again.is_empty() && stats.instructions == 10);
        again.cut(1, &group(3), &mut stats);
        again.undo(&mut stats);
        assert_eq!((stats.instructions, stats.ring3_instructions), (8, 6));
        assert_eq!(shown(&mut again), [(1, false), (2, true)]);
    }
}
