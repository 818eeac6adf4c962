//! Parts of a core's ports that several units watch: what a core shows to its units, and requests from them. The contract is the
//! chapter "What a core shows" of the book (`docs/src/retire/`).
//!
//! A part is a type here, its fields in the contract's order. A field that the contract calls `branch_kind` is `kind` of
//! [`Branch`]. By default nothing happens in a cycle. Every code of an input has a value here, also one that is not used, so that
//! a row of inputs comes back as it was; `acts_as`, [`Access::bytes`] and [`Io::ports`] say what such a code does. A part of one bit or
//! word without an encoding has no type of its own: `partial`, `cs_base`, `reg_ready`, `irq`, `irq_ack`.
//!
//! A unit lists the parts that it watches in the table of its row, a line for each: see `part_lines!`.

mod access;
mod branch;
mod control;
mod flags;
mod interruption;
mod io;
mod length;
mod lines;
mod load;
mod memory;
mod mode;
mod processor;
mod request;
mod retired;
mod transaction;

pub use access::{ACCESS_BYTES, ACCESS_PORTS, Access};
pub use branch::{Branch, BranchKind};
pub use control::ControlBits;
pub use flags::{Flags, Rep};
pub use interruption::{IntKind, Interruption};
pub use io::Io;
pub use length::Length;
pub(crate) use lines::part_lines;
pub use load::{LOAD_PORTS, Load, Source};
pub use memory::{MemAnswer, MemCmd, MemRequest};
pub use mode::{Mode, OpMode};
pub use processor::Processor;
pub use request::{RegAnswer, RegOp, RegRequest, RegResult};
pub use retired::Retired;
pub use transaction::Transaction;
