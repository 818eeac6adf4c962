//! Loads that return, are replayed, or come before their instruction, in the same cycle as another event.

use super::Directed;
use super::building_blocks::{booted, branch, fill, group, idle, missing, partial, plain, steps, tagged};
use crate::lwp::scenario::{Op, Step};
use lwp_model::lwp::{AddressPolicy, Config, FaultPolicy, GatherPolicy, StoreTiming};

/// The page of the buffer.
const BUFFER_PAGE: u8 = 2;

fn replay() -> Config {
    Config { address_policy: AddressPolicy::Replay, ..Config::default() }
}

/// Returns straps with which a page fault of the store undoes the instruction.
fn undoing(straps: Config) -> Config {
    Config { fault_policy: FaultPolicy::Fault, store_timing: StoreTiming::Sync, ..straps }
}

/// Returns a run in which a branch is recorded and faults. In one of the following cycles a load returns that could be
/// tagged.
fn returns_while_undone(cycles: u8) -> Directed {
    let mut run = steps([Op::PageOut(BUFFER_PAGE)]);
    run.push(group(&[branch(0x100)]));
    run.extend(idle(cycles));
    run.extend(steps([fill(), Op::Idle(6), Op::AckPageFault, Op::PageIn]));
    run.push(group(&[tagged(plain(0x108))]));
    Directed {
        situation: "a load returns in the cycle that undoes an instruction",
        sequence: booted(undoing(replay()), &[2, 3], 0, run),
        seen: |cycle| {
            let (inputs, state) = (&cycle.inputs, &cycle.state);
            inputs.mem.err && inputs.buffer.fill_valid && state.undo.valid && !state.tag.valid
        },
    }
}

/// Returns a run in which a load comes early. Before its instruction retires, a younger one is recorded, faults and is
/// undone.
fn candidate_of_another() -> Directed {
    let mut run = steps([Op::PageOut(BUFFER_PAGE)]);
    run.extend([partial(missing(plain(0x100))), group(&[Default::default(), plain(0x108)])]);
    run.extend(steps([Op::Idle(9), Op::AckPageFault, Op::PageIn]));
    run.push(group(&[plain(0x100), plain(0x108)]));
    Directed {
        situation: "a candidate goes with an instruction that is undone",
        sequence: booted(undoing(Config::default()), &[1, 3], 0, run),
        seen: |cycle| cycle.inputs.mem.err && cycle.state.cand.valid && cycle.state.undo.valid,
    }
}

/// Returns a run in which the replayed load comes in a lane above the cut, in the lane of the cut, or below it.
fn replayed_at_a_cut(lane: usize) -> Directed {
    let straps = Config { store_timing: StoreTiming::Sync, ..replay() };
    let mut lanes = [Default::default(), plain(0x100), plain(0x108), plain(0x110)];
    lanes[lane] = tagged(plain(0x100 + 8 * lane as u64));
    let mut run = steps([fill(), Op::Idle(2)]);
    run.extend([group(&lanes), Step::Do(Op::Idle(30)), group(&[tagged(plain(0x110))]), Step::Do(Op::Idle(30))]);
    Directed {
        situation: [
            "",
            "a replayed load at the cut",
            "a replayed load above the cut",
            "a replayed load far above the cut",
        ][lane],
        sequence: booted(straps, &[1, 3], 0, run),
        seen: |cycle| cycle.state.tag.valid && !cycle.inputs.lanes[0].valid && cycle.inputs.lanes[1].valid,
    }
}

/// Returns such a run with nothing to record but the load.
fn replayed_in_lane(lane: usize) -> Directed {
    let straps = Config { store_timing: StoreTiming::Sync, ..replay() };
    let mut lanes = [plain(0x100), plain(0x108), plain(0x110), plain(0x118)];
    lanes[lane] = tagged(lanes[lane]);
    let mut run = steps([fill(), Op::Idle(2)]);
    run.extend([group(&lanes), Step::Do(Op::Idle(30))]);
    Directed {
        situation: "a replayed load is what cuts its group",
        sequence: booted(straps, &[3], 0, run),
        seen: |cycle| cycle.state.retire.cut_valid && !cycle.state.tag.valid && cycle.state.records[0].event == 3,
    }
}

/// Returns a run with two tagged loads, of which the older is not selected: the younger is not the one that was tagged.
fn two_replayed() -> Directed {
    let straps = Config { gather_policy: GatherPolicy::All, ..replay() };
    let mut run = steps([fill(), Op::Idle(2)]);
    run.extend([group(&[tagged(plain(0x100)), tagged(plain(0x108)), tagged(plain(0x110))]), Step::Do(Op::Idle(60))]);
    Directed {
        situation: "two lanes carry replayed loads, and the first is not recorded",
        sequence: booted(straps, &[1, 3], 0, run),
        seen: |cycle| {
            let lanes = &cycle.inputs.lanes;
            cycle.state.tag.valid && lanes[0].loads[0].tagged && lanes[1].loads[0].tagged
        },
    }
}

/// Returns a run in which another load returns while a replayed one waits for its instruction.
fn returns_beside_a_candidate() -> Directed {
    let mut run = steps([fill(), Op::Idle(2)]);
    run.push(partial(tagged(plain(0x100))));
    run.extend(steps([fill(), Op::Idle(2)]));
    run.extend([partial(tagged(plain(0x100))), group(&[plain(0x100)]), Step::Do(Op::Idle(30))]);
    Directed {
        situation: "a load returns while another is the candidate",
        sequence: booted(replay(), &[3], 0, run),
        seen: |cycle| cycle.inputs.buffer.fill_valid && cycle.state.cand.valid,
    }
}

/// Returns a run in which a load returns while a page fault is pending.
fn returns_beside_a_fault() -> Directed {
    let mut run = steps([Op::PageOut(BUFFER_PAGE)]);
    run.push(group(&[plain(0x100)]));
    run.extend(steps([Op::Idle(8), fill(), Op::Idle(4), Op::PageIn, Op::AckPageFault, fill(), Op::Idle(4)]));
    Directed {
        situation: "a load returns while a page fault is pending",
        sequence: booted(replay(), &[1, 3], 0, run),
        seen: |cycle| cycle.inputs.buffer.fill_valid && cycle.state.pf.valid && !cycle.state.tag.valid,
    }
}

/// Returns a run in which an early load is the only candidate: no other event is enabled.
fn candidate_alone() -> Directed {
    let run = vec![partial(missing(plain(0x100))), group(&[plain(0x100)]), Step::Do(Op::Idle(30))];
    Directed {
        situation: "a candidate with no other event on",
        sequence: booted(Config::default(), &[3], 0, run),
        seen: |cycle| cycle.state.cand.valid && cycle.inputs.lanes[0].valid && !cycle.inputs.partial,
    }
}

pub(super) fn all() -> Vec<Directed> {
    let mut all: Vec<Directed> = (0..12).map(returns_while_undone).collect();
    all.extend((1..4).map(replayed_at_a_cut));
    all.extend((0..4).map(replayed_in_lane));
    all.extend([candidate_of_another(), two_replayed(), returns_beside_a_candidate()]);
    all.extend([returns_beside_a_fault(), candidate_alone()]);
    all
}
