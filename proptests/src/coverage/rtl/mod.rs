//! Lines and toggles of the RTL, as Verilator counts them.

mod build;
mod claims;
mod dat;
mod player;

pub use build::{build, merge};
pub use claims::{RtlClaims, RtlList, Source};
pub(super) use claims::{matches, source};
pub use dat::{Kind, Place, Places, read};
pub use player::{Player, PlayerError};
