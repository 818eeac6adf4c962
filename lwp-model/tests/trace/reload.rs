//! The counter behind a PEBS record: `trace` and `perf` next to one core, joined as the page `docs/src/trace/ports.md` says.

use super::area::*;
use super::bench::*;
use crate::unit::Perf;
use lwp_model::perf;
use lwp_model::retire::{OpMode, RegOp, RegRequest};
use lwp_model::trace::{Config, Inputs, Precise};

const COUNTER: u32 = 0xC1;
const SELECT: u32 = 0x186;
/// EN, at all levels, instructions retired.
const INSTRUCTIONS: u64 = 0x43_00C0;

/// Minus three, as memory has it and as a counter of 40 bits has it.
const RESET: u64 = 0xFFFF_FFFF_FFFF_FFFD;
const RESET_40: u64 = 0xFF_FFFF_FFFD;

/// Address of the PEBS buffer, of 18 fields each.
const SAMPLES: u64 = 0xFFFF_8880_0002_0000;
const RECORD: u64 = 144;

/// When the integrator writes the counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// In the cycle of `reload_valid`.
    AtOnce,
    /// One cycle later, while the core goes on in the cycle of `reload_valid`.
    Late,
    Never,
}

/// A core that retires one instruction of four bytes in a cycle, from 1000H on.
#[derive(Debug)]
struct Joint {
    trace: Bench<1, 4>,
    perf: Perf<1, 2, 0, 4>,
    ip: u64,
    /// What the counter held in the cycle before the write, and what RDMSR shows behind it.
    counts: Vec<(u64, u64)>,
}

impl Joint {
    /// Counter 0 counts instructions, and stores a record at the one behind each overflow.
    fn new() -> Self {
        let mut trace = Bench::new(Config::default());
        trace.describe(AREA, true, true, [SAMPLES, SAMPLES, SAMPLES + 8 * RECORD, SAMPLES + 8 * RECORD]);
        trace.memory.set_field(AREA + 0x40, true, RESET);
        trace.write(DS_AREA, AREA);
        trace.write(PEBS_ENABLE, 1);
        let straps = perf::Config { personality: perf::Personality::Version1, ..perf::Config::default() };
        let mut joint = Self { trace, perf: Perf::new(straps).unwrap(), ip: 0x1000, counts: Vec::new() };
        joint.cycle(false, request(RegOp::Wrmsr, COUNTER, RESET));
        joint.cycle(false, request(RegOp::Wrmsr, SELECT, INSTRUCTIONS));
        joint
    }

    /// One cycle of both units, with an instruction or not, and with a request to `perf`.
    fn cycle(&mut self, retires: bool, reg: RegRequest) {
        let overflow = self.perf.outputs().general[0][0].overflow.into();
        let mut seen = perf::Inputs { core_clock: true, reg, ..perf::Inputs::default() };
        seen.lp[0].op_mode = OpMode::Long64;
        let mut inputs = Inputs { pebs: Precise { overflow, ..Precise::default() }, ..Inputs::default() };
        if retires {
            (seen.lanes[0][0].valid, seen.lanes[0][0].counts) = (true, true);
            (inputs.lanes[0], inputs.pebs.event) = (at(self.ip), 1);
            self.ip += 4;
        }
        // The instruction pointer behind the event is the second field of a record.
        self.trace.registers[1] = self.ip;
        self.trace.cycle(inputs);
        self.perf.step(&seen);
    }

    fn count(&self) -> u64 {
        self.perf.state().general[0][0].counter
    }

    /// What the core does in a cycle, and in the next ones if a counter is to be set.
    fn step(&mut self, written: Written) {
        let out = self.trace.out();
        if !out.reload_valid || written == Written::Never {
            self.cycle(!out.stall, RegRequest::default());
            return;
        }
        if written == Written::Late {
            self.cycle(true, RegRequest::default());
        }
        let before = self.count();
        self.cycle(false, request(RegOp::Wrmsr, COUNTER + u32::from(out.reload_counter), out.reload_value));
        self.cycle(false, request(RegOp::Rdmsr, COUNTER, 0));
        self.counts.push((before, self.perf.outputs().reg_rdata));
    }
}

fn request(op: RegOp, number: u32, wdata: u64) -> RegRequest {
    RegRequest { valid: true, op, lp: 0, number, wdata }
}

// BTS-09, BTS-10, TRC-27: a counter of `perf` equals its reset value behind each record, and counts three instructions to the next overflow; the
// fourth is the sample, whose count is lost, as is that of one that retires between `reload_valid` and the write
#[test]
fn the_counter_begins_again() {
    for (written, samples, counts) in [
        (Written::AtOnce, [0x1010, 0x1020, 0x1030], &[(1, RESET_40); 3][..]),
        (Written::Late, [0x1010, 0x1024, 0x1038], &[(2, RESET_40); 3]),
        (Written::Never, [0x1010, 0, 0], &[]),
    ] {
        let mut joint = Joint::new();
        for _ in 0..4000 {
            if joint.trace.seen.stored == 3 && joint.counts.len() == 3 {
                break;
            }
            joint.step(written);
        }
        let ips = [0, 1, 2].map(|record| joint.trace.memory.field(SAMPLES + RECORD * record + 8, true));
        assert_eq!((ips, &joint.counts[..]), (samples, counts), "{written:?}");
        assert_eq!(
            joint.trace.index(AREA, true, true),
            SAMPLES + RECORD * if written == Written::Never { 1 } else { 3 }
        );
    }
}
