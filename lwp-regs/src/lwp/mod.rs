//! AMD Lightweight Profiling (LWP), as proposed in 2007 and never built in this form.
//!
//! LWP lets user mode profile itself. The system enables it in [`LwpMsr0`]; a thread then describes in a control block
//! (*LWPCB*) which events to count and points the hardware at it ([`LwpMsr1`]); the hardware counts down an interval
//! per event and stores *event records* into a ring buffer, which software drains.
//!
//! | to | use |
//! |---|---|
//! | find out what there is | [`PresenceBit`], [`LwpCaps`], [`AvailableFeatures`] |
//! | find out what is allowed | [`EnabledFeatures`] |
//! | allow it | [`LwpMsr0`] |
//! | describe a session | [`LwpcbBuilder`], giving an idle [`Lwpcb`] |
//! | put it where hardware sees it | [`LwpcbMemory`], giving an [`ActiveLwpcb`]; [`EventBuffer`] |
//! | start, pause and stop it | [`Session`] with [`LwpInstructions`], or [`LwpMsr1`] |
//! | take the records | [`RingReader`], [`EventRecord`], [`Event`] |
//! | switch threads, guests, SMM | [`context`]: [`ContextSwitch`], [`VmcbLwpArea`], [`SmmLwpArea`] |
//! | make any block, bad ones too | [`LwpcbImage`] |
//! | have it all put together | [`driver`] |
//!
//! What comes out is a sample: a record appears about every n-th event, not exactly.
//!
//! Source of everything here: AMD, *Lightweight Profiling Proposal*, 2007-07-20 ([`SPECIFICATION`]). Its figures are
//! lost and it leaves things open or contradicts itself in places; where this crate had to decide, the item says so.

mod builder;
mod caps;
pub mod context;
pub mod cpuid;
mod data_source;
pub mod driver;
mod event;
mod event_id;
mod features;
mod filter_word;
mod flags_word;
mod image;
mod instructions;
mod lwpcb;
mod lwpcb_addr;
mod lwpcb_error;
mod memory;
mod msr0;
mod msr1;
pub mod offset;
mod record;
mod record_branch;
mod record_dcache;
mod record_instruction;
mod ring;
mod ring_error;
#[cfg(all(test, loom))]
mod ring_schedules;
pub mod session;
mod size_word;
mod slot_word;

pub use builder::{CacheLevels, LwpcbBuilder};
pub use caps::{CapsError, LwpCaps};
pub use context::{ContextSwitch, LwpContextPort, LwpVolatileState, SmmLwpArea, VmcbLwpArea};
pub use cpuid::PresenceBit;
pub use data_source::DataSource;
pub use event::Event;
pub use event_id::{EventId, EventIdError};
pub use features::{AvailableFeatures, EdxLayout, EnabledFeatures, Features};
pub use filter_word::FilterWord;
pub use flags_word::FlagsWord;
pub use image::{LWPCB_MAX_BYTES, LwpcbImage, SlotImage};
pub use instructions::{ByMsr, LwpInstructions};
pub use lwpcb::Lwpcb;
pub use lwpcb_addr::{LwpcbAddr, LwpcbAddrError};
pub use lwpcb_error::LwpcbError;
pub use memory::{
    ActiveLwpcb, BufferView, EventBuffer, LwpcbBlock, LwpcbHeader, LwpcbMemory, LwpcbSlot, LwpcbWatch, ViewError,
};
pub use msr0::{EnableError, LwpMsr0, ThresholdHandler};
pub use msr1::LwpMsr1;
pub use record::{EventRecord, RecordWord};
pub use record_branch::{BranchRecord, BranchWord};
pub use record_dcache::{DcacheRecord, DcacheWord};
pub use record_instruction::{InstructionRecord, InstructionWord};
pub use ring::{Drain, RingReader};
pub use ring_error::RingError;
pub use session::Session;
pub use size_word::SizeWord;
pub use slot_word::{CounterWord, RECOMMENDED_MIN_INTERVAL, SlotWord};

use crate::layout::Layout;
use crate::msr::{Family, MsrNumbers};

/// The document that this module follows.
pub const SPECIFICATION: &str = "AMD, Lightweight Profiling Proposal, 2007-07-20";

/// Bytes of an event record in version 1.
pub const EVENT_RECORD_BYTES: usize = 32;
/// Bytes of the control block before its slots.
pub const LWPCB_HEADER_BYTES: usize = 40;
/// Bytes of a slot of the control block.
pub const LWPCB_SLOT_BYTES: usize = 8;
/// Largest number of slots: CPUID reports the size of the block, 40 + 8 * slots, in 8 bits.
pub const MAX_SLOTS: usize = (u8::MAX as usize - LWPCB_HEADER_BYTES) / LWPCB_SLOT_BYTES;

/// Bytes of a control block with `slots` slots; the largest `usize` if there are more than fit. An implementation may ask for more; see [`LwpCaps::lwpcb_size`].
#[must_use]
#[inline]
pub const fn lwpcb_bytes(slots: usize) -> usize {
    slots.saturating_mul(LWPCB_SLOT_BYTES).saturating_add(LWPCB_HEADER_BYTES)
}

/// Every register layout of the unit, for tests that check them all.
#[doc(hidden)]
pub const LAYOUTS: &[Layout] = &[
    cpuid::CpuidEax::LAYOUT,
    cpuid::CpuidEbx::LAYOUT,
    cpuid::CpuidEcx::LAYOUT,
    cpuid::CpuidEdx::LAYOUT,
    LwpMsr0::LAYOUT,
    FlagsWord::LAYOUT,
    SizeWord::LAYOUT,
    FilterWord::LAYOUT,
    SlotWord::LAYOUT,
    CounterWord::LAYOUT,
    RecordWord::LAYOUT,
    InstructionWord::LAYOUT,
    BranchWord::LAYOUT,
    DcacheWord::LAYOUT,
    context::HeadWord::LAYOUT,
    context::ContextFlags::LAYOUT,
    context::ResumeWord::LAYOUT,
    context::InterruptWord::LAYOUT,
];

/// Numbers of the model-specific registers of the unit.
#[doc(hidden)]
pub const MSRS: &[MsrNumbers] = &[
    MsrNumbers::one("LWPMSR0", Family::Amd, LwpMsr0::ADDRESS),
    MsrNumbers::one("LWPMSR1", Family::Amd, LwpMsr1::ADDRESS),
];

#[cfg(test)]
mod tests {
    use super::{MAX_SLOTS, lwpcb_bytes};

    // LWP-LCB-02, LWP-CPU-33
    #[test]
    fn sizes() {
        assert_eq!(lwpcb_bytes(3), 64);
        assert_eq!(MAX_SLOTS, 26);
        assert_eq!(lwpcb_bytes(MAX_SLOTS), 248);
    }
}
