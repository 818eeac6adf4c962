//! Configuring memory bandwidth.

use super::{Cos, MbaCaps, MbaThrottle, RdtError};
use crate::access::MsrBus;

impl MbaCaps {
    /// Programs the delay of a class of service, from 0 to MBA_MAX: the second of the two steps of configuring memory
    /// bandwidth. The first, giving threads classes, is [`Association::switch_to`](super::Association::switch_to).
    ///
    /// Source: Intel SDM volume 3B, "Memory Bandwidth Allocation Configuration".
    ///
    /// # Errors
    ///
    /// [`RdtError::Refused`] when there is no such class or delay; [`RdtError::Fault`] when the access faulted.
    pub fn program<B: MsrBus>(&self, bus: &mut B, cos: Cos, delay: u16) -> Result<(), RdtError<B::Fault>> {
        let (register, value) = (MbaThrottle::msr(self.throttle(cos)?), self.delay(delay)?);
        register.write_unchecked(bus, value).map_err(RdtError::Fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::allocation_caps::tests::MBA;
    use crate::rdt::caps::tests::SKYLAKE_D;
    use crate::rdt::recorder::{Access, Recorder};
    use crate::rdt::{Association, Rmid};

    // RDTA-31, RDTA-32: the thread gets a class, the class a delay
    #[test]
    fn the_two_steps() {
        let mut bus = Recorder::default();
        let cos = Cos::new(2, &SKYLAKE_D).unwrap();
        let mut core = Association::read(&mut bus).unwrap();
        core.switch_to(&mut bus, Rmid::DEFAULT, cos).unwrap();
        assert_eq!(MBA.program(&mut bus, cos, 40), Ok(()));
        assert_eq!(bus.trace[1..], [Access::Write(0xC8F, 0x2_0000_0000), Access::Write(0xD52, 40)]);
    }

    // RDTA-33
    #[test]
    fn out_of_range_nothing_is_written() {
        let mut bus = Recorder::default();
        let cos = |n| Cos::new(n, &SKYLAKE_D).unwrap();
        assert!(matches!(MBA.program(&mut bus, cos(0), 91), Err(RdtError::Refused(_))));
        assert!(matches!(MBA.program(&mut bus, cos(8), 0), Err(RdtError::Refused(_))));
        assert_eq!(bus.trace, []);
    }
}
