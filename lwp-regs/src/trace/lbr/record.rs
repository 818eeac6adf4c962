//! A branch record, decoded.

use super::{FromAndTo, FromWithFlags, FromWithTsx, LbrFormat, LbrFrom, LbrInfo, LbrTo, ToWithCycles};
use crate::refused::{Refused, Rule};

/// What one entry of the LBR stack says. What the format does not report is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LbrRecord {
    /// Address of the branch, or where an interrupt or exception struck. Which kind of address:
    /// [`LbrFormat::address_kind`].
    pub from: u64,
    /// Address of its target, or of the handler's first instruction.
    pub to: u64,
    /// Whether the branch was mispredicted.
    pub mispredicted: Option<bool>,
    /// Whether the branch was taken in a transaction.
    pub in_tsx: Option<bool>,
    /// Whether the branch is the abort of a transaction.
    pub tsx_abort: Option<bool>,
    /// Core clocks since the previous record; the largest value stands for more, too.
    pub cycles: Option<u16>,
}

/// The registers of one entry of the LBR stack, as they were read or are to be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LbrEntry {
    /// `MSR_LASTBRANCH_x_FROM_IP`; in format 0 `MSR_LASTBRANCH_x`, which holds the destination as well.
    pub from: LbrFrom,
    /// `MSR_LASTBRANCH_x_TO_IP`; 0 where there is none.
    pub to: LbrTo,
    /// `MSR_LBR_INFO_x`; 0 where there is none.
    pub info: LbrInfo,
}

impl LbrFormat {
    /// What the registers of an entry say. `None` in an unknown format.
    ///
    /// Where flags stand in the upper bits of an address, the address comes back without them and sign-extended.
    #[must_use]
    #[inline]
    pub const fn decode(self, entry: LbrEntry) -> Option<LbrRecord> {
        let (from, to) = (entry.from.source(), entry.to.destination());
        let plain = LbrRecord { from, to, mispredicted: None, in_tsx: None, tsx_abort: None, cycles: None };
        Some(match self {
            Self::Offset32 => {
                let both = FromAndTo::from_bits(from);
                LbrRecord { from: both.source() as u64, to: both.destination() as u64, ..plain }
            }
            Self::LinearIp | Self::EffectiveIp => plain,
            Self::EffectiveIpFlags | Self::Time => {
                let flags = FromWithFlags::from_bits(from);
                let record =
                    LbrRecord { from: flags.full_address(), mispredicted: Some(flags.mispredicted()), ..plain };
                if let Self::EffectiveIpFlags = self {
                    return Some(record);
                }
                let to = ToWithCycles::from_bits(to);
                LbrRecord { to: to.full_address(), cycles: Some(to.cycles()), ..record }
            }
            Self::EffectiveIpTsx => {
                let flags = FromWithTsx::from_bits(from);
                LbrRecord {
                    from: flags.full_address(),
                    mispredicted: Some(flags.mispredicted()),
                    in_tsx: Some(flags.in_tsx()),
                    tsx_abort: Some(flags.tsx_abort()),
                    ..plain
                }
            }
            Self::Info | Self::InfoWithoutTsx => {
                let info = entry.info;
                let record =
                    LbrRecord { mispredicted: Some(info.mispredicted()), cycles: Some(info.cycles()), ..plain };
                match self {
                    Self::Info => {
                        LbrRecord { in_tsx: Some(info.in_tsx()), tsx_abort: Some(info.tsx_abort()), ..record }
                    }
                    _ => record,
                }
            }
            Self::Unknown(_) => return None,
        })
    }

