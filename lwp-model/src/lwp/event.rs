//! Events of version 1, by their index in the registers.

use super::state::NUM_EVENTS;

/// Instructions retired, EventId 1.
pub(super) const INSTRUCTIONS: usize = 0;
/// Branches retired, EventId 2.
pub(super) const BRANCHES: usize = 1;
/// DCache misses, EventId 3.
pub(super) const MISSES: usize = 2;

/// The largest EventId.
const LAST_EVENT: u8 = NUM_EVENTS as u8;

/// Returns the index of an event in the registers, EventId - 1. `None` for 0, which is no event, and for an EventId that version 1
/// does not have.
pub(super) const fn index(event_id: u8) -> Option<usize> {
    match event_id {
        1..=LAST_EVENT => Some(event_id as usize - 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_ids_count_from_one() {
        assert_eq!(
            [0, 1, 2, 3, 4, 255].map(index),
            [None, Some(INSTRUCTIONS), Some(BRANCHES), Some(MISSES), None, None]
        );
    }
}
