//! Why a metric has no value.

use core::fmt;

/// Why a metric has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum MetricError {
    /// This was counted 0 times, and the metric divides by it.
    DivisionByZero(&'static str),
    /// This event was not counted.
    NotCounted(&'static str),
}

impl fmt::Display for MetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DivisionByZero(what) => write!(f, "division by zero: {what} is 0"),
            Self::NotCounted(event) => write!(f, "{event} was not counted"),
        }
    }
}

impl core::error::Error for MetricError {}

/// `numerator / denominator`; `name` is the denominator's.
pub(crate) fn ratio(numerator: u64, denominator: u64, name: &'static str) -> Result<f64, MetricError> {
    match denominator {
        0 => Err(MetricError::DivisionByZero(name)),
        _ => Ok(numerator as f64 / denominator as f64),
    }
}
