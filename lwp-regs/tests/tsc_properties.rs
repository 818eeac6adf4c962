//! Properties of the time-stamp counter and its adjustment.

use lwp_regs::tsc::*;
use proptest::prelude::*;

fn width() -> impl Strategy<Value = TscWrite> {
    prop_oneof![Just(TscWrite::All), Just(TscWrite::Low32)]
}

fn state() -> impl Strategy<Value = TscState> {
    any::<[u64; 2]>().prop_map(|[counter, adjust]| TscState {
        counter: TimeStampCounter::from_bits(counter),
        adjust: TscAdjust::from_bits(adjust),
    })
}

/// Counter minus adjustment: what no write changes.
fn untouched(state: TscState) -> u64 {
    state.counter.ticks().wrapping_sub(state.adjust.ticks())
}

proptest! {
    // TSC-21: what a write adds to the counter is added to the adjustment, modulo 2^64
    #[test]
    fn a_write_of_the_counter_moves_the_adjustment(before in state(), new: u64, width in width()) {
        let after = before.write_counter(new, width);
        let taken = TimeStampCounter::check_write(before.counter, new, &width).unwrap();
        prop_assert_eq!(after.counter, taken);
        prop_assert_eq!(untouched(after), untouched(before));
    }

    // TSC-22: and the other way round
    #[test]
    fn a_write_of_the_adjustment_moves_the_counter(before in state(), new: u64) {
        let after = before.write_adjust(new);
        prop_assert_eq!(after.adjust.ticks(), new);
        prop_assert_eq!(untouched(after), untouched(before));
    }

    // TSC-23: time changes the counter alone
    #[test]
    fn time_leaves_the_adjustment(before in state(), ticks: u64) {
        let after = before.after(ticks);
        prop_assert_eq!(after.adjust, before.adjust);
        prop_assert_eq!(after.counter.since(before.counter), ticks);
    }

    // TSC-24: processors that were reset together agree again, whatever was written before and whenever they are told
    #[test]
    fn the_same_adjustment_synchronises(writes in any::<[u64; 2]>(), waits in any::<[u32; 3]>(), adjust: u64) {
        let [a, b, c] = waits.map(u64::from);
        let cpu = |write, first, second| {
            TscState::RESET.after(a).write_counter(write, TscWrite::All).after(first).write_adjust(adjust).after(second)
        };
        prop_assert_eq!(cpu(writes[0], b, c), cpu(writes[1], c, b));
    }

    #[test]
    fn stamps_of_one_processor_tell_the_ticks(ticks: [u64; 2], signatures in [0u32..3, 0..3]) {
        let [before, after] = [0, 1].map(|i: usize| Stamp { ticks: ticks[i], signature: signatures[i] });
        let elapsed = match after.since(before) {
            Elapsed::Ticks(ticks) => Some(ticks),
            Elapsed::Migrated { from, to } => {
                prop_assert_eq!([from, to], signatures);
                None
            }
        };
        prop_assert_eq!(elapsed.is_some(), signatures[0] == signatures[1]);
        if let Some(elapsed) = elapsed {
            prop_assert_eq!(elapsed, ticks[1].wrapping_sub(ticks[0]));
            prop_assert_eq!(after.since_with(before, |_| 7), elapsed);
        }
    }
}
