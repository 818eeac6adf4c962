//! Model and RTL never differ in any bit of state in any cycle, whatever is done to them.

use proptests::lwp::bench::{play, play_noise, play_sequence};
use proptests::lwp::directed;
use proptests::lwp::lockstep::{agree, assertions_hold, survives_packing};
use proptests::lwp::scenario::{busy, noise, scenario, sequence};
use proptests::runner::check;
use sim_harness::rtl::BuildId;

#[test]
fn four_lanes_agree() {
    check("lockstep", "four_lanes_agree", &scenario(120), |scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        agree(BuildId::LwpW4, &scenario.straps, &recording)
    });
}

#[test]
fn one_lane_agrees() {
    check("lockstep", "one_lane_agrees", &scenario(120), |scenario| {
        let (recording, _) = play::<1, 3, 10>(scenario);
        agree(BuildId::LwpW1, &scenario.straps, &recording)
    });
}

/// Under straps that make rare things common, in sessions that are never at rest.
#[test]
fn busy_sessions_agree() {
    check("lockstep", "busy_sessions_agree", &busy(80), |scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        agree(BuildId::LwpW4, &scenario.straps, &recording)
    });
}

/// Contexts restored by hand, loads that are replayed, bursts in which everything happens at once: what the others hardly ever come by.
#[test]
fn sequences_agree() {
    check("lockstep", "sequences_agree", &sequence(20), |sequence| {
        let (four, _) = play_sequence::<4, 8, 31>(sequence);
        agree(BuildId::LwpW4, &sequence.scenario.straps, &four)
    });
}

/// The same with one lane, whose latencies are narrow.
#[test]
fn sequences_agree_in_one_lane() {
    check("lockstep", "sequences_agree_in_one_lane", &sequence(20), |sequence| {
        let (one, _) = play_sequence::<1, 3, 10>(sequence);
        agree(BuildId::LwpW1, &sequence.scenario.straps, &one)
    });
}

/// What was led to by hand: every situation is come by, and both agree there, too.
#[test]
fn directed_sequences_agree() {
    let mut situations = std::collections::BTreeMap::new();
    for (number, directed) in directed::all().iter().enumerate() {
        let (recording, _) = play_sequence::<4, 8, 31>(&directed.sequence);
        if let Err(text) = agree(BuildId::LwpW4, &directed.sequence.scenario.straps, &recording) {
            panic!("run {number} ({}): {text}", directed.situation);
        }
        *situations.entry(directed.situation).or_insert(false) |= recording.cycles.iter().any(directed.seen);
    }
    let missed: Vec<&str> = situations.iter().filter(|(_, seen)| !**seen).map(|(name, _)| *name).collect();
    assert!(missed.is_empty(), "no run comes by: {missed:?}");
}

/// Each run that is to lead a register over a power of two does: what was meant, in numbers.
#[test]
fn crossings_cross() {
    for (number, crossing) in directed::crossings().iter().enumerate() {
        let (recording, _) = play_sequence::<4, 8, 31>(&crossing.run.sequence);
        if let Err(why) = crossing.check(&recording) {
            panic!("run {number}: {why}");
        }
    }
}

/// The larger sizes belong to the long run.
#[cfg(feature = "all-sizes")]
#[test]
fn eight_lanes_agree() {
    check("lockstep", "eight_lanes_agree", &scenario(120), |scenario| {
        let (recording, _) = play::<8, 26, 16>(scenario);
        agree(BuildId::LwpW8, &scenario.straps, &recording)
    });
}

#[cfg(feature = "all-sizes")]
#[test]
fn two_lanes_agree() {
    check("lockstep", "two_lanes_agree", &scenario(120), |scenario| {
        let (recording, _) = play::<2, 13, 20>(scenario);
        agree(BuildId::LwpW2, &scenario.straps, &recording)
    });
}

#[test]
fn noise_agrees() {
    check("lockstep", "noise_agrees", &noise(), |(straps, noise)| {
        agree(BuildId::LwpW4, straps, &play_noise(straps, noise)?)
    });
}

/// The assertions in the RTL hold whatever a core does that keeps the rules, or does not.
#[test]
fn assertions_hold_under_scenarios() {
    check("lockstep", "assertions_hold_under_scenarios", &scenario(120), |scenario| {
        let (four, _) = play::<4, 8, 31>(scenario);
        assertions_hold(BuildId::LwpW4, &scenario.straps, &four)?;
        let (one, _) = play::<1, 3, 10>(scenario);
        assertions_hold(BuildId::LwpW1, &scenario.straps, &one)
    });
}

/// They hold under noise too.
#[test]
fn assertions_hold_under_noise() {
    check("lockstep", "assertions_hold_under_noise", &noise(), |(straps, noise)| {
        assertions_hold(BuildId::LwpW4, straps, &play_noise(straps, noise)?)
    });
}

/// They hold in the corners, too.
#[test]
fn assertions_hold_under_sequences() {
    check("lockstep", "assertions_hold_under_sequences", &sequence(20), |sequence| {
        let (four, _) = play_sequence::<4, 8, 31>(sequence);
        assertions_hold(BuildId::LwpW4, &sequence.scenario.straps, &four)
    });
    for (number, directed) in directed::all().iter().enumerate() {
        let (recording, _) = play_sequence::<4, 8, 31>(&directed.sequence);
        if let Err(text) = assertions_hold(BuildId::LwpW4, &directed.sequence.scenario.straps, &recording) {
            panic!("run {number} ({}): {text}", directed.situation);
        }
    }
}

#[test]
fn rows_hold_every_register() {
    check("lockstep", "rows_hold_every_register", &scenario(60), |scenario| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        match recording.cycles.iter().position(|cycle| !survives_packing(&cycle.state)) {
            None => Ok(()),
            Some(cycle) => Err(format!("cycle {cycle}: the row does not hold {:?}", recording.cycles[cycle].state)),
        }
    });
}
