//! The last branch before an exception or interrupt.

use super::{LbrEntry, LbrFormat, LbrFrom, LbrInfo, LbrRecord, LbrTo};
use crate::access::MsrBus;

layout! {
    /// `MSR_LER_FROM_LIP`: source of the last branch before the last exception or interrupt. Read-only. Outside 64-bit mode
    /// the upper 32 bits are stored as 0.
    ///
    /// Source: Intel SDM volume 3B, "Last Exception Records and Intel 64 Architecture"; number: Linux, `msr-index.h`.
    #[doc(alias = "0x1DD")]
    #[doc(alias = "MSR_LER_FROM_LIP")]
    pub struct LerFrom: u64, Preserve {
        /// As in [`LbrFrom`].
        #[inline]
        pub source: u64,
    }
    msr "MSR_LER_FROM_LIP" = 0x1DD, read_only;
}

layout! {
    /// `MSR_LER_TO_LIP`: destination of the last branch before the last exception or interrupt. Read-only.
    ///
    /// Source: Intel SDM volume 3B, "Last Exception Records and Intel 64 Architecture"; number: Linux, `msr-index.h`.
    #[doc(alias = "0x1DE")]
    #[doc(alias = "MSR_LER_TO_LIP")]
    pub struct LerTo: u64, Preserve {
        /// As in [`LbrTo`].
        #[inline]
        pub destination: u64,
    }
    msr "MSR_LER_TO_LIP" = 0x1DE, read_only;
}

impl LerFrom {}

impl LerTo {}

/// The last exception record: the branch record that the processor copied when an exception or interrupt came.
///
/// Source: Intel SDM volume 3B, "Last Exception Records and Intel 64 Architecture".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LastException {
    /// `MSR_LER_FROM_LIP`.
    pub from: LerFrom,
    /// `MSR_LER_TO_LIP`.
    pub to: LerTo,
}

impl LastException {
    /// Reads the pair.
    ///
    /// # Errors
    ///
    /// The fault that an access raised.
    pub fn read<B: MsrBus>(bus: &mut B) -> Result<Self, B::Fault> {
        Ok(Self { from: LerFrom::MSR.read(bus)?, to: LerTo::MSR.read(bus)? })
    }

    /// What the pair says, if it is written as the LBR stack of the same processor is. There is no third register, so
    /// in a format with information in one, it is left out. `None` in an unknown format.
    #[must_use]
    #[inline]
    pub const fn decode(self, format: LbrFormat) -> Option<LbrRecord> {
        let entry = LbrEntry {
            from: LbrFrom::from_bits(self.from.into_bits()),
            to: LbrTo::from_bits(self.to.into_bits()),
            info: LbrInfo::new(),
        };
        match format.decode(entry) {
            Some(record) if format.has_info() => {
                Some(LbrRecord { mispredicted: None, in_tsx: None, tsx_abort: None, cycles: None, ..record })
            }
            record => record,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::bus::Recorder;

    // LBR-17: the pair and its numbers
    #[test]
    fn the_pair() {
        let mut bus = Recorder::new([(0x1DD, 0x8000_0000_0040_0010), (0x1DE, 0x40_1000)]);
        let last = LastException::read(&mut bus).unwrap();
        let record = last.decode(LbrFormat::EffectiveIpFlags).unwrap();
        assert_eq!((record.from, record.to, record.mispredicted), (0x40_0010, 0x40_1000, Some(true)));
        let record = last.decode(LbrFormat::Info).unwrap();
        assert_eq!((record.from, record.mispredicted, record.cycles), (0x8000_0000_0040_0010, None, None));
        assert_eq!(last.decode(LbrFormat::Unknown(9)), None);
        assert!(LastException::read(&mut Recorder::new([(0x1DD, 0)])).is_err());
    }
}
