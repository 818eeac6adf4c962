//! How far a stretch goes, worked out by hand: what it must not pass, and that it goes no less far.

use super::*;
use crate::lwp::{BranchKind, Buffer, Config, Lane, LatencyPhase, LatencySource, LatencyStep, Load, Mode, OpMode};
use lwp_regs::lwp::FlagsWord;

type Unit = Lwp<2, 8, 31>;

const USER: Mode = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };
const KERNEL: Mode = Mode { cpl: 0, ..USER };

/// A unit in the middle of a session, with these counters.
fn unit(straps: Config, counters: [u32; NUM_EVENTS]) -> Unit {
    let mut unit = Unit::new(straps).unwrap();
    let state = &mut unit.state;
    let session = &mut state.session;
    session.active = true;
    session.msr0 = session.msr0.with_enabled(true).with_ire(true).with_bre(true).with_dme(true);
    state.block.flags = FlagsWord::new().with_ire(true).with_bre(true).with_dme(true);
    state.retire.was_ring3 = true;
    for (event, counter) in state.events.iter_mut().zip(counters) {
        event.counter = counter;
    }
    unit
}

/// An instruction that is a branch of this kind and has so many loads that missed.
fn lane(branch_kind: BranchKind, misses: usize) -> Lane {
    let mut lane = Lane { valid: true, counts: true, branch_kind, ..Lane::default() };
    lane.loads.iter_mut().take(misses).for_each(|load| *load = Load { miss: true, latency: 100, ..Load::default() });
    lane
}

/// A cycle in which two instructions retire, the second of which is a plain one.
fn two(first: Lane) -> Inputs<2> {
    Inputs { mode: USER, lanes: [first, lane(BranchKind::None, 0)], ..Inputs::default() }
}

fn plain() -> Inputs<2> {
    two(lane(BranchKind::None, 0))
}

fn skip(unit: &mut Unit, inputs: &[Inputs<2>]) -> usize {
    let mut digests = [Digest::default(); 64];
    digests.iter_mut().zip(inputs).for_each(|(digest, inputs)| *digest = Digest::of(inputs));
    unit.skip(inputs, &digests[..inputs.len()])
}

fn counters(unit: &Unit) -> [u32; NUM_EVENTS] {
    unit.state.events.map(|event| event.counter)
}

// 40 cycles of two instructions each, more than two blocks of digests: 80 instructions.
#[test]
fn a_stretch_goes_to_its_end() {
    let mut unit = unit(Config::default(), [81, 1, 1]);
    assert_eq!(skip(&mut unit, &[plain(); 40]), 40);
    assert_eq!(counters(&unit), [1, 1, 1]);
}

// With a counter of 80 the last of 40 cycles would bring it to zero; with 79 it still has two of its own.
#[test]
fn a_stretch_ends_before_a_counter_is_zero() {
    for (counter, cycles, left) in [(80, 39, 2), (79, 39, 1), (78, 38, 2), (3, 1, 1), (2, 0, 2), (1, 0, 1), (0, 0, 0)] {
        let mut unit = unit(Config::default(), [counter, 1, 1]);
        assert_eq!(skip(&mut unit, &[plain(); 40]), cycles, "{counter}");
        assert_eq!(counters(&unit), [left, 1, 1], "{counter}");
    }
}

#[test]
fn branches_and_missed_loads_are_counted() {
    let inputs = [two(lane(BranchKind::Call, 2)), two(lane(BranchKind::Jmp, 1)), plain()];
    let mut all = unit(Config::default(), [100, 100, 100]);
    assert_eq!(skip(&mut all, &inputs), 3);
    assert_eq!(counters(&all), [94, 98, 97]);
    let mut no_jumps = unit(Config::default(), [100, 100, 100]);
    no_jumps.state.block.filter = no_jumps.state.block.filter.with_ndb(true);
    assert_eq!(skip(&mut no_jumps, &inputs), 3);
    assert_eq!(counters(&no_jumps), [94, 99, 97]);
}

