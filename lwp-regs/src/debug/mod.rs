//! The debug registers: breakpoints on instructions, data and I/O, single-step, and their exception #DB.
//!
//! Up to four breakpoints have an address each (DR0 to DR3); DR7 says which are on and what they wait for; when one is
//! hit, or something else stops the program, the processor raises #DB and DR6 tells why.
//!
//! | to | use |
//! |---|---|
//! | find out what there is | [`DebugCaps`], [`BreakpointLimits`] |
//! | describe breakpoints, and have undefined ones refused | [`Breakpoint`], [`BreakpointSet`] |
//! | arm them | [`BreakpointSet::arm`] with a [`DebugBus`] |
//! | handle #DB | [`DebugEntry`], [`DebugFrame`] |
//! | get past an instruction breakpoint | [`DebugEntry::resume`], or [`Dr7::without`] |
//! | know a variable's old and new value | [`WriteWatch`] |
//! | step through a program, or into a handler | [`DebugEntry::step`], [`StepInto`] |
//! | know what an access hits | [`Access`], [`BreakpointSet::hit_by`], [`hit_mask`] |
//! | keep the registers from others | [`Dr7::with_gd`], [`Dr7::check_access`] |
//! | stand for the registers: a virtual processor, a test | [`DebugRegisterFile`], [`resolve`] |
//! | check the task that handles #DB | [`check_debug_gate`] |
//! | read and write one register | [`Dr`]: [`Dr6::DR`], [`Dr7::DR`], [`Slot::register`] |
//!
//! These are no model-specific registers: MOV reaches them, and a MOV may raise #DB itself (general detect), #UD (DR4
//! and DR5) or #GP. Branch records, the branch-trace store and `IA32_DEBUGCTL` are in [`trace`](crate::trace).
//!
//! Source of everything here: Intel SDM volume 3B, chapter "Debug, Branch Profile, TSC, and Intel Resource Director
//! Technology (Intel RDT) Features", as cited by section title at each item.
//!
//! [`DebugBus`]: crate::access::DebugBus

mod address;
mod breakpoint;
mod caps;
mod condition;
mod dr6;
mod dr7;
mod eflags;
mod entry;
mod frame;
mod handle;
mod limits;
mod match_rules;
mod matching;
mod mode;
mod pushed_flag;
mod register_file;
#[cfg(test)]
mod scripted;
mod set;
mod slot;
mod status_kept;
mod step_into;
mod task_gate;
mod watch;

pub use address::BreakpointAddress;
pub use breakpoint::Breakpoint;
pub use caps::DebugCaps;
pub use condition::{Condition, Enable, Length};
pub use dr6::Dr6;
pub use dr7::Dr7;
pub use eflags::Eflags;
pub use entry::{DebugEntry, ExceptionClass};
pub use frame::{DebugFrame, Delivery};
pub use handle::{Dr, DrValue};
pub use limits::BreakpointLimits;
pub use match_rules::MatchRules;
pub use matching::Access;
pub use mode::{Cpl, ProcessorMode};
pub use pushed_flag::PushedBy;
pub use register_file::{DebugRegisterFile, resolve};
pub use set::{BreakpointSet, hit_mask};
pub use slot::{Slot, Slots};
pub use status_kept::StatusKept;
pub use step_into::{StepInto, software_interrupt};
pub use task_gate::{TssTrapWord, check_debug_gate};
pub use watch::{Change, WriteWatch};

use crate::layout::Layout;
use crate::msr::MsrNumbers;

/// Vector of the debug exception, #DB.
pub const DEBUG_VECTOR: u8 = 1;
/// Vector of the breakpoint exception, #BP, which INT3 raises.
pub const BREAKPOINT_VECTOR: u8 = 3;
/// INT3, the instruction of one byte that a debugger writes over another when four breakpoints are not enough. INT1
/// (F1h) is left to the makers of hardware debuggers.
pub const INT3: u8 = 0xCC;

/// Every register layout of the unit, for tests that check them all.
#[doc(hidden)]
pub const LAYOUTS: &[Layout] =
    &[BreakpointAddress::LAYOUT, Dr6::LAYOUT, Dr7::LAYOUT, Eflags::LAYOUT, TssTrapWord::LAYOUT];

/// Numbers of the model-specific registers of the unit: it has none.
#[doc(hidden)]
pub const MSRS: &[MsrNumbers] = &[];
