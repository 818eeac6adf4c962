//! The Lightweight Profiling unit in [capsules](crate::capsule).

mod inputs;
mod model;
mod polite;
mod rules;

pub use rules::Rules;

use crate::capsule::capsule_unit;
use lwp_model::lwp::Lwp;

capsule_unit! {
    /// The unit.
    lwp: Lwp<4, 8, 31>, inputs::SHAPE, Rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rtl::BuildId;

    #[test]
    fn every_build_has_a_model() {
        for build in BuildId::of_unit("lwp") {
            assert!((UNIT.model)(build, &(UNIT.default_straps)()).is_ok(), "{}", build.name());
        }
    }
}
