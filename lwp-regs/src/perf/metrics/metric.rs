//! A metric: what it needs and how it is computed.

use super::{MetricError, ratio};
use crate::perf::p6::Event;

/// Something derived from the counts of two events.
///
/// ```
/// use lwp_regs::perf::metrics::{self, Metric, MetricError};
/// use lwp_regs::perf::p6::event;
///
/// let counts = [(&event::INST_RETIRED, 3_000), (&event::CPU_CLK_UNHALTED, 4_000), (&event::UOPS_RETIRED, 6_000)];
/// assert_eq!(metrics::IPC.of(&counts), Ok(0.75));
/// assert_eq!(metrics::BRANCH_RATE.of(&counts), Err(MetricError::NotCounted("BR_INST_DECODED")));
///
/// // One of one's own.
/// let uops_per_instruction = Metric::ratio("micro-operations per instruction", &event::UOPS_RETIRED, &event::INST_RETIRED);
/// assert_eq!(uops_per_instruction.of(&counts), Ok(2.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Metric {
    name: &'static str,
    numerator: &'static Event,
    denominator: &'static Event,
    form: Form,
}

/// What becomes of the quotient.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
enum Form {
    /// It is the metric.
    Plain,
    /// The metric is 1 minus it.
    Complement,
    /// It is multiplied by a unit.
    Scaled(f64),
}

impl Metric {
    /// `numerator / denominator`.
    #[must_use]
    #[inline]
    pub const fn ratio(name: &'static str, numerator: &'static Event, denominator: &'static Event) -> Self {
        Self { name, numerator, denominator, form: Form::Plain }
    }

    /// `1 - misses / accesses`: what part of the accesses does not miss.
    #[must_use]
    #[inline]
    pub const fn hit_rate(name: &'static str, misses: &'static Event, accesses: &'static Event) -> Self {
        Self { name, numerator: misses, denominator: accesses, form: Form::Complement }
    }

    /// The metric times `scale`.
    #[inline]
    pub(super) const fn scaled(self, scale: f64) -> Self {
        Self { form: Form::Scaled(scale), ..self }
    }

    /// Its name.
    #[must_use]
    #[inline]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The events it is computed from, numerator first; [`Run::pair`](crate::perf::p6::Run::pair) counts them.
    #[must_use]
    #[inline]
    pub const fn events(&self) -> [&'static Event; 2] {
        [self.numerator, self.denominator]
    }

    /// Its value by these counts; of an event that is there twice the first counts.
    ///
    /// # Errors
    ///
    /// [`MetricError`] if an event was not counted, or the one to divide by 0 times.
    pub fn of(&self, counts: &[(&Event, u64)]) -> Result<f64, MetricError> {
        let count = |event: &'static Event| {
            let found = counts.iter().find(|(counted, _)| counted.code() == event.code());
            found.map(|(_, count)| *count).ok_or(MetricError::NotCounted(event.mnemonic()))
        };
        let quotient = ratio(count(self.numerator)?, count(self.denominator)?, self.denominator.mnemonic())?;
        Ok(match self.form {
            Form::Plain => quotient,
            Form::Complement => 1.0 - quotient,
            Form::Scaled(scale) => quotient * scale,
        })
    }
}
