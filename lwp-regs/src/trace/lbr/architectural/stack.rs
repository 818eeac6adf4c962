//! Reading and restoring the records.

use super::{ArchLbrCaps, ArchLbrEntry, ArchLbrEntryMsrs, ArchLbrRecord, Ia32LbrCtl, Ia32LbrDepth};
use crate::access::MsrBus;
use crate::error::Error;
use crate::msr::Msr;
use crate::refused::{Refused, Rule};
use core::fmt;

/// The entries of a processor with architectural last branch records. Entry 0 is the newest: there is no pointer to it.
///
/// Records are only of one moment while nothing is recorded: inside [`still`](Self::still), or in a handler of a
/// performance interrupt that freezes them.
///
/// The manual numbers the registers of 32 entries: 1200H to 121FH, 1500H to 151FH, 1600H to 161FH. CPUID can report depths
/// of up to 64. The numbers of entries 32 to 63, which follow on, are unconfirmed: Linux computes them so for any depth,
/// the manual does not list them, and no processor is known to have them. Nor does the state that XSAVES stores have room
/// for them.
///
/// Source: Linux, `arch/x86/events/intel/lbr.c` (`intel_pmu_arch_lbr_init`: `lbr_nr` of up to 64; `rdlbr_from`, `rdlbr_to`,
/// `rdlbr_info`: the first number and the index); 32 entries, and that an access to an entry beyond the depth faults: Intel
/// SDM volume 4, "Architectural MSRs", 1200H, as quoted by public lists of registers; XSAVES: Linux,
/// `arch/x86/include/asm/fpu/types.h`, `struct arch_lbr_state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArchLbrStack {
    caps: ArchLbrCaps,
    depth: u8,
}

impl ArchLbrStack {
    /// The largest depth that CPUID can report. The numbers of entries 32 and up are unconfirmed.
    pub const MAX_ENTRIES: u8 = 64;
    /// First information register.
    pub(crate) const INFO: u32 = 0x1200;
    /// First source register.
    pub(crate) const FROM: u32 = 0x1500;
    /// First destination register.
    pub(crate) const TO: u32 = 0x1600;

    /// A stack of `entries` entries.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the processor has no such depth.
    #[inline]
    pub const fn new(caps: ArchLbrCaps, entries: u8) -> Result<Self, Refused> {
        if !caps.has_depth(entries as u64) {
            let rule = Rule::Forbidden("a depth has to be among those of CPUID.1CH:EAX[7:0]");
            return Err(Refused::new("IA32_LBR_DEPTH", entries as u64, rule));
        }
        Ok(Self { caps, depth: entries })
    }

    /// Number of entries.
    #[must_use]
    #[inline]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// What the processor has.
    #[must_use]
    #[inline]
    pub const fn caps(&self) -> &ArchLbrCaps {
        &self.caps
    }

    /// The registers of entry `index`, if there is one; 0 is the newest.
    #[must_use]
    #[inline]
    pub const fn entry(&self, index: u8) -> Option<ArchLbrEntryMsrs> {
        if index >= self.depth {
            return None;
        }
        let index = index as u32;
        Some(ArchLbrEntryMsrs {
            from: Msr::new(Self::FROM + index),
            to: Msr::new(Self::TO + index),
            info: Msr::new(Self::INFO + index),
        })
    }

    /// Sets the depth, which sets every entry to 0.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn clear<B: MsrBus>(&self, bus: &mut B) -> Result<(), B::Fault> {
        Ia32LbrDepth::MSR.write_unchecked(bus, Ia32LbrDepth::new().with_entries(self.depth.into()))
    }

    /// Starts recording as `control` says.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the processor does not take `control`; [`Error::Fault`] with the fault of the access.
    pub fn start<B: MsrBus>(&self, bus: &mut B, control: Ia32LbrCtl) -> Result<(), Error<B::Fault>> {
        Ia32LbrCtl::MSR.write_checked(bus, control, &self.caps)
    }

    /// Stops recording, runs `read` with the bus, and goes on recording if it was.
    ///
    /// # Errors
    ///
    /// The fault that an access to `IA32_LBR_CTL` raised. After one of the first accesses `read` has not been run.
    pub fn still<B: MsrBus, R>(&self, bus: &mut B, read: impl FnOnce(&mut B) -> R) -> Result<R, B::Fault> {
        let before = Ia32LbrCtl::MSR.read(bus)?;
        if before.enable() {
            Ia32LbrCtl::MSR.write_unchecked(bus, before.with_enable(false))?;
        }
        let result = read(bus);
        if before.enable() {
            Ia32LbrCtl::MSR.write_unchecked(bus, before)?;
        }
        Ok(result)
    }

    /// The records, newest first, up to the first entry that has none. Each is read when it is asked for.
    #[must_use]
    pub const fn newest_first<'b, B: MsrBus>(&self, bus: &'b mut B) -> ArchLbrRecords<'b, B> {
        ArchLbrRecords { stack: *self, bus, next: 0 }
    }

    /// Writes entry `index`, for instance one of the task that runs next. Does nothing beyond the depth.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn restore<B: MsrBus>(&self, bus: &mut B, index: u8, entry: ArchLbrEntry) -> Result<(), B::Fault> {
        let Some(msrs) = self.entry(index) else { return Ok(()) };
        msrs.from.write_unchecked(bus, entry.from)?;
        msrs.to.write_unchecked(bus, entry.to)?;
        msrs.info.write_unchecked(bus, entry.info)
    }
}

