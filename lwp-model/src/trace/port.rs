//! Stage port: one memory access at a time.

use super::state::Port;
use crate::retire::{MemAnswer, MemCmd, MemRequest};

/// What the port shows a step that has an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PortCycle {
    /// No access is in progress: the step may issue its own.
    Free,
    /// The access is in progress.
    Busy,
    /// The access has been answered: with the aligned 8 bytes, or with a page fault.
    Answered(Result<u64, PageFault>),
}

/// The access page-faulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageFault;

impl Port {
    /// The request, as memory sees it.
    #[inline]
    pub(super) const fn request(&self) -> MemRequest {
        let Self { mem_req, mem_cmd, mem_be, mem_addr, mem_wdata, .. } = *self;
        MemRequest { req: mem_req, cmd: mem_cmd, be: mem_be, addr: mem_addr, wdata: mem_wdata }
    }

    /// Takes the grant or the response of this cycle.
    #[inline]
    pub(super) fn step(&mut self, mem: &MemAnswer) -> PortCycle {
        if self.mem_req {
            if mem.gnt {
                *self = Self { mem_wait: true, ..Self::default() };
            }
            PortCycle::Busy
        } else if !self.mem_wait {
            PortCycle::Free
        } else if mem.rvalid {
            self.mem_wait = false;
            PortCycle::Answered(if mem.err { Err(PageFault) } else { Ok(mem.rdata) })
        } else {
            PortCycle::Busy
        }
    }

    /// Requests the aligned 8 bytes at `address`.
    #[inline]
    pub(super) fn read(&mut self, address: u64) {
        *self = Self { mem_req: true, mem_be: u8::MAX, mem_addr: address, ..Self::default() };
    }

    /// Requests that a field of 8 or 4 bytes is written. Of a value that is too large the low half is taken.
    #[inline]
    pub(super) fn write(&mut self, address: u64, wide: bool, value: u64) {
        let low = value & u64::from(u32::MAX);
        let (mem_be, mem_wdata) = match (wide, address & 4) {
            (true, _) => (u8::MAX, value),
            (false, 0) => (0x0F, low),
            (false, _) => (0xF0, low << 32),
        };
        *self =
            Self { mem_req: true, mem_cmd: MemCmd::Write, mem_be, mem_addr: address & !7, mem_wdata, mem_wait: false };
    }
}
