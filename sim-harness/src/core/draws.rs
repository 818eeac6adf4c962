//! Random decisions, the same on every machine and in every version.

/// Stream of random numbers: SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Draws {
    state: u64,
}

impl Draws {
    /// Returns the stream with this number for a seed. Each kind of decision has a stream of its own, so that a change of one rate does
    /// not affect other decisions.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut draws = Self { state: seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03) };
        // Neighbouring seeds would otherwise begin with neighbouring numbers.
        draws.next();
        draws
    }

    #[inline]
    fn next(&mut self) -> u64 {
        splitmix(&mut self.state)
    }

    /// Returns 32 random bits.
    #[inline]
    pub(crate) fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// Returns `true` with this probability. A probability of zero takes no number from the stream.
    #[inline]
    pub(crate) fn yes(&mut self, chance: Chance) -> bool {
        chance.0 != 0 && (self.next() >> 32) < chance.0
    }

    /// Returns a number from `low` to `high`, both included. A range of one number takes no number from the stream.
    #[inline]
    pub(crate) fn range(&mut self, low: u32, high: u32) -> u32 {
        if low >= high {
            return low;
        }
        let span = u64::from(high - low) + 1;
        low + (((self.next() >> 32) * span) >> 32) as u32
    }
}

/// Returns the next number of SplitMix64, whose numbers are nearly evenly distributed for any seed.
#[inline]
pub(crate) fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Probability in units of 2^-32; 2^32 is certainty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chance(u64);

impl Chance {
    /// Returns the nearest value to a probability. Values below 0 act as 0, values above 1 as 1.
    pub(crate) fn new(probability: f64) -> Self {
        Self((probability.clamp(0.0, 1.0) * 4_294_967_296.0) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::{Chance, Draws};

    #[test]
    fn the_stream_never_changes() {
        let mut draws = Draws::new(1, 0);
        assert_eq!([draws.next(), draws.next()], [0xBEEB_8DA1_658E_EC67, 0xF893_A2EE_FB32_555E]);
        assert_ne!(Draws::new(1, 1).next(), Draws::new(1, 0).next());
    }

    #[test]
    fn certainty_and_impossibility_are_exact() {
        let mut draws = Draws::new(7, 0);
        assert!((0..1000).all(|_| draws.yes(Chance::new(1.0))));
        assert!((0..1000).all(|_| !draws.yes(Chance::new(0.0))));
    }

    #[test]
    fn a_range_is_inclusive() {
        let mut draws = Draws::new(7, 0);
        let mut seen = [0u32; 4];
        for _ in 0..4000 {
            seen[draws.range(5, 8) as usize - 5] += 1;
        }
        assert!(seen.iter().all(|&count| count > 800), "{seen:?}");
        assert_eq!(draws.range(3, 3), 3);
    }
}
