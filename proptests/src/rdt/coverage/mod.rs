//! Functional coverage of this unit, counted from inputs and registers in every cycle.

mod accesses;
mod branches;
mod counter;
mod crosses;
mod requests;
mod sampler;

pub use counter::Cases;
pub use sampler::sample;

use super::straps::FACTORS;
use crate::coverage::{Claims, Layout, RtlList};
use crate::straps;
use std::sync::LazyLock;

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout::new("rdt", crosses::DECLARED, &straps::values(&FACTORS)));

/// Returns the bins of this version.
#[must_use]
pub fn layout() -> &'static Layout {
    &LAYOUT
}

/// Returns the bins that no run can meet, of this version.
#[must_use]
pub fn claims() -> Claims {
    let text = include_str!("../../../coverage/rdt/unreachable.toml");
    Claims::new(layout(), "proptests/coverage/rdt/unreachable.toml", text)
}

/// The places of the RTL that cannot be reached, of this version.
pub const RTL_LIST: RtlList = RtlList {
    file: "proptests/coverage/rdt/rtl_unreachable.toml",
    text: include_str!("../../../coverage/rdt/rtl_unreachable.toml"),
};
