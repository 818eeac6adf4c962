//! Memory that is shared with hardware. The only place of the unit with pointers in it.
//!
//! Hardware changes this memory behind the compiler's back, so nothing here makes a reference to the whole of it: the
//! views hold a pointer and read field by field, each in one volatile access.
#![allow(unsafe_code)] // raw memory is this module's job

mod active;
mod block;
mod buffer;
#[cfg(all(test, loom))]
pub(crate) mod loom_cells;
mod view_error;
mod watch;

pub use active::ActiveLwpcb;
pub use block::{LwpcbBlock, LwpcbHeader, LwpcbMemory, LwpcbSlot};
pub use buffer::{BufferView, EventBuffer};
pub use view_error::ViewError;
pub use watch::LwpcbWatch;
