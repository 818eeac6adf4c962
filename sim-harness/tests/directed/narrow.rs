//! What depends on the sizes of a build: a unit of three slots whose latencies have ten bits, on model and RTL.

use super::unit::{Narrow, Unit};
use lwp_model::lwp::{Buffer, Config, Control, CtlOp, Inputs, LatencySource, LatencyStep, Load, Memory, Mode, OpMode};
use std::collections::BTreeMap;

const LWPCB: u64 = 0x1_0000;

/// The unit, and a memory that answers at once.
struct Small {
    unit: Narrow,
    memory: BTreeMap<u64, u64>,
    owed: Option<u64>,
    mode: Mode,
}

impl Small {
    /// A session of DCache misses with this minimum latency and counter.
    fn session(straps: Config, min_latency: u64, counter: u64) -> Self {
        let block = [(0, 256 << 32), (8, 0x2_0000), (32, min_latency << 32), (40, counter << 32 | 3 << 26 | 100)];
        let memory = block.into_iter().map(|(at, word)| (LWPCB + at, word)).collect();
        let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
        let mut small = Small { unit: Narrow::new(straps).unwrap(), memory, owed: None, mode };
        small.control(CtlOp::WriteMsr0, 0xF);
        small.mode.cpl = 3;
        small.cycle(Inputs::default());
        small.control(CtlOp::Llwpcb, LWPCB);
        small
    }

    fn cycle(&mut self, mut inputs: Inputs<1>) {
        let out = self.unit.outputs();
        inputs.mode = self.mode;
        let answer = self.owed.take().map(|rdata| Memory { rvalid: true, rdata, ..Memory::default() });
        inputs.mem = Memory { gnt: out.mem_req, ..answer.unwrap_or_default() };
        if out.mem_req {
            self.owed = Some(self.memory.get(&out.mem_addr).copied().unwrap_or_default());
        }
        self.unit.step(&inputs);
    }

    fn idle(&mut self, cycles: u32) {
        (0..cycles).for_each(|_| self.cycle(Inputs::default()));
    }

    fn control(&mut self, op: CtlOp, wdata: u64) {
        self.cycle(Inputs { ctl: Control { valid: true, op, wdata, ..Control::default() }, ..Inputs::default() });
        self.idle(60);
    }

    /// Whether a miss with this latency, or entry of the buffer, counts.
    fn counts(&mut self, latency: u32) -> bool {
        let before = self.unit.state().events[2].counter;
        let mut inputs = Inputs::default();
        let load = Load { miss: true, addr_valid: true, latency, source: 3, ..Load::default() };
        (inputs.lanes[0].valid, inputs.lanes[0].counts, inputs.lanes[0].loads[0]) = (true, true, load);
        self.cycle(inputs);
        before - self.unit.state().events[2].counter == 1
    }
}

// LWP-LAT-11: MinLatency 255 acts as 63, the largest of ten bits: a saturated miss counts.
#[test]
fn the_minimum_is_at_most_the_largest_latency() {
    for min_latency in [63, 64, 255] {
        let mut small = Small::session(Config::default(), min_latency, 100);
        assert!(small.counts(1008), "minimum {min_latency}");
        assert!(!small.counts(1007), "minimum {min_latency}");
    }
}

// LWP-LAT-04, LWP-LAT-05, LWP-LAT-06: a unit with ten bits measures at most 2^10 - 16, however long a load waits, with either
// rounding: one cycle less than the wait is eligible, and the largest latency is, but it never wraps to less.
#[test]
fn ten_bits_saturate_at_1008() {
    for latency_step in [LatencyStep::One, LatencyStep::Sixteen] {
        for (wait, min_latency, eligible) in [(1007, 63, false), (1008, 63, true), (1124, 63, true), (3000, 63, true)] {
            let straps = Config { latency_source: LatencySource::Buffer, latency_step, ..Config::default() };
            let mut small = Small::session(straps, min_latency, 1);
            let alloc = Buffer { alloc_valid: true, alloc_entry: 1, ..Buffer::default() };
            small.cycle(Inputs { buffer: alloc, ..Inputs::default() });
            small.idle(wait - 1);
            let fill = Buffer { fill_valid: true, fill_entry: 1, fill_source: 3, ..Buffer::default() };
            small.cycle(Inputs { buffer: fill, ..Inputs::default() });
            assert_eq!(small.counts(1), eligible, "{latency_step:?} {wait}");
            let record = small.unit.state().records[0];
            assert_eq!((record.event, record.data), if eligible { (3, 1008) } else { (0, 0) });
        }
    }
}

// LWP-CPU-17, LWP-LAT-07: CPUID reports the slots and the bits of a latency that the RTL is built with.
#[test]
fn sizes_are_those_of_cpuid() {
    let of = |caps: &lwp_regs::lwp::LwpCaps| (u32::from(caps.max_events), u32::from(caps.cache_max));
    let parameter = |build: sim_harness::rtl::BuildId, name| build.parameter(name).unwrap();
    let wide = Unit::new(Config::default()).unwrap();
    let narrow = Narrow::new(Config::default()).unwrap();
    for (caps, build) in [(wide.caps(), Unit::build()), (narrow.caps(), Narrow::build())] {
        assert_eq!(of(caps), (parameter(build, "EventSlots"), parameter(build, "LatencyBits")));
    }
    assert_eq!((of(wide.caps()), of(narrow.caps())), ((8, 31), (3, 10)));
}
