//! Inputs of one cycle.

/// Loads that one retire lane can report in one cycle.
pub const LOAD_PORTS: usize = 2;

/// Operating mode of the processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum OpMode {
    /// Real mode: LLWPCB and SLWPCB are invalid.
    Real = 0,
    /// Virtual-8086 mode: LLWPCB and SLWPCB are invalid.
    Virtual8086 = 1,
    /// Legacy protected mode, 32-bit addresses.
    Protected = 2,
    /// Compatibility mode (32-bit code under long mode), 32-bit addresses.
    Compatibility = 3,
    /// 64-bit mode.
    #[default]
    Long64 = 4,
}

impl OpMode {
    /// Returns the mode that the port encodes as `code`. Codes 5 to 7 are not used and act as protected mode.
    #[must_use]
    pub const fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Real,
            1 => Self::Virtual8086,
            3 => Self::Compatibility,
            4 => Self::Long64,
            _ => Self::Protected,
        }
    }
}

/// Privilege and operating mode in this cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Current privilege level, 0 to 3.
    pub cpl: u8,
    /// Whether the processor is in System Management Mode, or enters or leaves it.
    pub smm: bool,
    /// Operating mode.
    pub op_mode: OpMode,
}

impl Mode {
    /// Whether LWP counts this mode as user mode: CPL 3 outside SMM.
    #[must_use]
    pub const fn ring3(self) -> bool {
        self.cpl == 3 && !self.smm
    }

    /// Returns a linear address as this mode forms it: truncated to 32 bits outside 64-bit mode.
    #[must_use]
    pub const fn linear(self, address: u64) -> u64 {
        if matches!(self.op_mode, OpMode::Long64) { address } else { address & 0xFFFF_FFFF }
    }
}

/// Classes of transfer of control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Traps, interrupts and mode switches: never counted.
    System = 10,
}

impl BranchKind {
    /// Returns the kind that the port encodes as `code`. Codes above 10 are not used; like `System`, they are never counted.
    #[must_use]
    pub const fn from_code(code: u8) -> Self {
        match code {
            0 => Self::None,
            1 => Self::Jmp,
            2 => Self::Jcc,
            3 => Self::JmpInd,
            4 => Self::Call,
            5 => Self::CallInd,
            6 => Self::Ret,
            7 => Self::FarJmp,
            8 => Self::FarCall,
            9 => Self::FarRet,
            _ => Self::System,
        }
    }
}

/// A load of a retiring instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Whether this port carries a load that missed the DCache.
    pub miss: bool,
    /// Whether `addr` is known.
    pub addr_valid: bool,
    /// Whether the load is the replay of the tagged load. Ignored unless the address policy is replay.
    pub tagged: bool,
    /// Linear address of the lowest byte that missed.
    pub addr: u64,
    /// Latency in cycles, saturated at 2^LatencyBits - 16. With the latency source buffer, bits 2:0 are the number of the entry of the
    /// miss address buffer.
    pub latency: u32,
    /// Source of the data, 3 bits, as in the record.
    pub source: u8,
}

/// An instruction that retires in a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// Whether an instruction retires in this lane; in a `partial` cycle, whether lane 0 has loads.
    pub valid: bool,
    /// Whether the instruction contributes to the counts.
    pub counts: bool,
    /// Linear address of the instruction.
    pub ip: u64,
    /// Class of the transfer of control.
    pub branch_kind: BranchKind,
    /// Whether the transfer was taken.
    pub branch_taken: bool,
    /// Whether `branch_pred_ok` is valid.
    pub branch_pred_valid: bool,
    /// Whether the branch was predicted correctly.
    pub branch_pred_ok: bool,
    /// Linear address of the instruction executed next.
    pub branch_next: u64,
    /// Loads of the instruction, in program order.
    pub loads: [Load; LOAD_PORTS],
}

