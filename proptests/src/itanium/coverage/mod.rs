//! Functional coverage of this unit, counted from inputs, outputs and registers in every cycle.

mod counter;
mod counting;
mod crosses;
mod events;
mod flight;
mod moment;
mod requests;
mod tags;

pub use counter::Cases;
pub use moment::sample;

use super::straps::FACTORS;
use crate::coverage::{Claims, Layout, RtlList};
use crate::straps;
use std::sync::LazyLock;

static LAYOUT: LazyLock<Layout> =
    LazyLock::new(|| Layout::new("itanium", crosses::DECLARED, &straps::values(&FACTORS)));

/// Returns the bins of this version.
#[must_use]
pub fn layout() -> &'static Layout {
    &LAYOUT
}

/// Returns the bins that no run can meet, of this version.
#[must_use]
pub fn claims() -> Claims {
    let text = include_str!("../../../coverage/itanium/unreachable.toml");
    Claims::new(layout(), "proptests/coverage/itanium/unreachable.toml", text)
}

/// The places of the RTL that cannot be reached, of this version.
pub const RTL_LIST: RtlList = RtlList {
    file: "proptests/coverage/itanium/rtl_unreachable.toml",
    text: include_str!("../../../coverage/itanium/rtl_unreachable.toml"),
};
