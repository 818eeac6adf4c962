//! Cache allocation from CPUID to a running thread, in order.

use super::{Association, CacheLevel, CapacityMask, CatCaps, Cos, MaskIndex, RdtError, Rmid};
use crate::access::MsrBus;
use crate::msr::Msr;
use crate::refused::{Refused, Rule};

/// What a class of service may fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capacity<L> {
    /// Code and data share one mask. While CDP is on, both get it.
    Unified(CapacityMask<L>),
    /// A mask for each; only while CDP is on.
    Split {
        /// Where data goes.
        data: CapacityMask<L>,
        /// Where code goes.
        code: CapacityMask<L>,
    },
}

/// The third step of four is done: classes of service have their masks, threads can be given classes.
///
/// The steps are: detect, enumerate, configure masks, associate. The first two are
/// [`RdtCaps::enumerate`](super::RdtCaps::enumerate), which alone leads from a processor to [`CatCaps`];
/// [`CatCaps::configure`] is the third and makes this; [`associate`](Self::associate) is the fourth. So a thread gets a
/// class through this type only after the third step.
///
/// The types do not enforce more of the order. [`Association::switch_to`] takes any [`Cos`] at any time, and
/// [`associate`](Self::associate) any class of the cache, also one that [`configure`](CatCaps::configure) was not given:
/// its mask is then what it was, which is every way after reset.
///
/// Source: Intel SDM volume 3B, "Enabling Cache Allocation Technology Usage Flow".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Configured<L> {
    caps: CatCaps<L>,
    cdp: bool,
}

impl<L: CacheLevel> CatCaps<L> {
    /// Gives each of the classes its capacity, in the cache that the logical processor behind `bus` uses. Looks up
    /// whether CDP is on. Everything is checked before the first write.
    ///
    /// # Errors
    ///
    /// [`RdtError::Refused`] when the cache has fewer classes, or code and data are to be apart while CDP is off;
    /// [`RdtError::Fault`] when an access faulted, and the classes before it have their capacity.
    pub fn configure<B: MsrBus>(
        &self,
        bus: &mut B,
        classes: &[(Cos, Capacity<L>)],
    ) -> Result<Configured<L>, RdtError<B::Fault>> {
        let cdp = self.cdp_is_on(bus).map_err(RdtError::Fault)?;
        for (cos, capacity) in classes {
            self.registers(*cos, *capacity, cdp)?;
        }
        for (cos, capacity) in classes {
            let [first, second] = self.registers(*cos, *capacity, cdp)?;
            first.write(bus).map_err(RdtError::Fault)?;
            if cdp {
                second.write(bus).map_err(RdtError::Fault)?;
            }
        }
        Ok(Configured { caps: *self, cdp })
    }

    /// Whether CDP is on. Does not touch the register where the processor has none.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn cdp_is_on<B: MsrBus>(&self, bus: &mut B) -> Result<bool, B::Fault> {
        if self.cdp { L::QOS_CFG.read(bus).map(L::cdp) } else { Ok(false) }
    }

    /// The writes for a class: with CDP those of data and code, without the first alone.
    fn registers(&self, cos: Cos, capacity: Capacity<L>, cdp: bool) -> Result<[MaskWrite<L>; 2], Refused> {
        let (data, code) = match capacity {
            Capacity::Unified(mask) => (mask, mask),
            Capacity::Split { data, code } if cdp => (data, code),
            Capacity::Split { .. } => {
                let rule = Rule::Forbidden("code and data have masks of their own only while CDP is on");
                return Err(Refused::new(L::QOS_CFG_NAME, 1, rule));
            }
        };
        let (first, second) =
            if cdp { (self.data_mask(cos)?, self.code_mask(cos)?) } else { (self.mask(cos)?, self.mask(cos)?) };
        Ok([MaskWrite::new(first, data), MaskWrite::new(second, code)])
    }
}

impl<L: CacheLevel> Configured<L> {
    /// From now on the logical processor runs a thread with this class; at each context switch.
    ///
    /// # Errors
    ///
    /// [`RdtError::Refused`] when this cache has fewer classes; [`RdtError::Fault`] when the access faulted.
    pub fn associate<B: MsrBus>(
        &self,
        bus: &mut B,
        core: &mut Association,
        rmid: Rmid,
        cos: Cos,
    ) -> Result<bool, RdtError<B::Fault>> {
        if self.cdp {
            self.caps.check_cdp_cos(cos)?;
        } else {
            self.caps.mask(cos)?;
        }
        core.switch_to(bus, rmid, cos).map_err(RdtError::Fault)
    }
}

/// A mask and the register that it goes to.
struct MaskWrite<L: CacheLevel> {
    register: Msr<L::Mask>,
    mask: CapacityMask<L>,
}

impl<L: CacheLevel> MaskWrite<L> {
    fn new(index: MaskIndex<L>, mask: CapacityMask<L>) -> Self {
        Self { register: L::mask(index), mask }
    }

