//! The integration tests of this crate: one program, a module for each file.

#![allow(missing_docs, reason = "tests")]

mod capsule;
mod context;
mod coverage;
mod debug_coverage;
mod debug_lockstep;
mod debug_qemu;
mod debug_reading;
mod debug_reading_by_hand;
mod debug_reading_wrong;
mod judge;
mod lanes;
mod lockstep;
mod monitors;
mod perf_coverage;
mod perf_events;
mod perf_lockstep;
mod perf_reading;
mod perf_reading_by_hand;
mod perf_reading_wrong;
mod perf_tasks;
mod rdt_coverage;
mod rdt_isolation;
mod rdt_lockstep;
mod rdt_monitors;
mod rdt_pace;
mod rdt_reading;
mod rdt_straps;
mod reading;
mod reading_by_hand;
mod secrecy;
mod shape;
mod skip;
mod soak;
mod spacing;
mod toggles;
mod trace_coverage;
mod trace_lockstep;
mod trace_reading;
mod trace_reading_wrong;
mod tsc_coverage;
mod tsc_lockstep;
mod tsc_monitors;
mod tsc_reading;
mod tsc_reading_by_hand;
