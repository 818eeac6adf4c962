//! Describing a debug-store area, with every rule of the manual checked.

use super::{DsBuffer, DsError, DsFormat, DsImage, DsPart, PebsFormat, PebsReset, Region};
use bitflags::bitflags;
use core::num::NonZeroU64;

bitflags! {
    /// What works, but not as well as it could.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct DsWarnings: u8 {
        /// The size of a buffer is not a multiple of its record size; the rest is not used.
        const REST_UNUSED = 1 << 0;
        /// A base is not aligned to a cache line of 64 bytes.
        const NOT_CACHE_ALIGNED = 1 << 1;
        /// Some memory is not write-back.
        const NOT_WRITE_BACK = 1 << 2;
        /// There is room for less than [`DsBuilder::SPARE_RECORDS`] branch records behind the threshold: the buffer may
        /// be full before the interrupt is served.
        const THRESHOLD_NEAR_END = 1 << 3;
    }
}

set_format!(DsWarnings);

/// What the BTS buffer does when records have filled it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BtsMode {
    /// Begins again at its base: the most recent branches are kept (BTINT = 0).
    Circular,
    /// Interrupts after so many records (BTINT = 1).
    InterruptAfter(u64),
}

/// The PEBS buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PebsSetup<'p> {
    /// Its memory.
    pub region: Region<'p>,
    /// What the processor writes: [`PebsFormat::from_capabilities`].
    pub format: PebsFormat,
    /// Bytes of a record: [`PebsFormat::record_bytes`]; of an adaptive one the size that `MSR_PEBS_DATA_CFG` leads to.
    pub record_bytes: u64,
    /// After how many records it interrupts.
    pub interrupt_after: u64,
    /// How many records can occur until the interrupt is served.
    pub waiting: u64,
    /// What each counter is set to after each of its records.
    pub counter_reset: PebsReset,
}

/// A debug-store area in the making. [`build`](Self::build) checks the rules that the manual states.
///
/// Source: Intel SDM volume 3B, "Setting Up the DS Save Area" and "Setting Up the BTS Buffer".
#[derive(Clone, Copy, Debug)]
pub struct DsBuilder<'p> {
    format: DsFormat,
    management: Region<'p>,
    bts: Option<(Region<'p>, BtsMode)>,
    pebs: Option<PebsSetup<'p>>,
    apic_enabled: bool,
    a20m: bool,
    global_counters: bool,
}

/// A debug-store area that keeps the rules: what to put in memory and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DsPlan {
    pub(super) format: DsFormat,
    pub(super) address: u64,
    pub(super) image: DsImage,
    pub(super) bts: Option<BtsMode>,
    pub(super) pebs_record_bytes: Option<NonZeroU64>,
    pub(super) pebs_format: PebsFormat,
    pub(super) global_counters: bool,
    warnings: DsWarnings,
}

impl<'p> DsBuilder<'p> {
    /// How many records should fit behind the BTS threshold ("several", says the manual; the number is this project's).
    pub const SPARE_RECORDS: u64 = 8;

    /// An area in this format, whose buffer management area is `management`. `apic_enabled`: the local APIC is on
    /// (`IA32_APIC_BASE`\[11\]).
    #[must_use]
    #[inline]
    pub const fn new(format: DsFormat, management: Region<'p>, apic_enabled: bool) -> Self {
        Self { format, management, bts: None, pebs: None, apic_enabled, a20m: false, global_counters: false }
    }

    /// Adds a BTS buffer.
    #[must_use]
    #[inline]
    pub const fn bts(self, region: Region<'p>, mode: BtsMode) -> Self {
        Self { bts: Some((region, mode)), ..self }
    }

    /// Adds a PEBS buffer.
    #[must_use]
    #[inline]
    pub const fn pebs(self, pebs: PebsSetup<'p>) -> Self {
        Self { pebs: Some(pebs), ..self }
    }

    /// The system may enter A20M mode while the area is in use, so bit 20 of every address has to be 0.
    #[must_use]
    #[inline]
    pub const fn a20m_possible(self) -> Self {
        Self { a20m: true, ..self }
    }

    /// The processor has `IA32_PERF_GLOBAL_STATUS` and its like (architectural performance monitoring of version 2 or
    /// later), which the interrupt handler is to read and clear.
    #[must_use]
    #[inline]
    pub const fn global_counters(self) -> Self {
        Self { global_counters: true, ..self }
    }

    /// Checks the area.
    ///
    /// # Errors
    ///
    /// [`DsError`]: the first rule that is broken.
    pub fn build(self) -> Result<DsPlan, DsError> {
        if !self.apic_enabled {
            return Err(DsError::NoApic);
        }
        let mut warnings = DsWarnings::empty();
        // The processor reads 8 bytes at a time, in either format.
        self.check_region(DsPart::Management, &self.management, 8, &mut warnings)?;
        if self.management.bytes < self.format.management_bytes() as u64 {
            let needed = self.format.management_bytes() as u64;
            return Err(DsError::TooSmall { part: DsPart::Management, needed });
        }
        let mut image = DsImage::default();
        if let Some((region, mode)) = self.bts {
            image.bts = self.check_bts(&region, mode, &mut warnings)?;
        }
        if let Some(pebs) = self.pebs {
            image.pebs = self.check_pebs(&pebs, &mut warnings)?;
            image.pebs_counter_reset = pebs.counter_reset;
        }
        self.check_overlap()?;
        Ok(DsPlan {
            format: self.format,
            address: self.management.base,
            image,
            bts: self.bts.map(|(_, mode)| mode),
            pebs_record_bytes: self.pebs.and_then(|pebs| NonZeroU64::new(pebs.record_bytes)),
            pebs_format: self.pebs.map_or(PebsFormat::Registers, |pebs| pebs.format),
            global_counters: self.global_counters,
            warnings,
        })
    }

