//! One executed instruction.

use super::bundle::Unit;

/// A place in a program: a bundle and a slot of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Address of the bundle.
    pub ip: u64,
    /// Slot, 0 to 2.
    pub slot: u8,
}

/// An access to memory that an instruction made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Address of the lowest byte.
    pub addr: u64,
    /// Number of bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// Whether it loads. A semaphore instruction loads and stores.
    pub read: bool,
    /// Whether it stores. A `cmpxchg` counts as a store also if it finds another value and leaves memory alone.
    pub write: bool,
}

/// A file of registers that the monitoring unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum File {
    /// Performance monitor configuration, `pmc[]`.
    Pmc,
    /// Performance monitor data, `pmd[]`.
    Pmd,
    /// Instruction breakpoint registers, `ibr[]`.
    Ibr,
    /// Data breakpoint registers, `dbr[]`.
    Dbr,
    /// Control registers, of which the unit has DCR, `cr[0]`, alone.
    Cr,
}

/// A request of an instruction to the monitoring unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// mov r = file\[index\].
    Read {
        /// The register file.
        file: File,
        /// Bits 7:0 of the register that holds the index.
        index: u8,
    },
    /// mov file\[index\] = r.
    Write {
        /// The register file.
        file: File,
        /// Bits 7:0 of the register that holds the index.
        index: u8,
        /// The value of the source register.
        value: u64,
    },
    /// sum: sets bits of the user mask.
    Sum(u64),
    /// rum: clears bits of the user mask.
    Rum(u64),
    /// mov psr.um = r.
    MoveUm(u64),
    /// ssm: sets bits of the PSR.
    Ssm(u64),
    /// rsm: clears bits of the PSR.
    Rsm(u64),
    /// mov psr.l = r.
    MoveL(u64),
    /// rfi, with the IPSR.
    Rfi(u64),
}

/// An instruction that was executed.
///
/// With a [`Request`] it has no effect until the request is [answered](super::Core::answer), and does not retire if the
/// answer is a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retired {
    /// Address of its bundle.
    pub ip: u64,
    /// Its slot: 2 for a long instruction.
    pub slot: u8,
    /// The unit of its slot.
    pub unit: Unit,
    /// Whether its qualifying predicate is 0. `cmp.unc` and the like clear their targets all the same.
    pub off: bool,
    /// Whether it is a branch: br, brl, rfi.
    pub branch: bool,
    /// Whether it is a branch that was taken.
    pub taken: bool,
    /// Its access to memory.
    pub access: Option<Access>,
    /// Its request to the monitoring unit.
    pub request: Option<Request>,
    /// The place of the next instruction. With a request: if it is granted.
    pub next: Place,
}
