//! Architectural performance monitoring of Intel processors, versions 1 to 3.
//!
//! What is architectural is the same on every processor: the numbers and layouts of the registers, and eight events.
//! How much of it there is, CPUID leaf 0AH says. Later versions are tolerated: what they report is kept, what they add
//! is reserved here unless the item says otherwise.
//!
//! | to | use |
//! |---|---|
//! | find out what there is | [`PerfmonCaps`], [`AvailableEvents`], [`Ia32PerfCapabilities`] |
//! | choose an event | [`ArchitecturalEvent`] |
//! | set a counter up | [`PerfEvtSelBuilder`], giving an [`Ia32PerfEvtSel`] |
//! | name a counter's registers | [`CounterIndex`], [`FixedIndex`] |
//! | read and preset a counter | [`Ia32Pmc`], [`Ia32APmc`], [`Ia32FixedCtr`] |
//! | see which counter RDPMC reads | [`RdpmcSelector`] |
//! | use the fixed-function counters | [`Ia32FixedCtrCtrl`], [`FixedControl`] |
//! | start and stop all at once | [`Ia32PerfGlobalCtrl`] |
//! | see and clear overflows | [`Ia32PerfGlobalStatus`], [`Ia32PerfGlobalOvfCtrl`] |
//! | set overflows again, for a guest | [`Ia32PerfGlobalStatusSet`] |
//! | see which counters somebody uses | [`Ia32PerfGlobalInuse`] |
//! | measure time in a state | [`Residency`] |
//! | share the counters among threads | [`virtual_counter`](super::virtual_counter) |
//!
//! Source: Intel SDM volume 3B, "Architectural Performance Monitoring".

mod builder;
pub(super) mod caps;
pub mod cpuid;
mod event;
mod fixed_ctr;
mod fixed_ctr_ctrl;
mod global_ctrl;
mod global_inuse;
mod global_status;
mod global_status_set;
mod index;
mod perf_capabilities;
mod perfevtsel;
mod pmc;
mod rdpmc;
mod residency;

pub use builder::PerfEvtSelBuilder;
pub use caps::{PerfmonCaps, PerfmonCapsError};
pub use cpuid::{PerfmonEax, PerfmonEbx, PerfmonEcx, PerfmonEdx};
pub use event::{ArchitecturalEvent, AvailableEvents};
pub use fixed_ctr::{FixedEvent, Ia32FixedCtr};
pub use fixed_ctr_ctrl::{FixedControl, Ia32FixedCtrCtrl};
pub use global_ctrl::Ia32PerfGlobalCtrl;
pub use global_inuse::Ia32PerfGlobalInuse;
pub use global_status::{Ia32PerfGlobalOvfCtrl, Ia32PerfGlobalStatus};
pub use global_status_set::Ia32PerfGlobalStatusSet;
pub use index::{CounterCaps, CounterIndex, FixedIndex};
pub use perf_capabilities::Ia32PerfCapabilities;
pub use perfevtsel::{Ia32PerfEvtSel, PinToggle};
pub use pmc::{Ia32APmc, Ia32Pmc};
pub use rdpmc::{RdpmcCounter, RdpmcSelector};
pub use residency::Residency;
