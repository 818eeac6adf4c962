//! Inputs of one cycle.

use super::operation::RegOp;

/// Memory records in a cycle.
pub const MEM_PORTS: usize = 2;

/// A bundle that is fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fetch {
    /// A bundle is fetched. The other fields are valid with it.
    pub valid: bool,
    /// Entry of the table that the bundle gets, 4 bits. The lowest bits count, as many as a build's entries need.
    pub id: u8,
    /// Virtual address of the bundle. Bits 3:0 are ignored.
    pub addr: u64,
    /// Privilege level for which it is fetched.
    pub cpl: u8,
}

/// A bundle whose first instruction is issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Issue {
    /// The first instruction of a bundle is issued. The other fields are valid with it.
    pub valid: bool,
    /// Entry of the bundle.
    pub id: u8,
    /// Template, 5 bits.
    pub template_code: u8,
    /// Slot 0, 41 bits.
    pub slot0: u64,
    /// Slot 1, 41 bits.
    pub slot1: u64,
    /// Slot 2, 41 bits.
    pub slot2: u64,
}

/// Instructions of a bundle that retire. Bit s of a field is about the instruction in slot s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retire {
    /// Instructions of a bundle retire. The other fields are valid with it.
    pub valid: bool,
    /// Entry of the bundle.
    pub id: u8,
    /// The instruction retires.
    pub slots: u8,
    /// The instruction's qualifying predicate is 0.
    pub off: u8,
    /// The instruction is a branch.
    pub branch: u8,
    /// The instruction is a branch that was taken.
    pub taken: u8,
}

/// Events of one memory access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mem {
    /// The record holds events. The other fields are valid with it.
    pub valid: bool,
    /// Entry of the instruction's bundle.
    pub id: u8,
    /// Slot of the instruction; 3 acts as 2.
    pub slot: u8,
    /// Virtual address of the lowest byte that the instruction accesses.
    pub addr: u64,
    /// A load is retired.
    pub read: bool,
    /// A store is retired.
    pub write: bool,
    /// The access reads the L1 data cache.
    pub l1d_read: bool,
    /// A read of the L1 data cache misses.
    pub l1d_miss: bool,
    /// The L2 cache gets a data read.
    pub l2_read: bool,
    /// The L2 cache gets a data write.
    pub l2_write: bool,
    /// A request to the L2 cache misses.
    pub l2_miss: bool,
    /// The access misses the first-level data TLB.
    pub dtc_miss: bool,
    /// The access misses the second-level data TLB.
    pub dtlb_miss: bool,
}

/// A register request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegRequest {
    /// A request is made. The other fields are valid with it.
    pub valid: bool,
    /// What is asked for.
    pub op: RegOp,
    /// Logical processor that asks, 3 bits. Not used: the unit has one.
    pub lp: u8,
    /// Bits 7:0 are an index, bits 10:8 a register file. The others are ignored.
    pub number: u32,
    /// Source: a register, or an immediate, zero-extended.
    pub wdata: u64,
}

/// Inputs of one cycle, in the order of the RTL's ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs<const BUNDLES: usize> {
    /// Bundles that are fetched.
    pub fetch: [Fetch; BUNDLES],
    /// Bundles that are issued.
    pub issue: [Issue; BUNDLES],
    /// Bundles that retire, in program order.
    pub retire: [Retire; BUNDLES],
    /// IA-32 instructions that retire, 2 bits.
    pub ia32: u8,
    /// Memory records.
    pub mem: [Mem; MEM_PORTS],
    /// A period of the core's clock begins in this cycle.
    pub core_clock: bool,
    /// PSR.cpl.
    pub cpl: u8,
    /// PSR.is: IA-32 code runs.
    pub psr_is: bool,
    /// An interruption is delivered.
    pub int_valid: bool,
    /// The performance interrupt is taken.
    pub irq_ack: bool,
    /// A register request.
    pub reg: RegRequest,
}

impl<const BUNDLES: usize> Default for Inputs<BUNDLES> {
    fn default() -> Self {
        Self {
            fetch: [Fetch::default(); BUNDLES],
            issue: [Issue::default(); BUNDLES],
            retire: [Retire::default(); BUNDLES],
            ia32: 0,
            mem: [Mem::default(); MEM_PORTS],
            core_clock: false,
            cpl: 0,
            psr_is: false,
            int_valid: false,
            irq_ack: false,
            reg: RegRequest::default(),
        }
    }
}
