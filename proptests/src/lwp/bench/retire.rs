//! The core's presentation of instructions: cut groups are presented again, and undone instructions are executed again.

use super::player::Player;
use lwp_model::lwp::{AddressPolicy, Buffer, Inputs, LOAD_PORTS, Lane, LatencySource, Load};

impl<const W: usize, const S: usize, const LAT: u32> Player<W, S, LAT> {
    /// Retires instructions, in program order, in groups of as many as there are lanes. A core that breaks the rules of
    /// the ports presents the first group and discards the rest.
    pub fn retire(&mut self, lanes: &[Lane]) {
        if !self.polite {
            return self.present(lanes);
        }
        let mut rest = lanes.to_vec();
        while !rest.is_empty() {
            self.wait_for_stall();
            self.present(&rest);
            let out = self.out();
            let mut gone = if out.cut_valid { usize::from(out.cut_lane) + 1 } else { W }.min(rest.len());
            if out.cut_valid && self.was_undone() {
                gone -= 1;
                // The data of the undone instruction's misses is now in the cache.
                rest[gone].loads = [Load::default(); LOAD_PORTS];
            }
            rest.drain(..gone);
        }
    }

    /// Runs one cycle with a group of instructions.
    fn present(&mut self, lanes: &[Lane]) {
        let mut inputs = Inputs::default();
        for (input, lane) in inputs.lanes.iter_mut().zip(lanes) {
            *input = Self::reportable(lane);
        }
        self.cycle(inputs, true);
    }

    /// Runs one cycle with loads of an instruction that retires later.
    pub(super) fn partial(&mut self, lane: &Lane) {
        if self.polite {
            self.wait_for_stall();
        }
        let mut inputs = Inputs { partial: true, ..Inputs::default() };
        inputs.lanes[0] = Self::reportable(lane);
        self.cycle(inputs, true);
    }

    /// Returns the instruction with latencies limited to the unit's width.
    fn reportable(lane: &Lane) -> Lane {
        let mut lane = *lane;
        for load in &mut lane.loads {
            load.latency = load.latency.min((1 << LAT) - 16);
        }
        lane
    }

    /// Waits for the record of the last group, and returns whether it faulted, so that its instruction has to be
    /// executed again.
    fn was_undone(&mut self) -> bool {
        for _ in 0..super::traps::PATIENCE {
            let out = self.out();
            if out.pf_valid && out.pf_abort {
                self.take_traps();
                return true;
            }
            if out.pf_valid {
                self.take_traps();
            } else if !out.stall {
                return false;
            } else {
                self.idle(1);
            }
        }
        panic!("the unit stalls for ever");
    }

    /// Runs an instruction whose first load misses, from the miss to its retirement.
    pub(super) fn miss(&mut self, lane: &Lane, wait: u8, abort: bool) {
        let mut lane = *lane;
        let entry = self.entry;
        self.entry = (self.entry + 1) % 8;
        if self.straps().latency_source == LatencySource::Buffer {
            let alloc = Buffer { alloc_valid: true, alloc_entry: entry, ..Buffer::default() };
            self.cycle(Inputs { buffer: alloc, ..Inputs::default() }, true);
            self.idle(wait.into());
            lane.loads[0].latency = entry.into();
        }
        let Load { latency, source, .. } = lane.loads[0];
        let fill = Buffer {
            fill_valid: self.mode.ring3(),
            fill_entry: entry,
            fill_ip: lane.ip,
            fill_latency: latency,
            fill_source: source,
            ..Buffer::default()
        };
        self.cycle(Inputs { buffer: fill, ..Inputs::default() }, true);
        if self.straps().address_policy == AddressPolicy::Replay && self.out().flush_req {
            // The replayed load hits.
            lane.loads[0].miss = false;
            lane.loads[0].tagged = !abort;
            let abort = Buffer { replay_abort: abort, ..Buffer::default() };
            self.cycle(Inputs { buffer: abort, ..Inputs::default() }, true);
        }
        self.retire(&[lane]);
    }
}
