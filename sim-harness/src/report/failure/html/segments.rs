//! Stretches of cycles in which a signal keeps its value.

use crate::lockstep::Field;

/// The columns `from..to` hold `value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) value: u64,
}

/// The segments of a signal, one row of words a column.
pub(super) fn segments<'a>(field: &Field, rows: impl Iterator<Item = &'a [u32]>) -> Vec<Segment> {
    let mut list: Vec<Segment> = Vec::new();
    for (at, row) in rows.enumerate() {
        let value = field.of(row);
        match list.last_mut() {
            Some(last) if last.value == value => last.to = at + 1,
            _ => list.push(Segment { from: at, to: at + 1, value }),
        }
    }
    list
}

/// As much of `text` as has room for `letters` letters. Numbers keep their low digits, names their beginning.
pub(super) fn fitting(text: &str, letters: usize) -> String {
    let count = text.chars().count();
    if count <= letters {
        return text.to_owned();
    }
    match (letters, text.strip_prefix("0x")) {
        (0 | 1, _) => String::new(),
        (_, Some(digits)) => format!("…{}", &digits[digits.len().saturating_sub(letters - 1)..]),
        (_, None) => format!("{}…", text.chars().take(letters - 1).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_neighbours_are_one_segment() {
        let field = Field { name: "low", word: 0, lsb: 0, width: 4 };
        let rows = [[1_u32], [0x11], [2], [1]];
        let segment = |from, to, value| Segment { from, to, value };
        let expected = [segment(0, 2, 1), segment(2, 3, 2), segment(3, 4, 1)];
        assert_eq!(segments(&field, rows.iter().map(|row| &row[..])), expected);
    }

    #[test]
    fn long_values_keep_what_tells_them_apart() {
        assert_eq!(fitting("0x401010", 8), "0x401010");
        assert_eq!(fitting("0x401010", 5), "…1010");
        assert_eq!(fitting("miss_write", 5), "miss…");
        assert_eq!(fitting("reset", 1), "");
    }
}
