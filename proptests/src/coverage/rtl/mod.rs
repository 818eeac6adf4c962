//! Lines and toggles of the RTL, as Verilator counts them.

mod build;
mod claims;
mod dat;
mod player;

pub use build::{build, merge};
pub(super) use claims::matches;
pub use claims::{RtlClaims, RtlList, Source};
pub use dat::{Kind, Place, Places, read};
pub use player::{Player, PlayerError};
