//! Itanium (first generation) event qualification: which events are counted, by address range, opcode, privilege level,
//! process and instruction set.
//!
//! The registers are indices into two register files, `pmc[]` and `pmd[]`, not model-specific registers; [`PmcBus`]
//! leads to them.
//!
//! | to | use |
//! |---|---|
//! | measure, from a description to a count | [`Measurement`], [`Configuration`], [`RunningMonitors`]; [`ItaniumBus`] |
//! | choose an event and when it counts | [`Event`]; [`Pmc45`] for counters 4 and 5, [`Pmc67`] for 6 and 7; [`Plm`], [`MonitorLevel`], [`Ism`] |
//! | read and preset a count | [`Counter`], [`Pmd`] |
//! | confine events by address or opcode | [`QualificationMode`]; [`Pmc89`], [`Pmc11`], [`Pmc13`]; [`AddressRange`], [`Block`], [`Ibr`], [`Dbr`] |
//! | monitor one, some or all processes | [`MonitorPlan`], with [`Psr`] and [`Dcr`] |
//! | find counts that IA-32 code corrupts | [`QualificationMode::ism_warnings`] |
//! | handle an overflow, switch processes | [`Frozen`]; [`check_handler`] for handlers of another make |
//! | know whether an event counts | [`Monitor::enabled`], [`Monitor::counts`], [`TagRegisters::tags`]; [`Event::class`] |
//! | know what a bundle holds | [`Bundle`] |
//! | capture addresses and branches | [`Pmc10`], [`Pmc11`], [`Pmc12`] |
//!
//! Sources: Intel, *Itanium Processor Reference Manual for Software Development*, chapter "Performance Monitoring";
//! Intel, *Itanium Architecture Software Developer's Manual*, volume 2, "Performance Monitoring". The reference
//! manual's register figures were not at hand: positions are those of libpfm (`pfmlib_itanium.h`) and Linux
//! (`perfmon_itanium.h`).

mod bundle;
mod bus;
mod counter;
mod dbr;
mod dcr;
mod enable;
mod event;
mod frozen;
mod handler_check;
mod ibr;
mod ism_check;
mod measure;
mod monitor;
mod plan;
mod pmc;
mod pmc0;
mod pmc10;
mod pmc11;
mod pmc12;
mod pmc13;
mod pmc89;
mod pmc_bus;
#[allow(
    clippy::missing_errors_doc,
    clippy::result_unit_err,
    reason = "accessors that bitfield-struct writes, which lints do not see as its own inside a macro"
)]
mod pmc_generic;
mod psr;
mod qualification;
mod range;
#[cfg(test)]
mod recorder;
mod slot;
mod tags;

pub use bundle::Bundle;
pub use bus::ItaniumBus;
pub use counter::{Counter, Pmd};
pub use dbr::{Dbr, DbrMask};
pub use dcr::Dcr;
pub use enable::EventClass;
pub use event::{Event, UnknownEvent};
pub use frozen::{Frozen, Saved, Snapshot, Unsaved};
pub use handler_check::{HandlerError, PmcAccess, check_handler};
pub use ibr::{Ibr, IbrMask};
pub use ism_check::{Ia64OnlyFacilities, IsmWarning};
pub use measure::{
    Configuration, Counts, Measurement, MeasurementError, RunningMonitors, Shared, StartError, SuspendedMonitors,
};
pub use monitor::{Ism, Monitor, MonitorLevel, Plm};
pub use plan::{Depth, MonitorPlan, Scope};
pub use pmc::{Pmc, PmcValue};
pub use pmc_bus::{PmcBus, PmcFault};
pub use pmc_generic::{Pmc45, Pmc67};
pub use pmc0::Pmc0;
pub use pmc10::Pmc10;
pub use pmc11::Pmc11;
pub use pmc12::Pmc12;
pub use pmc13::Pmc13;
pub use pmc89::Pmc89;
pub use psr::Psr;
pub use qualification::QualificationMode;
pub use range::{AddressRange, Block, BlockError, Cover, Uncovered};
pub use slot::{Instruction, SlotType};
pub use tags::{Ranges, Tag, TagRegisters, Tags};

use crate::layout::Layout;
use crate::msr::MsrNumbers;

/// Every register layout of the unit, for tests that check them all.
#[doc(hidden)]
pub const LAYOUTS: &[Layout] = &[
    Pmc0::LAYOUT,
    Pmc45::LAYOUT,
    Pmc67::LAYOUT,
    Pmc89::LAYOUT,
    Pmc10::LAYOUT,
    Pmc11::LAYOUT,
    Pmc12::LAYOUT,
    Pmc13::LAYOUT,
    Pmd::LAYOUT,
    Psr::LAYOUT,
    Dcr::LAYOUT,
    IbrMask::LAYOUT,
    DbrMask::LAYOUT,
];

/// The unit has no model-specific registers: its indices are into register files of their own.
#[doc(hidden)]
pub const MSRS: &[MsrNumbers] = &[];
