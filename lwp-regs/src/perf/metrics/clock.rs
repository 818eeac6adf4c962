//! The frequency of the processor's clock.

use core::fmt;

/// A frequency in MHz, above 0.
///
/// P6 processors do not tell theirs; the system measures it against a timer. A clock of 1 MHz leaves a metric as a factor
/// of the frequency.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Megahertz(f64);

impl Megahertz {
    /// The factor that changes nothing.
    pub const ONE: Self = Self(1.0);

    /// A frequency of `mhz` MHz; `None` if that is not a finite number above 0.
    #[must_use]
    #[inline]
    pub const fn new(mhz: f64) -> Option<Self> {
        if mhz.is_finite() && mhz > 0.0 { Some(Self(mhz)) } else { None }
    }

    /// The number.
    #[must_use]
    #[inline]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Megahertz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MHz", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_frequencies() {
        assert_eq!(Megahertz::new(653.0).map(Megahertz::get), Some(653.0));
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Megahertz::new(wrong), None);
        }
    }
}
