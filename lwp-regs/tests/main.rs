//! The integration tests of this crate: one program, a module for each file.

#![allow(missing_docs, reason = "tests")]

mod stand_in;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tracee;

mod aliases;
mod bare_metal;
mod bare_metal_instructions;
mod compile_fail;
mod consumers;
mod context;
mod debug_properties;
mod driver_scheduler;
mod driver_scope;
mod driver_thread;
mod errors;
mod itanium_processes;
mod itanium_properties;
mod layouts;
mod no_panics;
mod own_register;
mod p6_counting;
mod p6_events;
mod perf_architectural;
mod properties;
mod rdt_properties;
mod real_debug_registers;
mod ring;
mod session;
mod trace_properties;
mod tsc_properties;
