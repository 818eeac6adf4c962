//! Stage port: one memory access at a time.

use super::state::Port;
use crate::retire::MemRequest;

impl Port {
    /// The request, as memory sees it.
    #[inline]
    pub(super) const fn request(&self) -> MemRequest {
        let Self { mem_req, mem_cmd, mem_be, mem_addr, mem_wdata, .. } = *self;
        MemRequest { req: mem_req, cmd: mem_cmd, be: mem_be, addr: mem_addr, wdata: mem_wdata }
    }
}
