//! The third reading: what model and RTL show at their ports is what the proposal says. And recordings with one thing changed, which
//! the reading has to notice.

use lwp_model::lwp::{
    Config, CtlOp, FaultPolicy, Inputs, Lane, MemCmd, Mode, OpMode, Outputs, StoreTiming, TailReread,
};
use proptests::floor::{Floors, ceiling};
use proptests::lwp::bench::{BLOCKS, BUFFER, Recording, play};
use proptests::lwp::lockstep::as_rtl;
use proptests::lwp::note_property;
use proptests::lwp::reading::{Coverage, Reading};
use proptests::lwp::scenario::{Argument, Block, MemoryBehaviour, Op, Scenario, SlotChoice, TailMove, scenario};
use proptests::runner::check;
use sim_harness::rtl::BuildId;
use std::cell::RefCell;

const USER: Mode = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };

/// The ports of a recording.
fn shown<const W: usize>(recording: &Recording<W>) -> Vec<(bool, Inputs<W>, Outputs)> {
    recording.cycles.iter().map(|cycle| (cycle.rst_n, cycle.inputs, cycle.out)).collect()
}

/// Reads a recording.
fn read<const W: usize>(
    straps: &Config,
    slots: usize,
    bits: u32,
    cycles: &[(bool, Inputs<W>, Outputs)],
) -> Result<Coverage, String> {
    let mut reading = Reading::<W>::new(straps, slots, bits);
    for (number, (rst_n, inputs, out)) in cycles.iter().enumerate() {
        reading.cycle(*rst_n, inputs, out).map_err(|text| format!("cycle {number}: {text}"))?;
    }
    reading.finish()
}

/// The cycle that a reason names; what is found at the end is of the last one.
fn cycle<const W: usize>(reason: &str, recording: &Recording<W>) -> u64 {
    let number = reason.strip_prefix("cycle ").and_then(|rest| rest.split(':').next());
    let last = (recording.cycles.len() as u64).saturating_sub(1);
    number.and_then(|number| number.parse().ok()).unwrap_or(last)
}

