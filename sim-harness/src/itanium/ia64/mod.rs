//! Programs of IA-64: bundles as a real assembler makes them, executed one instruction at a time.
//!
//! An [`Image`] is a program in memory, loaded from ELF, a [`Core`] executes it, and each [`Retired`] instruction says what a
//! monitoring unit would see of it. Instructions for the registers of that unit are [`Request`]s, which the caller
//! [answers](Core::answer). An instruction that the core lacks is a [`Fault`] with its address, slot and encoding.

mod access;
mod alu;
mod assemble;
mod branch;
mod bundle;
mod compare;
mod cpu;
mod elf;
mod encoding;
mod fault;
mod float;
mod float_format;
mod frame;
mod image;
mod interruption;
mod memory;
mod moves;
mod operation;
mod psr;
mod registers;
mod request;
mod retired;
mod shift;
mod system;

pub use assemble::{AssembleError, assemble, assemble_image};
pub use bundle::{BUNDLE_BYTES, Bundle, SLOT_MASK, Unit};
pub use cpu::Core;
pub use elf::ImageError;
pub use fault::{Fault, FaultKind, Vector};
pub use image::{AccessError, Image, Segment};
pub use psr::MonitorBits;
pub use request::Answer;
pub use retired::{Access, File, Place, Request, Retired};

#[cfg(test)]
mod tests;
