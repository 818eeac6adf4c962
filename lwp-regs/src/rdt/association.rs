//! The context-switch hook: a thread's RMID and class of service go with it.

use super::{Cos, PqrAssoc, Rmid};
use crate::access::MsrBus;

/// What stands in IA32_PQR_ASSOC of one logical processor, remembered so that a switch between threads of the same RMID
/// and class costs no WRMSR.
///
/// A kernel keeps one for each logical processor and calls [`switch_to`](Self::switch_to) at each context switch.
/// Whoever writes the register in another way calls [`read`](Self::read) again.
///
/// Source: Intel SDM volume 3B, "Monitoring Resource RMID Association" and "Associating Threads with CAT/CDP Classes of
/// Service".
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Association {
    current: PqrAssoc,
}

impl Association {
    /// Of the logical processor behind `bus`, whatever it has at the moment.
    ///
    /// # Errors
    ///
    /// The fault that the access raised: the processor has no such register.
    pub fn read<B: MsrBus>(bus: &mut B) -> Result<Self, B::Fault> {
        Ok(Self { current: PqrAssoc::MSR.read(bus)? })
    }

    /// What stands in the register.
    #[must_use]
    #[inline]
    pub const fn current(&self) -> PqrAssoc {
        self.current
    }

    /// The thread that runs from now on has this RMID and class. Writes the register if that changes it; tells whether
    /// it did.
    ///
    /// # Errors
    ///
    /// The fault that the access raised; register and memory of it keep their content then.
    pub fn switch_to<B: MsrBus>(&mut self, bus: &mut B, rmid: Rmid, cos: Cos) -> Result<bool, B::Fault> {
        let next = PqrAssoc::of(rmid, cos);
        if next == self.current {
            return Ok(false);
        }
        PqrAssoc::MSR.write_unchecked(bus, next)?;
        self.current = next;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::caps::tests::SKYLAKE_D;
    use crate::rdt::recorder::{Access, Recorder};

    fn thread(rmid: u32, cos: u32) -> (Rmid, Cos) {
        (Rmid::new(rmid, &SKYLAKE_D).unwrap(), Cos::new(cos, &SKYLAKE_D).unwrap())
    }

    // RDTM-14, RDTM-16: threads A and B of one group share an RMID, C has its own; the register follows them
    #[test]
    fn the_register_follows_the_threads() {
        let mut bus = Recorder::with(&[(0xC8F, 0)]);
        let mut core = Association::read(&mut bus).unwrap();
        let [a, b, c] = [thread(1, 2), thread(1, 2), thread(3, 2)];
        let written = [a, b, c, a].map(|(rmid, cos)| core.switch_to(&mut bus, rmid, cos).unwrap());
        assert_eq!(written, [true, false, true, true]);
        let trace = [
            Access::Read(0xC8F),
            Access::Write(0xC8F, 0x2_0000_0001),
            Access::Write(0xC8F, 0x2_0000_0003),
            Access::Write(0xC8F, 0x2_0000_0001),
        ];
        assert_eq!(bus.trace, trace);
    }

    // RDTA-31: the COS field is the thread's class, from the context switch on
    #[test]
    fn the_class_alone_is_a_change() {
        let mut bus = Recorder::with(&[(0xC8F, 0x1)]);
        let mut core = Association::read(&mut bus).unwrap();
        let (rmid, cos) = thread(1, 7);
        assert_eq!(core.switch_to(&mut bus, rmid, cos), Ok(true));
        assert_eq!(bus.trace[1..], [Access::Write(0xC8F, 0x7_0000_0001)]);
    }

    #[test]
    fn after_a_fault_the_write_is_tried_again() {
        let mut bus = Recorder { broken: Some(1), ..Recorder::default() };
        let mut core = Association::read(&mut bus).unwrap();
        let (rmid, cos) = thread(1, 0);
        assert!(core.switch_to(&mut bus, rmid, cos).is_err());
        assert_eq!(core.current(), PqrAssoc::RESET);
        assert_eq!(core.switch_to(&mut bus, rmid, cos), Ok(true));
        assert_eq!(core.current().rmid(), 1);
    }
}
