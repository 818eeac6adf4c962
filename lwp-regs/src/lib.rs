//! Typed registers of processor-monitoring units: what the bits mean, and nothing that the hardware *does*.
//!
//! The crate needs neither `std` nor an allocator and builds for any target. Each unit is one module; the first is
//! [`lwp`], AMD's Lightweight Profiling as proposed in 2007.
//!
//! # How it is put together
//!
//! - Every register layout is written exactly once, as a `bitfield-struct`. Masks, reserved bits and the
//!   `tock-registers` fields are derived from it (see [`layout`]).
//! - Sets of independent bits are `bitflags`; memory shared with hardware is made of `volatile-register` cells and is
//!   held by pointer, never by a reference to the whole.
//! - A faulting access is a value ([`access::GeneralProtection`]), never a panic.
//! - A reserved encoding is neither undefined behaviour nor lost: there is always a way back to the raw bits.
//!
//! # Example: a control block, checked before the hardware sees it
//!
//! ```
//! use lwp_regs::lwp::{EdxLayout, EventId, LwpCaps, LwpcbBuilder, LwpcbError};
//!
//! // CPUID 8000_001C: three slots, records of 32 bytes, latency filter, all three events and the interrupt.
//! let caps = LwpCaps::from_cpuid([0, 0x0103_2040, 0x8000_002A, 0x1F], EdxLayout::AsPrinted).unwrap();
//! caps.validate().unwrap();
//!
//! let block = LwpcbBuilder::new(&caps)
//!     .buffer(0x7f00_0000_1000, 4096)
//!     .threshold_records(64)
//!     .event(EventId::BRANCHES_RETIRED, 10_000)
//!     .build()?;
//! assert_eq!(block.image().threshold, 64 * 32);
//!
//! let refused = LwpcbBuilder::new(&caps).buffer(0x7f00_0000_1000, 100).build();
//! assert_eq!(refused.unwrap_err(), LwpcbError::BufferSizeNotMultiple { size: 100 });
//! # Ok::<(), LwpcbError>(())
//! ```
#![no_std]
#![deny(unsafe_code)]
#![deny(rustdoc::broken_intra_doc_links)]

#[macro_use]
pub mod layout;

pub mod access;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub mod bare_metal;
pub mod msr;
mod refused;

pub mod debug;
pub mod delivery;
pub mod itanium;
pub mod lwp;
pub mod perf;
pub mod rdt;
pub mod trace;
pub mod tsc;

pub use refused::{Refused, Rule};

use layout::Layout;
use msr::MsrNumbers;

/// What a unit has, as data.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unit {
    /// Name of its module.
    pub name: &'static str,
    /// Its register layouts.
    pub layouts: &'static [Layout],
    /// The numbers of its model-specific registers.
    pub msrs: &'static [MsrNumbers],
}

/// Every unit of the crate, for tools and for tests that check them all.
pub const UNITS: &[Unit] = &[
    Unit { name: "debug", layouts: debug::LAYOUTS, msrs: debug::MSRS },
    Unit { name: "delivery", layouts: delivery::LAYOUTS, msrs: delivery::MSRS },
    Unit { name: "itanium", layouts: itanium::LAYOUTS, msrs: itanium::MSRS },
    Unit { name: "lwp", layouts: lwp::LAYOUTS, msrs: lwp::MSRS },
    Unit { name: "perf", layouts: perf::LAYOUTS, msrs: perf::MSRS },
    Unit { name: "perf::p6", layouts: perf::p6::LAYOUTS, msrs: perf::p6::MSRS },
    Unit { name: "rdt", layouts: rdt::LAYOUTS, msrs: rdt::MSRS },
    Unit { name: "trace", layouts: trace::LAYOUTS, msrs: trace::MSRS },
    Unit { name: "tsc", layouts: tsc::LAYOUTS, msrs: tsc::MSRS },
];
