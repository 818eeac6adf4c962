//! Turns the trace into retire lanes.
//!
//! Source: "Ports" in the unit's chapters of the book: lanes, partial cycles, and the dead cycle of a mode change.

use super::instructions::Instructions;
use super::stats::Stats;
use crate::trace::{self, Retired, TraceError};
use lwp_model::lwp::{BranchKind, Inputs, LOAD_PORTS, Lane, Load, Mode};

/// What the feeder did in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fed {
    /// Nothing retires: it is not time yet.
    Nothing,
    /// Something happened: an instruction retired, or loads of one were shown, or the mode changed.
    Progress,
    /// There are no more instructions.
    End,
}

/// The core's retire stage: it holds one instruction that has been read and not yet retired.
#[derive(Debug)]
pub(super) struct Feeder<I> {
    instructions: I,
    next: Retired,
    /// Whether `next` holds an instruction.
    ready: bool,
    /// No more is to be read.
    ended: bool,
    failure: Option<TraceError>,
    /// Missing loads of `next`; only these take ports.
    misses: usize,
    /// How many of them were shown in partial cycles.
    shown: usize,
    /// Position in `loads` after the last one shown.
    position: usize,
    lanes: usize,
    cpi: u64,
    /// First cycle in which the next group may retire.
    due: u64,
    latency_limit: u32,
}

impl<I: Instructions> Feeder<I> {
    /// Groups of up to `lanes` instructions, `cpi` cycles apart, with latencies of `latency_bits` bits.
    pub(super) fn new(instructions: I, lanes: usize, cpi: u64, latency_bits: u32) -> Self {
        Self {
            instructions,
            next: Retired::default(),
            ready: false,
            ended: false,
            failure: None,
            misses: 0,
            shown: 0,
            position: 0,
            lanes: lanes.max(1),
            cpi: cpi.max(1),
            due: 0,
            latency_limit: ((1u64 << latency_bits) - 16) as u32,
        }
    }

    /// Ends the trace here. The instruction whose loads have been shown in part still retires.
    pub(super) fn stop(&mut self) {
        self.ended = true;
        self.ready &= self.shown > 0;
    }

    /// Whether the core is between two instructions, where it may take a trap or an interrupt.
    pub(super) fn at_boundary(&self) -> bool {
        self.shown == 0
    }

    pub(super) fn take_failure(&mut self) -> Option<TraceError> {
        self.failure.take()
    }

    pub(super) fn instructions(&self) -> &I {
        &self.instructions
    }

    pub(super) fn into_instructions(self) -> I {
        self.instructions
    }

    /// One cycle in which the unit does not stall. `inputs` has no lanes yet and the present mode.
    #[inline]
    pub(super) fn cycle<const W: usize>(&mut self, now: u64, inputs: &mut Inputs<W>, stats: &mut Stats) -> Fed {
        if !self.peek() {
            return Fed::End;
        }
        if inputs.mode.cpl != self.next.cpl || inputs.mode.smm != self.next.smm {
            // The change is as late as the spacing allows: leaving ring 3 drops a record on its way.
            if now + 1 < self.due {
                return Fed::Nothing;
            }
            inputs.mode = Mode { cpl: self.next.cpl, smm: self.next.smm, ..inputs.mode };
            return Fed::Progress;
        }
        if now < self.due {
            return Fed::Nothing;
        }
        if self.misses - self.shown > LOAD_PORTS {
            self.show_part(inputs);
            return Fed::Progress;
        }
        self.retire_group(inputs, stats);
        self.due = now + self.cpi;
        Fed::Progress
    }

    /// Retires `next` in lane 0 and as many behind it as fit.
    #[inline]
    fn retire_group<const W: usize>(&mut self, inputs: &mut Inputs<W>, stats: &mut Stats) {
        let ring3 = inputs.mode.ring3();
        let mut count = 0;
        for lane in inputs.lanes.iter_mut().take(self.lanes) {
            let other_mode = self.next.cpl != inputs.mode.cpl || self.next.smm != inputs.mode.smm;
            if count > 0 && (other_mode || self.misses > LOAD_PORTS) {
                break;
            }
            self.show(lane);
            count += 1;
            self.ready = false;
            self.shown = 0;
            if !self.peek() {
                break;
            }
        }
        stats.instructions += count;
        stats.ring3_instructions += if ring3 { count } else { 0 };
    }

    /// Shows the next two missing loads of an instruction that has more than fit into its lane.
    fn show_part<const W: usize>(&mut self, inputs: &mut Inputs<W>) {
        inputs.partial = true;
        self.show(&mut inputs.lanes[0]);
        self.shown += LOAD_PORTS;
    }

