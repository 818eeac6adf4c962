//! The RTL in the report.

use super::super::rtl::{Kind, Place, Places, RtlClaims, source};
use super::Share;
use serde::Serialize;
use std::collections::BTreeMap;

/// A file of the RTL.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    /// Its path below `rtl/`.
    pub file: String,
    /// Its blocks and branches.
    pub lines: Share,
    /// Its bits.
    pub toggles: Share,
    /// Its text with what was counted.
    pub source: Vec<LineReport>,
    /// Signals with bits that never changed.
    pub signals: Vec<SignalReport>,
}

/// A line of a file.
#[derive(Clone, Debug, Serialize)]
pub struct LineReport {
    /// Its text.
    pub text: String,
    /// How often its block was executed, if it belongs to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Blocks and branches that begin here and were never executed, with the reason if one is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<(String, Option<String>)>,
}

/// A signal, some bits of which never changed.
#[derive(Clone, Debug, Serialize)]
pub struct SignalReport {
    /// Its name.
    pub name: String,
    /// Line of its declaration.
    pub line: u32,
    /// The bits: `63:48, 3`; empty if it has one alone.
    pub bits: String,
    /// How many they are.
    pub number: usize,
    /// Why they cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreachable: Option<String>,
}

pub(super) fn files(places: &Places, claims: &RtlClaims) -> Vec<FileReport> {
    let mut files: BTreeMap<&str, Vec<(&Place, u64)>> = BTreeMap::new();
    for (place, count) in &places.counts {
        files.entry(&place.file).or_default().push((place, *count));
    }
    files.into_iter().map(|(file, of_file)| one(file, &of_file, places, claims)).collect()
}

fn one(file: &str, of_file: &[(&Place, u64)], places: &Places, claims: &RtlClaims) -> FileReport {
    let text = source(file).unwrap_or_default();
    // Read once, not once a place.
    let known = |_: &str| Some(text.clone());
    let judged: Vec<(&Place, u64, Option<String>)> =
        of_file.iter().map(|(place, count)| (*place, *count, claims.about(place, &known).map(str::to_owned))).collect();
    let share = |kind| {
        let of_kind = || judged.iter().filter(move |(place, _, _)| place.kind == kind);
        Share {
            met: of_kind().filter(|(_, count, _)| *count != 0).count(),
            unreachable: of_kind().filter(|(_, count, why)| *count == 0 && why.is_some()).count(),
            all: of_kind().count(),
        }
    };
    let counts = places.lines.get(file);
    let source = text.iter().enumerate().map(|(at, line)| {
        let number = at as u32 + 1;
        let never =
            judged.iter().filter(|(place, count, _)| place.kind == Kind::Line && place.line == number && *count == 0);
        LineReport {
            text: line.clone(),
            count: counts.and_then(|counts| counts.get(&number).copied()),
            never: never.map(|(place, _, why)| (place.what.clone(), why.clone())).collect(),
        }
    });
    FileReport {
        file: file.to_owned(),
        lines: share(Kind::Line),
        toggles: share(Kind::Toggle),
        source: source.collect(),
        signals: signals(&judged),
    }
}

/// Whether a reason is given, line, name, the reason: in this order they are shown.
type Signal = (bool, u32, String, Option<String>);

/// Bits that never changed, by signal and reason; those without a reason first.
fn signals(judged: &[(&Place, u64, Option<String>)]) -> Vec<SignalReport> {
    let mut grouped: BTreeMap<Signal, Vec<Option<u32>>> = BTreeMap::new();
    for (place, _, why) in judged.iter().filter(|(place, count, _)| place.kind == Kind::Toggle && *count == 0) {
        let (name, bit) = name_and_bit(&place.what);
        grouped.entry((why.is_some(), place.line, name.to_owned(), why.clone())).or_default().push(bit);
    }
    let signal = |((_, line, name, unreachable), bits): (Signal, Vec<Option<u32>>)| SignalReport {
        name,
        line,
        number: bits.len(),
        bits: ranges(bits),
        unreachable,
    };
    grouped.into_iter().map(signal).collect()
}

/// `a.b[3]` is bit 3 of `a.b`.
fn name_and_bit(what: &str) -> (&str, Option<u32>) {
    let split = what.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    split.and_then(|(name, bit)| Some((name, Some(bit.parse().ok()?)))).unwrap_or((what, None))
}

/// `7:4, 0`, highest first.
fn ranges(bits: Vec<Option<u32>>) -> String {
    let mut bits: Vec<u32> = bits.into_iter().flatten().collect();
    bits.sort_unstable();
    bits.dedup();
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for bit in bits {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == bit => *last = bit,
            _ => runs.push((bit, bit)),
        }
    }
    let text = |&(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{last}:{first}") };
    runs.iter().rev().map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_told_as_ranges() {
        assert_eq!(ranges([0, 4, 5, 6, 9].map(Some).to_vec()), "9, 6:4, 0");
        assert_eq!(name_and_bit("a[1].b[12]"), ("a[1].b", Some(12)));
        assert_eq!(name_and_bit("valid_i"), ("valid_i", None));
    }
}