    fn write<B: MsrBus>(&self, bus: &mut B) -> Result<(), B::Fault> {
        self.register.write_unchecked(bus, self.mask.register())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::rdt::caps::tests::{SKYLAKE_D, skylake_d};
    use crate::rdt::masks_first::MasksFirst;
    use crate::rdt::recorder::{Access, Recorder};
    use crate::rdt::{L3, RdtCaps};
    use std::cell::RefCell;
    use std::vec::Vec;

    const CAPS: CatCaps<L3> = crate::rdt::allocation_caps::tests::SKYLAKE_D_L3;

    fn cos(n: u32) -> Cos {
        Cos::new(n, &SKYLAKE_D).unwrap()
    }

    fn unified(bits: u32) -> Capacity<L3> {
        Capacity::Unified(CAPS.capacity(bits).unwrap())
    }

    fn split(data: u32, code: u32) -> Capacity<L3> {
        Capacity::Split { data: CAPS.capacity(data).unwrap(), code: CAPS.capacity(code).unwrap() }
    }

    // RDTA-16: a checker of the sequence passes the four steps in their order
    #[test]
    fn the_order_passes() {
        let l3 = RdtCaps::enumerate(&skylake_d(0x9000, &RefCell::default())).allocation.unwrap().l3.unwrap();
        let mut bus = MasksFirst::default();
        let configured = l3.configure(&mut bus, &[(cos(1), unified(0x00F)), (cos(2), unified(0x7F0))]).unwrap();
        let mut core = Association::read(&mut bus).unwrap();
        for n in [1, 2] {
            assert_eq!(configured.associate(&mut bus, &mut core, Rmid::DEFAULT, cos(n)), Ok(true));
        }
        assert_eq!(bus.bus.trace.last(), Some(&Access::Write(0xC8F, 0x2_0000_0000)));
    }

    // RDTA-16: the checker finds a class without its mask: given by `switch_to` before the third step, or left out of it
    #[test]
    fn another_order_is_found() {
        let mut bus = MasksFirst::default();
        let mut core = Association::read(&mut bus).unwrap();
        assert_eq!(core.switch_to(&mut bus, Rmid::DEFAULT, cos(1)), Err(Access::Write(0xC8F, 0x1_0000_0000)));
        let configured = CAPS.configure(&mut bus, &[(cos(1), unified(0x00F))]).unwrap();
        let left_out = configured.associate(&mut bus, &mut core, Rmid::DEFAULT, cos(2));
        assert_eq!(left_out, Err(RdtError::Fault(Access::Write(0xC8F, 0x2_0000_0000))));
        let trace = [Access::Read(0xC8F), Access::Read(0xC81), Access::Write(0xC91, 0x00F)];
        assert_eq!(bus.bus.trace, trace, "no class has been written");
        assert_eq!(core.switch_to(&mut bus, Rmid::DEFAULT, cos(1)), Ok(true));
    }

    // RDTA-16, RDTA-07: detect, enumerate, configure the masks, associate; in this order and no other
    #[test]
    fn bring_up() {
        let asked = RefCell::new(Vec::new());
        let caps = RdtCaps::enumerate(&skylake_d(0x9000, &asked));
        assert_eq!(asked.borrow().iter().find(|(leaf, _)| *leaf == 7), Some(&(7, 0)));
        assert_eq!(asked.borrow().last(), Some(&(0x10, 3)));

        let l3 = caps.allocation.unwrap().l3.unwrap();
        let mut bus = Recorder::default();
        let classes = [(cos(0), unified(0x7F0)), (cos(1), unified(0x00F))];
        let configured = l3.configure(&mut bus, &classes).unwrap();
        let mut core = Association::read(&mut bus).unwrap();
        assert_eq!(configured.associate(&mut bus, &mut core, Rmid::DEFAULT, cos(1)), Ok(true));
        let trace = [
            Access::Read(0xC81),
            Access::Write(0xC90, 0x7F0),
            Access::Write(0xC91, 0x00F),
            Access::Read(0xC8F),
            Access::Write(0xC8F, 0x1_0000_0000),
        ];
        assert_eq!(bus.trace, trace);
    }

    // RDTA-13, RDTA-14, RDTA-18: with CDP a class gets two masks, in the registers 2n and 2n + 1
    #[test]
    fn with_cdp() {
        let mut bus = Recorder::with(&[(0xC81, 1)]);
        let configured = CAPS.configure(&mut bus, &[(cos(1), split(0x700, 0x0FF)), (cos(2), unified(0x7FF))]).unwrap();
        let trace = [
            Access::Read(0xC81),
            Access::Write(0xC92, 0x700),
            Access::Write(0xC93, 0x0FF),
            Access::Write(0xC94, 0x7FF),
            Access::Write(0xC95, 0x7FF),
        ];
        assert_eq!(bus.trace, trace);
        let mut core = Association::read(&mut bus).unwrap();
        assert!(configured.associate(&mut bus, &mut core, Rmid::DEFAULT, cos(8)).is_err(), "the upper half is gone");
        assert!(configured.associate(&mut bus, &mut core, Rmid::DEFAULT, cos(7)).is_ok());
    }

    #[test]
    fn what_cannot_be_done_is_refused_before_the_first_write() {
        let refused = |bus: &mut Recorder, classes: &[_]| {
            assert!(matches!(CAPS.configure(bus, classes), Err(RdtError::Refused(_))));
            assert_eq!(bus.take_trace(), [Access::Read(0xC81)]);
        };
        refused(&mut Recorder::default(), &[(cos(0), unified(1)), (cos(1), split(1, 2))]);
        refused(&mut Recorder::with(&[(0xC81, 1)]), &[(cos(0), unified(1)), (cos(8), unified(1))]);
    }

    #[test]
    fn without_cdp_its_register_is_not_touched() {
        let caps = CatCaps { cdp: false, ..CAPS };
        let mut bus = Recorder::default();
        assert!(caps.configure(&mut bus, &[(cos(3), unified(1))]).is_ok());
        assert_eq!(bus.trace, [Access::Write(0xC93, 1)]);
    }

    #[test]
    fn a_fault_is_passed_on() {
        let mut bus = Recorder { broken: Some(2), ..Recorder::default() };
        let result = CAPS.configure(&mut bus, &[(cos(0), unified(1)), (cos(1), unified(2))]);
        assert_eq!(result, Err(RdtError::Fault(Access::Write(0xC91, 2))));
    }
}
