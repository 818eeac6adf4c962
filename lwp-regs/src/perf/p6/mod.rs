//! Performance counters of the P6 family: Pentium Pro, Pentium II, Pentium III, Pentium M.
//!
//! Two counters of 40 bits count two events at the same time, or for how many cycles a condition holds. The registers are
//! specific to these processors; software asks [`P6Model::detect`] first. Their numbers live on in the architectural
//! counters, their events do not.
//!
//! | to | use |
//! |---|---|
//! | find out which processor this is | [`P6Model`] |
//! | find an event | [`event`]: a constant for each, [`Event::by_mnemonic`], [`Event::by_code`] |
//! | say what to count | [`EventSelect`] |
//! | put two events on the counters, or many on few runs | [`Run`], [`runs`] |
//! | start, stop, clear and read | [`P6Counters`], [`PerfEvtSel0`], [`PerfEvtSel1`], [`PerfCtr`] |
//! | read without RDMSR, and decide who may | [`rdpmc`], [`rdpmc32`], [`EmulatedRdpmc`], [`RdpmcPolicy`] |
//! | the study's device with two calls | [`PmcDevice`] |
//! | measure how long a condition lasts | [`Stay`] |
//! | sample on overflow | [`overflow`] |
//! | make sense of the counts | [`metrics`](super::metrics) |
//!
//! Source of everything here, where an item does not say otherwise: Intel SDM volume 3, "Performance Monitoring (P6 Family
//! Processor)".

mod counter;
mod counters;
mod counting;
mod cr4;
pub mod event;
mod event_select;
mod model;
pub mod overflow;
mod perf_ctr;
mod period;
mod pmc_device;
mod rdpmc;
mod schedule;
mod select0;
mod select1;
mod stay;
#[cfg(test)]
mod test_bus;

pub use super::Levels;
pub use counter::{Counter, NoSuchCounter};
pub use counters::{CountError, Counted, P6Counters, SetCounterError};
pub use cr4::RdpmcPolicy;
pub use event::{Event, UnitMask};
pub use event_select::EventSelect;
pub use model::{P6Model, P6Models};
pub use perf_ctr::PerfCtr;
pub use period::{PeriodError, SamplePeriod};
pub use pmc_device::{PmcDevice, PmcError, PmcFile};
pub use rdpmc::{EmulatedRdpmc, RdpmcFault, rdpmc, rdpmc_serialised, rdpmc32};
pub use schedule::{Run, Runs, SameCounter, Setup, runs};
pub use select0::PerfEvtSel0;
pub use select1::PerfEvtSel1;
pub use stay::Stay;

use crate::layout::Layout;
use crate::msr::{Family, MsrNumbers};

/// Every register layout of the P6 counters, for tests that check them all.
#[doc(hidden)]
pub const LAYOUTS: &[Layout] = &[PerfEvtSel0::LAYOUT, PerfEvtSel1::LAYOUT, PerfCtr::LAYOUT];

/// Numbers of the model-specific registers of the P6 counters.
#[doc(hidden)]
pub const MSRS: &[MsrNumbers] = &[
    MsrNumbers::array("PerfCtrx", Family::P6, PerfCtr::ADDRESS, 2),
    MsrNumbers::one("PerfEvtSel0", Family::P6, PerfEvtSel0::ADDRESS),
    MsrNumbers::one("PerfEvtSel1", Family::P6, PerfEvtSel1::ADDRESS),
];
