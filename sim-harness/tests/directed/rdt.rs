//! Resource Director Technology: what the tests of the model put in, on model and RTL.

#[path = "../../../lwp-model/tests/rdt/bench.rs"]
mod bench;
#[path = "../../../lwp-model/tests/rdt/charge.rs"]
mod charge;
#[path = "../../../lwp-model/tests/rdt/clear.rs"]
mod clear;
#[path = "../../../lwp-model/tests/rdt/inclusion.rs"]
mod inclusion;
#[path = "../../../lwp-model/tests/rdt/invariants.rs"]
mod invariants;
#[path = "../../../lwp-model/tests/rdt/masks.rs"]
mod masks;
#[path = "../../../lwp-model/tests/rdt/monitoring.rs"]
mod monitoring;
#[path = "../../../lwp-model/tests/rdt/order.rs"]
mod order;
#[path = "../../../lwp-model/tests/rdt/pace.rs"]
mod pace;
#[path = "../../../lwp-model/tests/rdt/power.rs"]
mod power;
#[path = "../../../lwp-model/tests/rdt/registers.rs"]
mod registers;
#[path = "../../../lwp-model/tests/rdt/smm.rs"]
mod smm;
#[path = "../../../lwp-model/tests/rdt/timing.rs"]
mod timing;
#[path = "../../../lwp-model/tests/rdt/together.rs"]
mod together;
