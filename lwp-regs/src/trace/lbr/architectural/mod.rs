//! Architectural last branch records: the same registers on every processor that CPUID 1CH describes.

mod caps;
mod ctl;
mod entry;
mod stack;

pub use caps::{ArchLbrCaps, ArchLbrEax, ArchLbrEbx, ArchLbrEcx};
pub use ctl::{ArchLbrBranches, Ia32LbrCtl, Ia32LbrDepth};
pub use entry::{ArchBranchType, ArchLbrEntry, ArchLbrEntryMsrs, ArchLbrRecord, Ia32LbrFrom, Ia32LbrInfo, Ia32LbrTo};
pub use stack::{ArchLbrRecords, ArchLbrStack};
