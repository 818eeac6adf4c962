//! One retired instruction, as a trace gives it and as the retire port expects it.

use lwp_model::retire::{Flags, Interruption, Io, OpMode, Transaction};

/// The classes of transfer of control that the retire port distinguishes.
///
/// The numbers are those of the retire port's `branch_kind` field. Source: Lightweight Profiling Proposal (2007-07-20),
/// "Branches Retired".
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

    /// Returns the class with this number in the retire port's `branch_kind` field; `None` if it does not exist.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        let index = usize::from(number).checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// Returns the name of the class in a retire log.
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

/// The outcome of a transfer of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The class.
    pub kind: BranchKind,
    /// Whether it was taken.
    pub taken: bool,
    /// The linear address of the instruction executed next: the target, or the fall-through if not taken.
    pub next: u64,
    /// Whether it was predicted correctly; `None` while unknown.
    pub predicted: Option<bool>,
}

/// One load of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// The linear address of the data; `None` if the trace does not contain it.
    pub addr: Option<u64>,
    /// The size in bytes; 0 if the trace does not contain it.
    pub size: u16,
    /// Whether it missed the DCache.
    pub miss: bool,
    /// The source of the data, 3 bits, as in the event record (0 none, 1 local L3, 2 remote, 3 DRAM, 7 other).
    pub source: u8,
    /// The latency of the miss in cycles.
    pub latency: u32,
    /// The number of bytes of the load before the lowest byte that missed. It is 0 in a trace, where `addr` is the byte
    /// that missed.
    pub before_miss: u16,
}

impl Load {
    /// Returns the linear address of the lowest byte that missed, if the load missed and the address is known.
    #[inline]
    #[must_use]
    pub fn miss_addr(&self) -> Option<u64> {
        self.addr.map(|addr| addr.wrapping_add(u64::from(self.before_miss)))
    }
}

/// One store of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Store {
    /// The linear address of the data.
    pub addr: u64,
    /// The size in bytes; 0 if the trace does not contain it.
    pub size: u16,
}

/// One retired instruction.
///
/// The lists are reused from record to record: clear, then push.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Retired {
    /// The linear address of the instruction.
    pub ip: u64,
    /// The length in bytes, 1 to 15; 0 if the trace does not contain it.
    pub length: u8,
    /// The privilege level at which it executed (0 to 3).
    pub cpl: u8,
    /// Whether it executed in System Management Mode.
    pub smm: bool,
    /// The operating mode in which it executed; `None` for that of the session.
    pub op_mode: Option<OpMode>,
    /// The base of CS.
    pub cs_base: u64,
    /// The outcome, if it is a transfer of control.
    pub branch: Option<Branch>,
    /// The loads that it made, in program order.
    pub loads: Vec<Load>,
    /// The stores that it made, in program order.
    pub stores: Vec<Store>,
    /// The port that it accessed.
    pub io: Io,
    /// The properties of its flags.
    pub flags: Flags,
    /// Its relation to a transaction.
    pub transaction: Transaction,
    /// The interruptions delivered before it, in the order of delivery.
    pub interruptions: Vec<Interruption>,
}

impl Retired {
    /// Resets the record to an instruction at `ip` in user mode that is not a branch and loads and stores nothing. The
    /// memory of the lists is kept.
    #[inline]
    pub fn reset(&mut self, ip: u64) {
        self.ip = ip;
        self.length = 0;
        self.cpl = 3;
        self.smm = false;
        self.op_mode = None;
        self.cs_base = 0;
        self.branch = None;
        self.loads.clear();
        self.stores.clear();
        self.io = Io::default();
        self.flags = Flags::default();
        self.transaction = Transaction::default();
        self.interruptions.clear();
    }

    /// Returns the linear address of the next instruction in memory; `None` if its length is not known.
    #[must_use]
    pub fn neighbour(&self) -> Option<u64> {
        (self.length > 0).then(|| self.ip.wrapping_add(u64::from(self.length)))
    }
}
