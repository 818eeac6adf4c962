//! Functional coverage of this unit: the situations that the runs have met, counted from the model's registers in every
//! cycle.
//!
//! The crosses are listed in [`Cover`]; a [`Sampler`] samples the cycles of a run and counts.

mod counter;
mod cover;
mod families;
mod moment;
mod sampler;

pub use counter::SteeredCounter;
pub use cover::Cover;
pub use moment::{Access, Ending, OpEnding, Operation, RecordEnd, RingState, SessionKind};
pub use sampler::Sampler;

use super::scenario::straps::FACTORS;
use crate::coverage::{Claims, Layout, RtlList};
use crate::straps;
use std::sync::LazyLock;

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let declared = families::declared();
    let ordered = declared.iter().zip(Cover::IDS).all(|(declared, id)| declared.id == id);
    assert!(ordered && declared.len() == Cover::COUNT, "families are listed in the order of Cover");
    Layout::new("lwp", &declared, &straps::values(&FACTORS))
});

/// Returns the bins of this version.
#[must_use]
pub fn layout() -> &'static Layout {
    &LAYOUT
}

/// Returns the bins that no run can meet, of this version.
#[must_use]
pub fn claims() -> Claims {
    let text = include_str!("../../../coverage/lwp/unreachable.toml");
    Claims::new(layout(), "proptests/coverage/lwp/unreachable.toml", text)
}

/// The places of the RTL that cannot be reached, of this version.
pub const RTL_LIST: RtlList = RtlList {
    file: "proptests/coverage/lwp/rtl_unreachable.toml",
    text: include_str!("../../../coverage/lwp/rtl_unreachable.toml"),
};
