//! Table `[straps]` of any unit: what the hardware implements, and how. The keys are the names of the row.

use super::Complaint;
use super::choice::{Choice, choice};
use super::flag::Flag;
use super::number::NumberVisitor;
use lwp_model::Unit;
use lwp_model::flat::{Field, Values};
use serde::de::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::{Spanned, Value};

/// The table as it stands in the file.
pub(crate) type StrapsTable = BTreeMap<Spanned<String>, Spanned<Value>>;

/// Straps that may still contradict one another.
pub(crate) struct Straps<U: Unit> {
    straps: U::Config,
    /// Where the file sets each strap that it sets.
    places: Vec<(&'static str, Range<usize>)>,
    table: Range<usize>,
}

impl<U: Unit> Straps<U> {
    /// Reads the table. What it does not set is the default.
    pub(crate) fn read(table: Option<Spanned<StrapsTable>>) -> Result<Self, Complaint> {
        let span = table.as_ref().map_or(0..0, Spanned::span);
        let mut given: Vec<_> = table.into_iter().flat_map(Spanned::into_inner).collect();
        // Of several errors the first in the file is shown.
        given.sort_by_key(|(key, _)| key.span().start);
        let mut values = Vec::with_capacity(U::STRAP_FIELDS.len());
        U::strap_values(&mut |value| values.push(value));
        let mut row = vec![0; U::STRAP_WORDS];
        U::pack_straps(&U::Config::default(), &mut row);
        let mut places = Vec::new();
        for (key, value) in given {
            let at = U::STRAP_FIELDS.iter().position(|field| field.name == key.get_ref());
            let at = at.ok_or_else(|| unknown(U::STRAP_FIELDS, &key))?;
            let (field, place) = (&U::STRAP_FIELDS[at], value.span());
            let bits = bits(field, values[at], value.into_inner()).map_err(|what| (what, Some(place.clone())))?;
            field.set(&mut row, bits);
            places.push((field.name, place));
        }
        let straps = U::read_straps(&row).map_err(|name| (format!("{name} has no such choice"), Some(span.clone())))?;
        Ok(Self { straps, places, table: span })
    }

    /// The straps, legal or not.
    pub(crate) const fn unchecked(&self) -> &U::Config {
        &self.straps
    }

    /// Returns the straps, if hardware of the sizes of `V` may have them.
    pub(crate) fn legal<V: Unit<Config = U::Config>>(self) -> Result<U::Config, Complaint> {
        let Self { straps, places, table } = self;
        V::validate(&straps).map_err(|error| {
            let place = |name: &&str| places.iter().find(|(given, _)| given == name).map(|(_, place)| place.clone());
            (error.to_string(), Some(V::culprits(&error).iter().find_map(place).unwrap_or(table)))
        })?;
        Ok(straps)
    }
}

/// Returns the straps of a table, if hardware may have them.
pub(crate) fn straps<U: Unit>(table: Option<Spanned<StrapsTable>>) -> Result<U::Config, Complaint> {
    Straps::<U>::read(table)?.legal::<U>()
}

/// Returns the bits of a field that a value stands for.
fn bits(field: &Field, values: Values, value: Value) -> Result<u64, String> {
    let message = |error: toml::de::Error| error.message().trim_end().to_owned();
    match values {
        Values::Flag => Flag::deserialize(value).map(|flag| flag.0.into()).map_err(message),
        Values::Number => value.deserialize_any(NumberVisitor { max: u64::MAX >> (64 - field.width) }).map_err(message),
        Values::Named(names) => {
            let given = Choice::deserialize(value).map_err(message)?;
            choice(given.text(), names).map(|code| code as u64)
        }
    }
}

/// The complaint about an unknown key, in the words of `serde`.
fn unknown(fields: &[Field], key: &Spanned<String>) -> Complaint {
    let names: Vec<String> = fields.iter().map(|field| format!("`{}`", field.name)).collect();
    let what = format!("unknown field `{}`, expected one of {}", key.get_ref(), names.join(", "));
    (what, Some(key.span()))
}