    /// Makes sure that `next` holds an instruction, if there is one left.
    #[inline]
    fn peek(&mut self) -> bool {
        if self.ready || self.ended {
            return self.ready;
        }
        match self.instructions.next(&mut self.next) {
            Ok(ready) => self.ready = ready,
            Err(failure) => self.failure = Some(failure),
        }
        self.ended = !self.ready;
        self.misses = self.next.loads.iter().filter(|load| load.miss).count();
        (self.shown, self.position) = (0, 0);
        self.ready
    }

    /// Shows `next` in an empty lane, with as many of its missing loads as there are ports.
    #[inline]
    fn show(&mut self, lane: &mut Lane) {
        lane.valid = true;
        lane.counts = true;
        lane.ip = self.next.ip;
        if let Some(branch) = &self.next.branch {
            lane.branch_kind = branch_kind(branch.kind);
            lane.branch_taken = branch.taken;
            lane.branch_next = branch.next;
            lane.branch_pred_valid = branch.predicted.is_some();
            lane.branch_pred_ok = branch.predicted == Some(true);
        }
        if self.misses > 0 {
            self.fill_ports(&mut lane.loads);
        }
    }

    /// An instruction may have many loads; only those that missed are the unit's business.
    fn fill_ports(&mut self, ports: &mut [Load; LOAD_PORTS]) {
        let limit = self.latency_limit;
        let mut ports = ports.iter_mut();
        for load in &self.next.loads[self.position..] {
            if load.miss {
                let Some(port) = ports.next() else { return };
                port.miss = true;
                port.addr_valid = load.addr.is_some();
                port.addr = load.addr.unwrap_or(0);
                port.latency = load.latency.min(limit);
                port.source = load.source & 7;
            }
            self.position += 1;
        }
    }
}

#[inline]
const fn branch_kind(kind: trace::BranchKind) -> BranchKind {
    match kind {
        trace::BranchKind::Jmp => BranchKind::Jmp,
        trace::BranchKind::Jcc => BranchKind::Jcc,
        trace::BranchKind::JmpInd => BranchKind::JmpInd,
        trace::BranchKind::Call => BranchKind::Call,
        trace::BranchKind::CallInd => BranchKind::CallInd,
        trace::BranchKind::Ret => BranchKind::Ret,
        trace::BranchKind::FarJmp => BranchKind::FarJmp,
        trace::BranchKind::FarCall => BranchKind::FarCall,
        trace::BranchKind::FarRet => BranchKind::FarRet,
        trace::BranchKind::System => BranchKind::System,
    }
}

#[cfg(test)]
mod tests {
    use super::super::instructions::ReplayList;
    use super::*;

    fn user(ip: u64) -> Retired {
        Retired { ip, cpl: 3, ..Retired::default() }
    }

    fn missing(count: u64) -> Vec<trace::Load> {
        let load = |n| trace::Load { addr: Some(n), size: 8, miss: true, latency: 100, source: 3 };
        (0..count).map(load).collect()
    }

    /// What the lanes showed in each cycle from cycle 0 on: `(cpl, partial, ips)`.
    fn run(list: Vec<Retired>, lanes: usize, cpi: u64) -> (Vec<(u8, bool, Vec<u64>)>, Stats) {
        let mut feeder = Feeder::new(ReplayList::new(list, 1), lanes, cpi, 31);
        let mut inputs = Inputs::<4>::default();
        inputs.mode.cpl = 3;
        let (mut seen, mut stats) = (Vec::new(), Stats::default());
        for now in 0.. {
            (inputs.lanes, inputs.partial) = Default::default();
            if feeder.cycle(now, &mut inputs, &mut stats) == Fed::End {
                break;
            }
            let ips = inputs.lanes.iter().filter(|lane| lane.valid).map(|lane| lane.ip).collect();
            seen.push((inputs.mode.cpl, inputs.partial, ips));
        }
        (seen, stats)
    }

    #[test]
    fn up_to_lanes_instructions_retire_in_a_cycle() {
        let (seen, stats) = run((1..=5).map(user).collect(), 4, 1);
        assert_eq!(seen, [(3, false, vec![1, 2, 3, 4]), (3, false, vec![5])]);
        assert_eq!((stats.instructions, stats.ring3_instructions), (5, 5));
    }

    #[test]
    fn groups_are_cpi_cycles_apart() {
        let (seen, _) = run((1..=3).map(user).collect(), 1, 3);
        let when: Vec<_> = seen.iter().enumerate().filter(|(_, cycle)| !cycle.2.is_empty()).map(|(at, _)| at).collect();
        assert_eq!(when, [0, 3, 6]);
    }

