//! Samples of a run: kept for the summary, and written down if asked.

use crate::report::{JsonLines, Output, OutputError};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// What IA32_QM_CTR says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A number.
    Number(u128),
    /// The event or the RMID is not monitored.
    Error,
    /// There are no data at the moment.
    Unavailable,
}

/// What the operating system has read of an RMID. An event that the processor does not have is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// Cycle in which it began to read.
    pub cycle: u64,
    /// RMID.
    pub rmid: u8,
    /// Lines that the RMID occupies in the L3 cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Reading>,
    /// Bytes that it has moved between the L3 cache and memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_bytes: Option<Reading>,
    /// Bytes of these that belong to memory of this package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_bytes: Option<Reading>,
    /// Class of service of the logical processor that had the RMID last.
    pub class: u8,
}

/// Takes the samples.
#[derive(Debug, Default)]
pub struct Recorder {
    lines: JsonLines,
    total: u64,
    /// The last one of each RMID.
    last: BTreeMap<u8, Sample>,
}

impl Serialize for Reading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => match u64::try_from(*number) {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => serializer.serialize_u128(*number),
            },
            Self::Error => serializer.serialize_str("error"),
            Self::Unavailable => serializer.serialize_str("unavailable"),
        }
    }
}

impl Reading {
    /// Returns the reading for people: a number as `show` writes it.
    pub(super) fn text(self, show: impl FnOnce(u128) -> String) -> String {
        match self {
            Self::Number(number) => show(number),
            Self::Error => "error".to_owned(),
            Self::Unavailable => "unavailable".to_owned(),
        }
    }
}

impl Recorder {
    /// Returns a recorder that writes to this file, if there is one.
    #[must_use]
    pub fn new(output: Option<Output>) -> Self {
        Self { lines: JsonLines::new(output), ..Self::default() }
    }

    pub(super) fn sampled(&mut self, sample: Sample) {
        self.lines.push(|| sample);
        self.total += 1;
        self.last.insert(sample.rmid, sample);
    }

    /// Returns the number of samples.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Returns the last sample of each RMID.
    pub fn last(&self) -> impl Iterator<Item = &Sample> {
        self.last.values()
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If a sample could not be written, or the file not completed.
    pub fn commit(self) -> Result<(), OutputError> {
        self.lines.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::{Reading, Sample};

    #[test]
    fn a_line_has_what_the_processor_has() {
        let sample = Sample { cycle: 7, rmid: 2, class: 1, lines: Some(Reading::Number(5)), ..Sample::default() };
        assert_eq!(serde_json::to_string(&sample).unwrap(), r#"{"cycle":7,"rmid":2,"lines":5,"class":1}"#);
        let sample = Sample {
            lines: Some(Reading::Unavailable),
            total_bytes: Some(Reading::Number(1 << 64)),
            local_bytes: Some(Reading::Error),
            ..sample
        };
        let line = r#"{"cycle":7,"rmid":2,"lines":"unavailable","total_bytes":18446744073709551616,"local_bytes":"error","class":1}"#;
        assert_eq!(serde_json::to_string(&sample).unwrap(), line);
    }
}
