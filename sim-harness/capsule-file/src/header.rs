//! Text part of a capsule, with the keys of its file.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Text part of a capsule (TOML).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Name of the unit in the table of builds, for example `lwp`.
    pub unit: String,
    /// Name of the build of the RTL, for example `lwp_w4`.
    pub build: String,
    /// State in which the inputs begin.
    pub start: Start,
    /// Number of cycles for which the capsule has inputs.
    pub cycles: u64,
    /// Number of 32-bit words of a cycle's inputs.
    pub in_words: usize,
    /// Straps as words of the unit's flat image, in hexadecimal.
    #[serde(with = "hex_words")]
    pub straps: Vec<u32>,
    /// Module parameters of the build.
    pub parameters: BTreeMap<String, u32>,
    /// State in which the inputs begin, if it is not that after reset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<Checkpoint>,
    /// Failure of the run.
    pub failure: Failure,
    /// Whether the inputs keep the rules of the ports. A program that does not know these rules leaves it out; a reader then checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// Run in which the failure was found, and its tools.
    pub origin: Origin,
    /// Result of shrinking, if the capsule was shrunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<Shrunk>,
}

/// State in which the inputs of a capsule begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Every register holds its reset value.
    Reset,
    /// The registers hold what the [`Checkpoint`] says.
    Checkpoint,
}

/// State of the run in a cycle in which model and RTL agreed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Number of that cycle, from 0 at reset. It is cycle 0 of the capsule.
    pub cycle: u64,
    /// Outputs and registers of the model in that cycle, as words of the unit's flat image, in hexadecimal.
    #[serde(with = "hex_words")]
    pub row: Vec<u32>,
}

/// Failure of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Way of the failure, which shrinking preserves.
    #[serde(flatten)]
    pub way: Way,
    /// Number of the cycle in which the run fails, from 0 at the start of the capsule.
    pub cycle: u64,
    /// Values of the first field that differs, model before RTL; zeros if no field differs.
    #[serde(with = "hex_pair")]
    pub values: [u64; 2],
    /// CRC-32 of all rows that the RTL showed up to that cycle, that cycle included.
    pub rows_crc: u32,
    /// Description for people, one or several lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Failure {
    /// Returns a failure of which only way and cycle are known. A replay completes it.
    #[must_use]
    pub fn new(way: Way, cycle: u64) -> Self {
        Self { way, cycle, values: [0; 2], rows_crc: 0, text: String::new() }
    }
}

/// Way in which a run fails. Two failures with the same way are treated as the same failure.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Way {
    /// Model and RTL differ.
    Mismatch {
        /// Name of the first field that differs. Names of registers begin with `state.`.
        field: String,
    },
    /// An assertion in the RTL failed while model and RTL agree.
    Assertion {
        /// Hierarchical name of the assertion, which ends with its label.
        label: String,
    },
    /// A property is violated while model and RTL agree. `proptests` checks properties.
    Property {
        /// Name of the property in `proptests`.
        name: String,
    },
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Mismatch { field } => write!(f, "model and RTL differ in {field}"),
            Way::Assertion { label } => write!(f, "assertion {label} fails in the RTL"),
            Way::Property { name } => write!(f, "property {name} is violated"),
        }
    }
}

/// Whether the inputs keep the rules of the unit's ports, checked with the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Protocol {
    /// The inputs keep the rules up to the failure.
    pub kept: bool,
    /// The inputs break a rule: the first cycle in which they do, and the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// Run in which a failure was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Program or test, for example `lwp-sim cosim` or `proptests lockstep::noise_agrees`.
    pub found_by: String,
    /// Command that repeats the run in which the failure was found.
    pub repeat: String,
    /// Seeds of that run, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub seeds: BTreeMap<String, u64>,
    /// Versions of the tools, by name.
    pub versions: BTreeMap<String, String>,
    /// SHA-256 of the sources, by name: `rtl`, `model`.
    pub sources: BTreeMap<String, String>,
}

/// Result of shrinking, compared with the capsule that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shrunk {
    /// Number of cycles of the capsule that was found.
    pub cycles_before: u64,
    /// Number of inputs of that capsule that are not idle: fields, summed over its cycles.
    pub fields_before: u64,
    /// Number of inputs of this capsule that are not idle: fields, summed over its cycles.
    pub fields: u64,
    /// Number of candidates that were replayed.
    pub tries: u64,
    /// Whether shrinking found nothing more to leave out; `false` if its budget ended first.
    pub complete: bool,
}

/// Words as hexadecimal strings.
mod hex_words {
    use serde::{Deserialize, Deserializer, Serializer, de::Error, ser::SerializeSeq};

    pub(super) fn serialize<S: Serializer>(words: &[u32], to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(words.len()))?;
        words.iter().try_for_each(|word| list.serialize_element(&format!("{word:#010x}")))?;
        list.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        let word = |text: &String| u32::try_from(super::hex(text)?).ok();
        texts.iter().map(|text| word(text).ok_or_else(|| D::Error::custom(format!("`{text}` is no word")))).collect()
    }
}

/// Two numbers of 64 bits, which TOML's integers do not hold.
mod hex_pair {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(pair: &[u64; 2], to: S) -> Result<S::Ok, S::Error> {
        pair.map(|value| format!("{value:#x}")).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u64; 2], D::Error> {
        let texts = <[String; 2]>::deserialize(from)?;
        let value = |text: &String| super::hex(text).ok_or_else(|| D::Error::custom(format!("`{text}` is no number")));
        Ok([value(&texts[0])?, value(&texts[1])?])
    }
}

fn hex(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}
