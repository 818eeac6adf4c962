//! Switching code and data prioritisation on and off while the system runs.

use super::{CacheLevel, CatCaps, Cos, MaskIndex, RdtError};
use crate::access::MsrBus;

impl<L: CacheLevel> CatCaps<L> {
    /// Switches CDP on. Each class of the lower half keeps its capacity, for data and for code.
    ///
    /// `highest_in_use` is the highest class that any thread has, on any processor that shares the cache: those of the
    /// upper half cease to exist. The masks mean something else from one write to the next, so a class may be confined
    /// by another's mask until this returns; what is in the cache is not affected. After a fault in between, masks are
    /// to be set anew. Does nothing while CDP is on.
    ///
    /// Source: Intel SDM volume 3B, "Code and Data Prioritization (CDP) Technology" and "Mapping Between L3 CDP Masks
    /// and CAT Masks". Keeping the capacities is this project's choice; the manual leaves the masks to software.
    ///
    /// # Errors
    ///
    /// [`RdtError::Refused`] when there is no CDP, or the class in use ceases to exist; [`RdtError::Fault`] when an
    /// access faulted.
    pub fn enable_cdp<B: MsrBus>(&self, bus: &mut B, highest_in_use: Cos) -> Result<(), RdtError<B::Fault>> {
        self.check_cdp_cos(highest_in_use)?;
        if !self.set_cdp(bus, true).map_err(RdtError::Fault)? {
            return Ok(());
        }
        // Downwards, so that every mask is read before it is overwritten: 2n is above all that are still to be read.
        for n in (0..self.pairs()).rev() {
            self.copy(bus, n, 2 * n + 1)?;
            self.copy(bus, n, 2 * n)?;
        }
        Ok(())
    }

    /// Switches CDP off. Each class keeps the capacity that it had for data; those of the upper half, which come into
    /// being, get the whole cache.
    ///
    /// As with [`enable_cdp`](Self::enable_cdp), a class may be confined by another's mask until this returns. Does
    /// nothing while CDP is off.
    ///
    /// # Errors
    ///
    /// [`RdtError::Refused`] when there is no CDP; [`RdtError::Fault`] when an access faulted.
    pub fn disable_cdp<B: MsrBus>(&self, bus: &mut B) -> Result<(), RdtError<B::Fault>> {
        self.check_cdp_cos(Cos::DEFAULT)?;
        if !self.set_cdp(bus, false).map_err(RdtError::Fault)? {
            return Ok(());
        }
        for n in 1..self.pairs() {
            self.copy(bus, 2 * n, n)?;
        }
        for n in self.pairs()..self.masks() {
            let register = L::mask(self.index(n)?);
            register.write_unchecked(bus, self.full_capacity().register()).map_err(RdtError::Fault)?;
        }
        Ok(())
    }

    /// Sets the flag; tells whether that changed it. Reserved bits are written as they were read.
    fn set_cdp<B: MsrBus>(&self, bus: &mut B, enabled: bool) -> Result<bool, B::Fault> {
        let old = L::QOS_CFG.read(bus)?;
        if L::cdp(old) == enabled {
            return Ok(false);
        }
        L::QOS_CFG.write_unchecked(bus, L::with_cdp(old, enabled))?;
        Ok(true)
    }

    fn copy<B: MsrBus>(&self, bus: &mut B, from: u32, to: u32) -> Result<(), RdtError<B::Fault>> {
        let [from, to]: [MaskIndex<L>; 2] = [self.index(from)?, self.index(to)?];
        let mask = L::mask(from).read(bus).map_err(RdtError::Fault)?;
        L::mask(to).write_unchecked(bus, L::mask_value(L::mask_bits(mask))).map_err(RdtError::Fault)
    }

    /// How many mask registers there are.
    #[inline]
    const fn masks(&self) -> u32 {
        if self.cos_count() < L::MASKS { self.cos_count() } else { L::MASKS }
    }

    #[inline]
    const fn pairs(&self) -> u32 {
        self.masks() / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rdt::caps::tests::SKYLAKE_D;
    use crate::rdt::recorder::{Access, Recorder};
    use crate::rdt::{L2, L3};

    const CAPS: CatCaps<L3> = CatCaps { cos_max: 7, ..crate::rdt::allocation_caps::tests::SKYLAKE_D_L3 };

    fn cos(n: u32) -> Cos {
        Cos::new(n, &SKYLAKE_D).unwrap()
    }

    fn masks(bus: &Recorder) -> [u64; 8] {
        core::array::from_fn(|n| bus.registers[&(0xC90 + n as u32)])
    }

    fn bus(cdp: u64, masks: [u64; 8]) -> Recorder {
        let mut bus = Recorder::with(&[(0xC81, cdp)]);
        bus.registers.extend((0xC90..).zip(masks));
        bus
    }

    // RDTA-15, RDTA-13: on while it runs; class n has its mask in 2n and 2n + 1
    #[test]
    fn switching_on_keeps_capacities() {
        let mut bus = bus(0, [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80]);
        assert_eq!(CAPS.enable_cdp(&mut bus, cos(3)), Ok(()));
        assert_eq!(bus.registers[&0xC81], 1);
        assert_eq!(masks(&bus), [1, 1, 2, 2, 4, 4, 8, 8]);
        assert_eq!(bus.trace[..2], [Access::Read(0xC81), Access::Write(0xC81, 1)], "first the flag");
    }

    // RDTA-15: off again; the upper half of the classes is back, with the whole cache
    #[test]
    fn switching_off_keeps_the_masks_of_data() {
        let mut bus = bus(1, [1, 0x100, 2, 0x200, 4, 0x400, 8, 0x600]);
        assert_eq!(CAPS.disable_cdp(&mut bus), Ok(()));
        assert_eq!(bus.registers[&0xC81], 0);
        assert_eq!(masks(&bus), [1, 2, 4, 8, 0x7FF, 0x7FF, 0x7FF, 0x7FF]);
    }

    #[test]
    fn what_is_so_already_stays() {
        let mut on = bus(1, [1; 8]);
        assert_eq!(CAPS.enable_cdp(&mut on, cos(0)), Ok(()));
        let mut off = bus(0, [1; 8]);
        assert_eq!(CAPS.disable_cdp(&mut off), Ok(()));
        assert_eq!((on.trace, off.trace), ([Access::Read(0xC81)].into(), [Access::Read(0xC81)].into()));
    }

    // RDTA-14: a thread still has a class of the upper half
    #[test]
    fn a_class_in_use_that_would_go_is_refused() {
        let mut bus = bus(0, [1; 8]);
        assert!(matches!(CAPS.enable_cdp(&mut bus, cos(4)), Err(RdtError::Refused(_))));
        assert_eq!(bus.trace, []);
    }

    // RDTA-11: the other level is not touched
    #[test]
    fn levels_are_switched_apart() {
        let mut bus = Recorder::with(&[(0xC81, 0)]);
        assert_eq!(CatCaps::from_cpuid(L2, [7, 0, 4, 1]).enable_cdp(&mut bus, cos(0)), Ok(()));
        assert_eq!((bus.registers[&0xC81], bus.registers[&0xC82]), (0, 1));
        let none = CatCaps::from_cpuid(L2, [7, 0, 0, 1]);
        assert!(matches!(none.enable_cdp(&mut bus, cos(0)), Err(RdtError::Refused(_))));
    }
}
