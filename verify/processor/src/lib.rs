//! The units against the processor of this machine: the same program runs on both, and what software sees of it is compared.
//!
//! A unit has a module of its own, which needs what the operating system gives to a process without privileges.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod child;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod debug;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod memory;
