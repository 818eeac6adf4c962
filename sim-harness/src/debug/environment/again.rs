//! Instructions that were presented and not accepted, to be presented again.

use lwp_model::debug::Lane;
use lwp_model::retire::{Access, Io};

/// The last group and what came before it, until the unit has accepted it.
#[derive(Clone, Debug)]
pub(super) struct Again<const LANES: usize> {
    /// Partial cycles of the instruction in lane 0.
    parts: Vec<Lane>,
    /// The lanes that retire, and the I/O of lane 0.
    lanes: [Lane; LANES],
    /// Address behind each of them in program order.
    next: [u64; LANES],
    io: Io,
    used: usize,
    /// What is left to be presented again: parts from this one on, then the lanes.
    part: usize,
    pending: bool,
}

impl<const LANES: usize> Again<LANES> {
    pub(super) fn new() -> Self {
        Self {
            parts: Vec::with_capacity(64),
            lanes: [Lane::default(); LANES],
            next: [0; LANES],
            io: Io::default(),
            used: 0,
            part: 0,
            pending: false,
        }
    }

    /// Whether something is to be presented again.
    #[inline]
    pub(super) const fn is_pending(&self) -> bool {
        self.pending
    }

    /// Address of the first instruction that is presented again.
    pub(super) fn ip(&self) -> Option<u64> {
        self.pending.then(|| self.lanes[0].retired.ip)
    }

    /// A partial cycle is presented.
    pub(super) fn show_part(&mut self, lane: &Lane) {
        self.parts.push(*lane);
    }

    /// Lane `used` of a group is presented; `next` is the address behind its instruction.
    #[inline]
    pub(super) fn show(&mut self, used: usize, lane: &Lane, next: u64) {
        (self.lanes[used], self.next[used], self.used) = (*lane, next, used + 1);
    }

    /// The access of a lane is presented.
    #[inline]
    pub(super) fn show_access(&mut self, lane: usize, port: usize, access: Access) {
        self.lanes[lane].accesses[port] = access;
    }

    /// The I/O of lane 0 is presented.
    pub(super) const fn show_io(&mut self, io: Io) {
        self.io = io;
    }

    /// Lanes of the last group that are not settled.
    #[inline]
    pub(super) const fn used(&self) -> usize {
        self.used
    }

    /// The unit has accepted so many lanes of the last group. Returns the last of them, and the address behind it.
    #[inline]
    pub(super) fn accepted(&mut self, lanes: usize) -> Option<(Lane, u64)> {
        let last = lanes.checked_sub(1).map(|last| (self.lanes[last], self.next[last]));
        if last.is_some() {
            self.parts.clear();
            self.io = Io::default();
        }
        if lanes < self.used {
            self.lanes.copy_within(lanes..self.used, 0);
            self.next.copy_within(lanes..self.used, 0);
        }
        self.used -= lanes;
        (self.part, self.pending) = (0, self.used > 0);
        last
    }

    /// Presents the next part again, if there is one.
    pub(super) fn next_part(&mut self) -> Option<&Lane> {
        let part = self.parts.get(self.part)?;
        self.part += 1;
        Some(part)
    }

    /// Presents the lanes again. They are the last group from now on.
    pub(super) fn present(&mut self, lanes: &mut [Lane; LANES]) -> (usize, Io) {
        lanes[..self.used].copy_from_slice(&self.lanes[..self.used]);
        self.pending = false;
        (self.used, self.io)
    }

    /// The region of the lanes is undone: they are presented outside of any.
    pub(super) fn leave_region(&mut self) {
        self.lanes.iter_mut().chain(&mut self.parts).for_each(|lane| lane.transaction.in_tx = false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_model::retire::Retired;

    fn lane(ip: u64) -> Lane {
        Lane { retired: Retired { valid: true, counts: true, ip }, ..Lane::default() }
    }

    #[test]
    fn lanes_behind_a_cut_come_again() {
        let mut again = Again::<4>::new();
        (0..3).for_each(|at| again.show(at, &lane(at as u64 + 1), at as u64 + 2));
        assert_eq!(again.accepted(1), Some((lane(1), 2)));
        assert_eq!(again.ip(), Some(2));
        let mut lanes = [Lane::default(); 4];
        assert_eq!(again.present(&mut lanes).0, 2);
        assert_eq!([lanes[0].retired.ip, lanes[1].retired.ip], [2, 3]);
        assert!(!again.is_pending());
        assert_eq!(again.accepted(2), Some((lane(3), 4)));
        assert_eq!(again.ip(), None);
    }

    #[test]
    fn an_instruction_that_is_undone_shows_its_parts_and_ports_again() {
        let mut again = Again::<1>::new();
        let io = Io { valid: true, port: 0x3F8, size: 1, ..Io::default() };
        again.show_part(&lane(7));
        again.show(0, &lane(7), 8);
        again.show_io(io);
        assert_eq!(again.accepted(0), None);
        assert_eq!(again.next_part(), Some(&lane(7)));
        assert_eq!(again.next_part(), None);
        let mut lanes = [Lane::default()];
        assert_eq!(again.present(&mut lanes), (1, io));
        assert_eq!(again.accepted(1), Some((lane(7), 8)));
        assert_eq!(again.next_part(), None);
    }
}
