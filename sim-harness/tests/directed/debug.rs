//! The debug unit: what the tests of the model put in, on model and RTL.

#[path = "../../../lwp-model/tests/debug/bench.rs"]
mod bench;
#[path = "../../../lwp-model/tests/debug/core.rs"]
mod core;
#[path = "../../../lwp-model/tests/debug/debugger.rs"]
mod debugger;
#[path = "../../../lwp-model/tests/debug/hits.rs"]
mod hits;
#[path = "../../../lwp-model/tests/debug/order.rs"]
mod order;
#[path = "../../../lwp-model/tests/debug/pairs.rs"]
mod pairs;
#[path = "../../../lwp-model/tests/debug/regions.rs"]
mod regions;
#[path = "../../../lwp-model/tests/debug/registers.rs"]
mod registers;
#[path = "../../../lwp-model/tests/debug/steps.rs"]
mod steps;
#[path = "../../../lwp-model/tests/debug/store_fault.rs"]
mod store_fault;
#[path = "../../../lwp-model/tests/debug/strings.rs"]
mod strings;
#[path = "../../../lwp-model/tests/debug/timing.rs"]
mod timing;
