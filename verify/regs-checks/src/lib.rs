//! Checks of `lwp-regs` from outside: what an access costs in instructions, beside a hand-written twin and other crates
//! (`tests/zero_cost.rs`), and what the public API is (`tests/public_api.rs`).

mod code;
mod table;

pub use code::{Code, of};
pub use table::{Row, Table};
