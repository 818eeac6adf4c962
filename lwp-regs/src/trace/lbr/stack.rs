//! Reading the LBR stack.

use super::{FromWithTsx, LbrEntry, LbrFormat, LbrFrom, LbrInfo, LbrLayout, LbrRecord, LbrTo, LbrTos};
use crate::access::MsrBus;
use crate::refused::{Refused, Rule};
use crate::trace::{DebugCtl, UntracedDebugCtl};
use core::fmt;

/// The LBR stack of a processor: where its registers are and what they mean.
///
/// Records are only of one moment while the stack stands still: inside [`still`](Self::still), in a handler of #DB
/// (which clears the LBR flag), or in a handler of a performance interrupt that freezes it
/// ([`FreezeOnPmi`](crate::trace::FreezeOnPmi)).
///
/// Source: Intel SDM volume 3B, "LBR Stack".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LbrStack {
    layout: LbrLayout,
    format: LbrFormat,
    tsx: bool,
}

impl LbrStack {
    /// The stack of a processor with this layout, whose `IA32_PERF_CAPABILITIES` reports this format. Without TSX, see
    /// [`without_tsx`](Self::without_tsx).
    ///
    /// # Errors
    ///
    /// [`Refused`] when the format is unknown, or is not of the registers that the layout has.
    #[inline]
    pub const fn new(layout: LbrLayout, format: LbrFormat) -> Result<Self, Refused> {
        let rule = if !format.is_known() {
            Rule::Forbidden("the format of the LBR stack is unknown to this crate")
        } else if format.has_info() && !layout.has_info() {
            Rule::NotAvailable("MSR_LBR_INFO_x")
        } else if format.is_one_register() != layout.is_one_register() {
            Rule::Forbidden("format 0 has one register a record, the others have two; the layout has another number")
        } else {
            return Ok(Self { layout, format, tsx: true });
        };
        Err(Refused::new("IA32_PERF_CAPABILITIES", format.code() as u64, rule))
    }

    /// The same stack on a processor without TSX (neither HLE nor RTM), or where TSX is disabled. The bits of format 4
    /// that tell of transactions mean nothing there, and WRMSR takes them for part of the address.
    ///
    /// Source: Linux, `arch/x86/events/intel/lbr.c`, `lbr_from_signext_quirk_needed`.
    #[must_use]
    #[inline]
    pub const fn without_tsx(self) -> Self {
        Self { tsx: false, ..self }
    }

    /// Whether format 4 has an address where its flags of transactions would be.
    #[inline]
    const fn has_address_for_flags(&self) -> bool {
        !self.tsx && matches!(self.format, LbrFormat::EffectiveIpTsx)
    }

    /// What the registers of an entry say. `None` never comes for a format that [`new`](Self::new) has taken.
    #[must_use]
    #[inline]
    pub const fn decode(&self, entry: LbrEntry) -> Option<LbrRecord> {
        match self.format.decode(entry) {
            Some(record) if self.has_address_for_flags() => Some(LbrRecord { in_tsx: None, tsx_abort: None, ..record }),
            record => record,
        }
    }

    /// What software writes to restore an entry that says `record`.
    ///
    /// # Errors
    ///
    /// [`Refused`] as for [`LbrFormat::encode`].
    pub fn encode(&self, record: &LbrRecord) -> Result<LbrEntry, Refused> {
        let entry = self.format.encode(record)?;
        if !self.has_address_for_flags() {
            return Ok(entry);
        }
        let from = FromWithTsx::from_bits(entry.from.into_bits()).sign_extended();
        Ok(LbrEntry { from: LbrFrom::from_bits(from.into_bits()), ..entry })
    }

    /// Where the registers are.
    #[must_use]
    #[inline]
    pub const fn layout(&self) -> LbrLayout {
        self.layout
    }

    /// What they mean.
    #[must_use]
    #[inline]
    pub const fn format(&self) -> LbrFormat {
        self.format
    }

