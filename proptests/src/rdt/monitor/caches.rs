//! What always holds of the memories, by the chapter "State".

use super::memories::{Caches, Line};
use super::{Checked, Moment, ensure};
use crate::rdt::Registers;
use lwp_model::rdt::{Stage, Step};

pub(super) fn check<const LP: usize>(
    caches: &mut Caches,
    moment: &Moment<'_, LP>,
    checked: &mut Checked,
) -> Result<(), String> {
    let (straps, state) = (moment.straps, &moment.next);
    for (rmid, lines) in caches.occupancy.iter().enumerate() {
        let expected = if straps.events & 1 == 0 { 0 } else { *lines };
        let counted = state.rmid[rmid].occupancy;
        ensure!(counted == expected, "occupancy of RMID {rmid} is {counted}: {lines} lines");
    }
    if state.l3.written {
        word(&caches.l3[usize::from(state.l3.index)], straps.l3_ways.into()).map_err(|text| format!("L3: {text}"))?;
    }
    if state.l2.written {
        word(&caches.l2[usize::from(state.l2.index)], straps.l2_ways.into()).map_err(|text| format!("L2: {text}"))?;
    }
    shown(caches, state, checked)?;
    if state.job.step == Step::Idle && caches.changed {
        checked.compared += 1;
        caches.changed = false;
        idle(caches, moment)?;
    }
    waiting(moment)
}

/// A word that is written: no line twice, ages, and nothing in a way without a line.
fn word(word: &[Line], used: usize) -> Result<(), String> {
    for (way, line) in word.iter().enumerate() {
        let empty = Line { age: line.age, ..Line::default() };
        ensure!(line.valid || *line == empty, "way {way} holds no line, but {line:?}");
        let twice = word[..way].iter().any(|other| line.valid && other.valid && other.line == line.line);
        ensure!(!twice, "line {:#x} is valid twice", line.line);
        ensure!(way < used || !line.valid, "way {way} is not in use, but holds a line");
    }
    for part in [word, &word[..used]] {
        let ages = part.iter().fold(0_u32, |ages, line| ages | 1 << line.age);
        ensure!(ages == (1 << part.len()) - 1, "ages of {} ways are no permutation: {ages:b}", part.len());
    }
    Ok(())
}

/// The window shows the set that was asked for.
fn shown(caches: &Caches, state: &Registers<'_>, checked: &mut Checked) -> Result<(), String> {
    let at = usize::from(state.show.index);
    let (l3, l2) = (&caches.l3[at % caches.l3.len()], &caches.l2[at % caches.l2.len()]);
    checked.shown += 1;
    for (way, (line, window)) in l3.iter().zip(state.show.l3).enumerate() {
        let window = Line {
            valid: window.valid,
            dirty: window.dirty,
            code: window.code,
            rmid: window.rmid,
            line: window.line,
            age: window.age,
        };
        ensure!(*line == window, "L3, set {at}, way {way}: {window:?} is shown, {line:?} was written");
    }
    for (way, (line, window)) in l2.iter().zip(state.show.l2).enumerate() {
        let same = line.valid == window.valid
            && line.dirty == window.dirty
            && line.line == window.line
            && line.age == window.age;
        ensure!(same, "L2, set {at}, way {way}: {window:?} is shown, {line:?} was written");
    }
    Ok(())
}

/// The caches are inclusive, and ways without power are empty.
fn idle<const LP: usize>(caches: &Caches, moment: &Moment<'_, LP>) -> Result<(), String> {
    let (straps, state) = (moment.straps, &moment.next);
    let sets = 1 << straps.l3_sets;
    for line in caches.l2.iter().flatten().filter(|line| line.valid) {
        let word = &caches.l3[(line.line % sets) as usize];
        let held = word.iter().any(|other| other.valid && other.line == line.line);
        ensure!(held, "line {:#x} is in the L2 cache alone", line.line);
    }
    let powered = [(&caches.l3, state.power.l3_on, "L3"), (&caches.l2, state.power.l2_on, "L2")];
    for (words, on, name) in powered {
        let lost = words.iter().any(|word| word[usize::from(on).min(word.len())..].iter().any(|line| line.valid));
        ensure!(!lost, "{name}: a way from {on} on has no power, but holds a line");
    }
    let in_place = |words: &[Vec<Line>], bits: u8| {
        words
            .iter()
            .enumerate()
            .all(|(set, word)| word.iter().all(|line| !line.valid || line.line % (1 << bits) == set as u64))
    };
    ensure!(in_place(&caches.l3, straps.l3_sets), "a line is in another set of the L3 cache");
    ensure!(in_place(&caches.l2, straps.l2_sets), "a line is in another set of the L2 cache");
    Ok(())
}

/// The access that is in progress waits, and none waits for a cache that is not there.
fn waiting<const LP: usize>(moment: &Moment<'_, LP>) -> Result<(), String> {
    let (straps, state) = (moment.straps, &moment.next);
    for (lp, waiting) in state.lp.iter().enumerate() {
        ensure!(straps.l2 || waiting.stage != Stage::L2, "{lp} waits for an L2 cache");
    }
    let busy = !matches!(state.job.step, Step::Clear | Step::Idle) && !state.job.walk;
    let stage = state.lp[usize::from(state.job.turn)].stage;
    ensure!(!busy || stage != Stage::None, "an access is in progress that {} does not wait for", state.job.turn);
    Ok(())
}
