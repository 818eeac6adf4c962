//! What a processor has of AMD's branch records, and reading them.

use super::{AmdDbgExtnCfg, AmdLbrEntry, AmdLbrFrom, AmdLbrRecord, AmdLbrSelect, AmdLbrTo};
use crate::access::{Cpuid, MsrBus};
use crate::msr::Msr;
use crate::perf::amd::cpuid::{AmdPerfmonEax, AmdPerfmonEbx, LEAF};
use crate::trace::LinearAddressBits;
use core::fmt;

/// AMD's last branch records of version 2, decoded from CPUID leaf 8000_0022H.
///
/// Source: Linux, `arch/x86/events/amd/lbr.c` (`amd_pmu_lbr_init`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct AmdLbrCaps {
    /// Number of entries: EBX\[9:4\].
    pub entries: u8,
    /// A performance interrupt can freeze them (EAX\[2\]): by bit 11 of `IA32_DEBUGCTL`,
    /// [`DebugCtl::freeze_lbrs_on_pmi`](crate::trace::DebugCtl::freeze_lbrs_on_pmi).
    pub freeze: bool,
    /// Width of linear addresses.
    pub width: LinearAddressBits,
}

impl AmdLbrCaps {
    /// Records in `entries` entries, at linear addresses of 48 bits. The fields can be changed.
    #[must_use]
    #[inline]
    pub const fn new(entries: u8, freeze: bool) -> Self {
        Self { entries, freeze, width: LinearAddressBits(48) }
    }

    /// Asks the processor: leaf 8000_0022H, and 8000_0008H EAX\[15:8\] for the width. `None` without such records, or on a
    /// processor that is not one of AMD's or of Hygon's.
    #[must_use]
    pub fn detect(cpuid: &(impl Cpuid + ?Sized)) -> Option<Self> {
        if !matches!(&cpuid.vendor(), b"AuthenticAMD" | b"HygonGenuine") {
            return None;
        }
        let [eax, ebx, ..] = cpuid.leaf(LEAF, 0)?;
        let eax = AmdPerfmonEax::from_bits(eax);
        let entries = AmdPerfmonEbx::from_bits(ebx).lbr_entries().get();
        if !eax.lbr_v2() || entries == 0 {
            return None;
        }
        let width = cpuid.leaf(0x8000_0008, 0).map_or(48, |[eax, ..]| (eax >> 8) as u8);
        Some(Self { entries, freeze: eax.freeze(), width: LinearAddressBits(width) })
    }
}

/// The numbers of the registers of one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AmdLbrEntryMsrs {
    /// `SAMP_BR_FROM_n`, C001_0300H + 2n.
    pub from: Msr<AmdLbrFrom>,
    /// `SAMP_BR_TO_n`, C001_0301H + 2n.
    pub to: Msr<AmdLbrTo>,
}

/// The entries of a processor with AMD's branch records. Entry 0 is the newest.
///
/// Records are only of one moment while nothing is recorded: inside [`still`](Self::still), or in a handler of a
/// performance interrupt that freezes them.
///
/// Source: Linux, `arch/x86/events/amd/lbr.c`: "Internal register renaming always ensures that LBR From\[0\] and LBR
/// To\[0\] always represent the TOS".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AmdLbrStack {
    caps: AmdLbrCaps,
}

impl AmdLbrStack {
    /// First source register; the destination follows, then the next source.
    pub(crate) const FROM: u32 = 0xC001_0300;
    /// First destination register.
    pub(crate) const TO: u32 = 0xC001_0301;
    /// As many as CPUID can name.
    pub(crate) const MAX_ENTRIES: u8 = 63;

    /// The stack of a processor with these records.
    #[must_use]
    #[inline]
    pub const fn new(caps: AmdLbrCaps) -> Self {
        Self { caps }
    }

    /// The registers of entry `index`, if there is one; 0 is the newest.
    #[must_use]
    #[inline]
    pub const fn entry(&self, index: u8) -> Option<AmdLbrEntryMsrs> {
        if index >= self.caps.entries || index >= Self::MAX_ENTRIES {
            return None;
        }
        let index = 2 * index as u32;
        Some(AmdLbrEntryMsrs { from: Msr::new(Self::FROM + index), to: Msr::new(Self::TO + index) })
    }

    /// Starts recording what `select` does not leave out.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn start<B: MsrBus>(&self, bus: &mut B, select: AmdLbrSelect) -> Result<(), B::Fault> {
        AmdLbrSelect::MSR.write_unchecked(bus, select)?;
        AmdDbgExtnCfg::MSR.update_unchecked(bus, |cfg| cfg.with_lbr_v2_enable(true))
    }

    /// Stops recording, runs `read` with the bus, and goes on recording if it was.
    ///
    /// # Errors
    ///
    /// The fault that an access to `DBG_EXTN_CFG` raised. After one of the first accesses `read` has not been run.
    pub fn still<B: MsrBus, R>(&self, bus: &mut B, read: impl FnOnce(&mut B) -> R) -> Result<R, B::Fault> {
        let before = AmdDbgExtnCfg::MSR.read(bus)?;
        if before.lbr_v2_enable() {
            AmdDbgExtnCfg::MSR.write_unchecked(bus, before.with_lbr_v2_enable(false))?;
        }
        let result = read(bus);
        if before.lbr_v2_enable() {
            AmdDbgExtnCfg::MSR.write_unchecked(bus, before)?;
        }
        Ok(result)
    }

    /// The records, newest first, without the entries that hold none. Each is read when it is asked for.
    #[must_use]
    pub const fn newest_first<'b, B: MsrBus>(&self, bus: &'b mut B) -> AmdLbrRecords<'b, B> {
        AmdLbrRecords { stack: *self, bus, next: 0 }
    }

    /// Sets every entry to 0, so that what is read later is of later.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; entries before it are cleared.
    pub fn clear<B: MsrBus>(&self, bus: &mut B) -> Result<(), B::Fault> {
        for entry in (0..self.caps.entries).map_while(|index| self.entry(index)) {
            entry.from.write_unchecked(bus, AmdLbrFrom::new())?;
            entry.to.write_unchecked(bus, AmdLbrTo::new())?;
        }
        Ok(())
    }
}

