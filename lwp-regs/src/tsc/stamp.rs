//! Time stamps that know their processor.

use crate::access::TimeBus;

/// What RDTSCP returns: the time, and the signature of the processor that took it, in one instant.
///
/// Source: Intel SDM volume 3B, "IA32_TSC_AUX Register and RDTSCP Support".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stamp {
    /// The time-stamp counter (EDX:EAX).
    pub ticks: u64,
    /// Bits 31:0 of `IA32_TSC_AUX` (ECX).
    pub signature: u32,
}

/// What lies between two stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Elapsed {
    /// Both are of the same processor: so many ticks.
    Ticks(u64),
    /// The thread was moved from one processor to another. Their counters can only be compared by whoever knows how far
    /// they are apart: [`Stamp::since_with`].
    Migrated {
        /// Signature of the processor of the earlier stamp.
        from: u32,
        /// Signature of the processor of the later stamp.
        to: u32,
    },
}

impl Stamp {
    /// Takes a stamp.
    ///
    /// # Errors
    ///
    /// The fault that the instruction raised.
    pub fn now<B: TimeBus>(bus: &mut B) -> Result<Self, B::Fault> {
        bus.rdtscp().map(|(ticks, signature)| Self { ticks, signature })
    }

    /// What lies between `earlier` and this stamp.
    #[must_use]
    #[inline]
    pub const fn since(self, earlier: Self) -> Elapsed {
        if self.signature == earlier.signature {
            Elapsed::Ticks(self.ticks.wrapping_sub(earlier.ticks))
        } else {
            Elapsed::Migrated { from: earlier.signature, to: self.signature }
        }
    }

    /// Ticks between `earlier` and this stamp, with the counter of each processor corrected by what `offset` says of
    /// its signature: how far it is ahead of a common time, modulo 2^64.
    #[must_use]
    pub fn since_with(self, earlier: Self, offset: impl Fn(u32) -> u64) -> u64 {
        let common = |stamp: Self| stamp.ticks.wrapping_sub(offset(stamp.signature));
        common(self).wrapping_sub(common(earlier))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::GeneralProtection;

    /// A clock that is played back.
    struct Tape<'a>(&'a [(u64, u32)]);

    impl TimeBus for Tape<'_> {
        type Fault = GeneralProtection;
        fn rdtsc(&mut self) -> Result<u64, GeneralProtection> {
            self.rdtscp().map(|(ticks, _)| ticks)
        }
        fn rdtscp(&mut self) -> Result<(u64, u32), GeneralProtection> {
            let (first, rest) = self.0.split_first().ok_or(GeneralProtection::Privilege)?;
            self.0 = rest;
            Ok(*first)
        }
    }

    // TSC-16: the signature tells
    #[test]
    fn a_migration_shows_in_the_signature() {
        let mut bus = Tape(&[(1000, 3), (1500, 3), (900, 7), (100, 7)]);
        let [a, b, c, d] = [(); 4].map(|()| Stamp::now(&mut bus).unwrap());
        assert_eq!(b.since(a), Elapsed::Ticks(500));
        assert_eq!(c.since(b), Elapsed::Migrated { from: 3, to: 7 });
        assert_eq!(d.since(c), Elapsed::Ticks(0xFFFF_FFFF_FFFF_FCE0), "modulo 2^64");
        assert_eq!(Stamp::now(&mut bus), Err(GeneralProtection::Privilege));
    }

    // TSC-16: differences between processors are corrected: number 7 is 800 ticks behind
    #[test]
    fn counters_of_two_processors_are_corrected() {
        let (before, after) = (Stamp { ticks: 1500, signature: 3 }, Stamp { ticks: 900, signature: 7 });
        let offset = |signature| if signature == 7 { 0u64.wrapping_sub(800) } else { 0 };
        assert_eq!(after.since_with(before, offset), 200);
    }
}
