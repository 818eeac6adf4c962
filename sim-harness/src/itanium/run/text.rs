//! What people read: a table with a bar for each count.

use crate::report::grouped;
use std::fmt::Write as _;

/// Letters of the longest bar.
const BAR: u64 = 40;

/// Counts with a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) title: String,
    /// Name in JSON.
    pub(super) key: &'static str,
    pub(super) rows: Vec<(String, u64)>,
}

/// Returns the tables as text.
pub(super) fn tables(tables: &[Table]) -> String {
    let mut text = String::new();
    for Table { title, rows, .. } in tables {
        let _ = writeln!(text, "\n{title}");
        if rows.is_empty() {
            let _ = writeln!(text, "  nothing of the kind is in the program's code");
        }
        let name_width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let count_width = rows.iter().map(|(_, count)| grouped(*count).len()).max().unwrap_or(0);
        let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
        for (name, count) in rows {
            let letters = (u128::from(*count) * u128::from(BAR)).div_ceil(u128::from(most)) as usize;
            let line = format!("  {name:<name_width$}  {:>count_width$}  {}", grouped(*count), "#".repeat(letters));
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text
}

/// Returns the counts as JSON Lines: `{"table":"kinds","name":"M","count":12}`.
pub(super) fn lines(tables: &[Table]) -> String {
    let mut text = String::new();
    for Table { key, rows, .. } in tables {
        for (name, count) in rows {
            let line = serde_json::json!({ "table": key, "name": name, "count": count });
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_part_of_the_most() {
        let rows = vec![("M".to_owned(), 2000), ("I".to_owned(), 1), ("F".to_owned(), 0)];
        let table = Table { title: "kinds".to_owned(), key: "kinds", rows };
        let bar = "#".repeat(40);
        assert_eq!(tables(&[table]), format!("\nkinds\n  M  2,000  {bar}\n  I      1  #\n  F      0\n"));
    }
}
