//! Branch.

use crate::choice::choice;

/// Classes of transfer of control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum BranchKind {
    /// Not a transfer of control.
    #[default]
    None = 0,
    /// JMP rel.
    JmpRel = 1,
    /// Jcc, LOOPx, JCXZ and its variants.
    Cond = 2,
    /// JMP through a register or memory.
    JmpIndirect = 3,
    /// CALL rel.
    CallRel = 4,
    /// CALL through a register or memory.
    CallIndirect = 5,
    /// Near RET.
    Ret = 6,
    /// Far JMP that leaves the privilege level unchanged.
    FarJmp = 7,
    /// Far CALL that leaves the privilege level unchanged.
    FarCall = 8,
    /// Far RET that leaves the privilege level unchanged.
    FarRet = 9,
    /// Transfer by an instruction that may change the privilege level: INT n, IRET, SYSCALL, RSM and the like.
    System = 10,
    /// Not used, acts as system.
    Unused11 = 11,
    /// Not used, acts as system.
    Unused12 = 12,
    /// Not used, acts as system.
    Unused13 = 13,
    /// Not used, acts as system.
    Unused14 = 14,
    /// Not used, acts as system.
    Unused15 = 15,
}

choice!(BranchKind {
    None = "none",
    JmpRel = "JMP rel",
    Cond = "Jcc",
    JmpIndirect = "JMP indirect",
    CallRel = "CALL rel",
    CallIndirect = "CALL indirect",
    Ret = "RET",
    FarJmp = "far JMP",
    FarCall = "far CALL",
    FarRet = "far RET",
    System = "system",
    Unused11 = "unused 11",
    Unused12 = "unused 12",
    Unused13 = "unused 13",
    Unused14 = "unused 14",
    Unused15 = "unused 15",
});

impl BranchKind {
    /// Returns the kind that this one acts as: itself, or system for a code that is not used.
    #[must_use]
    pub const fn acts_as(self) -> Self {
        match self {
            Self::Unused11 | Self::Unused12 | Self::Unused13 | Self::Unused14 | Self::Unused15 => Self::System,
            used => used,
        }
    }
}

/// Transfer of control by an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// Class of the transfer.
    pub kind: BranchKind,
    /// Whether the transfer was taken. `true` for every kind but none and Jcc; a unit reads it for all kinds.
    pub taken: bool,
    /// Whether `pred_ok` is valid.
    pub pred_valid: bool,
    /// Whether the transfer was predicted correctly. Valid with `pred_valid`.
    pub pred_ok: bool,
    /// Address of the instruction that is executed next if nothing interrupts. Valid if `kind` is not none.
    pub next: u64,
}
