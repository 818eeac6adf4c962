//! The retire stage by itself.

use super::*;
use crate::core::ReplayList;

fn user(ip: u64) -> Retired {
    Retired { ip, cpl: 3, ..Retired::default() }
}

fn missing(count: u64) -> Vec<traces::Load> {
    let load = |n| traces::Load { addr: Some(n), size: 8, miss: true, latency: 100, source: 3, before_miss: 0 };
    (0..count).map(load).collect()
}

fn feeder<const W: usize>(list: Vec<Retired>, lanes: usize, cpi: u64, latency_bits: u32) -> RetireStage<W, ReplayList> {
    let setup = Setup { lanes, cpi, latency_bits, ..Setup::for_tests() };
    RetireStage::new(ReplayList::new(list, 1), &setup)
}

/// One cycle around a unit that shows nothing.
fn cycle<const W: usize>(
    feeder: &mut RetireStage<W, ReplayList>,
    now: u64,
    inputs: &mut Inputs<W>,
    stats: &mut Stats,
) -> Fed {
    feeder.cycle(now, &Outputs::default(), inputs, stats)
}

/// What the lanes showed in each cycle from cycle 0 on: `(cpl, partial, ips)`.
fn run(list: Vec<Retired>, lanes: usize, cpi: u64) -> (Vec<(u8, bool, Vec<u64>)>, Stats) {
    let mut feeder = feeder(list, lanes, cpi, 31);
    let mut inputs = Inputs::<4>::default();
    inputs.mode.cpl = 3;
    let (mut seen, mut stats) = (Vec::new(), Stats::default());
    for now in 0.. {
        (inputs.lanes, inputs.partial) = Default::default();
        if cycle(&mut feeder, now, &mut inputs, &mut stats) == Fed::End {
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
    loads.insert(1, traces::Load { addr: Some(77), size: 4, ..traces::Load::default() });
    let mut feeder = feeder(vec![Retired { loads, ..user(9) }], 4, 1, 31);
    let mut inputs = Inputs::<4> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
    let mut shown = Vec::new();
    for now in 0..3 {
        inputs.lanes = Default::default();
        cycle(&mut feeder, now, &mut inputs, &mut Stats::default());
        shown.push(inputs.lanes[0].loads.map(|load| (load.miss, load.addr)));
    }
    assert_eq!(shown, [[(true, 0), (true, 1)], [(true, 2), (true, 3)], [(true, 4), (false, 0)]]);
}

#[test]
fn latencies_saturate() {
    for (bits, limit) in [(10, 1008), (31, 0x7FFF_FFF0)] {
        let load = traces::Load { addr: None, size: 0, miss: true, latency: u32::MAX, source: 0xF, before_miss: 0 };
        let list = ReplayList::new(vec![Retired { loads: vec![load], ..user(1) }], 1);
        let mut feeder = RetireStage::new(list, &Setup { latency_bits: bits, ..Setup::for_tests() });
        let mut inputs = Inputs::<1> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
        cycle(&mut feeder, 0, &mut inputs, &mut Stats::default());
        let port = inputs.lanes[0].loads[0];
        assert_eq!((port.latency, port.source, port.addr_valid, port.addr), (limit, 7, false, 0));
    }
}

#[test]
fn a_stop_lets_an_instruction_in_parts_retire() {
    let list = vec![Retired { loads: missing(3), ..user(1) }, user(2)];
    let mut feeder = feeder(list, 4, 1, 31);
    let mut inputs = Inputs::<4> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
    let mut stats = Stats::default();
    assert_eq!(cycle(&mut feeder, 0, &mut inputs, &mut stats), Fed::Progress);
    assert!(!feeder.at_boundary());
    feeder.stop();
    assert_eq!(cycle(&mut feeder, 1, &mut inputs, &mut stats), Fed::Progress);
    assert_eq!((cycle(&mut feeder, 2, &mut inputs, &mut stats), stats.instructions), (Fed::End, 1));
}

#[test]
fn a_stop_drops_an_instruction_that_waits() {
    let mut feeder = feeder(vec![user(1), user(2)], 1, 10, 31);
    let mut inputs = Inputs::<1> { mode: Mode { cpl: 3, ..Mode::default() }, ..Inputs::default() };
    let mut stats = Stats::default();
    cycle(&mut feeder, 0, &mut inputs, &mut stats);
    assert_eq!(cycle(&mut feeder, 1, &mut inputs, &mut stats), Fed::Nothing);
    feeder.stop();
    assert_eq!((cycle(&mut feeder, 10, &mut inputs, &mut stats), stats.instructions), (Fed::End, 1));
}
