//! Verilated RTL: the builds, and running instances of them.
//!
//! `build.rs` translates every build of every unit listed in `build/units.rs` in two [flavours](Flavour). The shim in `cpp/` is a
//! template over the Verilated class, so that this module knows no unit.

mod assertion;
#[macro_use]
mod build_id;
mod ffi;
mod instance;

pub use assertion::{Assertion, assertion};
pub use build_id::{BuildId, BuildInfo, Flavour, models};
pub use instance::{Divergence, Rtl, strap_words};
