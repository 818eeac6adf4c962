//! Stretches of cycles in which a signal keeps its value.

/// The columns `from..to` hold `value`, and in all or none of them it is another than it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) value: u64,
    pub(super) differs: bool,
}

/// The segments of a signal from its values, one a column, and whether each differs from what it should be.
pub(super) fn segments(columns: impl Iterator<Item = (u64, bool)>) -> Vec<Segment> {
    let mut list: Vec<Segment> = Vec::new();
    for (at, (value, differs)) in columns.enumerate() {
        match list.last_mut() {
            Some(last) if (last.value, last.differs) == (value, differs) => last.to = at + 1,
            _ => list.push(Segment { from: at, to: at + 1, value, differs }),
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
        let segment = |from, to, value, differs| Segment { from, to, value, differs };
        let columns = [(1, false), (1, false), (2, false), (1, false), (1, true)];
        let expected =
            [segment(0, 2, 1, false), segment(2, 3, 2, false), segment(3, 4, 1, false), segment(4, 5, 1, true)];
        assert_eq!(segments(columns.into_iter()), expected, "red begins where it differs, not where it last changed");
    }

    #[test]
    fn long_values_keep_what_tells_them_apart() {
        assert_eq!(fitting("0x401010", 8), "0x401010");
        assert_eq!(fitting("0x401010", 5), "…1010");
        assert_eq!(fitting("miss_write", 5), "miss…");
        assert_eq!(fitting("reset", 1), "");
    }
}