    /// The records, newest first, as many as the stack has entries. An entry that has not been written since
    /// [`clear`](Self::clear) is all 0.
    ///
    /// # Errors
    ///
    /// The fault that reading the top-of-stack pointer raised. The iterator ends after a fault that it yields.
    pub fn newest_first<'b, B: MsrBus>(&self, bus: &'b mut B) -> Result<LbrRecords<'b, B>, B::Fault> {
        let tos = self.layout.tos().read(bus)?;
        Ok(LbrRecords { stack: *self, bus, tos, age: 0 })
    }

    /// Reads the newest records into `records`, newest first, and gives their number: what fits, at most the depth.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn read<B: MsrBus>(&self, bus: &mut B, records: &mut [LbrRecord]) -> Result<usize, B::Fault> {
        let mut count = 0;
        for (place, record) in records.iter_mut().zip(self.newest_first(bus)?) {
            *place = record?;
            count += 1;
        }
        Ok(count)
    }

    /// Stops recording, runs `read` with the bus, and goes on recording if it was.
    ///
    /// While branch trace messages are on (`IA32_DEBUGCTL.TR`), some processors update the stack all the same, since
    /// they make the messages from it; [`LbrStill::is_certain`] says so.
    ///
    /// # Errors
    ///
    /// The fault that an access to `IA32_DEBUGCTL` raised. After one of the first access `read` has not been run.
    pub fn still<B: MsrBus, R>(&self, bus: &mut B, read: impl FnOnce(&mut B, LbrStill) -> R) -> Result<R, B::Fault> {
        let lbr = DebugCtl::new().with_lbr(true);
        let before = DebugCtl::modify(bus, lbr, UntracedDebugCtl::OFF)?;
        let result = read(bus, LbrStill { certain: !before.tr() });
        if before.lbr() {
            DebugCtl::modify(bus, DebugCtl::new(), UntracedDebugCtl::without_trace(lbr))?;
        }
        Ok(result)
    }

    /// Sets every entry to 0, so that what is read later is of later.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; entries before it are cleared.
    pub fn clear<B: MsrBus>(&self, bus: &mut B) -> Result<(), B::Fault> {
        for entry in (0..self.layout.depth().get()).filter_map(|index| self.layout.entry(index)) {
            entry.from.write_unchecked(bus, LbrFrom::new())?;
            if let Some(to) = entry.to {
                to.write_unchecked(bus, LbrTo::new())?;
            }
            if let Some(info) = entry.info {
                info.write_unchecked(bus, LbrInfo::new())?;
            }
        }
        Ok(())
    }
}

/// Whether the stack stands still while the LBR flag is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LbrStill {
    certain: bool,
}

impl LbrStill {
    /// False while branch trace messages are on: some processors make them from LBR entries and go on updating those.
    #[must_use]
    #[inline]
    pub const fn is_certain(self) -> bool {
        self.certain
    }
}

/// The records of an LBR stack, newest first. See [`LbrStack::newest_first`].
pub struct LbrRecords<'b, B> {
    stack: LbrStack,
    bus: &'b mut B,
    tos: LbrTos,
    age: u8,
}

impl<B: MsrBus> LbrRecords<'_, B> {
    fn entry(&mut self, index: u8) -> Option<Result<LbrRecord, B::Fault>> {
        let msrs = self.stack.layout.entry(index)?;
        let mut read = || {
            let from = msrs.from.read(self.bus)?;
            let to = match msrs.to {
                Some(to) => to.read(self.bus)?,
                None => LbrTo::new(),
            };
            let info = match msrs.info {
                Some(info) if self.stack.format.has_info() => info.read(self.bus)?,
                _ => LbrInfo::new(),
            };
            Ok(LbrEntry { from, to, info })
        };
        match read() {
            Ok(entry) => self.stack.decode(entry).map(Ok),
            Err(fault) => {
                self.age = self.stack.layout.depth().get();
                Some(Err(fault))
            }
        }
    }
}

impl<B: MsrBus> Iterator for LbrRecords<'_, B> {
    type Item = Result<LbrRecord, B::Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.stack.layout.depth().entry(self.tos, self.age)?;
        self.age += 1;
        self.entry(index)
    }
}

