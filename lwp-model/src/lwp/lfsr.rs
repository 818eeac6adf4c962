//! LFSR of maximal length, the source of random bits.

/// Feedback of the Galois LFSR for x^32 + x^22 + x^2 + x + 1.
const FEEDBACK: u32 = 0x8020_0003;
/// Steps per advance. Random is at most 15, so that each reload takes bits that no earlier reload has taken.
const STEPS: u32 = 16;

/// The 32-bit LFSR that randomises reloaded counters.
///
/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", field Random; polynomial and step are this
/// project's (book, "Store, report, reset").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lfsr(u32);

impl Lfsr {
    /// Returns the LFSR for the value of its register. The value 0 stands for the seed.
    #[must_use]
    pub const fn from_register(register: u32, seed: u32) -> Self {
        Self(if register == 0 { seed } else { register })
    }

    /// Returns the state after one advance (sixteen steps).
    #[must_use]
    pub const fn advanced(self) -> Self {
        let mut x = self.0;
        let mut step = 0;
        while step < STEPS {
            x = (x >> 1) ^ if x & 1 == 1 { FEEDBACK } else { 0 };
            step += 1;
        }
        Self(x)
    }

    /// Returns the state. A reload takes its low bits.
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear map on 32 bits, as its images of the unit vectors.
    type Map = [u32; 32];

    fn apply(map: &Map, x: u32) -> u32 {
        (0..32).filter(|bit| x >> bit & 1 == 1).fold(0, |sum, bit| sum ^ map[bit])
    }

    fn power(base: &Map, mut exponent: u64) -> Map {
        let mut square = *base;
        let mut result: Map = core::array::from_fn(|bit| 1 << bit);
        while exponent != 0 {
            if exponent & 1 == 1 {
                result = core::array::from_fn(|bit| apply(&square, result[bit]));
            }
            square = core::array::from_fn(|bit| apply(&square, square[bit]));
            exponent >>= 1;
        }
        result
    }

    // By hand: 1 is odd, so the first of the sixteen steps gives the feedback word itself; 0x8020_0003 is odd again, so the
    // second gives 0x4010_0001 ^ 0x8020_0003 = 0xC030_0002; then 0x6018_0001, and so on.
    #[test]
    fn the_first_steps_by_hand() {
        let step = |x: u32| (x >> 1) ^ if x & 1 == 1 { 0x8020_0003 } else { 0 };
        assert_eq!(step(1), 0x8020_0003);
        assert_eq!(step(step(1)), 0xC030_0002);
        let sixteen = (0..16).fold(1, |x, _| step(x));
        assert_eq!(Lfsr::from_register(1, 99).advanced().value(), sixteen);
    }

    #[test]
    fn a_register_of_zero_stands_for_the_seed() {
        assert_eq!(Lfsr::from_register(0, 77).value(), 77);
        assert_eq!(Lfsr::from_register(5, 77).value(), 5);
    }

    // LWP-RST-08: the period of advances is 2^32 - 1: the order divides it, and no proper divisor will do.
    #[test]
    fn an_advance_has_the_maximal_period() {
        let identity: Map = core::array::from_fn(|bit| 1 << bit);
        let advance: Map = core::array::from_fn(|bit| Lfsr::from_register(1 << bit, 1).advanced().value());
        let period = u64::from(u32::MAX);
        assert_eq!(power(&advance, period), identity);
        for prime in [3, 5, 17, 257, 65537] {
            assert_eq!(period % prime, 0);
            assert_ne!(power(&advance, period / prime), identity, "period divides (2^32 - 1) / {prime}");
        }
    }

    // LWP-RST-07: within ten thousand reloads every value of the low four bits turns up about equally often.
    #[test]
    fn low_bits_are_spread() {
        let mut counts = [0_u32; 16];
        let mut lfsr = Lfsr::from_register(0, 1);
        for _ in 0..10_000 {
            lfsr = lfsr.advanced();
            counts[(lfsr.value() & 15) as usize] += 1;
        }
        assert!(counts.iter().all(|&n| (500..750).contains(&n)), "{counts:?}");
    }
}
