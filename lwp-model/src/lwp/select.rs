//! Select: chooses among several expired events of one instruction.

use super::config::Config;
use super::state::{EventCounter, NUM_EVENTS};
use super::straps::GatherSelect;

/// Lowest bit of the random choice in the random word, above the bits that counters take.
const RANDOM_LSB: u32 = 16;

/// Returns the index of the chosen event, or `None` if no event has expired.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "Multiple simultaneous events".
pub(super) fn choose(
    expired: [bool; NUM_EVENTS],
    events: &[EventCounter; NUM_EVENTS],
    rotate: u8,
    random: u32,
    straps: &Config,
) -> Option<usize> {
    match straps.gather_select {
        GatherSelect::LowestSlot => {
            (0..NUM_EVENTS).filter(|&index| expired[index]).min_by_key(|&index| events[index].slot)
        }
        GatherSelect::Rotating => first_from(expired, usize::from(rotate) + 1),
        GatherSelect::Random => first_from(expired, (random >> RANDOM_LSB & 3) as usize),
    }
}

/// Returns the first event that has expired, beginning with event `start` and wrapping around.
fn first_from(expired: [bool; NUM_EVENTS], start: usize) -> Option<usize> {
    (0..NUM_EVENTS).map(|step| (start + step) % NUM_EVENTS).find(|&index| expired[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(slots: [u8; NUM_EVENTS]) -> [EventCounter; NUM_EVENTS] {
        slots.map(|slot| EventCounter { slot, ..EventCounter::default() })
    }

    fn chosen(select: GatherSelect, expired: [bool; NUM_EVENTS], rotate: u8, random: u32) -> Option<usize> {
        let straps = Config { gather_select: select, ..Config::default() };
        choose(expired, &events([2, 0, 1]), rotate, random, &straps)
    }

    // LWP-GAT-06, LWP-SIM-04: the earliest slot of the block, not the lowest EventId.
    #[test]
    fn lowest_slot() {
        let choice = |expired| chosen(GatherSelect::LowestSlot, expired, 0, 0);
        assert_eq!(choice([true, true, true]), Some(1));
        assert_eq!(choice([true, false, true]), Some(2));
        assert_eq!(choice([true, false, false]), Some(0));
        assert_eq!(choice([false; 3]), None);
    }

    // LWP-GAT-06: the one after the last, so that none waits for more than two others.
    #[test]
    fn rotating() {
        let choice = |expired, rotate| chosen(GatherSelect::Rotating, expired, rotate, 0);
        assert_eq!([0, 1, 2].map(|last| choice([true; 3], last)), [Some(1), Some(2), Some(0)]);
        assert_eq!(choice([true, false, false], 0), Some(0));
        assert_eq!(choice([true, false, true], 0), Some(2));
    }

    // LWP-GAT-06: bits 17:16 of the random word say where to begin; 3 counts as 0.
    #[test]
    fn random() {
        let choice = |bits: u32| chosen(GatherSelect::Random, [true; 3], 0, bits << 16);
        assert_eq!([0, 1, 2, 3].map(choice), [Some(0), Some(1), Some(2), Some(0)]);
        assert_eq!(chosen(GatherSelect::Random, [true, false, false], 0, 1 << 16), Some(0));
    }
}
