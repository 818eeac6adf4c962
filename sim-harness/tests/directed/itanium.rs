//! Event qualification of Itanium: what the tests of the model put in, on model and RTL.

#[path = "../../../lwp-model/tests/itanium/bench.rs"]
mod bench;
#[path = "../../../lwp-model/tests/itanium/counter.rs"]
mod counter;
#[path = "../../../lwp-model/tests/itanium/data.rs"]
mod data;
#[path = "../../../lwp-model/tests/itanium/events.rs"]
mod events;
#[path = "../../../lwp-model/tests/itanium/figures.rs"]
mod figures;
#[path = "../../../lwp-model/tests/itanium/freeze.rs"]
mod freeze;
#[path = "../../../lwp-model/tests/itanium/modes.rs"]
mod modes;
#[path = "../../../lwp-model/tests/itanium/monitor.rs"]
mod monitor;
#[path = "../../../lwp-model/tests/itanium/opcode.rs"]
mod opcode;
#[path = "../../../lwp-model/tests/itanium/processes.rs"]
mod processes;
#[path = "../../../lwp-model/tests/itanium/range.rs"]
mod range;
#[path = "../../../lwp-model/tests/itanium/registers.rs"]
mod registers;
#[path = "../../../lwp-model/tests/itanium/requests.rs"]
mod requests;
#[path = "../../../lwp-model/tests/itanium/status.rs"]
mod status;
#[path = "../../../lwp-model/tests/itanium/tags.rs"]
mod tags;
#[path = "../../../lwp-model/tests/itanium/timing.rs"]
mod timing;
