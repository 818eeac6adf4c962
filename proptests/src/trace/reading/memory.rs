//! The memory port: its rules, and what the unit has seen of memory.

use super::ports::{PortsIn, PortsOut};
use super::violation::{Fault, check};
use std::collections::HashMap;

const ROW: &str = "ports, Memory requests";

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// Whether it is a write.
    pub(super) write: bool,
    be: u8,
    addr: u64,
    data: u64,
}

impl Access {
    /// Returns the bytes that are meant: address and value.
    pub(super) fn bytes(&self) -> impl Iterator<Item = (u64, u8)> + use<> {
        let Self { be, addr, data, .. } = *self;
        let meant = (0..8_u8).filter(move |at| be >> at & 1 == 1);
        meant.map(move |at| (addr.wrapping_add(u64::from(at)), data.to_le_bytes()[usize::from(at)]))
    }
}

/// What happened at the port in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Nothing that matters.
    Idle,
    /// A request was granted.
    Granted(Access),
    /// An access was done.
    Done(Access),
    /// An access page-faulted.
    Failed(Access),
}

#[derive(Clone, Copy, Debug)]
enum State {
    Idle,
    Asking(Access),
    Waiting(Access),
}

/// The port.
#[derive(Clone, Debug)]
pub(super) struct Port {
    state: State,
    /// Bytes that the unit has read or written.
    seen: HashMap<u64, u8>,
}

impl Port {
    /// Returns a port at which nothing has happened.
    pub(super) fn new() -> Self {
        Self { state: State::Idle, seen: HashMap::new() }
    }

    /// Whether a request or a response is pending.
    pub(super) fn busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    /// Follows a cycle.
    pub(super) fn cycle(&mut self, inputs: &PortsIn, out: &PortsOut) -> Result<Step, Fault> {
        if let State::Waiting(access) = self.state {
            check(!out.mem_req, ROW, || "a request before the response to the last one".into())?;
            if !inputs.mem_rvalid {
                return Ok(Step::Idle);
            }
            self.state = State::Idle;
            if inputs.mem_err {
                return Ok(Step::Failed(access));
            }
            let data = if access.write { access.data } else { inputs.mem_rdata };
            self.seen.extend(Access { data, ..access }.bytes());
            return Ok(Step::Done(access));
        }
        if !out.mem_req {
            self.state = State::Idle;
            return Ok(Step::Idle);
        }
        let access = Access { write: out.mem_cmd == 1, be: out.mem_be, addr: out.mem_addr, data: out.mem_wdata };
        check(out.mem_cmd <= 1, ROW, || format!("mem_cmd is {}", out.mem_cmd))?;
        check(out.mem_addr & 7 == 0, ROW, || format!("mem_addr is {:#x}", out.mem_addr))?;
        let meant = (0..8).filter(|at| out.mem_be >> at & 1 == 1).fold(0, |mask, at| mask | 0xFF_u64 << (8 * at));
        check(!access.write || access.data & !meant == 0, ROW, || {
            format!("mem_wdata is {:#x} with mem_be {:#x}", access.data, access.be)
        })?;
        if let State::Asking(last) = self.state {
            check(last == access, ROW, || format!("a request changed from {last:x?} to {access:x?} before its grant"))?;
        }
        self.state = if inputs.mem_gnt { State::Waiting(access) } else { State::Asking(access) };
        Ok(if inputs.mem_gnt { Step::Granted(access) } else { Step::Idle })
    }

    /// Returns the number in `length` bytes at `address`, if the unit has seen all of them.
    pub(super) fn number(&self, address: u64, length: u64) -> Option<u64> {
        (0..length)
            .rev()
            .try_fold(0, |number, at| Some(number << 8 | u64::from(*self.seen.get(&address.wrapping_add(at))?)))
    }

    /// Software may have changed the bytes of this range: what the unit has seen of them is old.
    pub(super) fn forget(&mut self, address: u64, length: u64) {
        for at in 0..length {
            self.seen.remove(&address.wrapping_add(at));
        }
    }

    /// Software may have changed any byte.
    pub(super) fn forget_all(&mut self) {
        self.seen.clear();
    }
}