// The first load has to wait 160 cycles to count, and has waited 100.
#[test]
fn filters_are_asked_about_each_load() {
    let mut inputs = [plain(), two(lane(BranchKind::None, 2)), plain(), two(lane(BranchKind::None, 1)), plain()];
    inputs[1].lanes[0].loads[1].latency = 160;
    let mut filtered = unit(Config::default(), [100, 100, 2]);
    filtered.state.block.filter = filtered.state.block.filter.with_min_latency(10);
    assert_eq!(skip(&mut filtered, &inputs), 5);
    assert_eq!(counters(&filtered), [90, 100, 1]);
    // One load more that counts, and it would expire: that cycle is not skipped.
    inputs[3].lanes[0].loads[0].latency = 160;
    let mut filtered = unit(Config::default(), [100, 100, 2]);
    filtered.state.block.filter = filtered.state.block.filter.with_min_latency(10);
    assert_eq!(skip(&mut filtered, &inputs), 3);
    assert_eq!(counters(&filtered), [94, 100, 1]);
}

// Else they are added up with the rest, which is why skipping is fast.
#[test]
fn loads_that_missed_end_a_stretch_only_if_a_filter_looks_at_them() {
    let by_level = Config { latency_filter: false, ..Config::default() };
    let by_latency = Config { level_filter: false, ..Config::default() };
    let replay = Config { address_policy: AddressPolicy::Replay, ..Config::default() };
    let none = Unit::new(Config::default()).unwrap().state.block.filter;
    let (latency, level) = (none.with_min_latency(1), none.with_clf(true));
    for (straps, filter, ends) in [
        (Config::default(), none, false),
        (Config::default(), latency, true),
        (Config::default(), level, true),
        (by_level, latency, false),
        (by_latency, level, false),
        (replay, none, true),
    ] {
        let mut unit = unit(straps, [100, 100, 100]);
        unit.state.block.filter = filter;
        let bounds = unit.bounds(Digest::of(&plain()).bits()).expect("the unit is at rest");
        // One load is bit 40.
        assert_eq!(bounds.stop >> 40 & 1 != 0, ends, "{straps:?} {filter:?}");
    }
}

#[test]
fn an_event_that_is_not_live_bounds_nothing() {
    let mut unit = unit(Config::default(), [0, 100, 100]);
    unit.state.session.msr0 = unit.state.session.msr0.with_ire(false);
    assert_eq!(skip(&mut unit, &[plain(); 5]), 5);
    assert_eq!(counters(&unit), [0, 100, 100]);
}

#[test]
fn outside_ring_3_nothing_counts() {
    let mut unit = unit(Config::default(), [1, 1, 1]);
    unit.state.retire.was_ring3 = false;
    let kernel = Inputs { mode: KERNEL, ..two(lane(BranchKind::Call, 2)) };
    assert_eq!(skip(&mut unit, &[kernel; 5]), 5);
    assert_eq!(counters(&unit), [1, 1, 1]);
}

/// What ends a stretch of four cycles after two.
#[test]
fn what_asks_for_attention_is_not_skipped() {
    let busy = |buffer: Buffer| Inputs { buffer, ..plain() };
    let mut control = plain();
    control.ctl.valid = true;
    let enders = [
        Inputs { mode: KERNEL, ..plain() },
        Inputs { partial: true, ..plain() },
        Inputs { pf_ack: true, ..plain() },
        Inputs { irq_ack: true, ..plain() },
        busy(Buffer { fill_valid: true, ..Buffer::default() }),
        busy(Buffer { alloc_valid: true, ..Buffer::default() }),
        busy(Buffer { replay_abort: true, ..Buffer::default() }),
        control,
    ];
    for ender in enders {
        let mut unit = unit(Config::default(), [100, 100, 100]);
        assert_eq!(skip(&mut unit, &[plain(), plain(), ender, plain()]), 2, "{ender:?}");
        assert_eq!(counters(&unit), [96, 100, 100]);
    }
}

/// Whatever is under way in the unit has to be stepped.
#[test]
fn a_unit_at_work_skips_nothing() {
    let works: [fn(&mut crate::lwp::State); 14] = [
        |state| state.retire.was_ring3 = false,
        |state| state.store.st = StoreState::Head,
        |state| state.ctl.st = CtlState::Done,
        |state| state.port.req = true,
        |state| state.port.wait = true,
        |state| state.records[0].event = 1,
        |state| state.pending = true,
        |state| state.cand.valid = true,
        |state| state.tag.valid = true,
        |state| state.undo.valid = true,
        |state| state.undo.split = true,
        |state| state.retire.cut_valid = true,
        |state| state.retire.flush_req = true,
        |state| state.irq.count = 1,
    ];
    for (number, work) in works.into_iter().enumerate() {
        let mut unit = unit(Config::default(), [100, 100, 100]);
        work(&mut unit.state);
        assert_eq!(skip(&mut unit, &[plain(); 4]), 0, "{number}");
    }
}

