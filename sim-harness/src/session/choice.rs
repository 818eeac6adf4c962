//! Straps with a name for each choice.

use super::Complaint;
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use std::fmt;
use toml::Spanned;

/// Name of a choice. A number is a name as well (`latency_step = 16`).
#[derive(Debug)]
pub(crate) struct Choice(String);

impl Choice {
    /// Name in the file.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ChoiceVisitor;

        impl Visitor<'_> for ChoiceVisitor {
            type Value = Choice;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a choice")
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Choice, E> {
                Ok(Choice(value.to_owned()))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Choice, E> {
                Ok(Choice(value.to_string()))
            }
        }

        deserializer.deserialize_any(ChoiceVisitor)
    }
}

/// Returns the choice with this name, or the default. Underscores, hyphens and plus signs are equivalent.
pub(crate) fn choose<T: Copy>(
    given: Option<Spanned<Choice>>,
    default: T,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, Complaint> {
    let Some(given) = given else { return Ok(default) };
    let names: Vec<&str> = all.iter().map(|choice| name(*choice)).collect();
    choice(&given.get_ref().0, &names).map(|index| all[index]).map_err(|what| (what, Some(given.span())))
}

/// Returns the index of the choice with this name.
pub(super) fn choice(found: &str, names: &[&str]) -> Result<usize, String> {
    let wanted = plain(found);
    names.iter().position(|name| plain(name) == wanted).ok_or_else(|| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        format!("there is no choice `{found}` here, expected one of {}", names.join(", "))
    })
}

fn plain(name: &str) -> String {
    name.replace(['_', '+'], "-").to_lowercase()
}
