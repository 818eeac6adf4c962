//! The tables in a chapter of the book, between two marks.

use std::fs;
use std::path::Path;

const BEGIN: &str = "<!-- rtl-mutants --report --book: begin -->";
const END: &str = "<!-- rtl-mutants --report --book: end -->";

/// Puts the tables into the page.
pub(crate) fn write(page: &Path, tables: &str) -> Result<(), String> {
    let error = |error| format!("{}: {error}", page.display());
    let text = fs::read_to_string(page).map_err(error)?;
    let text = replaced(&text, tables)
        .ok_or_else(|| format!("{} lacks the line {BEGIN}, or {END} behind it", page.display()))?;
    fs::write(page, text).map_err(error)
}

/// The text with the tables in the place of what is between the marks; none: a mark is missing.
fn replaced(text: &str, tables: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n\n{}\n\n{END}{after}", tables.trim()))
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, replaced};

    #[test]
    fn only_what_is_between_the_marks_is_written_anew() {
        let page = |inside: &str| format!("# Mutants\n\n{BEGIN}{inside}{END}\n\nMore.\n");
        assert_eq!(replaced(&page("\n\nold\n\n"), "| a |\n"), Some(page("\n\n| a |\n\n")));
        assert_eq!(replaced(&page("\n"), "| a |"), Some(page("\n\n| a |\n\n")));
        assert_eq!(replaced(BEGIN, "| a |"), None);
        assert_eq!(replaced(&format!("{END} {BEGIN}"), "| a |"), None);
    }
}
