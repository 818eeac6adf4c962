//! Memory requests: one access at a time, 8 bytes wide, naturally aligned.

use crate::choice::choice;

/// Command of a memory request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum MemCmd {
    /// Read.
    #[default]
    Read = 0,
    /// Write.
    Write = 1,
    /// Write probe: tests for write permission, and writes nothing.
    Probe = 2,
    /// Not used. A unit never requests it.
    Unused3 = 3,
}

choice!(MemCmd { Read = "read", Write = "write", Probe = "write probe", Unused3 = "unused 3" });

/// Memory request. It does not change until it is granted or withdrawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemRequest {
    /// Whether a request is pending. The other fields are valid with it.
    pub req: bool,
    /// Command.
    pub cmd: MemCmd,
    /// Bytes of the aligned 8 that are accessed, a bit for each.
    pub be: u8,
    /// Linear address, bits 2:0 are 0.
    pub addr: u64,
    /// Data of a write, in the bytes of `be`; all other bytes are 0.
    pub wdata: u64,
}

/// Grant and response of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemAnswer {
    /// Whether memory takes the pending request in this cycle.
    pub gnt: bool,
    /// Whether the response of the granted access is valid in this cycle.
    pub rvalid: bool,
    /// Whether the access page-faulted: nothing was read or written. Valid with `rvalid`.
    pub err: bool,
    /// Aligned 8 bytes that were read. Valid with `rvalid` of a read.
    pub rdata: u64,
}
