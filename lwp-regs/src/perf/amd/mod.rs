//! Core performance counters of AMD processors: four since the K7, six with the core extension.
//!
//! | to | use |
//! |---|---|
//! | find out what there is | [`AmdPerfCaps`] |
//! | set a counter up | [`AmdPerfCtlBuilder`], giving an [`AmdPerfCtl`] |
//! | name a counter's registers | [`AmdCounterIndex`] |
//! | read and preset a counter | [`AmdPerfCtr`] |
//! | share the counters among threads | [`virtual_counter`](super::virtual_counter) |
//!
//! The registers that control all counters at once (`PerfMonV2`), the Northbridge and the cache counters are not here.
//!
//! Source: AMD APM volume 2, "Core Performance-Monitoring Counters"; numbers and layout agree with Linux.

mod builder;
mod caps;
mod index;
mod perf_ctl;
mod perf_ctr;

pub use builder::AmdPerfCtlBuilder;
pub use caps::AmdPerfCaps;
pub use index::{AmdCounterIndex, EXTENDED_CTL, EXTENDED_CTR, LEGACY_CTL, LEGACY_CTR};
pub use perf_ctl::{AmdPerfCtl, Counted};
pub use perf_ctr::AmdPerfCtr;
