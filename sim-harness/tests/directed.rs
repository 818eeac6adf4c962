//! The directed tests of the model once more, on model and RTL: what the tests put in, the RTL gets too, and every output and
//! every register of the two is compared in every cycle, with the assertions of the RTL on. What a test says of the model, the RTL
//! has then done as well.

mod debug;
mod illegal;
mod itanium;
mod narrow;
mod perf;
mod rdt;
mod trace;
mod tsc;
pub(crate) mod unit;

#[path = "../../lwp-model/tests/bench/mod.rs"]
mod bench;

#[path = "../../lwp-model/tests/addresses.rs"]
mod addresses;
#[path = "../../lwp-model/tests/beside.rs"]
mod beside;
#[path = "../../lwp-model/tests/blocks.rs"]
mod blocks;
#[path = "../../lwp-model/tests/context.rs"]
mod context;
#[path = "../../lwp-model/tests/control.rs"]
mod control;
#[path = "../../lwp-model/tests/eligible.rs"]
mod eligible;
#[path = "../../lwp-model/tests/fault_choices.rs"]
mod fault_choices;
#[path = "../../lwp-model/tests/gather_choices.rs"]
mod gather_choices;
#[path = "../../lwp-model/tests/kept_records.rs"]
mod kept_records;
#[path = "../../lwp-model/tests/old_tails.rs"]
mod old_tails;
#[path = "../../lwp-model/tests/privilege.rs"]
mod privilege;
#[path = "../../lwp-model/tests/records.rs"]
mod records;
#[path = "../../lwp-model/tests/registers.rs"]
mod registers;
#[path = "../../lwp-model/tests/reload.rs"]
mod reload;
#[path = "../../lwp-model/tests/replaced.rs"]
mod replaced;
#[path = "../../lwp-model/tests/rights.rs"]
mod rights;
#[path = "../../lwp-model/tests/ring.rs"]
mod ring;
#[path = "../../lwp-model/tests/store_choices.rs"]
mod store_choices;
#[path = "../../lwp-model/tests/thresholds.rs"]
mod thresholds;
