//! RTL that begins in a state of a run: it goes on as the RTL that came there from reset.

use crate::lockstep_support::{RESET, fresh, inputs, recording, straps};
use sim_harness::rtl::{BuildId, Flavour};
use sim_harness::unit::Unit;

const CYCLES: usize = 2000;

/// The builds of units that hold no more than a row shows.
pub(crate) fn builds() -> impl Iterator<Item = BuildId> {
    BuildId::ALL.iter().copied().filter(|build| Unit::of(*build).capsule.checkpoints)
}

/// Every build of every such unit, in both flavours, from many states of a run under random inputs.
#[test]
fn a_loaded_run_is_the_rest_of_the_run() {
    for build in builds() {
        let (ins, info) = (inputs(build, 9, CYCLES), build.info());
        let recording = recording(build, &ins);
        let row = |cycle: usize| &recording.expected()[cycle * info.out_words..][..info.out_words];
        for flavour in [Flavour::Fast, Flavour::Traced] {
            let mut rtl = fresh(build, flavour);
            for start in (RESET..CYCLES - 1).step_by(37) {
                let inputs = &ins[start * info.in_words..];
                let shows = rtl.load(&straps(build), row(start), &inputs[..info.in_words]);
                assert!(shows, "{} {flavour:?}, cycle {start}", info.name);
                let rest = (&inputs[info.in_words..], &recording.expected()[(start + 1) * info.out_words..]);
                assert_eq!(rtl.replay(rest.0, rest.1), Ok(()), "{} {flavour:?}, from cycle {start}", info.name);
            }
            // Power-up is what it was.
            rtl.power_up(&straps(build));
            assert_eq!(rtl.replay(&ins, recording.expected()), Ok(()));
        }
    }
}

/// A row whose outputs do not belong to its registers is not shown.
#[test]
fn a_row_that_no_registers_show_is_noticed() {
    for build in builds() {
        let (ins, info) = (inputs(build, 9, 100), build.info());
        let mut row = recording(build, &ins).expected()[50 * info.out_words..][..info.out_words].to_vec();
        row[0] ^= 1;
        assert!(!fresh(build, Flavour::Fast).load(&straps(build), &row, &ins[..info.in_words]), "{}", info.name);
    }
}
