//! What a thread's session is beyond its control block, and how it changes hands.
//!
//! Head, counters, owed MissedEvents and a record that could not be stored yet live in hardware. A system that
//! switches threads or guests, or turns off a core's power in SMM, has to carry them along, and it cannot count on the
//! control block for that: the block is user memory and may be paged out.
//!
//! | to carry it | use | memory access |
//! |---|---|---|
//! | by the hardware's save and restore port | [`LwpContextPort`], [`ContextSwitch::save`] | none |
//! | by the pointer alone, LWPMSR1 | [`ContextSwitch::save_pointer`] | the block is written, which may page-fault |
//!
//! # What a context switch has to do
//!
//! 1. Save the state of the thread that leaves, **while its address space is still the current one** if the pointer
//!    path is used: reading LWPMSR1 makes hardware write to the block.
//! 2. Never return to ring 3 before the hardware has been given the state of the thread that comes, or has been made
//!    inactive. A stale pointer makes hardware write one process' data into another's memory.
//! 3. Restore the state that was saved last for this thread, and that only once.
//! 4. Restoring touches no memory: hardware reads the block when ring 3 is entered, where a page fault can be taken.
//! 5. A threshold interrupt that was requested stays so. It may arrive in another thread and carries no data; its
//!    handler has to find out by itself whose buffer it was.
//!
//! [`ContextSwitch`] keeps 1 to 3 by its types.
//!
//! Source: Lightweight Profiling Proposal (2007-07-20), "Processor State for context switch, SVM, and SMM" and
//! "Security". The form of the state is this project's; the proposal lists its contents, less completely.
#![allow(unsafe_code)] // the port's accesses are unsafe; each use states why it may

mod context_flags;
mod error;
mod head_word;
mod interrupt_word;
mod port;
mod resume_word;
mod saved;
mod smm;
#[cfg(test)]
mod stub;
mod switch;
mod switch_pointer;
mod vmcb;
mod volatile_state;

pub use context_flags::ContextFlags;
pub use error::ContextError;
pub use head_word::HeadWord;
pub use interrupt_word::InterruptWord;
pub use port::LwpContextPort;
pub use resume_word::ResumeWord;
pub use saved::{SavedContext, SavedPointer};
pub use smm::SmmLwpArea;
pub use switch::{ContextSwitch, Leaving, Running, SwitchError};
pub use switch_pointer::LeavingByPointer;
pub use vmcb::VmcbLwpArea;
pub use volatile_state::LwpVolatileState;
