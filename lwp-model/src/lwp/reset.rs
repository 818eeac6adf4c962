//! Reset: reloads a counter with its interval.

/// Returns the interval with its low `random` bits replaced by those of the random word.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", field Random.
pub(super) const fn reload(interval: u32, random: u8, word: u32) -> u32 {
    let mask = (1 << random) - 1;
    interval & !mask | word & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    // LWP-RST-05, LWP-RST-06.
    #[test]
    fn random_replaces_the_low_bits() {
        let lfsr = 0xABCD_1234;
        assert_eq!(reload(1000, 0, lfsr), 1000);
        assert_eq!(reload(0x3FF_FFFF, 4, lfsr), 0x3FF_FFF4);
        assert_eq!(reload(0, 15, lfsr), 0x1234);
    }
}
