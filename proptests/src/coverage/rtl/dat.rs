//! Reads Verilator's file of counts.

use std::collections::BTreeMap;

/// What is counted at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A block of lines, or a branch.
    Line,
    /// A bit that changes.
    Toggle,
}

/// A place in the source. The instances of a module, and modules with other parameters, are one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line or toggle.
    pub kind: Kind,
    /// File, below `rtl/`.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The signal and its bit, or what the block is: `block`, `if`, `else`, `case`.
    pub what: String,
}

/// Places with how often each was met, and the lines that belong to each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Counts.
    pub counts: BTreeMap<Place, u64>,
    /// For each file and line: the count of the block or branch it belongs to; the largest of several instances.
    pub lines: BTreeMap<String, BTreeMap<u32, u64>>,
}

/// Reads the text of a file that Verilator's run time or `verilator_coverage` wrote.
///
/// # Errors
///
/// The first line that is not understood.
pub fn read(text: &str) -> Result<Places, String> {
    let mut places = Places::default();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let wrong = || format!("line {}: not a count of Verilator: {line:?}", number + 1);
        let (key, count) = line.strip_prefix("C '").and_then(|line| line.rsplit_once("' ")).ok_or_else(wrong)?;
        let count: u64 = count.trim().parse().map_err(|_| wrong())?;
        let fields = fields(key);
        let get = |name: &str| fields.get(name).copied();
        let (file, page) = (get("f").ok_or_else(wrong)?, get("page").ok_or_else(wrong)?);
        let number = |name: &str| get(name).and_then(|text| text.parse().ok()).ok_or_else(wrong);
        let kind = match page.split_once('/').map(|(kind, _)| kind) {
            Some("v_line" | "v_branch") => Kind::Line,
            Some("v_toggle") => Kind::Toggle,
            _ => continue,
        };
        let what = get("o").unwrap_or_default().to_owned();
        let place = Place { kind, file: file.to_owned(), line: number("l")?, column: number("n")?, what };
        if kind == Kind::Line {
            let of_file = places.lines.entry(place.file.clone()).or_default();
            let own = place.line.to_string();
            for line in lines(get("S").unwrap_or(&own)) {
                let met = of_file.entry(line).or_insert(0);
                *met = (*met).max(count);
            }
        }
        let met = places.counts.entry(place).or_insert(0);
        *met = met.saturating_add(count);
    }
    Ok(places)
}

/// `\x01name\x02value…`
fn fields(key: &str) -> BTreeMap<&str, &str> {
    key.split('\u{1}').filter_map(|field| field.split_once('\u{2}')).collect()
}

/// `12,14-16`.
fn lines(text: &str) -> impl Iterator<Item = u32> + '_ {
    text.split(',').flat_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range = first.parse().ok().zip(last.parse().ok());
        range.into_iter().flat_map(|(first, last): (u32, u32)| first..=last)
    })
}

impl Places {
    /// How many places of a kind there are, and how many were met.
    #[must_use]
    pub fn total(&self, kind: Kind) -> (usize, usize) {
        let of_kind = || self.counts.iter().filter(move |(place, _)| place.kind == kind);
        (of_kind().count(), of_kind().filter(|(_, count)| **count != 0).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(file: &str, line: u32, page: &str, what: &str, lines: &str, top: &str) -> String {
        let field = |name: &str, value: &str| format!("\u{1}{name}\u{2}{value}");
        let line = line.to_string();
        [("f", file), ("l", line.as_str()), ("n", "5"), ("page", page), ("o", what), ("S", lines), ("h", top)]
            .map(|(name, value)| field(name, value))
            .concat()
    }

    #[test]
    fn instances_are_one_place() {
        let (one, two) =
            (key("a.sv", 3, "v_line/a", "block", "3-4,6", "x"), key("a.sv", 3, "v_line/a__2", "block", "3-4,6", "y"));
        let bit = key("a.sv", 1, "v_toggle/a", "d_i[0]", "", "x");
        let read = read(&format!("# SystemC::Coverage-3\nC '{one}' 2\nC '{two}' 5\nC '{bit}' 0\n")).unwrap();
        assert_eq!((read.total(Kind::Line), read.total(Kind::Toggle)), ((1, 1), (1, 0)));
        assert_eq!(read.lines["a.sv"], BTreeMap::from([(3, 5), (4, 5), (6, 5)]));
        assert_eq!(read.counts.values().copied().max(), Some(7));
    }

    #[test]
    fn what_is_no_count_is_named() {
        let error = read("C 'x").unwrap_err();
        assert!(error.starts_with("line 1"), "{error}");
        let error = read("# fine\nC 'x' many\n").unwrap_err();
        assert!(error.starts_with("line 2"), "{error}");
    }
}