// A session that is yet to be loaded loads in ring 3, but not while a page fault waits, and not outside.
#[test]
fn a_session_that_will_load_is_stepped() {
    let mut waits = unit(Config::default(), [100, 100, 100]);
    waits.state.session.active = false;
    waits.state.session.init_pending = true;
    assert_eq!(skip(&mut waits.clone(), &[plain(); 4]), 0);
    waits.state.pf.valid = true;
    assert_eq!(skip(&mut waits.clone(), &[plain(); 4]), 4);
    waits.state.pf.valid = false;
    waits.state.retire.was_ring3 = false;
    assert_eq!(skip(&mut waits, &[Inputs { mode: KERNEL, ..plain() }; 4]), 4);
}

// Two entries wait, one does not; 5 + 40 cycles pass two boundaries of 16.
#[test]
fn loads_on_their_way_wait() {
    let straps = |latency_phase| Config {
        latency_source: LatencySource::Buffer,
        latency_step: LatencyStep::Sixteen,
        latency_phase,
        ..Config::default()
    };
    for (phase, waited, ends) in [(LatencyPhase::Exact, 40, 5), (LatencyPhase::FreeRunning, 32, 13)] {
        let mut unit = unit(straps(phase), [100, 100, 100]);
        unit.state.mab.phase = 5;
        unit.state.mab.entries[0].counting = true;
        unit.state.mab.entries[2].counting = true;
        assert_eq!(skip(&mut unit, &[plain(); 40]), 40);
        let latencies = unit.state.mab.entries.map(|entry| entry.latency);
        assert_eq!(latencies, [waited, 0, waited, 0, 0, 0, 0, 0]);
        assert_eq!(unit.state.mab.phase, ends);
    }
}

#[test]
fn no_cycles_are_no_stretch() {
    assert_eq!(skip(&mut unit(Config::default(), [9, 9, 9]), &[]), 0);
}

// Cycles without inputs are not skipped, nor those without a digest.
#[test]
fn as_many_cycles_as_there_are_inputs_and_digests() {
    let digests = [Digest::of(&two(lane(BranchKind::None, 1))); 4];
    let mut filtered = unit(Config::default(), [100, 100, 100]);
    filtered.state.block.filter = filtered.state.block.filter.with_min_latency(1);
    assert_eq!(filtered.skip(&[two(lane(BranchKind::None, 1)); 2], &digests), 2);
    assert_eq!(filtered.skip(&[plain(); 4], &digests[..1]), 1);
}

fn count(unit: &mut Unit, bounds: &mut Option<Bounds>, inputs: &Inputs<2>) -> bool {
    unit.step_counting(bounds, Digest::of(inputs), || inputs)
}

// A cycle by itself: done if it only counts, left to the step if not.
#[test]
fn one_cycle_that_only_counts() {
    let (mut unit, mut bounds) = (unit(Config::default(), [5, 1, 1]), None);
    assert!(count(&mut unit, &mut bounds, &plain()));
    assert!(count(&mut unit, &mut bounds, &plain()));
    assert!(!count(&mut unit, &mut bounds, &plain()));
    assert_eq!(counters(&unit), [1, 1, 1]);
}

// So does one with a load that the filters look at, after which one instruction less is left than a cycle has.
#[test]
fn bounds_follow_the_counters() {
    let (mut unit, mut bounds) = (unit(Config::default(), [3, 100, 100]), None);
    unit.state.block.filter = unit.state.block.filter.with_min_latency(1);
    assert!(count(&mut unit, &mut bounds, &two(lane(BranchKind::None, 1))));
    assert!(!count(&mut unit, &mut bounds, &plain()));
    assert_eq!(counters(&unit), [1, 100, 99]);
}

// Bounds of ring 3 do not hold outside it, where nothing counts.
#[test]
fn bounds_are_of_a_mode() {
    let (mut unit, mut bounds) = (unit(Config::default(), [9, 9, 9]), None);
    assert!(count(&mut unit, &mut bounds, &plain()));
    assert!(!count(&mut unit, &mut bounds, &Inputs { mode: KERNEL, ..plain() }));
    assert_eq!(counters(&unit), [7, 9, 9]);
}
