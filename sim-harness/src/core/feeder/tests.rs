//! The feeder by hand, with the contract (`docs/src/retire/lanes.md`) beside it.

mod shown;

use super::*;
use crate::core::ReplayList;
use crate::traces::{self, Store};
use lwp_model::retire::{
    Branch, BranchKind, Flags, IntKind, Io, Length, Load as LoadPort, Rep, Retired as RetiredPart, Source,
};
use shown::{LATENCY, Shown};

const USER: Mode = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };

fn at(ip: u64) -> traces::Retired {
    traces::Retired { ip, cpl: 3, ..traces::Retired::default() }
}

fn loads(addrs: std::ops::Range<u64>, miss: bool) -> Vec<traces::Load> {
    addrs.map(|addr| traces::Load { addr: Some(addr), size: 1, miss, ..traces::Load::default() }).collect()
}

fn interruption(kind: IntKind, from: u64, to: u64) -> Interruption {
    Interruption { valid: true, kind, vector: 2, from, to }
}

/// Every cycle until the end.
fn run(list: Vec<traces::Retired>, lanes: usize, cpi: u64) -> Vec<Shown<4>> {
    let mut feeder = Feeder::new(ReplayList::new(list, 1), USER.op_mode, lanes, cpi);
    let (mut all, mut shown) = (Vec::new(), Shown::idle(USER, 0));
    for now in 0.. {
        shown = Shown::idle(shown.mode, shown.cs_base);
        if feeder.cycle(now, &mut shown) == Fed::End {
            break;
        }
        all.push(shown);
    }
    assert!(feeder.take_failure().is_none());
    all
}

/// The instructions in the lanes of each cycle.
fn ips(all: &[Shown<4>]) -> Vec<Vec<u64>> {
    let of =
        |shown: &Shown<4>| shown.lanes.iter().filter(|lane| lane.retired.valid).map(|lane| lane.retired.ip).collect();
    all.iter().map(of).collect()
}

#[test]
fn the_next_group_may_be_farther_than_cycles_go() {
    let mut feeder = Feeder::new(ReplayList::new(vec![at(1), at(2)], 1), USER.op_mode, 1, u64::MAX);
    let mut shown = Shown::<4>::idle(USER, 0);
    assert_eq!(feeder.cycle(5, &mut shown), Fed::Progress);
    for now in [6, u64::MAX - 1] {
        assert_eq!(feeder.cycle(now, &mut Shown::<4>::idle(USER, 0)), Fed::Nothing);
    }
}

#[test]
fn up_to_lanes_instructions_retire_in_a_cycle() {
    assert_eq!(ips(&run((1..=5).map(at).collect(), 4, 1)), [vec![1, 2, 3, 4], vec![5]]);
    assert_eq!(ips(&run((1..=3).map(at).collect(), 2, 2)), [vec![1, 2], vec![], vec![3]]);
}

#[test]
fn a_lane_has_all_of_its_instruction() {
    let branch = traces::Branch { kind: traces::BranchKind::Ret, taken: true, next: 7, predicted: Some(false) };
    let flags = Flags { tf: true, rep: Rep::First, ..Flags::default() };
    let mut one = traces::Retired { length: 3, branch: Some(branch), flags, ..at(5) };
    one.loads = loads(8..9, true);
    (one.loads[0].before_miss, one.loads[0].latency, one.loads[0].source) = (2, u32::MAX, 3);
    one.stores = vec![Store { addr: 8, size: 1 }];
    let lane = run(vec![one], 4, 1)[0].lanes[0];
    assert_eq!(lane.retired, RetiredPart { valid: true, counts: false, ip: 5 }, "an iteration does not count");
    assert_eq!((lane.length, lane.flags), (Length(3), flags));
    assert_eq!(lane.branch, Branch { kind: BranchKind::Ret, taken: true, pred_valid: true, pred_ok: false, next: 7 });
    let load =
        LoadPort { miss: true, addr_valid: true, addr: 10, latency: LATENCY, source: Source::Dram, tagged: false };
    assert_eq!(lane.loads, [load, LoadPort::default()]);
    assert_eq!(lane.accesses, [Access { read: true, write: true, addr: 8, size: 1 }, Access::default()]);
}