impl<B> fmt::Debug for LbrRecords<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LbrRecords").field("stack", &self.stack).field("age", &self.age).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::access::GeneralProtection;
    use crate::trace::bus::{Access, Recorder};
    use std::vec::Vec;

    const CORE2: LbrStack = LbrStack { layout: LbrLayout::CORE2, format: LbrFormat::EffectiveIp, tsx: true };

    fn core2(tos: u64) -> Recorder {
        let mut bus = Recorder::new([(0x1D9, 0x41), (0x1C9, tos)]);
        for i in 0..4 {
            bus.set(0x40 + i, 0xA0 + u64::from(i));
            bus.set(0x60 + i, 0xB0 + u64::from(i));
        }
        bus
    }

    // LBR-06, LBR-07, LBR-26: from the entry that the pointer names down to the oldest
    #[test]
    fn newest_to_oldest() {
        let mut bus = core2(1);
        let records: Vec<_> = CORE2.newest_first(&mut bus).unwrap().map(|record| record.unwrap()).collect();
        let addresses: Vec<_> = records.iter().map(|record| (record.from, record.to)).collect();
        assert_eq!(addresses, [(0xA1, 0xB1), (0xA0, 0xB0), (0xA3, 0xB3), (0xA2, 0xB2)]);
        assert_eq!(bus.log()[..3], [Access::Read(0x1C9), Access::Read(0x41), Access::Read(0x61)]);
        assert_eq!(bus.log().len(), 9, "each register once");
    }

    #[test]
    fn a_short_slice_takes_the_newest() {
        let mut records = [LbrRecord::default(); 2];
        assert_eq!(CORE2.read(&mut core2(0x0), &mut records), Ok(2));
        assert_eq!(records.map(|record| record.from), [0xA0, 0xA3]);
    }

    // LBR-20, LBR-21, LBR-22, LBR-23: a Skylake stack of 32 triplets
    #[test]
    fn skylake() {
        let mut bus = Recorder::new([(0x1C9, 31)]);
        for i in 0..32 {
            bus.set(0x680 + i, 0x1000 + u64::from(i));
            bus.set(0x6C0 + i, 0x2000 + u64::from(i));
            bus.set(0xDC0 + i, 0x8000_0000_0000_0000 | u64::from(i));
        }
        let stack = LbrStack::new(LbrLayout::SKYLAKE, LbrFormat::from_perf_capabilities(0x33C5)).unwrap();
        let mut records = [LbrRecord::default(); 40];
        assert_eq!(stack.read(&mut bus, &mut records), Ok(32));
        assert_eq!((records[0].from, records[0].to), (0x101F, 0x201F));
        assert_eq!(
            (records[0].cycles, records[0].mispredicted, records[0].in_tsx),
            (Some(31), Some(true), Some(false))
        );
        assert_eq!(records[31].from, 0x1000);

        stack.clear(&mut bus).unwrap();
        assert_eq!(bus.writes().len(), 96);
        assert!(bus.writes().iter().all(|&(_, value)| value == 0));
    }

    // LBR-11, LBR-26: a Core Duo has eight registers, 40H to 47H, and reading one of 60H on would fault
    #[test]
    fn core_duo() {
        let records = (0..8).map(|i| (0x40 + i as u32, 0xB000_0000_A000_0000 + 0x1_0000_0001 * i));
        let mut bus = Recorder::new([(0x1C9, 2)]);
        records.for_each(|(address, value)| bus.set(address, value));
        let stack = LbrStack::new(LbrLayout::for_model(6, 0x0E).unwrap(), LbrFormat::Offset32).unwrap();
        let mut records = [LbrRecord::default(); 8];
        assert_eq!(stack.read(&mut bus, &mut records), Ok(8));
        let ends = records.map(|record| (record.from, record.to));
        assert_eq!((ends[0], ends[3]), ((0xA000_0002, 0xB000_0002), (0xA000_0007, 0xB000_0007)));
        stack.clear(&mut bus).unwrap();
        assert!(bus.writes().iter().map(|&(address, _)| address).eq(0x40..0x48));
    }

    // a stack of format 4 without TSX: the hardware writes 0 to bits 62:61, software writes a sign extension
    #[test]
    fn without_tsx_what_is_written_is_read() {
        let with = LbrStack::new(LbrLayout::HASWELL, LbrFormat::EffectiveIpTsx).unwrap();
        let record = LbrRecord { from: 0xFFFF_FFFF_8100_0010, mispredicted: Some(false), ..LbrRecord::default() };
        let written = with.without_tsx().encode(&record).unwrap();
        assert_eq!(written.from.source(), 0x7FFF_FFFF_8100_0010);
        assert_eq!(with.without_tsx().decode(written), Some(record));
        let hardware = LbrEntry { from: LbrFrom::from_bits(0x1FFF_FFFF_8100_0010), ..written };
        assert_eq!(with.without_tsx().decode(hardware), Some(record));
        let abort = LbrRecord { in_tsx: Some(false), tsx_abort: Some(true), ..record };
        assert_eq!(with.encode(&abort).unwrap().from.source(), 0x3FFF_FFFF_8100_0010);
    }

    #[test]
    fn a_fault_ends_the_records() {
        let mut bus = Recorder::new([(0x1C9, 3), (0x43, 1), (0x63, 2), (0x42, 1)]);
        let mut records = CORE2.newest_first(&mut bus).unwrap();
        assert!(records.next().unwrap().is_ok());
        assert_eq!(records.next(), Some(Err(GeneralProtection::NoSuchRegister)));
        assert_eq!(records.next(), None);
        assert!(CORE2.newest_first(&mut Recorder::new([])).is_err());
    }

    #[test]
    fn a_format_needs_its_registers() {
        let new = |layout, format| LbrStack::new(layout, format).map_err(|refused| refused.rule);
        assert_eq!(new(LbrLayout::NEHALEM, LbrFormat::Info), Err(Rule::NotAvailable("MSR_LBR_INFO_x")));
        assert!(new(LbrLayout::SKYLAKE, LbrFormat::Unknown(0x3F)).is_err());
        assert!(new(LbrLayout::SKYLAKE, LbrFormat::EffectiveIp).is_ok());
        assert!(new(LbrLayout::CORE2, LbrFormat::Offset32).is_err(), "two registers a record");
        assert!(new(LbrLayout::PENTIUM_M, LbrFormat::EffectiveIp).is_err(), "one register a record");
    }

    // with TR the stack may go on moving, and the reader is told
    #[test]
    fn still_stops_and_goes_on() {
        let mut bus = core2(0);
        let certain = CORE2.still(&mut bus, |bus, still| (bus.get(0x1D9), still.is_certain())).unwrap();
        assert_eq!(certain, (0x40, false), "LBR is 0, TR is left alone");
        assert_eq!(bus.get(0x1D9), 0x41);
        bus.set(0x1D9, 0);
        assert_eq!(CORE2.still(&mut bus, |bus, still| (bus.get(0x1D9), still.is_certain())), Ok((0, true)));
        assert_eq!(bus.get(0x1D9), 0, "it was off and stays off");
    }
}
