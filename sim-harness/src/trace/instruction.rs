//! One retired instruction, as a trace gives it and as the retire port wants it.

/// The classes of transfer of control that the retire port tells apart.
///
/// Numbers are those of the retire port's `branch_kind` field. Source: Lightweight Profiling
/// Proposal (2007-07-20), "Branches Retired".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum BranchKind {
    /// `JMP rel`: unconditional, direct.
    Jmp = 1,
    /// `Jcc`, `JCXZ` and its variants, `LOOPx`: conditional, direct.
    Jcc = 2,
    /// `JMP` through a register or memory.
    JmpInd = 3,
    /// `CALL rel`.
    Call = 4,
    /// `CALL` through a register or memory.
    CallInd = 5,
    /// Near `RET`.
    Ret = 6,
    /// Far `JMP` with unchanged CPL.
    FarJmp = 7,
    /// Far `CALL` with unchanged CPL.
    FarCall = 8,
    /// Far `RET` with unchanged CPL.
    FarRet = 9,
    /// `SYSCALL`, `SYSENTER`, `INT n`, `IRET`: never a branch event.
    System = 10,
}

/// How a transfer of control ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its class.
    pub kind: BranchKind,
    /// Whether it was taken.
    pub taken: bool,
    /// Linear address of the instruction executed next: target, or fall-through if not taken.
    pub next: u64,
    /// Whether it was predicted correctly; `None` while nobody knows.
    pub predicted: Option<bool>,
}

/// One load of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Linear address of the data (the lowest byte that missed, once `miss` is set); `None` if the
    /// trace does not know it.
    pub addr: Option<u64>,
    /// Size in bytes; 0 if the trace does not know it.
    pub size: u16,
    /// Whether it missed the DCache.
    pub miss: bool,
    /// Latency of the miss in cycles.
    pub latency: u32,
    /// Source of the data, 3 bits, as in the event record (0 none, 1 local L3, 2 remote, 3 DRAM, 7 other).
    pub source: u8,
}

/// One retired instruction.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Retired {
    /// Linear address of the instruction.
    pub ip: u64,
    /// Privilege level at which it executed (0 to 3).
    pub cpl: u8,
    /// Whether it executed in System Management Mode.
    pub smm: bool,
    /// What it did if it is a transfer of control.
    pub branch: Option<Branch>,
    /// The loads it did, in program order. Reused from record to record: clear, then push.
    pub loads: Vec<Load>,
}
