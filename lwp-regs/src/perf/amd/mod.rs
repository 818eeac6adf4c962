//! Core performance counters of AMD processors: four since the K7, six with the core extension.
//!
//! | to | use |
//! |---|---|
//! | find out what there is | [`AmdPerfCaps`] |
//! | set a counter up | [`AmdPerfCtlBuilder`], giving an [`AmdPerfCtl`] |
//! | name a counter's registers | [`AmdCounterIndex`] |
//! | read and preset a counter | [`AmdPerfCtr`] |
//! | start and stop all at once | [`AmdGlobalCtl`] |
//! | see, clear and set overflows | [`AmdGlobalStatus`], [`AmdGlobalStatusClr`], [`AmdGlobalStatusSet`] |
//! | share the counters among threads | [`virtual_counter`](super::virtual_counter) |
//!
//! The Northbridge and the cache counters are not here.
//!
//! Source: AMD APM volume 2, "Core Performance-Monitoring Counters"; numbers and layout agree with Linux.

mod builder;
mod caps;
pub mod cpuid;
mod global;
mod index;
mod perf_ctl;
mod perf_ctr;

pub use builder::AmdPerfCtlBuilder;
pub use caps::AmdPerfCaps;
pub use cpuid::{AmdPerfmonEax, AmdPerfmonEbx};
pub use global::{AmdGlobalCtl, AmdGlobalStatus, AmdGlobalStatusClr, AmdGlobalStatusSet};
pub use index::{AmdCounterIndex, EXTENDED_CTL, EXTENDED_CTR, LEGACY_CTL, LEGACY_CTR};
pub use perf_ctl::{AmdPerfCtl, Counted};
pub use perf_ctr::AmdPerfCtr;
