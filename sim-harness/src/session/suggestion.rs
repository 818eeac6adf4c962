//! Suggestions for unknown names.

/// Help for a message like "unknown field `thresold`, expected one of `threshold`, `random`".
pub(super) fn help(message: &str) -> Option<String> {
    let (unknown, known) = message.split_once(", expected ")?;
    let found = quoted(unknown).last()?;
    let nearest = quoted(known).map(|name| (distance(found, name), name)).min()?;
    let close = nearest.0 <= 1 + found.len() / 3;
    close.then(|| format!("did you mean `{}`?", nearest.1))
}

/// The words between back quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Insertions, deletions and replacements that lead from one name to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (at, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, help};

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }

    #[test]
    fn only_near_names_are_suggested() {
        let message = |name: &str| format!("unknown field `{name}`, expected one of `threshold`, `random`");
        assert_eq!(help(&message("thresold")).as_deref(), Some("did you mean `threshold`?"));
        assert_eq!(help(&message("rnd")), None);
        assert_eq!(help("missing field `id`"), None);
    }
}