    fn check_region(
        &self,
        part: DsPart,
        region: &Region<'_>,
        alignment: u64,
        warnings: &mut DsWarnings,
    ) -> Result<(), DsError> {
        let base = region.base;
        if !base.is_multiple_of(alignment) {
            return Err(DsError::Misaligned { part, base, alignment });
        }
        if !region.end().is_some_and(|end| self.format.holds(end)) {
            return Err(DsError::TooHigh { part, base });
        }
        region.check_pages(part)?;
        if self.a20m {
            region.check_a20(part)?;
        }
        if !base.is_multiple_of(64) {
            *warnings |= DsWarnings::NOT_CACHE_ALIGNED;
        }
        if !region.is_write_back() {
            *warnings |= DsWarnings::NOT_WRITE_BACK;
        }
        Ok(())
    }

    fn check_bts(&self, region: &Region<'_>, mode: BtsMode, warnings: &mut DsWarnings) -> Result<DsBuffer, DsError> {
        let part = DsPart::Bts;
        let record_bytes = self.format.bts_record_bytes();
        let records = self.check_buffer(part, region, record_bytes, warnings)?;
        let after = match mode {
            BtsMode::InterruptAfter(after) if after == 0 || after >= records => {
                return Err(DsError::Threshold { part, after, records });
            }
            BtsMode::InterruptAfter(after) => after,
            // At the end, which the index of a circular buffer never reaches.
            BtsMode::Circular => records,
        };
        if after < records && records - after < Self::SPARE_RECORDS {
            *warnings |= DsWarnings::THRESHOLD_NEAR_END;
        }
        DsBuffer::empty(region.base, record_bytes, records, after).ok_or(DsError::TooHigh { part, base: region.base })
    }

    fn check_pebs(&self, pebs: &PebsSetup<'_>, warnings: &mut DsWarnings) -> Result<DsBuffer, DsError> {
        let part = DsPart::Pebs;
        let record_bytes = pebs.record_bytes;
        if !pebs.format.has_records_of(self.format, record_bytes) {
            return Err(DsError::PebsRecordBytes(record_bytes));
        }
        let records = self.check_buffer(part, &pebs.region, record_bytes, warnings)?;
        let after = pebs.interrupt_after;
        if after == 0 || after >= records {
            return Err(DsError::Threshold { part, after, records });
        }
        let (waiting, room) = (pebs.waiting, records - after);
        if room < waiting {
            return Err(DsError::Latency { waiting, room });
        }
        let base = pebs.region.base;
        DsBuffer::empty(base, record_bytes, records, after).ok_or(DsError::TooHigh { part, base })
    }

    /// Number of records that the buffer has room for.
    fn check_buffer(
        &self,
        part: DsPart,
        region: &Region<'_>,
        record_bytes: u64,
        warnings: &mut DsWarnings,
    ) -> Result<u64, DsError> {
        self.check_region(part, region, self.format.field_bytes() as u64, warnings)?;
        let Some(records) = region.bytes.checked_div(record_bytes).filter(|records| *records > 0) else {
            return Err(DsError::TooSmall { part, needed: record_bytes });
        };
        if !region.bytes.is_multiple_of(record_bytes) {
            *warnings |= DsWarnings::REST_UNUSED;
        }
        Ok(records)
    }

    fn check_overlap(&self) -> Result<(), DsError> {
        let bts = self.bts.map(|(region, _)| (DsPart::Bts, region));
        let pebs = self.pebs.map(|pebs| (DsPart::Pebs, pebs.region));
        if bts.is_none() && pebs.is_none() {
            return Err(DsError::NoBuffer);
        }
        let parts = [Some((DsPart::Management, self.management)), bts, pebs];
        for (i, (part, region)) in parts.iter().enumerate().filter_map(|(i, part)| Some((i, (*part)?))) {
            for (other_part, other) in parts.iter().take(i).flatten() {
                if region.overlaps(other) {
                    return Err(DsError::Overlap(*other_part, part));
                }
            }
        }
        Ok(())
    }
}

impl DsPlan {
    /// The format of the area.
    #[must_use]
    #[inline]
    pub const fn format(&self) -> DsFormat {
        self.format
    }

    /// Linear address of the buffer management area, for `IA32_DS_AREA`.
    #[must_use]
    #[inline]
    pub const fn address(&self) -> u64 {
        self.address
    }

    /// What to put there.
    #[must_use]
    #[inline]
    pub const fn image(&self) -> &DsImage {
        &self.image
    }

    /// What could be better.
    #[must_use]
    #[inline]
    pub const fn warnings(&self) -> DsWarnings {
        self.warnings
    }
}
