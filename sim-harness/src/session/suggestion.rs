//! Suggestions for unknown names.

/// Help for a message like "unknown field `thresold`, expected one of `threshold`, `random`".
pub(super) fn help(message: &str) -> Option<String> {
    let (unknown, known) = message.split_once(", expected ")?;
    let found = quoted(unknown).last()?;
    let nearest = quoted(known).map(|name| (distance(found, name), name)).min()?;
    let close = nearest.0 <= 1 + found.len() / 3;
    close.then(|| format!("did you mean `{}`?", nearest.1))
}

/// Help for an unknown name: the nearest of these, up to three.
pub(crate) fn nearest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut all: Vec<(usize, &str)> = known.into_iter().map(|name| (distance(found, name), name)).collect();
    all.sort_unstable();
    let least = all.first().map_or(0, |(distance, _)| *distance);
    let near = all.iter().take_while(|(distance, _)| *distance <= least + 1).take(3);
    let names: Vec<String> = near.map(|(_, name)| format!("`{name}`")).collect();
    format!("did you mean {}?", names.join(" or "))
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
    use super::{distance, help, nearest};

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }

    #[test]
    fn the_nearest_names_come_first() {
        assert_eq!(nearest("FLOP", ["MUL", "FLOPS", "DIV"]), "did you mean `FLOPS`?");
        assert_eq!(nearest("L2_LT", ["L2_LD", "L2_ST", "MUL"]), "did you mean `L2_LD` or `L2_ST`?");
    }

    #[test]
    fn only_near_names_are_suggested() {
        let message = |name: &str| format!("unknown field `{name}`, expected one of `threshold`, `random`");
        assert_eq!(help(&message("thresold")).as_deref(), Some("did you mean `threshold`?"));
        assert_eq!(help(&message("rnd")), None);
        assert_eq!(help("missing field `id`"), None);
    }
}
