//! Typed registers of processor-monitoring hardware: what the bits mean and what a write may do, and nothing that the
//! hardware *does*.
//!
//! The crate needs neither `std` nor an allocator and builds for any target. Each unit is one module:
//!
//! | module | hardware |
//! |---|---|
//! | [`perf`] | performance counters: P6, architectural, AMD; counters shared among threads; metrics |
//! | [`debug`] | debug registers: breakpoints, single-step, #DB |
//! | [`trace`] | IA32_DEBUGCTL, branch records (LBR), the debug store (BTS, PEBS) |
//! | [`tsc`] | the time-stamp counter |
//! | [`rdt`] | Resource Director Technology: CMT, MBM, CAT, CDP, MBA |
//! | [`itanium`] | event qualification of the Itanium processor |
//! | [`lwp`] | AMD's Lightweight Profiling, as proposed in 2007, with a driver |
//! | [`delivery`] | how a counter's overflow gets to its handler: local APIC, gates |
//!
//! [`rules`] collects the pure functions that say what the hardware does, [`drivers`] the procedures.
//!
//! They are reached through the traits of [`access`], which `bare_metal` (x86 only) has for the instructions themselves and
//! [`fake`] for tests. [`msr`] ties the number of a model-specific register to the type of what is in it.
//!
//! # Quick start
//!
//! ```
//! use lwp_regs::debug::{Breakpoint, BreakpointLimits, BreakpointSet, DebugCaps, Length, Slot};
//! use lwp_regs::access::{Cpuid, DebugBus};
//! use lwp_regs::Refused;
//!
//! /// Stops the program when one of the eight bytes at `address` is written.
//! pub fn watch<B: DebugBus>(bus: &mut B, cpuid: &impl Cpuid, cr4: u64, address: u64) -> Result<(), Refused> {
//!     let limits = BreakpointLimits::new(&DebugCaps::detect(cpuid), cr4);
//!     // A misaligned address is refused here: register, bits and rule.
//!     let set = BreakpointSet::new().with(Slot::Dr0, Breakpoint::write(address, Length::Eight), &limits)?;
//!     // SAFETY: the #DB handler has been installed before.
//!     unsafe { set.arm(bus) }.ok().expect("nobody protects the debug registers");
//!     Ok(())
//! }
//! ```
//!
//! # How it is put together
//!
//! - Every register layout is written exactly once, as a `bitfield-struct`. Masks, reserved bits and the
//!   `tock-registers` fields are derived from it (see [`layout`]). A field that is narrower than
//!   its integer has a type of its width ([`bits`]), so that `with_x` and `set_x` have nothing to refuse.
//! - Sets of independent bits are `bitflags`; memory shared with hardware is made of `volatile-register` cells and is
//!   held by pointer, never by a reference to the whole.
//! - `check_write(old, new, caps)` of a register says what a write does: what firmware may ask before, and what models
//!   and fakes do ([`msr::CheckedMsr`]).
//! - A faulting access is a value ([`access::GeneralProtection`]), never a panic. What a register cannot take is
//!   [`Refused`], with the register, the bits and the rule.
//! - A reserved encoding is neither undefined behaviour nor lost: there is always a way back to the raw bits.
//! - Registers that make the processor write memory have only `unsafe` writes, which state their contract.
//!
//! # Features
//!
//! `lwp`, `perf`, `debug`, `trace`, `rdt` and `itanium` are the modules of these names, all on by default. `trace` brings
//! `perf` along, since the handler of the debug store stops performance counters; no other feature needs another.
//!
//! `serde` writes layouts as their raw integers and sets of bits as `bitflags` does; `defmt` gives registers, records,
//! faults and refusals a `defmt::Format`. Neither changes a layout.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
#![deny(rustdoc::broken_intra_doc_links)]

#[macro_use]
mod register;
#[macro_use]
#[doc(hidden)]
pub mod layout;

pub mod access;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub mod bare_metal;
pub mod bits;
mod error;
pub mod fake;
pub mod msr;
mod refused;

#[cfg(feature = "debug")]
pub mod debug;
pub mod delivery;
pub mod drivers;
#[cfg(feature = "itanium")]
pub mod itanium;
#[cfg(feature = "lwp")]
pub mod lwp;
#[cfg(feature = "perf")]
pub mod perf;
#[cfg(feature = "rdt")]
pub mod rdt;
pub mod rules;
#[cfg(feature = "trace")]
pub mod trace;
pub mod tsc;

pub use error::Error;
pub use refused::{Refused, Rule};

use layout::Layout;
use msr::MsrNumbers;

/// What a unit has, as data; for tools and tests.
#[doc(hidden)]
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
#[doc(hidden)]
pub const UNITS: &[Unit] = &[
    #[cfg(feature = "debug")]
    Unit { name: "debug", layouts: debug::LAYOUTS, msrs: debug::MSRS },
    Unit { name: "delivery", layouts: delivery::LAYOUTS, msrs: delivery::MSRS },
    #[cfg(feature = "itanium")]
    Unit { name: "itanium", layouts: itanium::LAYOUTS, msrs: itanium::MSRS },
    #[cfg(feature = "lwp")]
    Unit { name: "lwp", layouts: lwp::LAYOUTS, msrs: lwp::MSRS },
    #[cfg(feature = "perf")]
    Unit { name: "perf", layouts: perf::LAYOUTS, msrs: perf::MSRS },
    #[cfg(feature = "perf")]
    Unit { name: "perf::p6", layouts: perf::p6::LAYOUTS, msrs: perf::p6::MSRS },
    #[cfg(feature = "rdt")]
    Unit { name: "rdt", layouts: rdt::LAYOUTS, msrs: rdt::MSRS },
    #[cfg(feature = "trace")]
    Unit { name: "trace", layouts: trace::LAYOUTS, msrs: trace::MSRS },
    Unit { name: "tsc", layouts: tsc::LAYOUTS, msrs: tsc::MSRS },
];

/// What the macros name in other crates.
#[doc(hidden)]
pub mod __private {
    pub use bitfield_struct;
    #[cfg(feature = "serde")]
    pub use serde;
    pub use tock_registers;
}

/// The code of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
