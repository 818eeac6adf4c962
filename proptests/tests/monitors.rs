//! The monitors hold of the model, and of the RTL by itself.

use lwp_model::lwp::StoreState;
use proptests::floor::Floors;
use proptests::lwp::bench::{Recording, play};
use proptests::lwp::lockstep::as_rtl;
use proptests::lwp::monitor::watch;
use proptests::lwp::scenario::scenario;
use proptests::runner::{check, draw};
use sim_harness::rtl::BuildId;
use std::cell::Cell;

/// What was there to be watched.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    outside: u64,
    writes: u64,
    heads: u64,
    reloads: u64,
    interrupts: u64,
    faults: u64,
}

impl Seen {
    fn count<const W: usize>(&mut self, recording: &Recording<W>) {
        for pair in recording.cycles.windows(2) {
            let (now, next) = (&pair[0], &pair[1]);
            self.outside += u64::from(now.state.session.active && !now.inputs.mode.ring3());
            self.writes += u64::from(now.out.mem_req && now.inputs.mem.gnt && now.state.store.st == StoreState::Write);
            self.heads += u64::from(now.state.store.st == StoreState::Head && next.state.store.st != StoreState::Head);
            self.reloads += u64::from(now.state.store.st == StoreState::Reset);
            self.interrupts += u64::from(next.out.irq && !now.out.irq);
            self.faults += u64::from(next.out.pf_valid && !now.out.pf_valid);
        }
    }
}

/// Watches model or RTL in many scenarios, and asks that there was something to be watched.
fn watch_all<const W: usize, const S: usize, const LAT: u32>(name: &str, rtl: Option<BuildId>) {
    let seen = Cell::new(Seen::default());
    let cases = check("monitors", name, &scenario(150), |scenario| {
        let (mut recording, _) = play::<W, S, LAT>(scenario);
        if let Some(build) = rtl {
            recording = as_rtl(build, &scenario.straps, &recording);
        }
        let mut counts = seen.get();
        counts.count(&recording);
        seen.set(counts);
        watch(&scenario.straps, &recording)
    });
    let seen = seen.get();
    println!("{name}: {cases} cases, {seen:?}");
    let counts = [
        ("cycles of a session outside ring 3", seen.outside, 20_000),
        ("writes of records", seen.writes, 1900),
        ("heads", seen.heads, 180),
        ("reloads", seen.reloads, 550),
        ("interrupts", seen.interrupts, 30),
        ("page faults", seen.faults, 340),
    ];
    Floors { test: name, cases, counts: &counts }.check();
}

/// A message says which rule is broken, in the direction in which it is broken, and shows the values that the rule reads.
#[test]
fn what_an_interrupt_does_wrong_is_told_with_its_values() {
    let rises = |recording: &Recording<4>| {
        recording.cycles.windows(2).position(|pair| {
            pair[0].rst_n && !pair[0].out.irq && pair[1].out.irq && pair[0].state.store.st == StoreState::Report
        })
    };
    let run = |seed| {
        let mut case = draw(seed, &scenario(150));
        case.straps.irq_delay = 0;
        (case.straps, play::<4, 8, 31>(&case).0)
    };
    let (straps, recording) = (0..5000).map(run).find(|(_, run)| rises(run).is_some()).expect("an interrupt");
    let at = rises(&recording).expect("it was found");
    let (ring, block) = (&recording.cycles[at].state.ring, &recording.cycles[at].state.block);
    let told = |forge: &dyn Fn(&mut Recording<4>)| {
        let mut forged = recording.clone();
        forge(&mut forged);
        watch(&straps, &forged).expect_err("a forged interrupt")
    };
    let missing = told(&|run| run.cycles[at + 1].out.irq = false);
    let expected = format!(
        "cycle {}: the threshold is crossed, and no interrupt rises: store Report, head {:#x}, tail {:#x}, {} of {} bytes used, \
         threshold {}, interrupt enabled by Flags and enabled by LWPMSR0",
        at + 1,
        ring.head,
        ring.tail,
        block.threshold,
        block.size,
        block.threshold
    );
    assert_eq!(missing, expected);
    let early = told(&|run| run.cycles[at].out.irq = true);
    assert!(
        early.starts_with(&format!("cycle {at}: the interrupt rises without a crossing or the end of a delay: store ")),
        "{early}"
    );
    assert!(early.contains(&format!(" of {} bytes used, threshold {}", block.size, block.threshold)), "{early}");
}

#[test]
fn the_model_keeps_the_rules() {
    watch_all::<4, 8, 31>("the_model_keeps_the_rules", None);
}

#[test]
fn the_model_with_one_lane_keeps_the_rules() {
    watch_all::<1, 3, 10>("the_model_with_one_lane_keeps_the_rules", None);
}

#[test]
fn the_rtl_keeps_the_rules() {
    watch_all::<4, 8, 31>("the_rtl_keeps_the_rules", Some(BuildId::LwpW4));
}

#[test]
fn the_rtl_with_one_lane_keeps_the_rules() {
    watch_all::<1, 3, 10>("the_rtl_with_one_lane_keeps_the_rules", Some(BuildId::LwpW1));
}
