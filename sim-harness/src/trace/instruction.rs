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

impl BranchKind {
    /// All classes, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Jmp,
        Self::Jcc,
        Self::JmpInd,
        Self::Call,
        Self::CallInd,
        Self::Ret,
        Self::FarJmp,
        Self::FarCall,
        Self::FarRet,
        Self::System,
    ];

    /// The class with this number in the retire port's `branch_kind` field; `None` if there is none.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        let index = usize::from(number).checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// The name of the class in a retire log.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Jmp => "jmp",
            Self::Jcc => "jcc",
            Self::JmpInd => "jmp_ind",
            Self::Call => "call",
            Self::CallInd => "call_ind",
            Self::Ret => "ret",
            Self::FarJmp => "far_jmp",
            Self::FarCall => "far_call",
            Self::FarRet => "far_ret",
            Self::System => "system",
        }
    }

    /// Whether the class is a far transfer, which may change the privilege level.
    #[must_use]
    pub fn is_far(self) -> bool {
        matches!(self, Self::FarJmp | Self::FarCall | Self::FarRet)
    }
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

impl Retired {
    /// Makes it an instruction at `ip` in user mode that is no branch and loads nothing. The
    /// memory of `loads` is kept.
    pub fn reset(&mut self, ip: u64) {
        self.ip = ip;
        self.cpl = 3;
        self.smm = false;
        self.branch = None;
        self.loads.clear();
    }
}
