//! What the unit sees in one cycle.

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
    /// The mode of a code of the port. Codes 5 to 7 are not used and act as protected mode.
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
    /// In System Management Mode, or entering or leaving it.
    pub smm: bool,
    /// Operating mode.
    pub op_mode: OpMode,
}

impl Mode {
    /// User mode as LWP means it: CPL 3 outside SMM.
    #[must_use]
    pub const fn ring3(self) -> bool {
        self.cpl == 3 && !self.smm
    }

    /// A linear address as this mode forms it: truncated to 32 bits outside 64-bit mode.
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
    /// The kind of a code of the port. Codes above 10 are not used; like `System`, they are never counted.
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

/// One load of a retiring instruction, as the miss address buffer saw it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// This port carries a load that missed the DCache.
    pub miss: bool,
    /// `addr` is known.
    pub addr_valid: bool,
    /// With the address policy replay: the tagged load, replayed.
    pub tagged: bool,
    /// Linear address of the lowest byte that missed.
    pub addr: u64,
    /// Latency in cycles, saturated at 2^LatencyBits - 16; or, with the latency source buffer, the entry of the miss
    /// address buffer in bits 2:0.
    pub latency: u32,
    /// Source of the data, 3 bits, as in the record.
    pub source: u8,
}

/// One retire lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// An instruction retires here.
    pub valid: bool,
    /// It contributes to the retired-instruction count.
    pub counts: bool,
    /// Its linear address.
    pub ip: u64,
    /// What kind of transfer of control it is.
    pub branch_kind: BranchKind,
    /// The transfer was taken.
    pub branch_taken: bool,
    /// The outcome of the prediction is known.
    pub branch_pred_valid: bool,
    /// The prediction was correct.
    pub branch_pred_ok: bool,
    /// Linear address of the instruction executed next.
    pub branch_next: u64,
    /// Its loads, in program order.
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

/// What happens at the miss address buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// A load that missed takes an entry.
    pub alloc_valid: bool,
    /// Which, 3 bits.
    pub alloc_entry: u8,
    /// The data of a load that missed in ring 3 has returned; the load has not retired.
    pub fill_valid: bool,
    /// Its entry, 3 bits.
    pub fill_entry: u8,
    /// Linear address of its instruction.
    pub fill_ip: u64,
    /// Its latency, unless the buffer measures it.
    pub fill_latency: u32,
    /// Source of its data, 3 bits.
    pub fill_source: u8,
    /// The replay of the tagged load was aborted.
    pub replay_abort: bool,
}

/// The control port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// An operation is requested.
    pub valid: bool,
    /// Which.
    pub op: CtlOp,
    /// Number of the context word of save and restore, 4 bits.
    pub word: u8,
    /// rAX of LLWPCB, or the value of a WRMSR or of a restore.
    pub wdata: u64,
    /// Base of DS (0 in 64-bit mode).
    pub ds_base: u64,
}

/// What the memory answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The standing request is taken in this cycle.
    pub gnt: bool,
    /// The response is here.
    pub rvalid: bool,
    /// With `rvalid`: page fault, nothing was read or written.
    pub err: bool,
    /// With `rvalid`: the aligned 8 bytes.
    pub rdata: u64,
}

/// All inputs of one cycle; `W` is the number of retire lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs<const W: usize> {
    /// Mode of the processor.
    pub mode: Mode,
    /// Only the loads of lane 0 are looked at; their instruction retires in lane 0 in a later cycle.
    pub partial: bool,
    /// Retire lanes, the oldest instruction in lane 0.
    pub lanes: [Lane; W],
    /// Miss address buffer.
    pub buffer: Buffer,
    /// Random bits, if the strap asks for them.
    pub entropy: u32,
    /// Control port.
    pub ctl: Control,
    /// Memory port.
    pub mem: Memory,
    /// The core takes the page-fault trap.
    pub pf_ack: bool,
    /// The core takes the interrupt.
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
