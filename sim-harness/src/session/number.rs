//! Numbers with limits in session files.

use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};
use std::fmt;

/// Number from 0 to `MAX`: a TOML integer, or a string of hexadecimal digits after `0x`, since TOML integers end at 2^63 - 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Number<const MAX: u64>(pub(crate) u64);

/// Any 64-bit number.
pub(crate) type Number64 = Number<{ u64::MAX }>;
/// Any 32-bit number.
pub(crate) type Number32 = Number<0xFFFF_FFFF>;

impl<const MAX: u64> Number<MAX> {
    /// Returns the number; `MAX` fits into 32 bits.
    pub(crate) const fn u32(self) -> u32 {
        self.0 as u32
    }

    /// Returns the number; `MAX` fits into 8 bits.
    pub(crate) const fn u8(self) -> u8 {
        self.0 as u8
    }
}

impl<'de, const MAX: u64> Deserialize<'de> for Number<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor { max: MAX }).map(Number)
    }
}

/// Reads a number from 0 to `max`.
pub(super) struct NumberVisitor {
    pub(super) max: u64,
}

impl Visitor<'_> for NumberVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let max = self.max;
        match max {
            u64::MAX => {
                f.write_str("a number from 0 to 2^64 - 1 (above 2^63 - 1 as a string like \"0xffff800000000000\")")
            }
            _ if max > 255 && (max + 1).is_power_of_two() => write!(f, "a number from 0 to 2^{} - 1", max.count_ones()),
            _ => write!(f, "a number from 0 to {max}"),
        }
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        let number = u64::try_from(value).ok().filter(|number| *number <= self.max);
        number.ok_or_else(|| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        if value <= self.max { Ok(value) } else { Err(E::invalid_value(Unexpected::Unsigned(value), &self)) }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).map(|digits| digits.replace('_', ""));
        // from_str_radix would take a sign.
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let number =
            digits.and_then(|digits| u64::from_str_radix(&digits, 16).ok()).filter(|number| *number <= self.max);
        number.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}
