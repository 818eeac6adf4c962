//! The integration tests of this crate: one program, a module for each file.

#![allow(missing_docs, reason = "tests")]

mod capsule_support;
mod cosim_bench;
mod driver_support;
mod lockstep_support;
mod trace_support;

// Tables of the book, which the tests of the model read.
#[allow(dead_code, reason = "some tests run on the model alone")]
#[path = "../../lwp-model/tests/page.rs"]
mod page;

mod branch_stacks;
mod build_stamp;
mod capsule_checkpoint;
mod capsule_commands;
mod capsule_damage;
mod capsule_file;
mod capsule_foreign;
mod capsule_itanium;
mod capsule_rdt;
mod capsule_shrink;
mod capsule_tsc;
mod capsule_waves;
mod capture_program;
mod capture_ptrace;
mod checkpoint_rtl;
mod command_files;
mod cosim_cut_traces;
mod cosim_debug;
mod cosim_events;
mod cosim_exit_codes;
mod cosim_hardware_refuses;
mod cosim_itanium;
mod cosim_memory;
mod cosim_perf;
mod cosim_rdt;
mod cosim_session_straps;
mod cosim_sessions;
mod cosim_straps_misses;
mod cosim_straps_retire;
mod cosim_straps_store;
mod cosim_straps_system;
mod cosim_trace;
mod cosim_tsc;
mod count_perf;
mod default_straps;
mod directed;
mod driver_debug;
mod driver_debug_programs;
mod driver_faults;
mod driver_itanium;
mod driver_perf;
mod driver_perf_tasks;
mod driver_rdt;
mod driver_sessions;
mod driver_straps;
mod driver_switch;
mod driver_system;
mod driver_trace;
mod driver_tsc;
mod failure_report;
mod input_rows;
mod itanium_run;
mod lockstep_engine;
mod lockstep_recorded;
mod lockstep_rtl;
mod lockstep_waves;
mod power_up;
mod rdt_run;
mod strap_texts;
mod trace_capture_file;
mod trace_champsim;
mod trace_formats;
mod trace_retire_log;
mod triage;
mod units_by_name;

// Tests that run on the model and on model and RTL name the unit like that.
use directed::unit;
