//! Rows of inputs that are read in place, one after the other: a code without a value would leave what the row before has put there. That every
//! field is read at all, the tests of the tables show.

use super::lockstep_support::{RESET, inputs};
use lwp_model::Unit;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;

/// Rows of each build.
const ROWS: usize = 300;

fn nothing_is_left<U: Unit>(build: BuildId) {
    let (mut kept, mut changed) = (U::Inputs::default(), 0);
    for row in inputs(build, 7, RESET + ROWS).chunks_exact(U::INPUT_WORDS).skip(RESET) {
        let before = kept.clone();
        let read = U::read_inputs(row, &mut kept);
        let (fresh, rst_n) = U::unpack_inputs(row);
        assert_eq!(read, rst_n, "{}: rst_n", build.name());
        assert!(kept == fresh, "{}: {kept:?} has something left of {before:?}", build.name());
        changed += usize::from(kept != before);
    }
    assert_eq!(changed, ROWS, "{}: rows differ", build.name());
}

#[test]
fn nothing_is_left_of_the_row_before() {
    for &build in BuildId::ALL {
        with_build!(any, build, |U| nothing_is_left::<U>(build));
    }
}