    /// The registers of an entry that says `record`, as hardware or a model of it writes them. What the format has no
    /// room for is left out; what is `None` is written as 0. Software that restores a stack takes
    /// [`LbrStack::encode`](super::LbrStack::encode).
    ///
    /// # Errors
    ///
    /// [`Refused`] when an address is not the sign extension of the bits that the format stores, or the format is
    /// unknown.
    pub fn encode(self, record: &LbrRecord) -> Result<LbrEntry, Refused> {
        let mispredicted = record.mispredicted.unwrap_or(false);
        let in_tsx = record.in_tsx.unwrap_or(false);
        let tsx_abort = record.tsx_abort.unwrap_or(false);
        let cycles = record.cycles.unwrap_or(0);
        let (mut from, mut to, mut info) = (record.from, record.to, LbrInfo::new());
        match self {
            Self::Offset32 => {
                let both = FromAndTo::new().with_source(from as u32).with_destination(to as u32);
                (from, to) = (both.into_bits(), 0);
            }
            Self::LinearIp | Self::EffectiveIp => {}
            Self::EffectiveIpFlags | Self::Time => {
                from = FromWithFlags::at(from)?.with_mispredicted(mispredicted).into_bits();
                if self == Self::Time {
                    to = ToWithCycles::at(to)?.with_cycles(cycles).into_bits();
                }
            }
            Self::EffectiveIpTsx => {
                let flags = FromWithTsx::at(from)?.with_tsx_abort(tsx_abort).with_in_tsx(in_tsx);
                from = flags.with_mispredicted(mispredicted).into_bits();
            }
            Self::Info | Self::InfoWithoutTsx => {
                let tsx = self == Self::Info;
                info = info.with_cycles(cycles).with_mispredicted(mispredicted);
                info = info.with_tsx_abort(tsx && tsx_abort).with_in_tsx(tsx && in_tsx);
            }
            Self::Unknown(code) => {
                let rule = Rule::Forbidden("the format of the LBR stack is unknown to this crate");
                return Err(Refused::new("IA32_PERF_CAPABILITIES", u64::from(code), rule));
            }
        }
        Ok(LbrEntry { from: LbrFrom::from_bits(from), to: LbrTo::from_bits(to), info })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LbrFormat::*;

    const FROM: &str = "MSR_LASTBRANCH_x_FROM_IP";
    const TO: &str = "MSR_LASTBRANCH_x_TO_IP";

    const fn entry(from: u64, to: u64, info: u64) -> LbrEntry {
        LbrEntry { from: LbrFrom::from_bits(from), to: LbrTo::from_bits(to), info: LbrInfo::from_bits(info) }
    }

    const PLAIN: LbrRecord = LbrRecord {
        from: 0xFFFF_FFFF_8100_0010,
        to: 0xFFFF_FFFF_8100_0400,
        mispredicted: None,
        in_tsx: None,
        tsx_abort: None,
        cycles: None,
    };

    // LBR-11: one register holds both offsets
    #[test]
    fn one_register_holds_both_offsets() {
        let registers = entry(0x0804_9000_0804_8123, 0, 0);
        let record = LbrRecord { from: 0x0804_8123, to: 0x0804_9000, ..PLAIN };
        assert_eq!(Offset32.decode(registers), Some(record));
        assert_eq!(Offset32.encode(&record), Ok(registers));
        assert_eq!(Offset32.encode(&PLAIN), Ok(entry(0x8100_0400_8100_0010, 0, 0)), "the low halves are stored");
    }

    // LBR-12, LBR-13: addresses only
    #[test]
    fn formats_without_flags() {
        let registers = entry(0xFFFF_FFFF_8100_0010, 0xFFFF_FFFF_8100_0400, 0);
        assert_eq!(LinearIp.decode(registers), Some(PLAIN));
        assert_eq!(EffectiveIp.decode(registers), Some(PLAIN));
        assert_eq!(LinearIp.encode(&PLAIN), Ok(registers));
    }

    // LBR-14: bit 63 of the source; the address is sign-extended from bit 62
    #[test]
    fn the_misprediction_is_bit_63() {
        let hit = LbrRecord { mispredicted: Some(false), ..PLAIN };
        let miss = LbrRecord { mispredicted: Some(true), ..PLAIN };
        assert_eq!(EffectiveIpFlags.decode(entry(0x7FFF_FFFF_8100_0010, PLAIN.to, 0)), Some(hit));
        assert_eq!(EffectiveIpFlags.decode(entry(0xFFFF_FFFF_8100_0010, PLAIN.to, 0)), Some(miss));
        assert_eq!(EffectiveIpFlags.encode(&hit).unwrap().from.source(), 0x7FFF_FFFF_8100_0010);
        assert_eq!(EffectiveIpFlags.encode(&miss).unwrap().from.source(), 0xFFFF_FFFF_8100_0010);
        let user = LbrRecord { from: 0x40_0000, ..miss };
        assert_eq!(EffectiveIpFlags.encode(&user).unwrap().from.source(), 0x8000_0000_0040_0000);
        assert_eq!(EffectiveIpFlags.decode(entry(0x8000_0000_0040_0000, PLAIN.to, 0)), Some(user));
    }

    // LBR-15: format 4 has abort in 61, in-transaction in 62; sign-extended from bit 60
    #[test]
    fn tsx_information_in_the_source() {
        let decode = |from| EffectiveIpTsx.decode(entry(from, PLAIN.to, 0)).unwrap();
        let flags = |record: LbrRecord| [record.tsx_abort, record.in_tsx, record.mispredicted].map(Option::unwrap);
        for (high, expected) in [
            (0x1000_0000_0000_0000, [false, false, false]),
            (0x3000_0000_0000_0000, [true, false, false]),
            (0x5000_0000_0000_0000, [false, true, false]),
            (0x9000_0000_0000_0000, [false, false, true]),
        ] {
            let record = decode(high | 0x0FFF_FFFF_8100_0010);
            assert_eq!((record.from, flags(record)), (PLAIN.from, expected));
            assert_eq!(EffectiveIpTsx.encode(&record).unwrap().from.source(), high | 0x0FFF_FFFF_8100_0010);
        }
        assert_eq!(decode(0xE000_0000_0040_0000).from, 0x40_0000, "flags of a user address leave no trace in it");
    }

    // LBR-15, LBR-21: format 5 has everything in the third register
    #[test]
    fn information_in_a_register_of_its_own() {
        let registers = entry(PLAIN.from, PLAIN.to, 0xC000_0000_0000_0123);
        let record = LbrRecord {
            mispredicted: Some(true),
            in_tsx: Some(true),
            tsx_abort: Some(false),
            cycles: Some(0x123),
            ..PLAIN
        };
        assert_eq!(Info.decode(registers), Some(record));
        assert_eq!(Info.encode(&record), Ok(registers));
        let without = LbrRecord { in_tsx: None, tsx_abort: None, ..record };
        assert_eq!(InfoWithoutTsx.decode(registers), Some(without));
        assert_eq!(InfoWithoutTsx.encode(&record).unwrap().info.into_bits(), 0x8000_0000_0000_0123);
    }

    #[test]
    fn cycles_in_the_destination() {
        let record = LbrRecord { mispredicted: Some(true), cycles: Some(0x123), ..PLAIN };
        let registers = entry(0xFFFF_FFFF_8100_0010, 0x0123_FFFF_8100_0400, 0);
        assert_eq!(Time.decode(registers), Some(record));
        assert_eq!(Time.encode(&record), Ok(registers));
    }

    #[test]
    fn what_cannot_be_stored_is_refused() {
        let high = LbrRecord { from: 0x4000_0000_0000_0000, to: 0x0001_0000_0000_0000, ..PLAIN };
        let refused = |format: LbrFormat| format.encode(&high).map_err(|refused| (refused.register, refused.bits));
        assert_eq!(refused(EffectiveIpFlags), Err((FROM, 0x8000_0000_0000_0000)), "bit 63 is not like bit 62");
        assert_eq!(refused(EffectiveIpTsx), Err((FROM, 0x4000_0000_0000_0000)), "bit 62 is not like bit 60");
        assert!(refused(LinearIp).is_ok());
        let time = Time.encode(&LbrRecord { from: 0, ..high }).unwrap_err();
        assert_eq!((time.register, time.bits), (TO, 0x0001_0000_0000_0000));
        assert_eq!(Unknown(8).encode(&PLAIN).unwrap_err().bits, 8);
        assert_eq!(Unknown(8).decode(LbrEntry::default()), None);
    }
}
