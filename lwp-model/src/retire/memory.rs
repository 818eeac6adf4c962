//! Memory requests: one access at a time, 8 bytes wide, naturally aligned.

use crate::choice::choice;

/// What a unit asks of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum MemCmd {
    /// Read.
    #[default]
    Read = 0,
    /// Write.
    Write = 1,
    /// Write probe: is this writable? Nothing is written.
    Probe = 2,
    /// Not used. A unit never asks for it.
    Unused3 = 3,
}

choice!(MemCmd { Read = "read", Write = "write", Probe = "write probe", Unused3 = "unused 3" });

/// A memory request. It stays as it is until it is granted or withdrawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemRequest {
    /// A request is pending. The other fields are valid with it.
    pub req: bool,
    /// What is asked for.
    pub cmd: MemCmd,
    /// Bytes of the aligned 8 that are meant, a bit for each.
    pub be: u8,
    /// Linear address, bits 2:0 are 0.
    pub addr: u64,
    /// Data of a write, in the bytes of `be`; all other bytes are 0.
    pub wdata: u64,
}

/// What memory answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemAnswer {
    /// The pending request is taken in this cycle.
    pub gnt: bool,
    /// The response is valid in this cycle.
    pub rvalid: bool,
    /// Page fault: nothing was read or written. Valid with `rvalid`.
    pub err: bool,
    /// The aligned 8 bytes. Valid with `rvalid` of a read.
    pub rdata: u64,
}
