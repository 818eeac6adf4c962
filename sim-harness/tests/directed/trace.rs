//! The branch records: what the tests of the model put in, on model and RTL.

#[path = "../../../lwp-model/tests/trace/area.rs"]
mod area;
#[path = "../../../lwp-model/tests/trace/backwards.rs"]
mod backwards;
#[path = "../../../lwp-model/tests/trace/bench.rs"]
mod bench;
#[path = "../../../lwp-model/tests/trace/beside_lwp.rs"]
mod beside_lwp;
#[path = "../../../lwp-model/tests/trace/branches.rs"]
mod branches;
#[path = "../../../lwp-model/tests/trace/control.rs"]
mod control;
#[path = "../../../lwp-model/tests/trace/formats.rs"]
mod formats;
#[path = "../../../lwp-model/tests/trace/memory.rs"]
mod memory;
#[path = "../../../lwp-model/tests/trace/messages.rs"]
mod messages;
#[path = "../../../lwp-model/tests/trace/precise.rs"]
mod precise;
#[path = "../../../lwp-model/tests/trace/registers.rs"]
mod registers;
#[path = "../../../lwp-model/tests/trace/reload.rs"]
mod reload;
#[path = "../../../lwp-model/tests/trace/stack.rs"]
mod stack;
#[path = "../../../lwp-model/tests/trace/timing.rs"]
mod timing;
