//! Identifiers of rows in text, `LWP-AREA-NN` or `AREA-NN`, and ranges as people write them.

use crate::problem::{Place, Problem};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// An identifier, possibly from the middle of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mention {
    id: String,
    /// As written: the identifier, or its range.
    written: String,
    line: usize,
}

#[expect(clippy::unwrap_used, reason = "the pattern is constant")]
static MENTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(LWP-[A-Z0-9]+|[A-Z][A-Z0-9]*)-([0-9]+)(?:\s+(?:to|through)\s+(?:(LWP-[A-Z0-9]+|[A-Z][A-Z0-9]*)-)?([0-9]{2})\b)?").unwrap()
});

/// Lines and identifiers in the text of `file`, with ranges in full; what names no row is a problem.
pub(crate) fn known(
    file: &str,
    text: &str,
    rows: &BTreeSet<String>,
    problems: &mut Vec<Problem>,
) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // "LWP-" is always meant as an identifier; other words in capitals only if there are rows of that area.
    let areas: BTreeSet<&str> = rows.iter().filter_map(|id| Some(id.rsplit_once('-')?.0)).collect();
    for mention in mentions(text, |area| area.starts_with("LWP-") || areas.contains(area)) {
        let (line, what) = match mention {
            Ok(Mention { id, line, .. }) if rows.contains(&id) => {
                found.push((line, id));
                continue;
            }
            Ok(Mention { id, written, line }) if id == written => (line, format!("there is no row {id}")),
            Ok(Mention { id, written, line }) => (line, format!("there is no row {id} in {written}")),
            Err((line, written)) => (line, format!("{written} is not a range")),
        };
        let help = "the rows are in verify/requirements/*.csv; a range goes up, in one area";
        problems.push(Problem::new(Place::new(file, line), what, help));
    }
    found
}

/// The identifiers in `text`, with ranges such as "-02 to 04" in full; a range that is none is an error with its line.
fn mentions(text: &str, is_area: impl Fn(&str) -> bool) -> Vec<Result<Mention, (usize, String)>> {
    let mut found = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for captures in MENTION.captures_iter(text) {
        let (Some(whole), Some(area), Some(first)) = (captures.get(0), captures.get(1), captures.get(2)) else {
            continue;
        };
        if !is_area(area.as_str()) {
            continue;
        }
        line += newlines(&text[counted..whole.start()]);
        counted = whole.start();
        let written = whole.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        let (area, first) = (area.as_str(), first.as_str());
        let mention = |number: &str| Mention { id: format!("{area}-{number}"), written: written.clone(), line };
        let Some(last) = captures.get(4).map(|last| last.as_str()) else {
            found.push(Ok(mention(first)));
            continue;
        };
        let same_area = captures.get(3).is_none_or(|other| other.as_str() == area);
        match (first.parse::<u32>(), last.parse::<u32>()) {
            (Ok(from), Ok(to)) if same_area && from < to => {
                found.extend((from..=to).map(|number| Ok(mention(&format!("{number:02}")))));
            }
            _ => found.push(Err((line, written))),
        }
    }
    found
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::mentions;

    fn ids(text: &str) -> Vec<(String, usize)> {
        let text = text.replace('@', "LWP-");
        mentions(&text, |area| area != "ISO")
            .into_iter()
            .flatten()
            .map(|mention| (mention.id.replace("LWP-", "@"), mention.line))
            .collect()
    }

    #[test]
    fn lists_and_ranges_are_found() {
        let found = ids("@A-01, @MSR0-02: text\nand @B-03 to 05.\n@C-09 to\n @C-10; @D-01 to the end");
        let expected =
            [("@A-01", 1), ("@MSR0-02", 1), ("@B-03", 2), ("@B-04", 2), ("@B-05", 2), ("@C-09", 3), ("@C-10", 3)];
        let found: Vec<_> = found.iter().map(|(id, line)| (id.as_str(), *line)).collect();
        assert_eq!(found[..7], expected);
        assert_eq!(found[7..], [("@D-01", 4)]);
    }

    #[test]
    fn words_that_are_no_area_are_left_alone() {
        let found = ids("DBG-06, ISO-26262 and P6EV-83 to 85");
        let found: Vec<_> = found.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(found, ["DBG-06", "P6EV-83", "P6EV-84", "P6EV-85"]);
    }

    #[test]
    fn a_range_that_is_none_is_an_error() {
        for text in ["@A-05 to 03", "@A-01 to @B-02"] {
            let text = text.replace('@', "LWP-");
            assert_eq!(mentions(&text, |_| true), [Err((1, text.clone()))]);
        }
    }
}
