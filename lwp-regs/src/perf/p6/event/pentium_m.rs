//! The events of the L2 cache whose unit masks differ on the Pentium M.
//!
//! They also tell lines that the hardware prefetcher fetched from the others. With unit mask 00H they count nothing, so
//! the events of the other processors, which have this mask, are not for the Pentium M. The default of the four is 2FH: all
//! states, prefetched lines included.
//!
//! The unit of this project (`rtl/perf` with `p6_model` = 3) does not have the prefetch bits: the four are there as on the
//! other processors, so a select with the default mask counts nothing. On it choose
//! [`EventSelect::unit_mask`](crate::perf::p6::EventSelect::unit_mask) 00H for 24H, 26H and 27H, and 0FH for 29H.
//!
//! Source: Intel SDM volume 3B (253669-032), "P6 Family Processor Performance-Monitoring Events", table "Performance
//! Monitoring Events Modified on Intel Pentium M Processors". It prints the states and the prefetch bits once for the four.

use super::{Event, EventUnit::*, Measure::*, UnitMask};
use crate::perf::p6::P6Models;

event_table! {
    L2_LD: 0x29, L2, Occurrences, "Data loads of the L2.", "",
        .on(P6Models::PENTIUM_M).masks(UnitMask::MesiAndPrefetch);
    L2_LINES_IN: 0x24, L2, Occurrences, "Lines allocated in the L2.", "",
        .on(P6Models::PENTIUM_M).masks(UnitMask::MesiAndPrefetch);
    L2_LINES_OUT: 0x26, L2, Occurrences, "Lines evicted from the L2.", "",
        .on(P6Models::PENTIUM_M).masks(UnitMask::MesiAndPrefetch);
    L2_M_LINES_OUT: 0x27, L2, Occurrences, "Lines in state M evicted from the L2.", "",
        .on(P6Models::PENTIUM_M).masks(UnitMask::MesiAndPrefetch);
}

/// The events, which take the place of those of [`EVENTS`](super::EVENTS) with the same code.
pub static EVENTS: &[Event] = TABLE;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf::p6::P6Model;
    use crate::perf::p6::event::Prefetched;

    #[test]
    fn they_replace_the_events_of_the_others() {
        for (event, others) in EVENTS.iter().zip([
            &super::super::L2_LD,
            &super::super::L2_LINES_IN,
            &super::super::L2_LINES_OUT,
            &super::super::L2_M_LINES_OUTM,
        ]) {
            assert_eq!(event.code(), others.code());
            assert_eq!(Event::by_code(P6Model::PentiumM, event.code()), Some(event));
            assert_eq!(Event::by_code(P6Model::PentiumIII, event.code()), Some(others));
            assert_eq!(Event::by_name(P6Model::PentiumM, event.mnemonic()), Some(event));
            assert_eq!(event.unit_mask().default_mask(), Some(0x2F), "all lines, as on the others");
        }
        assert_eq!(L2_M_LINES_OUT.mnemonic(), "L2_M_LINES_OUT");
        assert_eq!(Event::by_name(P6Model::PentiumM, "L2_M_LINES_OUTM"), None);
    }

    #[test]
    fn states_and_prefetch_bits() {
        let masks = L2_LINES_IN.unit_mask();
        assert!((0..=0xFF).filter(|mask| masks.allows(*mask)).eq(0x00..=0x3F));
        assert_eq!(masks.by_name("only_prefetched"), Some(0x1F));
        let bits = [Prefetched::Excluded, Prefetched::Only, Prefetched::Included].map(Prefetched::bits);
        assert_eq!(bits, [0x00, 0x10, 0x20]);
    }
}
