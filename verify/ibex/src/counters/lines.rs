//! What an instruction adds to the lines that counters select, and which line a selection means.
//!
//! Source: docs/src/perf/events.md for the lines and selections; The RISC-V Instruction Set Manual, Volume I, for the words, and
//! Volume II, "Trap-Return Instructions".

use crate::instruction::{Kind, data_access, kind, length};
use crate::trace::Shown;

/// What occurs in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) instructions: u32,
    pub(super) branches: u32,
    pub(super) taken: u32,
    /// Loads and stores; one that the core splits is two.
    pub(super) references: u32,
    /// An access crosses a 64-bit boundary.
    pub(super) misaligned: u32,
    /// Interrupts, without exceptions.
    pub(super) interrupts: u32,
}

/// A line, and the clock in whose cycles it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    Nothing,
    Instructions,
    Branches,
    Taken,
    /// Mispredicted branches: RVFI does not show them, so there are none.
    Mispredicted,
    References,
    Misaligned,
    Interrupts,
    Cycles,
    BusCycles,
}

/// The word of MRET.
pub(super) const MRET: u32 = 0x3020_0073;

impl Lines {
    /// Returns what an instruction adds when it retires.
    pub(super) fn of(shown: &Shown) -> Self {
        let branch = match kind(shown.word) {
            Kind::Conditional => Some(shown.next != shown.pc.wrapping_add(length(shown.word))),
            Kind::Unconditional => Some(true),
            _ => (shown.word == MRET).then_some(true),
        };
        let crosses = |bytes: u32| {
            let size = data_access(shown.word).map_or(0, |access| access.bytes);
            size != 0 && shown.address % bytes + size > bytes
        };
        let references = if data_access(shown.word).is_none() { 0 } else { 1 + u32::from(crosses(4)) };
        Self {
            instructions: 1,
            branches: u32::from(branch.is_some()),
            taken: u32::from(branch == Some(true)),
            references,
            misaligned: u32::from(crosses(8)),
            interrupts: 0,
        }
    }
}

impl Selection {
    /// Returns what bits 15:0 of an event select mean in general counter `c`.
    pub(super) fn general(architectural: bool, select: u32) -> Self {
        match (architectural, select & 0xFFFF) {
            (_, 0x00C0) => Self::Instructions,
            (_, 0x00C4) => Self::Branches,
            (_, 0x00C5) => Self::Mispredicted,
            (false, 0x00C9) => Self::Taken,
            (false, 0x0043) => Self::References,
            (false, 0x0005) => Self::Misaligned,
            (false, 0x00C8) => Self::Interrupts,
            (false, 0x0079) | (true, 0x003C) => Self::Cycles,
            (true, 0x013C) => Self::BusCycles,
            _ => Self::Nothing,
        }
    }

    /// Returns what fixed counter `k` counts.
    pub(super) fn fixed(k: usize) -> Self {
        [Self::Instructions, Self::Cycles, Self::BusCycles][k]
    }

    /// Returns how often the event occurs in a cycle with these lines.
    pub(super) fn number(self, lines: &Lines) -> u32 {
        match self {
            Self::Nothing | Self::Mispredicted => 0,
            Self::Instructions => lines.instructions,
            Self::Branches => lines.branches,
            Self::Taken => lines.taken,
            Self::References => lines.references,
            Self::Misaligned => lines.misaligned,
            Self::Interrupts => lines.interrupts,
            Self::Cycles | Self::BusCycles => 1,
        }
    }

    /// Returns whether its clock is the bus clock.
    pub(super) fn of_bus(self) -> bool {
        self == Self::BusCycles
    }
}
