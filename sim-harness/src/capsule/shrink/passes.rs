//! What is tried, the coarse before the fine.

use super::search::Search;
use crate::lockstep::Field;

/// Parts of a run below which the coarse passes do not go.
const PARTS: usize = 64;
/// Rows whose steering numbers the coarse passes try to make smaller.
const STEERING_ROWS: usize = 64;

/// Passes whose number of candidates does not grow with the run.
pub(super) fn coarse(search: &mut Search<'_>) {
    let grain = search.layout.cycles(&search.best().rows).div_ceil(PARTS);
    remove_cycles(search, grain);
    idle_columns(search);
    idle_ranges(search, grain);
    steer(search);
    remove_cycles(search, grain);
}

/// Every pass, down to single cycles, fields and bits.
pub(super) fn fine(search: &mut Search<'_>) {
    remove_cycles(search, 1);
    idle_columns(search);
    idle_ranges(search, 1);
    default_straps(search);
    idle_fields(search);
    small_values(search);
}

/// Leaves out ranges of cycles, from all but a few to single ones. Idle cycles that matter stay, others go.
fn remove_cycles(search: &mut Search<'_>, grain: usize) {
    let mut length = search.layout.cycles(&search.best().rows) / 2;
    while length >= grain && length > 0 && !search.over() {
        // From the end: what comes before the failure is looked at first.
        let mut end = search.layout.cycles(&search.best().rows);
        while end > 0 && !search.over() {
            let range = end.saturating_sub(length)..end;
            let (straps, rows) = (search.best().straps.clone(), search.layout.without(&search.best().rows, range));
            let removed = search.try_out(&straps, &rows);
            end = end.saturating_sub(length);
            if removed {
                end = end.min(search.layout.cycles(&search.best().rows));
            }
        }
        length /= 2;
    }
}

/// Makes a field, or a group of fields, idle in all cycles.
fn idle_columns(search: &mut Search<'_>) {
    let count = search.layout.fields.len();
    let groups = search.layout.fields.iter().map(|field| field.group + 1).max().unwrap_or(0);
    let members = |search: &Search<'_>, group: usize| -> Vec<usize> {
        (0..count).filter(|&at| search.layout.fields[at].group == group).collect()
    };
    for group in (0..groups).rev() {
        let fields = members(search, group);
        if !idle(search, None, &fields) {
            fields.iter().rev().for_each(|&field| {
                idle(search, None, &[field]);
            });
        }
    }
}

/// Makes whole ranges of cycles idle.
fn idle_ranges(search: &mut Search<'_>, grain: usize) {
    let all: Vec<usize> = (0..search.layout.fields.len()).collect();
    let mut length = search.layout.cycles(&search.best().rows) / 2;
    while length >= grain && length > 0 && !search.over() {
        let mut end = search.layout.cycles(&search.best().rows);
        while end > 0 && !search.over() {
            idle(search, Some(end.saturating_sub(length)..end), &all);
            end = end.saturating_sub(length).min(search.layout.cycles(&search.best().rows));
        }
        length /= 2;
    }
}

/// Makes single groups, then single fields idle, cycle by cycle.
fn idle_fields(search: &mut Search<'_>) {
    let mut cycle = search.layout.cycles(&search.best().rows);
    while cycle > 0 && !search.over() {
        cycle = (cycle - 1).min(search.layout.cycles(&search.best().rows) - 1);
        let set = search.layout.set_fields(&search.best().rows, cycle);
        let mut groups: Vec<usize> = set.iter().map(|&at| search.layout.fields[at].group).collect();
        groups.dedup();
        for group in groups {
            let fields: Vec<usize> =
                set.iter().copied().filter(|&at| search.layout.fields[at].group == group).collect();
            if fields.len() > 1 && idle(search, Some(cycle..cycle + 1), &fields) {
                continue;
            }
            for field in fields {
                idle(search, Some(cycle..cycle + 1), &[field]);
            }
        }
    }
}

/// Makes fields idle in some cycles, or in all.
fn idle(search: &mut Search<'_>, range: Option<std::ops::Range<usize>>, fields: &[usize]) -> bool {
    let best = search.best();
    let cycles = search.layout.cycles(&best.rows);
    let range = range.map_or(0..cycles, |range| range.start.min(cycles)..range.end.min(cycles));
    let straps = best.straps.clone();
    search.layout.neutral(&best.rows, range, fields).is_some_and(|rows| search.try_out(&straps, &rows))
}

/// Gives straps their defaults, each by itself.
fn default_straps(search: &mut Search<'_>) {
    if !search.may_change_straps() {
        return;
    }
    let default = search.layout.default_straps.clone();
    for strap in search.layout.unit.straps {
        let mut straps = search.best().straps.clone();
        if strap.of(&straps) != strap.of(&default) && !search.over() {
            put(strap, &mut straps, &default);
            let rows = search.best().rows.clone();
            search.try_out(&straps, &rows);
        }
    }
}

/// Copies a strap, all of whose bits are in one word.
fn put(strap: &Field, to: &mut [u32], from: &[u32]) {
    let mask = u32::MAX >> (32 - strap.width) << strap.lsb;
    to[strap.word] = to[strap.word] & !mask | from[strap.word] & mask;
}

/// Makes numbers smaller that a run's length may depend on: intervals in what memory answers. Those that come first, come first.
fn steer(search: &mut Search<'_>) {
    let steering: Vec<usize> = (0..search.layout.fields.len()).filter(|&at| search.layout.fields[at].steers).collect();
    let (mut cycle, mut rows) = (0, 0);
    while cycle < search.layout.cycles(&search.best().rows) && rows < STEERING_ROWS && !search.over() {
        let set = search.layout.set_fields(&search.best().rows, cycle);
        let set: Vec<usize> = set.into_iter().filter(|at| steering.contains(at)).collect();
        rows += usize::from(!set.is_empty());
        set.into_iter().for_each(|at| small_value(search, cycle, at));
        cycle += 1;
    }
}

/// Makes numbers smaller: intervals in what memory answers, addresses, latencies. A smaller interval may save many cycles.
fn small_values(search: &mut Search<'_>) {
    let mut cycle = search.layout.cycles(&search.best().rows);
    while cycle > 0 && !search.over() {
        cycle = (cycle - 1).min(search.layout.cycles(&search.best().rows) - 1);
        for at in search.layout.set_fields(&search.best().rows, cycle) {
            if search.layout.fields[at].width > 3 {
                small_value(search, cycle, at);
            }
        }
    }
}

/// Smaller by half, then by less, as long as it fails.
fn small_value(search: &mut Search<'_>, cycle: usize, field: usize) {
    let mut step = u32::MAX;
    while step > 0 && !search.over() {
        let best = search.best();
        if cycle >= search.layout.cycles(&best.rows) {
            return;
        }
        let (words, input) = (search.layout.words, &search.layout.fields[field]);
        let value = input.of(&best.rows[cycle * words..][..words]);
        step = step.min(value - value / 2);
        if step == 0 || value == 0 {
            return;
        }
        let (straps, mut rows) = (best.straps.clone(), best.rows.clone());
        input.set(&mut rows[cycle * words..][..words], value - step);
        if !search.try_out(&straps, &rows) {
            step /= 2;
        }
    }
}
