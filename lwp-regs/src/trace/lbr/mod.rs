//! Last branch records: a ring of registers that holds the most recent branches.

mod amd;
mod architectural;
mod depth;
mod entry;
mod exception;
mod flagged;
mod format;
mod layout;
mod record;
mod select;
mod stack;

pub use amd::*;
pub use architectural::*;
pub use depth::LbrDepth;
pub use entry::{LbrFrom, LbrInfo, LbrTo, LbrTos};
pub use exception::{LastException, LerFrom, LerTo};
pub use flagged::{FromAndTo, FromWithFlags, FromWithTsx, ToWithCycles};
pub use format::{AddressKind, CodeMode, LbrFormat};
pub use layout::{LbrEntryMsrs, LbrLayout};
pub use record::{LbrEntry, LbrRecord};
pub use select::{LbrBranches, LbrSelect};
pub use stack::{LbrRecords, LbrStack, LbrStill};
