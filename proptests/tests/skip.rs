//! Skipping is stepping: whatever is done to a unit, `Lwp::run` leaves the registers that `Lwp::step` leaves, and `Shown` shows them.

use lwp_model::lwp::flat::{OUT_WORDS, Shown, in_words, pack_expected, pack_inputs};
use lwp_model::lwp::{Config, Digest, Inputs, Lwp};
use proptest::prelude::*;
use proptests::lwp::bench::{Recording, play};
use proptests::lwp::scenario::scenario;
use proptests::runner::check;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cycles that were run, and that were skipped, in all cases of a test.
#[derive(Default)]
struct Share {
    all: AtomicUsize,
    skipped: AtomicUsize,
}

impl Share {
    /// A property that skips nothing shows nothing.
    fn at_least(&self, percent: usize) {
        let (all, skipped) = (self.all.load(Ordering::Relaxed), self.skipped.load(Ordering::Relaxed));
        assert!(all > 0 && skipped * 100 >= all * percent, "only {skipped} of {all} cycles were skipped");
    }
}

/// Runs the recording in pieces of these lengths, again and again, and compares all registers behind each.
fn skips<const W: usize, const S: usize, const LAT: u32>(
    straps: &Config,
    recording: &Recording<W>,
    pieces: &[usize],
    share: &Share,
) -> Result<(), String> {
    let mut unit = Lwp::<W, S, LAT>::new(*straps).map_err(|error| error.to_string())?;
    let inputs: Vec<Inputs<W>> = recording.cycles.iter().map(|cycle| cycle.inputs).collect();
    let digests: Vec<Digest> = inputs.iter().map(Digest::of).collect();
    let mut at = 0;
    for piece in pieces.iter().cycle() {
        let Some(cycle) = recording.cycles.get(at) else { break };
        if !cycle.rst_n {
            // The registers show the reset at once.
            unit.reset();
        }
        if *unit.state() != cycle.state {
            return Err(format!("cycle {at}: stepping gives {:?}, skipping {:?}", cycle.state, unit.state()));
        }
        if !cycle.rst_n {
            at += 1;
            continue;
        }
        let rest = recording.cycles[at..].iter().take_while(|cycle| cycle.rst_n).count();
        let end = at + rest.min(*piece);
        let skipped = unit.clone().skip(&inputs[at..end], &digests[at..end]);
        share.skipped.fetch_add(skipped, Ordering::Relaxed);
        share.all.fetch_add(end - at, Ordering::Relaxed);
        unit.run(&inputs[at..end], &digests[at..end]);
        at = end;
    }
    Ok(())
}

/// Steps through the recording and compares the row that is kept up to date with all registers packed anew.
fn shows<const W: usize, const S: usize, const LAT: u32>(
    straps: &Config,
    recording: &Recording<W>,
) -> Result<(), String> {
    let unit = Lwp::<W, S, LAT>::new(*straps).map_err(|error| error.to_string())?;
    // One is given inputs, the other one rows of inputs.
    let mut both = [Shown::new(unit.clone()), Shown::new(unit)];
    let mut inputs = vec![0; in_words(W)];
    for (at, cycle) in recording.cycles.iter().enumerate() {
        if !cycle.rst_n {
            both.iter_mut().for_each(Shown::reset);
        }
        let mut row = [0; OUT_WORDS];
        pack_expected(&cycle.state, straps, &mut row);
        for (shown, of) in both.iter().zip(["inputs", "rows"]) {
            let shown = shown.row();
            if let Some(word) = (0..OUT_WORDS).find(|&word| row[word] != shown[word]) {
                let shown = shown[word];
                return Err(format!("cycle {at}, by {of}, word {word}: is {:#x}, shown {shown:#x}", row[word]));
            }
        }
        if cycle.rst_n {
            pack_inputs(&cycle.inputs, true, &mut inputs);
            both[0].step(&cycle.inputs);
            both[1].step_row(&inputs);
        }
    }
    Ok(())
}

/// Pieces from one cycle to more than a scenario has.
fn pieces() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(prop_oneof![3 => 1_usize..8, 3 => 8_usize..100, 1 => 100_usize..5000], 1..12)
}

#[test]
fn four_lanes_skip() {
    let share = Share::default();
    check("skip", "four_lanes_skip", &(scenario(120), pieces()), |(scenario, pieces)| {
        let (recording, _) = play::<4, 8, 31>(scenario);
        skips::<4, 8, 31>(&scenario.straps, &recording, pieces, &share)?;
        shows::<4, 8, 31>(&scenario.straps, &recording)
    });
    share.at_least(10);
}

#[test]
fn one_lane_skips() {
    let share = Share::default();
    check("skip", "one_lane_skips", &(scenario(120), pieces()), |(scenario, pieces)| {
        let (recording, _) = play::<1, 3, 10>(scenario);
        skips::<1, 3, 10>(&scenario.straps, &recording, pieces, &share)?;
        shows::<1, 3, 10>(&scenario.straps, &recording)
    });
    share.at_least(10);
}
