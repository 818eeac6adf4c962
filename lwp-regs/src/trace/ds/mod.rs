//! The debug store: memory to which the processor writes branch records and samples.

mod area;
mod bts_record;
mod buffer;
mod builder;
#[cfg(test)]
mod builder_tests;
mod causes;
mod error;
mod features;
mod fields;
mod format;
mod image;
mod isr;
mod memory;
mod pages;
mod pebs_enable;
mod pebs_format;
mod pebs_record;
mod setup;
mod store;
#[cfg(test)]
mod tests;

pub use area::{DsArea, LinearAddressBits};
pub use bts_record::{BtsFlags, BtsRecord};
pub use buffer::{AtEnd, DsBuffer, Stored};
pub use builder::{BtsMode, DsBuilder, DsPlan, DsWarnings, PebsSetup};
pub use causes::{PmiCauses, PmiHandler, PmiState};
pub use error::{DsError, DsIndexError, DsPart};
pub use features::DsFeatures;
pub use format::DsFormat;
pub use image::{DsImage, PebsReset};
pub use isr::{DsIsr, RunningDs};
pub use memory::{DsManagement32, DsManagement64, DsMemory, DsView, RecordBuffer};
pub use pages::{Page, PageAttributes, Region};
pub use pebs_enable::PebsEnable;
pub use pebs_format::PebsFormat;
pub use pebs_record::{PebsBasic, PebsRecord, PebsRegisters};
pub use setup::{DsSetup, Handled, Placed, Pointed, Routed, SetupError};
pub use store::DsStore;