/// The records, newest first. See [`ArchLbrStack::newest_first`].
pub struct ArchLbrRecords<'b, B> {
    stack: ArchLbrStack,
    bus: &'b mut B,
    next: u8,
}

impl<B: MsrBus> Iterator for ArchLbrRecords<'_, B> {
    type Item = Result<ArchLbrRecord, B::Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let msrs = self.stack.entry(self.next)?;
        self.next += 1;
        let mut read = || {
            let from = msrs.from.read(self.bus)?;
            if from.source() == 0 {
                return Ok(None);
            }
            let (to, info) = (msrs.to.read(self.bus)?, msrs.info.read(self.bus)?);
            Ok(self.stack.caps.decode(ArchLbrEntry { from, to, info }))
        };
        let record = read();
        if !matches!(record, Ok(Some(_))) {
            self.next = self.stack.depth;
        }
        record.transpose()
    }
}

impl<B> fmt::Debug for ArchLbrRecords<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArchLbrRecords").field("stack", &self.stack).field("next", &self.next).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::super::caps::tests::{ALL, LEAST};
    use super::*;
    use crate::access::GeneralProtection;
    use crate::trace::bus::{Access, Recorder};
    use crate::trace::{ArchLbrBranches, ArchLbrEax, Ia32LbrFrom, Ia32LbrInfo, Ia32LbrTo};
    use std::vec::Vec;

    fn stack() -> ArchLbrStack {
        ArchLbrStack::new(ALL, 8).unwrap()
    }

    /// Eight entries, of which `records` hold records.
    fn bus(records: u32) -> Recorder {
        let mut bus = Recorder::new([(0x14CE, 0x7F_0007), (0x14CF, 8)]);
        for i in 0..8 {
            let held = u64::from(i < records);
            bus.set(0x1500 + i, (0xA0 + u64::from(i)) * held);
            bus.set(0x1600 + i, (0xB0 + u64::from(i)) * held);
            bus.set(0x1200 + i, (1 << 60 | u64::from(i)) * held);
        }
        bus
    }

    /// Every depth that CPUID can report.
    const DEEP: ArchLbrCaps = ArchLbrCaps { eax: ArchLbrEax::from_bits(0xFF), ..ALL };

    // Linux: MSR_ARCH_LBR_FROM_0 0x1500, TO_0 0x1600, INFO_0 0x1200; rdlbr_from: lbr_from + idx
    #[test]
    fn numbers() {
        let entry = |entries, index| {
            let entry = ArchLbrStack::new(DEEP, entries).unwrap().entry(index)?;
            Some([entry.from.address(), entry.to.address(), entry.info.address()])
        };
        assert_eq!(entry(32, 0), Some([0x1500, 0x1600, 0x1200]));
        assert_eq!((entry(32, 31), entry(32, 32)), (Some([0x151F, 0x161F, 0x121F]), None));
        assert_eq!((entry(8, 7), entry(8, 8)), (Some([0x1507, 0x1607, 0x1207]), None));
        assert_eq!((entry(40, 39), entry(40, 40)), (Some([0x1527, 0x1627, 0x1227]), None));
        assert_eq!(entry(64, 32), Some([0x1520, 0x1620, 0x1220]));
        assert_eq!((entry(64, 63), entry(64, 64)), (Some([0x153F, 0x163F, 0x123F]), None));
    }

    #[test]
    fn depths() {
        assert!(ArchLbrStack::new(ALL, 24).is_err() && ArchLbrStack::new(LEAST, 16).is_err());
        let depths = |caps| (0..=255).filter(move |&entries| ArchLbrStack::new(caps, entries).is_ok());
        assert!(depths(DEEP).eq([8, 16, 24, 32, 40, 48, 56, 64]) && depths(ALL).eq([8, 16, 32]));
        assert_eq!(depths(DEEP).max(), Some(ArchLbrStack::MAX_ENTRIES));
        let mut bus = bus(0);
        stack().clear(&mut bus).unwrap();
        assert_eq!(bus.writes(), [(0x14CF, 8)]);
    }

    // from entry 0 on, to the first one of 0s
    #[test]
    fn newest_to_oldest() {
        let mut bus = bus(3);
        let records: Vec<_> = stack().newest_first(&mut bus).map(|record| record.unwrap()).collect();
        let seen: Vec<_> = records.iter().map(|record| (record.from, record.to, record.cycles)).collect();
        assert_eq!(seen, [(0xA0, 0xB0, Some(0)), (0xA1, 0xB1, Some(1)), (0xA2, 0xB2, Some(2))]);
        assert_eq!(bus.log().len(), 10, "of the fourth entry only the source");
        assert_eq!(stack().newest_first(&mut self::bus(8)).count(), 8);
    }

    #[test]
    fn sixty_four_entries() {
        let deep = ArchLbrStack::new(DEEP, 64).unwrap();
        let mut bus = Recorder::new([]);
        for i in 0..64 {
            bus.set(0x1500 + i, 0xA00 + u64::from(i));
            bus.set(0x1600 + i, 0xB00 + u64::from(i));
            bus.set(0x1200 + i, 1 << 60 | u64::from(i));
        }
        let last = deep.newest_first(&mut bus).last().unwrap().unwrap();
        assert_eq!((last.from, last.to, last.cycles), (0xA3F, 0xB3F, Some(0x3F)));
        assert_eq!((deep.newest_first(&mut bus).count(), deep.depth()), (64, 64));
        let mut bus = Recorder::new([(0x153F, 0), (0x163F, 0), (0x123F, 0)]);
        let entry = ArchLbrEntry {
            from: Ia32LbrFrom::from_bits(1),
            to: Ia32LbrTo::from_bits(2),
            info: Ia32LbrInfo::from_bits(3),
        };
        deep.restore(&mut bus, 63, entry).unwrap();
        assert_eq!(bus.writes(), [(0x153F, 1), (0x163F, 2), (0x123F, 3)]);
    }

    #[test]
    fn a_fault_ends_the_records() {
        let mut bus = Recorder::new([(0x1500, 1), (0x1600, 2), (0x1200, 3), (0x1501, 4)]);
        let mut records = stack().newest_first(&mut bus);
        assert!(records.next().unwrap().is_ok());
        assert_eq!(records.next(), Some(Err(GeneralProtection::NoSuchRegister)));
        assert_eq!(records.next(), None);
    }

    #[test]
    fn still_stops_and_goes_on() {
        let mut bus = bus(0);
        assert_eq!(stack().still(&mut bus, |bus| bus.get(0x14CE)), Ok(0x7F_0006));
        assert_eq!(bus.get(0x14CE), 0x7F_0007);
        bus.set(0x14CE, 0x7F_0006);
        assert_eq!(stack().still(&mut bus, |bus| bus.get(0x14CE)), Ok(0x7F_0006));
        assert_eq!(bus.get(0x14CE), 0x7F_0006, "it was off and stays off");
    }

    #[test]
    fn start_and_restore() {
        let mut bus = bus(8);
        let control = Ia32LbrCtl::recording(ArchLbrBranches::RETURNS, &ALL).unwrap();
        stack().start(&mut bus, control).unwrap();
        assert_eq!(bus.get(0x14CE), 0x20_0007);
        let least = ArchLbrStack::new(LEAST, 8).unwrap();
        assert!(matches!(least.start(&mut bus, control), Err(Error::Refused(_))));
        let entry = ArchLbrEntry {
            from: Ia32LbrFrom::from_bits(0x11),
            to: Ia32LbrTo::from_bits(0x22),
            info: Ia32LbrInfo::from_bits(0x33),
        };
        let mut bus = self::bus(8);
        stack().restore(&mut bus, 7, entry).unwrap();
        stack().restore(&mut bus, 8, entry).unwrap();
        let writes = [Access::Write(0x1507, 0x11), Access::Write(0x1607, 0x22), Access::Write(0x1207, 0x33)];
        assert_eq!(bus.log(), writes);
    }
}