/// Operations of the control port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum CtlOp {
    /// `LLWPCB`, rAX in `wdata`.
    #[default]
    Llwpcb = 0,
    /// `SLWPCB`.
    Slwpcb = 1,
    /// `RDMSR` of LWPMSR0.
    ReadMsr0 = 2,
    /// `WRMSR` of LWPMSR0.
    WriteMsr0 = 3,
    /// `RDMSR` of LWPMSR1.
    ReadMsr1 = 4,
    /// `WRMSR` of LWPMSR1.
    WriteMsr1 = 5,
    /// Reads a word of the context.
    Save = 6,
    /// Writes a word of the context.
    Restore = 7,
    /// No operation has this code: #UD.
    Reserved8 = 8,
    /// No operation has this code: #UD.
    Reserved9 = 9,
    /// No operation has this code: #UD.
    Reserved10 = 10,
    /// No operation has this code: #UD.
    Reserved11 = 11,
    /// No operation has this code: #UD.
    Reserved12 = 12,
    /// No operation has this code: #UD.
    Reserved13 = 13,
    /// No operation has this code: #UD.
    Reserved14 = 14,
    /// No operation has this code: #UD.
    Reserved15 = 15,
}

impl CtlOp {
    /// Every code of the port, in order.
    pub const ALL: [Self; 16] = [
        Self::Llwpcb,
        Self::Slwpcb,
        Self::ReadMsr0,
        Self::WriteMsr0,
        Self::ReadMsr1,
        Self::WriteMsr1,
        Self::Save,
        Self::Restore,
        Self::Reserved8,
        Self::Reserved9,
        Self::Reserved10,
        Self::Reserved11,
        Self::Reserved12,
        Self::Reserved13,
        Self::Reserved14,
        Self::Reserved15,
    ];
}

/// Inputs for the miss address buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// Whether a load that missed takes an entry.
    pub alloc_valid: bool,
    /// Entry that is taken, 3 bits. Valid with `alloc_valid`.
    pub alloc_entry: u8,
    /// Whether the data of a load that missed in ring 3 has returned; the load has not retired.
    pub fill_valid: bool,
    /// Entry whose data has returned, 3 bits. Valid with `fill_valid`.
    pub fill_entry: u8,
    /// Linear address of the instruction whose data has returned. Valid with `fill_valid`.
    pub fill_ip: u64,
    /// Latency in cycles of the load whose data has returned. Valid with `fill_valid` if the latency source is core.
    pub fill_latency: u32,
    /// Source of the data that has returned, 3 bits. Valid with `fill_valid`.
    pub fill_source: u8,
    /// Whether the replay of the tagged load was aborted.
    pub replay_abort: bool,
}

/// The control port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Whether an operation is requested. It is accepted in a cycle without a stall; the other fields are valid with it.
    pub valid: bool,
    /// Requested operation.
    pub op: CtlOp,
    /// Number of the context word of save and restore, 4 bits.
    pub word: u8,
    /// rAX of LLWPCB, or the value of a WRMSR or of a restore.
    pub wdata: u64,
    /// Base of DS (0 in 64-bit mode).
    pub ds_base: u64,
}

/// Grant and response of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Whether memory takes the pending request in this cycle.
    pub gnt: bool,
    /// Whether the response of the granted access is valid in this cycle.
    pub rvalid: bool,
    /// Whether the access page-faulted: nothing was read or written. Valid with `rvalid`.
    pub err: bool,
    /// Aligned 8 bytes that were read. Valid with `rvalid` of a read.
    pub rdata: u64,
}

/// All inputs of one cycle; `W` is the number of retire lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs<const W: usize> {
    /// Mode of the processor.
    pub mode: Mode,
    /// Whether lane 0 presents only loads, of an instruction that retires in lane 0 in a later cycle.
    pub partial: bool,
    /// Retire lanes, the oldest instruction in lane 0.
    pub lanes: [Lane; W],
    /// Miss address buffer.
    pub buffer: Buffer,
    /// Random bits. Used only with the strap `entropy` = port.
    pub entropy: u32,
    /// Control port.
    pub ctl: Control,
    /// Memory port.
    pub mem: Memory,
    /// Whether the core takes the page-fault trap.
    pub pf_ack: bool,
    /// Whether the core takes the threshold interrupt.
    pub irq_ack: bool,
}

impl<const W: usize> Default for Inputs<W> {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            partial: false,
            lanes: [Lane::default(); W],
            buffer: Buffer::default(),
            entropy: 0,
            ctl: Control::default(),
            mem: Memory::default(),
            pf_ack: false,
            irq_ack: false,
        }
    }
}
