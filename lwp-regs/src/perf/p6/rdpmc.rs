//! Reading the counters with RDPMC, or with what stands in for it.

use super::{Counter, NoSuchCounter, PerfCtr};
use crate::access::{CounterBus, Cpuid, MsrBus};
use core::fmt;

/// The 40 bits of `counter`: EDX masked to 8 bits above EAX, whatever else the bus returns.
///
/// RDPMC is neither serialising nor ordered: instructions before it may still be counted, and those after it may have
/// been already. See [`rdpmc_serialised`].
///
/// # Errors
///
/// The fault of the instruction, for instance outside privilege level 0 while CR4.PCE is 0.
#[inline]
pub fn rdpmc<B: CounterBus>(bus: &mut B, counter: Counter) -> Result<u64, B::Fault> {
    Ok(bus.rdpmc(counter.index())? & PerfCtr::READ_MASK)
}

/// The low 32 bits of `counter`: EAX. Enough for differences below 2³² events.
///
/// # Errors
///
/// As [`rdpmc`].
#[inline]
pub fn rdpmc32<B: CounterBus>(bus: &mut B, counter: Counter) -> Result<u32, B::Fault> {
    Ok(rdpmc(bus, counter)? as u32)
}

/// [`rdpmc`] between two CPUIDs, which serialise: all before has been counted, nothing after. CPUID itself takes its time
/// and is counted.
///
/// # Errors
///
/// As [`rdpmc`].
#[inline]
pub fn rdpmc_serialised<B: CounterBus>(bus: &mut B, serialise: &impl Cpuid, counter: Counter) -> Result<u64, B::Fault> {
    let _ = serialise.cpuid(0, 0);
    let count = rdpmc(bus, counter);
    let _ = serialise.cpuid(0, 0);
    count
}

/// RDPMC for those who may not execute it, by RDMSR: what a system that keeps CR4.PCE at 0 offers behind a system call.
/// It decides before whether the caller may see the counters at all.
#[derive(Clone, Copy, Debug)]
pub struct EmulatedRdpmc<B>(pub B);

impl<B: MsrBus> CounterBus for EmulatedRdpmc<B> {
    type Fault = RdpmcFault<B::Fault>;

    /// The counter's 40 bits, as RDPMC gives them.
    fn rdpmc(&mut self, selector: u32) -> Result<u64, Self::Fault> {
        let counter = Counter::try_from(selector).map_err(RdpmcFault::NoSuchCounter)?;
        Ok(PerfCtr::msr(counter).read(&mut self.0).map_err(RdpmcFault::Bus)?.count().get())
    }
}

/// Why an emulated RDPMC yields nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RdpmcFault<F> {
    /// There is no such counter; the instruction would raise #GP(0).
    NoSuchCounter(NoSuchCounter),
    /// RDMSR failed.
    Bus(F),
}

impl<F: fmt::Display> fmt::Display for RdpmcFault<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchCounter(error) => error.fmt(f),
            Self::Bus(fault) => write!(f, "reading the counter failed: {fault}"),
        }
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for RdpmcFault<F> {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::test_bus::{Access, TestBus};
    use super::*;
    use core::cell::RefCell;
    use std::vec::Vec;

    /// A bus whose counters have all bits set that EDX:EAX can have.
    struct Wide;

    impl CounterBus for Wide {
        type Fault = core::convert::Infallible;

        fn rdpmc(&mut self, selector: u32) -> Result<u64, Self::Fault> {
            Ok(0xFFFF_FFA5_8765_4320 + u64::from(selector))
        }
    }

    // MET-09: EDX is masked with 255
    #[test]
    fn forty_bits() {
        assert_eq!(rdpmc(&mut Wide, Counter::Counter0), Ok(0xA5_8765_4320));
        assert_eq!(rdpmc(&mut Wide, Counter::Counter1), Ok(0xA5_8765_4321));
    }

    // MET-10: EAX only
    #[test]
    fn thirty_two_bits() {
        assert_eq!(rdpmc32(&mut Wide, Counter::Counter1), Ok(0x8765_4321));
    }

    // P6-36: the interface that emulates RDPMC while PCE is 0
    #[test]
    fn emulation_reads_the_msr() {
        let mut bus = TestBus::with([(0xC1, 5), (0xC2, 0xFFFF_FF12_3456_789A)]);
        let mut emulated = EmulatedRdpmc(&mut bus);
        assert_eq!(emulated.rdpmc(0), Ok(5));
        assert_eq!(emulated.rdpmc(1), Ok(0x12_3456_789A));
        assert_eq!(emulated.rdpmc(2), Err(RdpmcFault::NoSuchCounter(NoSuchCounter(2))));
        assert_eq!(bus.trace, [Access::Rdmsr(0xC1), Access::Rdmsr(0xC2)]);
    }

    // P6-35: a serialising instruction before and after
    #[test]
    fn serialised() {
        let order = RefCell::new(Vec::new());
        struct Noting<'a>(&'a RefCell<Vec<&'static str>>);
        impl CounterBus for Noting<'_> {
            type Fault = ();
            fn rdpmc(&mut self, _: u32) -> Result<u64, ()> {
                self.0.borrow_mut().push("rdpmc");
                Ok(7)
            }
        }
        let cpuid = |_: u32, _: u32| {
            order.borrow_mut().push("cpuid");
            [0; 4]
        };
        assert_eq!(rdpmc_serialised(&mut Noting(&order), &cpuid, Counter::Counter0), Ok(7));
        assert_eq!(*order.borrow(), ["cpuid", "rdpmc", "cpuid"]);
    }
}
