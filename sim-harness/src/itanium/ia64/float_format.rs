//! Numbers in a floating-point register.

/// A number as a floating-point register holds it: 82 bits.
///
/// Source: Intel Itanium Architecture Software Developer's Manual, volume 1, "Floating-point Register Format".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Float {
    pub(super) negative: bool,
    /// Exponent of 17 bits with a bias of 65535.
    pub(super) exponent: u32,
    /// Significand with its integer bit in bit 63.
    pub(super) significand: u64,
}

/// The exponent of infinities and of what is not a number.
const SPECIAL: u32 = 0x1_ffff;
/// The exponent of an integer: its significand has the weight of bit 0.
const INTEGER: u32 = 0x1_003e;
const BIAS: i64 = 0xffff;

impl Float {
    pub(super) const ZERO: Self = Self { negative: false, exponent: 0, significand: 0 };
    pub(super) const ONE: Self = Self { negative: false, exponent: BIAS as u32, significand: 1 << 63 };

    /// Returns an integer in the form of setf.sig.
    pub(super) const fn integer(significand: u64) -> Self {
        Self { negative: false, exponent: INTEGER, significand }
    }

    /// Returns the number of a double in memory.
    pub(super) fn from_double(bits: u64) -> Self {
        Self::from_memory(bits, 11, 52)
    }

    /// Returns the number of a single in memory.
    pub(super) fn from_single(bits: u64) -> Self {
        Self::from_memory(bits, 8, 23)
    }

    fn from_memory(bits: u64, exponent_bits: u32, fraction_bits: u32) -> Self {
        let negative = bits >> (exponent_bits + fraction_bits) & 1 == 1;
        let largest = (1 << exponent_bits) - 1;
        let exponent = bits >> fraction_bits & largest;
        let fraction = (bits & ((1 << fraction_bits) - 1)) << (63 - fraction_bits);
        let bias = largest as i64 >> 1;
        let (exponent, significand) = match exponent {
            0 if fraction == 0 => (0, 0),
            0 => ((BIAS - bias + 1) as u32, fraction),
            _ if exponent == largest => (SPECIAL, 1 << 63 | fraction),
            _ => ((exponent as i64 - bias + BIAS) as u32, 1 << 63 | fraction),
        };
        Self { negative, exponent, significand }
    }

    /// Returns the double that stfd stores and getf.d returns.
    pub(super) fn to_double(self) -> u64 {
        self.to_memory(11, 52)
    }

    /// Returns the single that stfs stores and getf.s returns.
    pub(super) fn to_single(self) -> u64 {
        self.to_memory(8, 23)
    }

    /// Takes the bits of the register that the format has, without rounding.
    fn to_memory(self, exponent_bits: u32, fraction_bits: u32) -> u64 {
        let low = exponent_bits - 1;
        let exponent = u64::from(self.exponent >> 16) << low | u64::from(self.exponent) & ((1 << low) - 1);
        let exponent = if self.significand >> 63 == 1 { exponent } else { 0 };
        let fraction = self.significand << 1 >> (64 - fraction_bits);
        u64::from(self.negative) << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction
    }

    /// Returns the number with the integer bit set, if it is neither zero nor special.
    pub(super) fn normal(self) -> Self {
        let shift = self.significand.leading_zeros();
        match self.exponent {
            SPECIAL => self,
            _ if shift == 64 => Self { negative: self.negative, ..Self::ZERO },
            _ => Self { exponent: self.exponent.saturating_sub(shift), significand: self.significand << shift, ..self },
        }
    }

    /// Returns the number as `f64`, or `None` if that would round it.
    pub(super) fn double(self) -> Option<f64> {
        let normal = self.normal();
        let exact = f64::from_bits(normal.to_double());
        if Self::from_double(exact.to_bits()).normal() == normal {
            return Some(exact);
        }
        // A denormal number of the format.
        let scaled = Self { exponent: normal.exponent + 64, ..normal };
        let exact = f64::from_bits(scaled.to_double()) * f64::powi(2.0, -64);
        (Self::from_double(exact.to_bits()).normal() == normal).then_some(exact)
    }

    /// Returns the number as `f32`, or `None` if that would round it.
    pub(super) fn single(self) -> Option<f32> {
        let double = self.double()?;
        let single = double as f32;
        (f64::from(single).to_bits() == double.to_bits() || double.is_nan()).then_some(single)
    }

    /// Returns the number of a double, with the integer bit set.
    pub(super) fn of_double(value: f64) -> Self {
        Self::from_double(value.to_bits()).normal()
    }

    /// Returns the number of a single, with the integer bit set.
    pub(super) fn of_single(value: f32) -> Self {
        Self::from_single(value.to_bits().into()).normal()
    }

    /// Returns the number of a signed integer in the significand, as fcvt.xf does.
    pub(super) fn of_integer(significand: u64) -> Self {
        let value = significand as i64;
        Self { negative: value < 0, ..Self::integer(value.unsigned_abs()) }.normal()
    }
}