    #[test]
    fn a_mode_change_takes_one_dead_cycle_just_before_the_group() {
        let kernel = |ip| Retired { cpl: 0, ..user(ip) };
        let (seen, stats) = run(vec![user(1), kernel(2), kernel(3), user(4)], 4, 1);
        let cycles = [(3, vec![1]), (0, vec![]), (0, vec![2, 3]), (3, vec![]), (3, vec![4])];
        assert_eq!(seen, cycles.map(|(cpl, ips)| (cpl, false, ips)));
        assert_eq!((stats.instructions, stats.ring3_instructions), (4, 2));
        let (seen, _) = run(vec![user(1), kernel(2)], 4, 4);
        assert_eq!(seen.iter().map(|cycle| cycle.0).collect::<Vec<_>>(), [3, 3, 3, 0, 0]);
        assert_eq!(seen[4].2, [2]);
    }

    #[test]
    fn smm_is_a_mode_of_its_own() {
        let smm = |ip| Retired { smm: true, ..user(ip) };
        let (seen, stats) = run(vec![user(1), smm(2)], 4, 1);
        assert_eq!(seen.iter().map(|cycle| cycle.2.len()).collect::<Vec<_>>(), [1, 0, 1]);
        assert_eq!(stats.ring3_instructions, 1);
    }

    #[test]
    fn many_missing_loads_come_in_partial_cycles_in_lane_0() {
        let many = Retired { loads: missing(5), ..user(2) };
        let (seen, stats) = run(vec![user(1), many, user(3)], 4, 1);
        let cycles = [(false, vec![1]), (true, vec![2]), (true, vec![2]), (false, vec![2, 3])];
        assert_eq!(seen, cycles.map(|(partial, ips)| (3, partial, ips)));
        assert_eq!(stats.instructions, 3);
    }

    #[test]
    fn every_missing_load_is_shown_once_and_hits_take_no_port() {
        let mut loads = missing(5);
        loads.insert(1, trace::Load { addr: Some(77), size: 4, miss: false, latency: 0, source: 0 });
        let mut feeder = Feeder::new(ReplayList::new(vec![Retired { loads, ..user(9) }], 1), 4, 1, 31);
        let mut inputs = Inputs::<4> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
        let mut shown = Vec::new();
        for now in 0..3 {
            inputs.lanes = Default::default();
            feeder.cycle(now, &mut inputs, &mut Stats::default());
            shown.push(inputs.lanes[0].loads.map(|load| (load.miss, load.addr)));
        }
        assert_eq!(shown, [[(true, 0), (true, 1)], [(true, 2), (true, 3)], [(true, 4), (false, 0)]]);
    }

    #[test]
    fn latencies_saturate() {
        for (bits, limit) in [(10, 1008), (31, 0x7FFF_FFF0)] {
            let load = trace::Load { addr: None, size: 0, miss: true, latency: u32::MAX, source: 0xF };
            let list = ReplayList::new(vec![Retired { loads: vec![load], ..user(1) }], 1);
            let mut feeder = Feeder::new(list, 1, 1, bits);
            let mut inputs = Inputs::<1> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
            feeder.cycle(0, &mut inputs, &mut Stats::default());
            let port = inputs.lanes[0].loads[0];
            assert_eq!((port.latency, port.source, port.addr_valid, port.addr), (limit, 7, false, 0));
        }
    }

    #[test]
    fn a_stop_lets_an_instruction_in_parts_retire() {
        let list = vec![Retired { loads: missing(3), ..user(1) }, user(2)];
        let mut feeder = Feeder::new(ReplayList::new(list, 1), 4, 1, 31);
        let mut inputs = Inputs::<4> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
        let mut stats = Stats::default();
        assert_eq!(feeder.cycle(0, &mut inputs, &mut stats), Fed::Progress);
        assert!(!feeder.at_boundary());
        feeder.stop();
        assert_eq!(feeder.cycle(1, &mut inputs, &mut stats), Fed::Progress);
        assert_eq!((feeder.cycle(2, &mut inputs, &mut stats), stats.instructions), (Fed::End, 1));
    }

    #[test]
    fn a_stop_drops_an_instruction_that_waits() {
        let mut feeder = Feeder::new(ReplayList::new(vec![user(1), user(2)], 1), 1, 10, 31);
        let mut inputs = Inputs::<1> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
        let mut stats = Stats::default();
        feeder.cycle(0, &mut inputs, &mut stats);
        assert_eq!(feeder.cycle(1, &mut inputs, &mut stats), Fed::Nothing);
        feeder.stop();
        assert_eq!((feeder.cycle(10, &mut inputs, &mut stats), stats.instructions), (Fed::End, 1));
    }
}
