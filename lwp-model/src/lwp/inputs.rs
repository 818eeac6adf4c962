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

/// One load of a retiring instruction, as the miss address buffer saw it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// This port carries a load that missed the DCache.
    pub miss: bool,
    /// `addr` is known.
    pub addr_valid: bool,
    /// Linear address of the lowest byte that missed.
    pub addr: u64,
    /// Latency in cycles, saturated at 2^LatencyBits - 16.
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
    /// No operation has this code: #UD.
    Reserved6 = 6,
    /// No operation has this code: #UD.
    Reserved7 = 7,
}

/// The control port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// An operation is requested.
    pub valid: bool,
    /// Which.
    pub op: CtlOp,
    /// rAX of LLWPCB, or the value of a WRMSR.
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
            ctl: Control::default(),
            mem: Memory::default(),
            pf_ack: false,
            irq_ack: false,
        }
    }
}
