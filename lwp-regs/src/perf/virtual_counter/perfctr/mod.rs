//! The interface of perfctr for Linux 2.4: files of a task's counters, the device of the global mode, and their calls.
//!
//! | call of perfctr | here |
//! |---|---|
//! | initialisation | [`Perfctr::init`] |
//! | `open`, `release`, `mmap` of `/proc/<pid>/perfctr` | [`Perfctr::open`], [`Perfctr::release`], [`Perfctr::mmap`] |
//! | `PERFCTR_INFO` | [`Perfctr::info`], [`Global::info`] |
//! | `VPERFCTR_CONTROL`, `_STOP`, `_UNLINK`, `_SAMPLE`, `_IRESUME` | [`Perfctr::control`], [`stop`](Perfctr::stop), [`unlink`](Perfctr::unlink), [`sample`](Perfctr::sample), [`iresume`](Perfctr::iresume) |
//! | `__switch_to`, `exit_thread`, the interrupt | [`Perfctr::switch`], [`Perfctr::exit`], [`Perfctr::interrupt`] |
//! | `GPERFCTR_CONTROL`, `_READ`, `_STOP` | [`Global::control`], [`Global::read`], [`Global::stop`] |
//! | the sampling timer | [`Global::timer`], [`Global::tick`] |
//! | the line of `/proc/interrupts` | [`InterruptCounts`] |
//!
//! The system calls each under a lock of its own. Nothing here allocates: objects come from a pool of fixed size.

mod call_error;
mod command;
mod global;
mod hooks;
mod info;
mod interrupt_counts;
mod object;
mod page;
mod self_test;
#[cfg(test)]
mod tests;
mod virtual_calls;

pub use call_error::CallError;
pub use command::{GlobalCommand, VirtualCommand};
pub use global::{BadAddress, CpuControl, CpuState, Global, UserStates};
pub use info::{Info, Options, ProcEntry};
pub use interrupt_counts::InterruptCounts;
pub use object::{File, Perfctr, Tasks};
pub use page::{Page, read_mapped};
pub use self_test::{SelfTestError, self_test};
