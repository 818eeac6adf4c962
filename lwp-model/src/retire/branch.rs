//! What a lane shows of a transfer of control.

use crate::choice::choice;

/// Class of a transfer of control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum BranchKind {
    /// Not a transfer of control.
    #[default]
    None = 0,
    /// `JMP rel`.
    Jmp = 1,
    /// `Jcc`, `LOOPx`, `JCXZ` and its variants.
    Jcc = 2,
    /// `JMP` through a register or memory.
    JmpInd = 3,
    /// `CALL rel`.
    Call = 4,
    /// `CALL` through a register or memory.
    CallInd = 5,
    /// Near `RET`.
    Ret = 6,
    /// Far `JMP` that leaves the CPL unchanged.
    FarJmp = 7,
    /// Far `CALL` that leaves the CPL unchanged.
    FarCall = 8,
    /// Far `RET` that leaves the CPL unchanged.
    FarRet = 9,
    /// Traps and mode switches by an instruction.
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
    Jmp = "JMP rel",
    Jcc = "Jcc",
    JmpInd = "JMP indirect",
    Call = "CALL rel",
    CallInd = "CALL indirect",
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
