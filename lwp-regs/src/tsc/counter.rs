//! IA32_TIME_STAMP_COUNTER and IA32_TSC_ADJUST.

use crate::access::{GeneralProtection, MsrBus};
use crate::msr::{Msr, msr_value};

layout! {
    /// `IA32_TIME_STAMP_COUNTER`: the time-stamp counter of this logical processor. Value after reset: 0.
    ///
    /// Writing it also moves [`TscAdjust`], by as much. On some old processors a write sets the low 32 bits and clears the
    /// others ([`TscWrite`]).
    ///
    /// Source: Intel SDM volume 3B, "Time-Stamp Counter"; number: Linux, `msr-index.h`.
    #[doc(alias = "0x10")]
    #[doc(alias = "IA32_TIME_STAMP_COUNTER")]
    #[doc(alias = "IA32_TSC")]
    pub struct TimeStampCounter: u64, Fault {
        /// The counter, in ticks since reset, modulo 2^64.
        #[inline]
        pub ticks: u64,
    }
    msr "IA32_TIME_STAMP_COUNTER" = 0x10, read_write, caps = TscWrite;
}

layout! {
    /// `IA32_TSC_ADJUST`: how much software has moved the time-stamp counter of this logical processor. Value after reset:
    /// 0. It changes by writes only, of itself and of the counter, and not with time.
    ///
    /// Source: Intel SDM volume 3B, "Time-Stamp Counter Adjustment"; number: Linux, `msr-index.h`.
    #[doc(alias = "0x3B")]
    #[doc(alias = "IA32_TSC_ADJUST")]
    pub struct TscAdjust: u64, Fault {
        /// Sum of all that was added, in ticks, modulo 2^64: a negative sum is a large number.
        #[inline]
        pub ticks: u64,
    }
}

msr_value!(TscAdjust, "IA32_TSC_ADJUST", read_write);

/// What a WRMSR to the counter writes.
///
/// Source: Intel SDM volume 3B, "Time-Stamp Counter": some processors let software write the low 32 bits only. That the
/// others are cleared then is general knowledge of the manual, to be confirmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TscWrite {
    /// All 64 bits.
    #[default]
    All,
    /// The low 32 bits; the others become 0.
    Low32,
}

impl TimeStampCounter {
    /// Value after reset.
    pub const RESET: Self = Self::new();

    /// What a WRMSR of `new` makes of the counter. No value faults.
    ///
    /// # Errors
    ///
    /// None.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, width: &TscWrite) -> Result<Self, GeneralProtection> {
        Ok(match width {
            TscWrite::All => Self::from_bits(new),
            TscWrite::Low32 => Self::from_bits(new as u32 as u64),
        })
    }

    /// Ticks from `earlier` to this value of the same counter, across the wrap at 2^64.
    #[must_use]
    #[inline]
    pub const fn since(self, earlier: Self) -> u64 {
        self.into_bits().wrapping_sub(earlier.into_bits())
    }

    /// Years of 365 days until a counter that ticks at `hertz` returns to a value. The manual promises at least 10,
    /// which holds up to 58 GHz. `None` for a counter that stands still.
    #[must_use]
    #[inline]
    pub const fn years_until_repetition(hertz: u64) -> Option<u64> {
        const SECONDS: u128 = 365 * 24 * 60 * 60;
        match hertz {
            0 => None,
            hertz => {
                let years = (1 << 64) / (hertz as u128 * SECONDS);
                Some(if years > u64::MAX as u128 { u64::MAX } else { years as u64 })
            }
        }
    }
}

impl TscAdjust {
    /// The register; there only if [`TscFeatures::ADJUST`](super::TscFeatures::ADJUST) is reported.
    pub const MSR: Msr<Self> = Msr::new(Self::ADDRESS);
    /// Number of the register.
    pub const ADDRESS: u32 = 0x3B;
    /// Value after reset.
    pub const RESET: Self = Self::new();

    /// Sets the adjustment of this logical processor. Processors whose counters have been reset together agree once
    /// each has been given the same value: unlike the counter itself, the value does not age between one write and the
    /// next.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    pub fn synchronise<B: MsrBus>(self, bus: &mut B) -> Result<(), B::Fault> {
        Self::MSR.write_unchecked(bus, self)
    }
}

/// The counter and its adjustment, which a write moves together.
///
/// Source: Intel SDM volume 3B, "Time-Stamp Counter Adjustment". That sums wrap at 2^64 is this project's reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TscState {
    /// The counter.
    pub counter: TimeStampCounter,
    /// The adjustment.
    pub adjust: TscAdjust,
}

impl TscState {
    /// After reset.
    pub const RESET: Self = Self { counter: TimeStampCounter::RESET, adjust: TscAdjust::RESET };

