//! The time-stamp counter.

use super::row;
use lwp_regs::tsc::{TimeStampCounter, TscAdjust, TscState, TscWrite};
use regs_checks::Row;

pub(crate) fn rows() -> Vec<Row> {
    vec![row!(
        "IA32_TSC_ADJUST: what a write of the counter makes of it",
        (counter: u64, adjust: u64, new: u64),
        u64,
        {
            let state =
                TscState { counter: TimeStampCounter::from_bits(counter), adjust: TscAdjust::from_bits(adjust) };
            state.write_counter(new, TscWrite::All).adjust.into_bits()
        },
        adjust.wrapping_add(new.wrapping_sub(counter))
    )]
}
