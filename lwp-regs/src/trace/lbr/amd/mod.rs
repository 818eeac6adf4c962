//! AMD's last branch records of version 2: a stack of pairs, of which the first is the newest.

mod ctl;
mod entry;
mod stack;

pub use ctl::{AmdDbgExtnCfg, AmdLbrSelect};
pub use entry::{AmdLbrEntry, AmdLbrFrom, AmdLbrPath, AmdLbrRecord, AmdLbrTo};
pub use stack::{AmdLbrCaps, AmdLbrEntryMsrs, AmdLbrRecords, AmdLbrStack};
