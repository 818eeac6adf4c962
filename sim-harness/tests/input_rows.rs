//! Rows of inputs that are read in place, one after the other.

use lwp_model::Unit;
use sim_harness::rtl::BuildId;
use sim_harness::with_build;

/// Rows of each build.
const ROWS: u32 = 300;

/// A row of noise. Its codes all have a value, since every code of an input has one.
fn noise(words: usize, seed: &mut u32) -> Vec<u32> {
    let mut word = || {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed.rotate_left(16)
    };
    (0..words).map(|_| word()).collect()
}

fn nothing_is_left<U: Unit>(build: BuildId) {
    let (mut kept, mut seed, mut changed) = (U::Inputs::default(), 7, 0);
    for _ in 0..ROWS {
        let row = noise(U::INPUT_WORDS, &mut seed);
        let before = kept.clone();
        let read = U::read_inputs(&row, &mut kept);
        let (fresh, rst_n) = U::unpack_inputs(&row);
        assert_eq!(read, rst_n, "{}: rst_n", build.name());
        assert!(kept == fresh, "{}: {kept:?} has something left of {before:?}", build.name());
        changed += u32::from(kept != before);
    }
    assert_eq!(changed, ROWS, "{}: rows differ", build.name());
}

#[test]
fn nothing_is_left_of_the_row_before() {
    for &build in BuildId::ALL {
        with_build!(any, build, |U| nothing_is_left::<U>(build));
    }
}
