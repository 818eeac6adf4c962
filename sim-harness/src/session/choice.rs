//! Straps with a name for each choice.

use super::Complaint;
use lwp_model::Choice as Choices;
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
    let wanted = plain(&given.get_ref().0);
    all.iter().copied().find(|choice| plain(name(*choice)) == wanted).ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|choice| format!("`{}`", name(*choice))).collect();
        let found = &given.get_ref().0;
        (format!("there is no choice `{found}` here, expected one of {}", names.join(", ")), Some(given.span()))
    })
}

/// The same of a type that knows its own choices.
pub(crate) fn chosen<T: Choices>(given: Option<Spanned<Choice>>, default: T) -> Result<T, Complaint> {
    choose(given, default, T::ALL, T::name)
}

fn plain(name: &str) -> String {
    name.replace(['_', '+'], "-").to_lowercase()
}