    #[inline]
    const fn moved(self, by: u64) -> Self {
        Self {
            counter: TimeStampCounter::from_bits(self.counter.into_bits().wrapping_add(by)),
            adjust: TscAdjust::from_bits(self.adjust.into_bits().wrapping_add(by)),
        }
    }

    /// After a WRMSR of `new` to the counter: what that adds to the counter is added to the adjustment.
    #[must_use]
    #[inline]
    pub const fn write_counter(self, new: u64, width: TscWrite) -> Self {
        let new = match width {
            TscWrite::All => new,
            TscWrite::Low32 => new as u32 as u64,
        };
        self.moved(new.wrapping_sub(self.counter.into_bits()))
    }

    /// After a WRMSR of `new` to the adjustment: what that adds to the adjustment is added to the counter.
    #[must_use]
    #[inline]
    pub const fn write_adjust(self, new: u64) -> Self {
        self.moved(new.wrapping_sub(self.adjust.into_bits()))
    }

    /// After so many ticks. Time does not change the adjustment.
    #[must_use]
    #[inline]
    pub const fn after(self, ticks: u64) -> Self {
        let counter = TimeStampCounter::from_bits(self.counter.into_bits().wrapping_add(ticks));
        Self { counter, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::bus::Recorder;

    const fn state(counter: u64, adjust: u64) -> TscState {
        TscState { counter: TimeStampCounter::from_bits(counter), adjust: TscAdjust::from_bits(adjust) }
    }

    // TSC-01, TSC-02, TSC-03, TSC-19, TSC-20
    #[test]
    fn numbers_width_and_reset() {
        assert_eq!((TimeStampCounter::ADDRESS, TscAdjust::ADDRESS), (0x10, 0x3B));
        assert_eq!(TscState::RESET, state(0, 0));
        assert_eq!(state(u64::MAX, 7).after(1), state(0, 7), "64 bits, and then again from 0");
        assert_eq!(TimeStampCounter::from_bits(4).since(TimeStampCounter::from_bits(u64::MAX)), 5);
    }

    // TSC-21, TSC-22, TSC-23
    #[test]
    fn a_write_moves_both() {
        assert_eq!(state(1000, 5).write_counter(1300, TscWrite::All), state(1300, 305));
        assert_eq!(state(1000, 5).write_counter(900, TscWrite::All), state(900, 0xFFFF_FFFF_FFFF_FFA1));
        assert_eq!(state(1000, 5).write_adjust(305), state(1300, 305));
        assert_eq!(state(1000, 5).write_adjust(0), state(995, 0));
        assert_eq!(
            state(3, 0).write_adjust(0xFFFF_FFFF_FFFF_FFFB),
            state(0xFFFF_FFFF_FFFF_FFFE, 0xFFFF_FFFF_FFFF_FFFB)
        );
        assert_eq!(state(1000, 5).after(77), state(1077, 5), "time does not change the adjustment");
    }

    // TSC-12: all 64 bits, or the low 32
    #[test]
    fn how_much_a_write_sets() {
        let old = TimeStampCounter::from_bits(0x5_0000_0000);
        let write = |width| TimeStampCounter::check_write(old, 0x1234_5678_9ABC_DEF0, &width).map(|tsc| tsc.ticks());
        assert_eq!(write(TscWrite::All), Ok(0x1234_5678_9ABC_DEF0));
        assert_eq!(write(TscWrite::Low32), Ok(0x9ABC_DEF0));
        assert_eq!(
            state(0x1_0000_0010, 0).write_counter(0x7_0000_0010, TscWrite::Low32),
            state(0x10, 0xFFFF_FFFF_0000_0000)
        );
    }

    // TSC-24: two processors, 400 ticks apart by what software wrote; the writes come 30 ticks after each other
    #[test]
    fn the_same_adjustment_makes_processors_agree() {
        let mut near = TscState::RESET.after(10_000);
        let mut far = TscState::RESET.write_counter(400, TscWrite::All).after(10_000);
        assert_eq!(far.counter.since(near.counter), 400);

        let write = |state: TscState| {
            let mut bus = Recorder::new([(0x3B, state.adjust.into_bits())]);
            TscAdjust::from_bits(0x100).synchronise(&mut bus).unwrap();
            assert_eq!(bus.writes(), [(0x3B, 0x100)]);
            state.write_adjust(bus.get(0x3B))
        };
        near = write(near);
        (near, far) = (near.after(30), far.after(30));
        far = write(far);
        assert_eq!(near, far);
        assert_eq!(near.after(5), far.after(5));
    }

    // TSC-10: at 5 GHz a value returns after 116 years; 10 years hold up to 58 GHz
    #[test]
    fn values_do_not_repeat_for_years() {
        let years = TimeStampCounter::years_until_repetition;
        assert_eq!(years(5_000_000_000), Some(116));
        assert_eq!(years(58_000_000_000), Some(10));
        assert_eq!(years(59_000_000_000), Some(9));
        assert_eq!(years(0), None);
    }
}
