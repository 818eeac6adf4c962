//! The performance counters: what the tests of the model put in, on model and RTL.

#[path = "../../../lwp-model/tests/perf/access.rs"]
mod access;
#[path = "../../../lwp-model/tests/perf/bench.rs"]
mod bench;
#[path = "../../../lwp-model/tests/perf/beside_lwp.rs"]
mod beside_lwp;
#[path = "../../../lwp-model/tests/perf/cells.rs"]
mod cells;
#[path = "../../../lwp-model/tests/perf/events.rs"]
mod events;
#[path = "../../../lwp-model/tests/perf/interrupts.rs"]
mod interrupts;
#[path = "../../../lwp-model/tests/perf/processors.rs"]
mod processors;
#[path = "../../../lwp-model/tests/perf/sums.rs"]
mod sums;
#[path = "../../../lwp-model/tests/perf/timing.rs"]
mod timing;
