//! Key by which capsules are grouped.

use crate::capsule::Way;
use crate::report::failure::Analysis;
use serde::Serialize;

/// Key of a group. Failures with the same key are treated as failures of one bug.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Key {
    /// Name of the unit.
    pub unit: &'static str,
    /// `mismatch`, `assertion` or `property`.
    pub kind: &'static str,
    /// Suspected stage; `None` if the report names none.
    pub stage: Option<&'static str>,
    /// Field that differs, label of the assertion, or property with the rule that is broken. Numbers of array elements are `*`.
    pub field: String,
}

impl Key {
    /// Returns the key of a diagnosed failure. `text` is the message of the failure.
    pub(super) fn of(analysis: &Analysis, way: &Way, text: &str) -> Self {
        let field = match (way, &analysis.field) {
            (Way::Mismatch { field }, None) => any_element(field),
            (Way::Mismatch { .. }, Some(field)) => any_element(&field.name),
            (Way::Assertion { label }, _) => any_element(label),
            (Way::Property { name }, _) => property(name, text),
        };
        let stage = analysis.stage.as_ref().map(|stage| stage.name);
        Self { unit: analysis.unit, kind: analysis.kind, stage, field }
    }
}

/// The name with `[*]` in place of each number in brackets.
fn any_element(name: &str) -> String {
    let mut parts = name.split('[');
    let mut general = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let is_number = rest.len() < part.len() && rest.starts_with(']');
        general.push('[');
        general.push_str(if is_number { "*" } else { "" });
        general.push_str(if is_number { rest } else { part });
    }
    general
}

/// The property and the beginning of its message, up to the values of the run.
fn property(name: &str, text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let message = match line.strip_prefix("cycle ").and_then(|rest| rest.split_once(": ")) {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => line,
    };
    let rule = message.split_once(": ").map_or(message, |(rule, _)| rule);
    if rule.is_empty() { name.to_owned() } else { format!("{name}: {}", without_numbers(rule)) }
}

/// The text with `*` in place of each number.
fn without_numbers(text: &str) -> String {
    let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    let general = |word: &str| if is_number(word) { "*".to_owned() } else { any_element(word) };
    text.split(' ').map(general).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_an_array_are_one_field() {
        for (name, general) in [
            ("state.head", "state.head"),
            ("state.events[12].counter", "state.events[*].counter"),
            ("parts.gen_records[0].gen_frozen[1].Frozen", "parts.gen_records[*].gen_frozen[*].Frozen"),
            ("lanes[W]", "lanes[W]"),
            ("x[3", "x[3"),
        ] {
            assert_eq!(any_element(name), general);
        }
    }

    #[test]
    fn the_values_of_a_run_are_no_part_of_a_rule() {
        for (text, rule) in [
            ("cycle 40: the head jumps: 0x20 to 0x80", "monitors: the head jumps"),
            ("cycle 41: the head jumps: 0x40 to 0xa0", "monitors: the head jumps"),
            ("event 2 is lost after 14 cycles", "monitors: event * is lost after * cycles"),
            ("", "monitors"),
        ] {
            assert_eq!(property("monitors", text), rule);
        }
    }
}
