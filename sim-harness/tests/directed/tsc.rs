//! The time-stamp counter: what the tests of the model put in, on model and RTL.

#[path = "../../../lwp-model/tests/tsc/bench.rs"]
mod bench;
#[path = "../../../lwp-model/tests/tsc/processors.rs"]
mod processors;
#[path = "../../../lwp-model/tests/tsc/rate.rs"]
mod rate;
#[path = "../../../lwp-model/tests/tsc/registers.rs"]
mod registers;
#[path = "../../../lwp-model/tests/tsc/requests.rs"]
mod requests;
#[path = "../../../lwp-model/tests/tsc/timing.rs"]
mod timing;
