//! Last branch records: a ring of registers that holds the most recent branches.

mod depth;
mod entry;
mod exception;
mod flagged;
mod format;
mod layout;
mod record;
mod select;
mod stack;

pub use depth::LbrDepth;
pub use entry::{LbrFrom, LbrInfo, LbrTo, LbrTos, from_fields, info_fields, to_fields, tos_fields};
pub use exception::{LastException, LerFrom, LerTo, ler_from_fields, ler_to_fields};
pub use flagged::{FromAndTo, FromWithFlags, FromWithTsx, ToWithCycles};
pub use flagged::{from_and_to_fields, from_flags_fields, from_tsx_fields, to_cycles_fields};
pub use format::{AddressKind, CodeMode, LbrFormat};
pub use layout::{LbrEntryMsrs, LbrLayout};
pub use record::{LbrEntry, LbrRecord};
pub use select::{LbrBranches, LbrSelect, select_fields};
pub use stack::{LbrRecords, LbrStack, LbrStill};
