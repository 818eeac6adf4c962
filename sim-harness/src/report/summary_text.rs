//! The summary for people.

use super::summary::{FrontEndNumbers, Summary};
use std::fmt;

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.interrupted {
            writeln!(f, "INTERRUPTED: the numbers are those up to Ctrl-C")?;
        }
        let own = &self.own;
        let more = own.instructions.as_ref().map_or_else(String::new, |text| format!(" ({text})"));
        line(f, "instructions", format_args!("{}{more}", grouped(self.instructions)))?;
        line(f, "cycles", format_args!("{}", grouped(self.cycles)))?;
        lines(f, &own.first)?;
        self.notes.iter().try_for_each(|note| line(f, "note", format_args!("{note}")))?;
        lines(f, &own.lines)?;
        self.front_end.iter().try_for_each(|numbers| write_front_end(numbers, f))?;
        self.write_verdict(f)?;
        lines(f, &own.last)
    }
}

impl Summary {
    fn write_verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.mismatch, self.engine.as_str()) {
            (None, "model" | "rtl") => line(f, "compared", format_args!("nothing: only the {} ran", self.engine))?,
            (None, _) => line(f, "compared", format_args!("{} cycles, no mismatch", grouped(self.cycles_compared)))?,
            (Some(mismatch), _) => {
                let agreed = grouped(self.cycles_compared);
                line(f, "compared", format_args!("{agreed} cycles, MISMATCH in cycle {}", mismatch.cycle))?;
            }
        }
        line(f, "speed", format_args!("{:.2} Mcycles/s, {:.2} s", self.mcycles_per_second, self.seconds))
    }
}

fn write_front_end(numbers: &FrontEndNumbers, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let from = if numbers.from_trace { "the trace" } else { "the front end" };
    let (branches, wrong) = (grouped(numbers.branches), grouped(numbers.mispredicted));
    line(
        f,
        "branches",
        format_args!("{branches}, {wrong} mispredicted{} ({from})", share(numbers.mispredicted, numbers.branches)),
    )?;
    let (loads, misses) = (grouped(numbers.loads), grouped(numbers.misses));
    line(f, "loads", format_args!("{loads}, {misses} missed{} ({from})", share(numbers.misses, numbers.loads)))
}

fn lines(f: &mut fmt::Formatter<'_>, lines: &[(&str, String)]) -> fmt::Result {
    lines.iter().try_for_each(|(label, text)| line(f, label, format_args!("{text}")))
}

fn line(f: &mut fmt::Formatter<'_>, label: &str, value: fmt::Arguments<'_>) -> fmt::Result {
    let text = value.to_string();
    writeln!(f, "{label:<16}{}", text.trim_end())
}

/// A number with its digits in groups of three.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A part in percent of a whole that is not zero.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!(" ({:.2} %)", part as f64 * 100.0 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosim::UnitSummary;

    #[test]
    fn digits_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn says_what_the_unit_adds_in_its_places() {
        let own = UnitSummary {
            instructions: Some("2 odd".to_owned()),
            first: vec![("first", "a".to_owned())],
            lines: vec![("then", "b".to_owned())],
            last: vec![("last", "c".to_owned())],
            ..UnitSummary::default()
        };
        let notes = vec!["cut".to_owned()];
        let mut summary = Summary { engine: "lockstep".to_owned(), instructions: 7, notes, own, ..Summary::default() };
        let text = summary.to_string();
        let labels: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(labels, ["instructions", "cycles", "first", "note", "then", "compared", "speed", "last"]);
        assert!(text.starts_with("instructions    7 (2 odd)\n") && text.contains("0 cycles, no mismatch"), "{text}");
        summary.interrupted = true;
        assert!(summary.to_string().starts_with("INTERRUPTED"));
    }
}
