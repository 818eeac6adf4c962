//! Memory port: one access of up to 8 bytes at a time.

use super::inputs::Memory;
use super::state::{MemCmd, PortRegs};

/// Access that a stage requests.
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

/// Events at the port in this cycle, and its state when the cycle began.
#[derive(Clone, Copy, Debug)]
pub(super) struct PortCycle {
    /// Whether no request was pending and no response outstanding when the cycle began: an access may be issued.
    pub(super) idle: bool,
    /// Whether the present access can no longer be withdrawn: it was granted in this cycle or before.
    pub(super) taken: bool,
    /// Response to an access that has not been abandoned.
    pub(super) response: Option<Response>,
}

/// Response of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Response {
    pub(super) err: bool,
    pub(super) rdata: u64,
}

impl PortRegs {
    /// Takes grant and response of this cycle.
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

    /// Requests an access. The request is pending from the next cycle on.
    pub(super) fn issue(&mut self, access: Access) {
        self.req = true;
        self.cmd = access.cmd;
        self.be = access.be;
        self.addr = access.addr;
        self.wdata = access.wdata;
    }

    /// Abandons the access: withdraws the request, or marks the outstanding response as discarded. Call it after
    /// [`advance`](Self::advance).
    pub(super) fn abandon(&mut self) {
        self.req = false;
        self.drop = self.wait;
    }

    /// Returns the address of the first byte accessed, which a page fault reports.
    pub(super) const fn first_byte(&self) -> u64 {
        self.addr.wrapping_add(self.be.trailing_zeros() as u64)
    }
}
