//! Sizes of which there is no RTL.

use super::processors::each_has_its_own;

// APM-04
#[test]
fn any_number_of_processors() {
    each_has_its_own::<1, 2, 1, 1>();
    each_has_its_own::<4, 2, 1, 1>();
    each_has_its_own::<8, 2, 1, 1>();
}
