//! Shares in percent.

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use std::fmt;

/// A share above 0 and up to 100 percent, in thousandths of a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Share(u32);

impl Share {
    /// Everything.
    pub(super) const ALL: Self = Self(100_000);

    /// Reads `25%`, `25` or `12.5`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let number = text.strip_suffix('%').unwrap_or(text).trim_end();
        let percent: f64 = number.parse().map_err(|_| format!("`{text}` is no percentage"))?;
        Self::of(percent).ok_or_else(|| format!("`{text}` is not above 0 and up to 100 percent"))
    }

    /// This many percent.
    pub(super) fn of(percent: f64) -> Option<Self> {
        let thousandths = (percent * 1000.0).round();
        (thousandths > 0.0 && thousandths <= 100_000.0).then_some(Self(thousandths as u32))
    }

    /// Percent.
    pub(super) fn percent(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// Thousandths of a percent.
    pub(super) const fn thousandths(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", self.percent())
    }
}

/// A number, or text as on the command line.
struct Percentage;

impl Visitor<'_> for Percentage {
    type Value = Share;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a percentage above 0 and up to 100, such as 25 or \"25%\"")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Share, E> {
        Share::of(value as f64).ok_or_else(|| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Share, E> {
        Share::of(value).ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Share, E> {
        Share::parse(value).map_err(|_| E::invalid_value(Unexpected::Str(value), &self))
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Percentage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages() {
        assert_eq!(Share::parse("25%"), Ok(Share(25_000)));
        assert_eq!(Share::parse("12.5"), Ok(Share(12_500)));
        assert_eq!(Share::parse("100 %"), Ok(Share::ALL));
        for wrong in ["0", "0%", "100.1", "-1", "NaN", "x", "", "%", "inf"] {
            assert!(Share::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Share::parse("12.5").unwrap().to_string(), "12.5%");
    }
}
