//! What a capsule says about itself, in the words of its file.

use crate::rtl::BuildId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The text part of a capsule (TOML).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The hardware unit, as in the table of builds: `lwp`.
    pub unit: String,
    /// The build of the RTL: `lwp_w4`.
    pub build: String,
    /// Where the inputs begin. Always `reset`: every register holds its reset value.
    pub start: String,
    /// Cycles that the capsule has inputs for.
    pub cycles: u64,
    /// 32-bit words of one cycle's inputs.
    pub in_words: usize,
    /// The straps as words of the unit's flat image, in hexadecimal.
    #[serde(with = "hex_words")]
    pub straps: Vec<u32>,
    /// The module parameters of the build.
    pub parameters: BTreeMap<String, u32>,
    /// What went wrong.
    pub failure: Failure,
    /// Whether the inputs keep the rules of the ports.
    pub protocol: Protocol,
    /// Where the failure was found, and with what.
    pub origin: Origin,
    /// What shrinking did, if it was shrunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<Shrunk>,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// In which way: what shrinking keeps.
    #[serde(flatten)]
    pub way: Way,
    /// The cycle in which it shows, from 0 at reset.
    pub cycle: u64,
    /// The values of the first field that differs, model before RTL; zeros if none does.
    #[serde(with = "hex_pair")]
    pub values: [u64; 2],
    /// CRC-32 of all rows that the RTL showed up to and with that cycle.
    pub rows_crc: u32,
    /// One or several lines for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// The way in which a run fails. Two failures with the same way count as one and the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Way {
    /// Model and RTL differ; the first field of the contract in which they do.
    Mismatch {
        /// Its name; registers begin with `state.`.
        field: String,
    },
    /// An assertion in the RTL failed while model and RTL agree.
    Assertion {
        /// Its place and label.
        label: String,
    },
    /// A property is violated while model and RTL agree. Properties are judged by `proptests`.
    Property {
        /// Its name there.
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

/// Whether the inputs keep the rules of the unit's ports, judged beside the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Protocol {
    /// They do, up to the failure.
    pub kept: bool,
    /// The first cycle in which they do not, and the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// Where a failure was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The program or test: `lwp-sim cosim`, `proptests lockstep::noise_agrees`.
    pub found_by: String,
    /// The command that repeats the run in which it was found.
    pub repeat: String,
    /// Seeds of that run, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub seeds: BTreeMap<String, u64>,
    /// Versions of the tools, by name.
    pub versions: BTreeMap<String, String>,
    /// SHA-256 of the sources, by name: `rtl`, `model`.
    pub sources: BTreeMap<String, String>,
}

/// What shrinking did, from the capsule that was found on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shrunk {
    /// Cycles of the capsule that was found.
    pub cycles_before: u64,
    /// Its inputs that were not idle: fields, summed over its cycles.
    pub fields_before: u64,
    /// The same of this capsule.
    pub fields: u64,
    /// Candidates that were played.
    pub tries: u64,
    /// Nothing more was found to leave out; false: the budget ended first.
    pub complete: bool,
}

impl Header {
    /// The build that the capsule names, if this program has it.
    #[must_use]
    pub fn build_id(&self) -> Option<BuildId> {
        BuildId::from_name(&self.build)
    }
}

/// Words as hexadecimal texts: a mask says more in hexadecimal.
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