/// The records, newest first. See [`AmdLbrStack::newest_first`].
pub struct AmdLbrRecords<'b, B> {
    stack: AmdLbrStack,
    bus: &'b mut B,
    next: u8,
}

impl<B: MsrBus> Iterator for AmdLbrRecords<'_, B> {
    type Item = Result<AmdLbrRecord, B::Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let msrs = self.stack.entry(self.next)?;
            self.next += 1;
            let mut read = || Ok(AmdLbrEntry { from: msrs.from.read(self.bus)?, to: msrs.to.read(self.bus)? });
            match read() {
                Ok(entry) => match entry.decode(self.stack.caps.width) {
                    Some(record) => return Some(Ok(record)),
                    None => continue,
                },
                Err(fault) => {
                    self.next = AmdLbrStack::MAX_ENTRIES;
                    return Some(Err(fault));
                }
            }
        }
    }
}

impl<B> fmt::Debug for AmdLbrRecords<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AmdLbrRecords").field("stack", &self.stack).field("next", &self.next).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::access::GeneralProtection;
    use crate::trace::LbrBranches;
    use crate::trace::bus::Recorder;
    use std::vec::Vec;

    const STACK: AmdLbrStack = AmdLbrStack::new(AmdLbrCaps::new(16, true));

    fn bus() -> Recorder {
        let mut bus = Recorder::new([(0xC000_010E, 0), (0xC000_010F, 0x8040)]);
        for i in 0..16 {
            bus.set(0xC001_0300 + 2 * i, 0xA0 + u64::from(i));
            let valid = if i == 1 || i > 3 { 0 } else { 1 << 63 };
            bus.set(0xC001_0301 + 2 * i, valid | (0xB0 + u64::from(i)));
        }
        bus
    }

    // Linux: MSR_AMD_SAMP_BR_FROM 0xc0010300 + idx * 2, and + 1 for the destination
    #[test]
    fn numbers() {
        let entry = |index| STACK.entry(index).map(|entry| (entry.from.address(), entry.to.address()));
        assert_eq!(entry(0), Some((0xC001_0300, 0xC001_0301)));
        assert_eq!(entry(15), Some((0xC001_031E, 0xC001_031F)));
        assert_eq!(entry(16), None);
    }

    // entries without a record are left out, those behind them are read
    #[test]
    fn newest_to_oldest() {
        let records: Vec<_> = STACK.newest_first(&mut bus()).map(|record| record.unwrap()).collect();
        let ends: Vec<_> = records.iter().map(|record| (record.from, record.to)).collect();
        assert_eq!(ends, [(0xA0, 0xB0), (0xA2, 0xB2), (0xA3, 0xB3)]);
        let mut cleared = bus();
        STACK.clear(&mut cleared).unwrap();
        assert_eq!((cleared.writes().len(), STACK.newest_first(&mut cleared).count()), (32, 0));
        let mut faulting = Recorder::new([(0xC001_0300, 1), (0xC001_0301, 1 << 63)]);
        let mut records = STACK.newest_first(&mut faulting);
        assert!(records.next().unwrap().is_ok());
        assert_eq!(records.next(), Some(Err(GeneralProtection::NoSuchRegister)));
        assert_eq!(records.next(), None);
    }

    // the other bits of DBG_EXTN_CFG stay
    #[test]
    fn start_and_stop() {
        let mut bus = Recorder::new([(0xC000_010E, 0), (0xC000_010F, 0x8000)]);
        STACK.start(&mut bus, AmdLbrSelect::only(LbrBranches::RETURNS)).unwrap();
        assert_eq!(bus.writes(), [(0xC000_010E, 0x1DC), (0xC000_010F, 0x8040)]);
        assert_eq!(STACK.still(&mut bus, |bus| bus.get(0xC000_010F)), Ok(0x8000));
        assert_eq!(bus.get(0xC000_010F), 0x8040);
        bus.set(0xC000_010F, 0x8000);
        STACK.still(&mut bus, |_| ()).unwrap();
        assert_eq!(bus.get(0xC000_010F), 0x8000, "it was off and stays off");
    }

    #[test]
    fn detection() {
        let detect = |ebx_0: u32, eax: u32, ebx: u32| {
            AmdLbrCaps::detect(&|leaf: u32, _: u32| match leaf {
                0 => [1, ebx_0, 0x444D_4163, 0x6974_6E65],
                0x8000_0000 => [0x8000_0022, 0, 0, 0],
                0x8000_0008 => [0x3930, 0, 0, 0],
                0x8000_0022 => [eax, ebx, 0, 0],
                _ => [0; 4],
            })
        };
        let zen4 = detect(0x6874_7541, 7, 0x106).unwrap();
        assert_eq!(zen4, AmdLbrCaps { width: LinearAddressBits(57), ..AmdLbrCaps::new(16, true) });
        assert!(!detect(0x6874_7541, 3, 0x106).unwrap().freeze);
        assert_eq!(detect(0x6874_7541, 5, 0x106), None, "no LBR version 2");
        assert_eq!(detect(0x6874_7541, 7, 0x006), None, "no entries");
        assert_eq!(detect(0x756E_6547, 7, 0x106), None, "another vendor");
    }
}
