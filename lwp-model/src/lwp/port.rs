//! The memory port: one access of up to 8 bytes at a time.

use super::inputs::Memory;
use super::state::{MemCmd, PortRegs};

/// An access that a stage wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) cmd: MemCmd,
    pub(super) addr: u64,
    pub(super) be: u8,
    pub(super) wdata: u64,
}

impl Access {
    pub(super) const fn read(addr: u64, be: u8) -> Self {
        Self { cmd: MemCmd::Read, addr, be, wdata: 0 }
    }

    pub(super) const fn write(addr: u64, be: u8, wdata: u64) -> Self {
        Self { cmd: MemCmd::Write, addr, be, wdata }
    }

    pub(super) const fn probe(addr: u64) -> Self {
        Self { cmd: MemCmd::Probe, addr, be: ALL, wdata: 0 }
    }
}

/// All 8 bytes.
pub(super) const ALL: u8 = 0xFF;
/// Bytes 0 to 3.
pub(super) const LOW: u8 = 0x0F;
/// Bytes 4 to 7.
pub(super) const HIGH: u8 = 0xF0;

/// What happened at the port in this cycle, and how it stood when the cycle began.
#[derive(Clone, Copy, Debug)]
pub(super) struct PortCycle {
    /// No request stood and no response was outstanding: an access may be issued.
    pub(super) idle: bool,
    /// The standing access is beyond recall: granted in this cycle or before.
    pub(super) taken: bool,
    /// The response to the stage that asked.
    pub(super) response: Option<Response>,
}

/// A response.
#[derive(Clone, Copy, Debug)]
pub(super) struct Response {
    pub(super) err: bool,
    pub(super) rdata: u64,
}

impl PortRegs {
    /// Takes grant and response.
    pub(super) fn advance(&mut self, mem: &Memory) -> PortCycle {
        let mut cycle = PortCycle { idle: !self.req && !self.wait, taken: self.wait, response: None };
        if self.wait {
            if mem.rvalid {
                self.wait = false;
                if !core::mem::take(&mut self.drop) {
                    cycle.response = Some(Response { err: mem.err, rdata: mem.rdata });
                }
            }
        } else if self.req && mem.gnt {
            self.req = false;
            self.wait = true;
            cycle.taken = true;
        }
        cycle
    }

    /// Puts an access on the port; it stands from the next cycle on.
    pub(super) fn issue(&mut self, access: Access) {
        self.req = true;
        self.cmd = access.cmd;
        self.be = access.be;
        self.addr = access.addr;
        self.wdata = access.wdata;
    }

    /// Gives up the access after [`advance`](Self::advance) has seen this cycle: withdraws the request, or disowns the
    /// response that is still to come.
    pub(super) fn abandon(&mut self) {
        self.req = false;
        self.drop = self.wait;
    }

    /// First byte accessed: the address that a page fault reports.
    pub(super) const fn first_byte(&self) -> u64 {
        self.addr.wrapping_add(self.be.trailing_zeros() as u64)
    }
}