/// What 1000 cases held at least, of the tests with synchronous stores and of those with asynchronous ones, when it was measured
/// (`LWP_TIER=ci cargo nextest run --release -p proptests reading::the_ --no-capture`).
type Rate = (&'static str, fn(&Coverage) -> u64, [u64; 2]);

const FLOORS: [Rate; 13] = [
    ("instructions", |seen| seen.instructions, [23_000, 22_000]),
    ("records with one possibility", |seen| seen.exact, [470, 130]),
    ("operations", |seen| seen.operations, [30_000, 30_000]),
    ("refused operations", |seen| seen.refused, [2000, 2000]),
    ("operations that met a page fault", |seen| seen.faulted, [25, 22]),
    ("flushes", |seen| seen.flushes, [140, 140]),
    ("deferred initialisations", |seen| seen.deferred, [150, 150]),
    ("page faults of stores", |seen| seen.traps, [160, 105]),
    ("instructions that were undone", |seen| seen.undone, [25, 0]),
    ("interrupts", |seen| seen.interrupts, [30, 16]),
    ("updates of MissedEvents", |seen| seen.missed, [94, 14]),
    ("saved words", |seen| seen.saved, [12_700, 12_700]),
    ("restored words", |seen| seen.restored, [13_700, 13_700]),
];

/// The same for what there may not be too much of.
const CEILINGS: [Rate; 2] = [
    ("records with several possibilities", |seen| seen.bounded, [10, 60]),
    ("times that the state was lost", |seen| seen.lost, [1380, 1380]),
];

/// Reads model or RTL in many scenarios, and asks that everything was there to be read, and that the reading kept track of it.
fn read_all<const W: usize, const S: usize, const LAT: u32>(name: &str, rtl: Option<BuildId>, timing: StoreTiming) {
    let total = RefCell::new(Coverage::default());
    let cases = check("reading", name, &scenario(150), |scenario| {
        let mut scenario = scenario.clone();
        scenario.straps.store_timing = timing;
        if scenario.straps.validate().is_err() {
            scenario.straps.fault_policy = FaultPolicy::Trap;
        }
        let straps = scenario.straps;
        let (mut recording, _) = play::<W, S, LAT>(&scenario);
        if let Some(build) = rtl {
            recording = as_rtl(build, &straps, &recording);
        }
        let read = read(&straps, S, LAT, &shown(&recording));
        *total.borrow_mut() += read.inspect_err(|reason| {
            let cycle = cycle(reason, &recording);
            note_property("reading", &straps, &recording, cycle, reason);
        })?;
        Ok(())
    });
    let seen = *total.borrow();
    println!("{name}: {cases} cases, {seen:?}");
    let rate = |rates: [u64; 2]| rates[usize::from(timing == StoreTiming::Async)];
    let counts = FLOORS.map(|(what, count, rates)| (what, count(&seen), rate(rates)));
    Floors { test: name, cases, counts: &counts }.check();
    for (what, count, rates) in CEILINGS {
        ceiling(name, cases, (what, count(&seen), rate(rates)));
    }
}

#[test]
fn the_model_stores_what_the_text_says() {
    read_all::<4, 8, 31>("the_model_stores_what_the_text_says", None, StoreTiming::Sync);
}

#[test]
fn the_model_stores_in_its_own_time() {
    read_all::<4, 8, 31>("the_model_stores_in_its_own_time", None, StoreTiming::Async);
}

#[test]
fn the_model_with_one_lane_is_right() {
    read_all::<1, 3, 10>("the_model_with_one_lane_is_right", None, StoreTiming::Async);
}

#[test]
fn the_rtl_stores_what_the_text_says() {
    read_all::<4, 8, 31>("the_rtl_stores_what_the_text_says", Some(BuildId::LwpW4), StoreTiming::Sync);
}

#[test]
fn the_rtl_stores_in_its_own_time() {
    read_all::<4, 8, 31>("the_rtl_stores_in_its_own_time", Some(BuildId::LwpW4), StoreTiming::Async);
}

/// A session in which every third instruction is recorded, the threshold is crossed and the ring fills.
fn plain_session(store_timing: StoreTiming) -> Scenario {
    let block = Block {
        size: 160,
        random: 0,
        head: 0,
        tail: 0,
        missed: 5,
        threshold: 64,
        filter: 0,
        slots: vec![SlotChoice { id: 1, interval: 3, counter: 3 }],
    };
    let retire = |at: u64| {
        let lane = Lane { valid: true, counts: true, ip: 0x40_0000 + 4 * at, ..Lane::default() };
        [Op::Retire(vec![lane]), Op::Idle(60)]
    };
    let mut ops: Vec<Op> = (0..12).flat_map(retire).collect();
    ops.push(Op::Tail(0, TailMove::Drain));
    ops.extend((12..33).flat_map(retire));
    ops.push(Op::Control(CtlOp::Slwpcb, Argument::Zero, 0));
    ops.push(Op::Switch);
    let straps = Config { store_timing, tail_reread: TailReread::Lazy, ..Config::default() };
    let memory = MemoryBehaviour { stall: 0, latency: 1, fault: 0 };
    Scenario { straps, seed: 1, memory, polite: true, boot: true, blocks: [block.clone(), block], ops }
}

/// A change to what the ports show in one cycle; true if this cycle is one that it is about.
type Change = fn(&mut Inputs<4>, &mut Outputs) -> bool;

fn writes(out: &Outputs, addr: u64) -> bool {
    out.mem_req && out.mem_cmd == MemCmd::Write && out.mem_addr == addr
}

const CHANGES: [(&str, Change); 11] = [
    ("a bit of the first word of a record", |_, out| {
        writes(out, BUFFER + 32) && {
            out.mem_wdata ^= 1 << 17;
            true
        }
    }),
    ("the address in a record", |_, out| {
        writes(out, BUFFER + 40) && {
            out.mem_wdata ^= 4;
            true
        }
    }),
    ("a reserved byte of a record", |_, out| {
        writes(out, BUFFER + 56) && {
            out.mem_wdata ^= 1 << 60;
            true
        }
    }),
    ("the place of a record", |_, out| {
        writes(out, BUFFER + 32) && {
            out.mem_addr += 32;
            true
        }
    }),
    ("the head", |_, out| {
        writes(out, BLOCKS[0] + 16) && {
            out.mem_wdata ^= 32;
            true
        }
    }),
    ("MissedEvents", |_, out| {
        writes(out, BLOCKS[0] + 24) && {
            out.mem_wdata += 1;
            true
        }
    }),
    ("Flags", |_, out| {
        writes(out, BLOCKS[0]) && out.mem_be == 0x0F && {
            out.mem_wdata ^= 2;
            true
        }
    }),
    ("a flushed counter", |_, out| {
        writes(out, BLOCKS[0] + 40) && {
            out.mem_wdata ^= 1 << 32;
            true
        }
    }),
    ("an answer", |_, out| {
        out.rsp_valid && out.rsp_rdata != 0 && {
            out.rsp_rdata ^= 64;
            true
        }
    }),
    ("an instruction that the unit missed", |inputs, out| {
        let lane = &mut inputs.lanes[0];
        !out.stall && lane.valid && lane.ip == 0x40_0004 && {
            lane.counts = false;
            true
        }
    }),
    ("an instruction that it took twice", |inputs, out| {
        let idle = !out.stall && !inputs.lanes[0].valid && inputs.mode == USER && !inputs.ctl.valid && out.msr0 != 0;
        idle && {
            inputs.lanes[0] = Lane { valid: true, counts: true, ip: 0x99, ..Lane::default() };
            true
        }
    }),
];

/// Applies a change once, or to every cycle of one request; `None` if there was nothing to change.
fn changed(cycles: &[(bool, Inputs<4>, Outputs)], change: Change) -> Option<Vec<(bool, Inputs<4>, Outputs)>> {
    let mut cycles = cycles.to_vec();
    let mut done = false;
    for (_, inputs, out) in cycles.iter_mut().skip(70) {
        let hit = change(inputs, out);
        if hit && (!out.mem_req || inputs.mem.gnt) {
            return Some(cycles);
        }
        done |= hit;
    }
    done.then_some(cycles)
}

// LWP-OVR-10, LWP-GAT-10: whatever is changed in a recording is noticed.
#[test]
fn every_change_of_a_recording_is_noticed() {
    for timing in [StoreTiming::Sync, StoreTiming::Async] {
        let scenario = plain_session(timing);
        let (recording, _) = play::<4, 8, 31>(&scenario);
        let cycles = shown(&recording);
        let seen = read(&scenario.straps, 8, 31, &cycles).expect("the recording is right");
        assert!(
            seen.exact > 8 && seen.interrupts > 0 && seen.missed > 0 && seen.saved > 0 && seen.lost == 0,
            "{seen:?}"
        );
        for (what, change) in CHANGES {
            let Some(wrong) = changed(&cycles, change).or_else(|| changed_early(&cycles, change)) else {
                panic!("there is no {what} to change");
            };
            let end = read(&scenario.straps, 8, 31, &wrong);
            assert!(end.is_err(), "{timing:?}: a change of {what} goes unnoticed: {end:?}");
        }
    }
}

/// The same from the first cycle on, for what happens at the beginning alone.
fn changed_early(cycles: &[(bool, Inputs<4>, Outputs)], change: Change) -> Option<Vec<(bool, Inputs<4>, Outputs)>> {
    let mut cycles = cycles.to_vec();
    let hit = cycles.iter_mut().any(|(_, inputs, out)| change(inputs, out) && inputs.mem.gnt);
    hit.then_some(cycles)
}

// LWP-RPT-03: an interrupt that never comes is noticed.
#[test]
fn a_lost_interrupt_is_noticed() {
    let scenario = plain_session(StoreTiming::Sync);
    let (recording, _) = play::<4, 8, 31>(&scenario);
    let mut cycles = shown(&recording);
    cycles.iter_mut().for_each(|(_, _, out)| out.irq = false);
    let text = read(&scenario.straps, 8, 31, &cycles).expect_err("the interrupt is missing");
    assert!(text.contains("no interrupt"), "{text}");
}
