//! Random inputs for the small unit: the reading must accept it, and find each of its bugs.

use super::super::{Coverage, LaneIn, PortsIn, PortsOut, Reading, Straps, Violation};
use super::fake::Fake;
use std::collections::HashMap;

/// Inputs and memory.
struct World {
    seed: u64,
    memory: HashMap<u64, u64>,
    access: Option<(bool, u64, u64)>,
    /// What the core's registers hold.
    state: u64,
}

impl World {
    fn below(&mut self, bound: u64) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % bound
    }

    fn inputs(&mut self, cpl: u8) -> PortsIn {
        let mut inputs =
            PortsIn { op_mode: 4, far_long: true, cpl, lanes: vec![LaneIn::default()], ..PortsIn::default() };
        let (from, to) = (self.below(1 << 20), self.below(1 << 20));
        match self.below(12) {
            0..5 => {
                let kind = u8::try_from(self.below(11)).unwrap_or(0);
                let (taken, ok) = (self.below(4) != 0, self.below(2) == 0);
                inputs.lanes[0] = LaneIn {
                    valid: true,
                    ip: from,
                    branch_kind: kind,
                    branch_taken: taken,
                    branch_pred_valid: true,
                    branch_pred_ok: ok,
                    branch_next: to,
                    ..LaneIn::default()
                };
            }
            5 if self.below(3) == 0 => {
                let kind = u8::try_from(self.below(5)).unwrap_or(0);
                let vector = u8::try_from(self.below(3)).unwrap_or(0);
                (inputs.int_valid, inputs.int_kind, inputs.int_vector) = (true, kind, vector);
                (inputs.int_from, inputs.int_to) = (from, to);
            }
            6..8 => self.ask(&mut inputs),
            _ => (),
        }
        (inputs.partial, inputs.pmi) = (self.below(16) == 0, self.below(50) == 0);
        inputs.core_clock = self.below(2) == 0;
        inputs.pebs_overflow =
            u8::try_from(self.below(64)).unwrap_or(0).checked_shr(3).map_or(0, |bits| bits & (bits >> 1));
        inputs.pebs_event = if inputs.lanes[0].valid { u8::try_from(self.below(8)).unwrap_or(0) } else { 0 };
        inputs.btm_ready = self.below(3) == 0;
        inputs
    }

    fn ask(&mut self, inputs: &mut PortsIn) {
        inputs.reg_valid = true;
        inputs.reg_op = u8::from(self.below(4) == 0);
        let registers =
            [0x1D9, 0x600, 0x3F1, 0x1C9, 0x1DD, 0x1DE, 0x680, 0x681, 0x682, 0x683, 0x6C0, 0x6C1, 0x6C2, 0x6C3];
        inputs.reg_number = registers[self.below(14) as usize];
        inputs.reg_wdata = match inputs.reg_number {
            0x1D9 => {
                let noise = self.below(1 << 16) & 0xDFC3;
                if self.below(2) == 0 { 0xC1 | noise } else { 0x801 | noise & !0x600 }
            }
            0x600 => 0x1_0000 + 0x1000 * self.below(2),
            0x3F1 => self.below(8),
            _ => self.below(1 << 20),
        };
    }

    /// Software sets up the buffers of an area that nothing uses.
    fn set_up(&mut self, area: u64, fields: std::ops::Range<usize>) {
        let (base, sizes) = (area + 0x400, [24, 24, 24, 24, 144, 144, 144, 144]);
        let records =
            [0, self.below(4), 1 + self.below(4), self.below(5), 0, self.below(3), 1 + self.below(3), self.below(4)];
        for (at, (size, record)) in sizes.into_iter().zip(records).enumerate().filter(|(at, _)| fields.contains(at)) {
            let start = if at < 4 { base } else { base + 0x200 };
            self.memory.insert(area + 8 * at as u64, start + size * record);
        }
        for counter in 0..if fields.end > 4 { 3 } else { 0 } {
            let value = self.below(1 << 30);
            self.memory.insert(area + 0x40 + 8 * counter, value);
        }
    }

    fn respond(&mut self, inputs: &mut PortsIn, out: &PortsOut) {
        if let Some((write, at, data)) = self.access {
            inputs.mem_rvalid = self.below(2) == 0;
            inputs.mem_err = self.below(400) == 0;
            inputs.mem_rdata = self.memory.get(&at).copied().unwrap_or(0);
            if inputs.mem_rvalid {
                self.access = None;
                if write && !inputs.mem_err {
                    self.memory.insert(at, data);
                }
            }
        } else if out.mem_req {
            inputs.mem_gnt = self.below(2) == 0;
            self.access = inputs.mem_gnt.then_some((out.mem_cmd == 1, out.mem_addr, out.mem_wdata));
        }
    }
}

/// Runs a unit with a bug. Returns what the reading finds.
pub(super) fn run(bug: u32, seed: u64, cycles: u32) -> Result<Coverage, Violation> {
    let straps = Straps { lbr_format: 1, pebs_counters: 3, ..Straps::default() };
    let mut world = World { seed, memory: HashMap::new(), access: None, state: 0 };
    let (mut unit, mut reading) = (Fake::new(straps, bug), Reading::new(straps, 1));
    let mut cpl = 0;
    for cycle in 0..cycles {
        let out = unit.outputs();
        let mut inputs = world.inputs(cpl);
        if cycle == 0 {
            inputs = PortsIn { lanes: vec![LaneIn::default()], ..PortsIn::default() };
            (inputs.reg_valid, inputs.reg_op, inputs.reg_number, inputs.reg_wdata) = (true, 1, 0x600, 0x1_0000);
        }
        if unit.ctl & 0xC0 != 0xC0 && out.reg_ready || cycle == 0 {
            (0..2).for_each(|area| world.set_up(0x1_0000 + 0x1000 * area, 0..4));
        }
        if unit.enable == 0 && unit.sample.is_none() {
            (0..2).for_each(|area| world.set_up(0x1_0000 + 0x1000 * area, 4..8));
        }
        if !out.stall {
            world.state = world.below(1 << 30);
        }
        inputs.state_value = (world.state ^ u64::from(out.state_index)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        world.respond(&mut inputs, &out);
        if cycle % 64 == 63 && !out.stall && world.below(2) == 0 {
            cpl = if cpl == 0 { 3 } else { 0 };
        }
        reading.cycle(&inputs, &out)?;
        unit.clock(&inputs, &out);
    }
    reading.finish()?;
    Ok(reading.coverage())
}

#[test]
fn the_unit_is_accepted() {
    let mut sum = [0; 4];
    for seed in 0..24 {
        let coverage = run(0, seed, 6000).unwrap_or_else(|violation| panic!("seed {seed}: {violation}"));
        sum = [
            sum[0] + coverage.branches + coverage.samples + coverage.unjudged,
            sum[1] + coverage.sent,
            sum[2] + coverage.lost,
            sum[3] + coverage.answers,
        ];
        assert_eq!(coverage.forgotten, 0);
    }
    println!("stored, sent, lost, answers: {sum:?}");
    assert!(sum.iter().all(|&count| count > 200), "{sum:?}");
}

#[test]
fn each_bug_is_found() {
    for bug in 1..=25 {
        let found = (0..60).find_map(|seed| run(bug, seed, 6000).err().map(|violation| (seed, violation)));
        match found {
            Some((seed, violation)) => println!("bug {bug}: seed {seed}: {violation}"),
            None => panic!("bug {bug} is not found"),
        }
    }
}
