//! What a core shows to its units, and asks them: the parts that several units watch. The contract is the chapter "What a
//! core shows" of the book (`docs/src/retire/`).
//!
//! Every code of a port has a value here, also one that is not used, so that a row of inputs comes back as it was.

mod branch;
mod interruption;
mod mode;
mod processor;
mod request;

pub use branch::BranchKind;
pub use interruption::IntKind;
pub use mode::OpMode;
pub use processor::Processor;
pub use request::{RegOp, RegRequest, RegResult};
