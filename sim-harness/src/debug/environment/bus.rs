//! The debug registers as a handler of `lwp-regs` accesses them, one access at a time.
//!
//! A handler is a function that accesses registers through a [`DebugBus`], whereas the environment shows one cycle after the
//! other. So the handler runs from its beginning for each access: the bus answers those that are done from its list, and the next
//! one ends the run as a fault.

use lwp_regs::access::{DebugBus, DebugRegister};

/// Accesses of a handler at most.
const ACCESSES: usize = 16;

/// An access that is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// MOV from this register.
    Read(DebugRegister),
    /// MOV of this value to this register.
    Write(DebugRegister, u64),
}

/// The accesses of a handler that are done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    values: [u64; ACCESSES],
    count: usize,
}

impl Done {
    /// Appends an access; `value` is what a MOV from a register read.
    pub(super) fn push(&mut self, value: u64) {
        self.values[self.count] = value;
        self.count += 1;
    }

    /// Number of accesses.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The bus for a run of the handler.
    pub(super) const fn bus(&self) -> Bus<'_> {
        Bus { done: self, at: 0 }
    }
}

/// The bus of one run.
#[derive(Debug)]
pub(super) struct Bus<'a> {
    done: &'a Done,
    at: usize,
}

impl Bus<'_> {
    /// The answer to an access that is done.
    fn answer(&mut self, wanted: Wanted) -> Result<u64, Wanted> {
        if self.at == self.done.count {
            return Err(wanted);
        }
        self.at += 1;
        Ok(self.done.values[self.at - 1])
    }
}

#[allow(unsafe_code)] // stands for MOV to DR of a modelled processor
impl DebugBus for Bus<'_> {
    type Fault = Wanted;

    fn read_dr(&mut self, register: DebugRegister) -> Result<u64, Wanted> {
        self.answer(Wanted::Read(register))
    }

    unsafe fn write_dr(&mut self, register: DebugRegister, value: u64) -> Result<(), Wanted> {
        self.answer(Wanted::Write(register, value)).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lwp_regs::debug::{DebugEntry, Dr6, Dr7};

    #[test]
    fn a_handler_continues_where_it_stopped() {
        let mut done = Done::default();
        let mut made = Vec::new();
        let entry = loop {
            match DebugEntry::enter(&mut done.bus()) {
                Ok(entry) => break entry,
                Err(wanted) => {
                    made.push(wanted);
                    done.push(match wanted {
                        Wanted::Read(DebugRegister::Dr6) => 0xFFFF_0FF1,
                        Wanted::Read(_) => 0x402,
                        Wanted::Write(..) => 0,
                    });
                }
            }
        };
        let (dr6, dr7) = (DebugRegister::Dr6, DebugRegister::Dr7);
        let cleared = Wanted::Write(dr6, 0xFFFF_0FF0);
        assert_eq!(made, [Wanted::Read(dr6), cleared, Wanted::Read(dr7), Wanted::Write(dr7, 0x400)]);
        assert_eq!((entry.status(), entry.control()), (Dr6::from_bits(0xFFFF_0FF1), Dr7::from_bits(0x402)));
    }
}