// "A mode change takes a cycle. In the first cycle with new cpl, smm or op_mode the core retires nothing."
#[test]
fn a_mode_change_takes_a_cycle() {
    let real = traces::Retired { op_mode: Some(OpMode::Real), cpl: 0, ..at(2) };
    let all = run(vec![at(1), real, at(3)], 4, 1);
    assert_eq!(ips(&all), [vec![1], vec![], vec![2], vec![], vec![3]]);
    let modes: Vec<_> = all.iter().map(|shown| shown.mode.op_mode).collect();
    assert_eq!(modes, [OpMode::Long64, OpMode::Real, OpMode::Real, OpMode::Long64, OpMode::Long64]);
}

// The base of CS is one for all lanes.
#[test]
fn another_base_of_cs_begins_a_group() {
    let all =
        run(vec![at(1), traces::Retired { cs_base: 16, ..at(2) }, traces::Retired { cs_base: 16, ..at(3) }], 4, 1);
    assert_eq!(ips(&all), [vec![1], vec![2, 3]]);
    assert_eq!([all[0].cs_base, all[1].cs_base], [0, 16]);
}

// "An instruction with more missed loads or accesses than a lane has ports shows the first of them in partial cycles, in lane 0. It
// then retires in lane 0 of a later cycle, with the rest."
#[test]
fn what_does_not_fit_comes_in_partial_cycles() {
    let mut many = at(2);
    many.loads = loads(0..3, false);
    many.stores = vec![Store { addr: 64, size: 65 }];
    let all = run(vec![at(1), many, at(3)], 4, 1);
    assert_eq!(all.iter().map(|shown| shown.partial).collect::<Vec<_>>(), [false, true, true, false]);
    assert_eq!(ips(&all), [vec![1], vec![0], vec![0], vec![2, 3]]);
    let shown: Vec<_> =
        all[1..].iter().flat_map(|shown| shown.lanes[0].accesses).map(|one| (one.addr, one.size)).collect();
    assert_eq!(shown, [(0, 1), (1, 1), (2, 1), (64, 64), (128, 1), (0, 0)]);
}

#[test]
fn missed_loads_come_in_partial_cycles() {
    let mut many = at(1);
    many.loads = loads(0..5, true);
    let all = run(vec![many], 4, 1);
    assert_eq!(all.iter().map(|shown| shown.partial).collect::<Vec<_>>(), [true, true, false]);
    let missed: Vec<_> = all.iter().flat_map(|shown| shown.lanes[0].loads).map(|load| (load.miss, load.addr)).collect();
    assert_eq!(missed, [(true, 0), (true, 1), (true, 2), (true, 3), (true, 4), (false, 0)]);
}

// "An instruction with I/O retires in lane 0, and no other lane is valid in that cycle."
#[test]
fn io_retires_alone() {
    let io = Io { valid: true, write: true, port: 0x60, size: 1 };
    let all = run(vec![at(1), traces::Retired { io, ..at(2) }, at(3)], 4, 1);
    assert_eq!(ips(&all), [vec![1], vec![2], vec![3]]);
    assert_eq!([all[0].io.valid, all[2].io.valid], [false; 2]);
    assert_eq!(all[1].io, io);
}

// "The cycle is its own ... The mode in that cycle is the old one. The next cycle shows the new mode, and nothing retires in it.
// Several interruptions before one instruction come in several such cycles, in the order of delivery."
#[test]
fn interruptions_have_cycles_of_their_own() {
    let two = vec![interruption(IntKind::Exception, 2, 5), interruption(IntKind::Nmi, 5, 9)];
    let handler = traces::Retired { cpl: 0, interruptions: two.clone(), ..at(9) };
    let all = run(vec![at(1), handler], 4, 1);
    assert_eq!(ips(&all), [vec![1], vec![], vec![], vec![], vec![9]]);
    let none = Interruption::default();
    assert_eq!(all.iter().map(|shown| shown.interruption).collect::<Vec<_>>(), [none, two[0], two[1], none, none]);
    assert_eq!(all.iter().map(|shown| shown.mode.cpl).collect::<Vec<_>>(), [3, 3, 3, 0, 0]);
}

#[test]
fn behind_an_interruption_a_cycle_is_dead_in_any_mode() {
    let handler = traces::Retired { interruptions: vec![interruption(IntKind::Nmi, 2, 9)], ..at(9) };
    assert_eq!(ips(&run(vec![handler, at(10)], 4, 1)), [vec![], vec![], vec![9, 10]]);
}
