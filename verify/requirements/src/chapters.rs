//! Headings of Markdown files, with the anchors that mdBook gives them.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};

/// The anchors of the headings in `markdown`.
pub(crate) fn anchors(markdown: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut counts = BTreeMap::new();
    let mut heading: Option<(Option<String>, String)> = None;
    for event in Parser::new_ext(markdown, Options::ENABLE_HEADING_ATTRIBUTES) {
        match event {
            Event::Start(Tag::Heading { id, .. }) => heading = Some((id.map(|id| id.to_string()), String::new())),
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, title)) = &mut heading {
                    title.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some((id, title)) = heading.take() {
                    let anchor = id.unwrap_or_else(|| anchor(&title));
                    let count: &mut usize = counts.entry(anchor.clone()).or_default();
                    found.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
                    *count += 1;
                }
            }
            _ => {}
        }
    }
    found
}

/// The files, relative to the folder of the book's text, that the book's summary links to.
pub(crate) fn linked(summary: &str) -> BTreeSet<String> {
    Parser::new(summary)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.trim_start_matches("./").to_owned()),
            _ => None,
        })
        .collect()
}

/// As mdBook makes it: letters, digits, `_` and `-`, in small letters; white space becomes `-`.
fn anchor(title: &str) -> String {
    title
        .trim()
        .chars()
        .filter_map(|c| match c {
            _ if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
            _ if c.is_whitespace() => Some('-'),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{anchors, linked};

    #[test]
    fn anchors_are_those_of_the_book() {
        let text = "# Firmware: using `lwp-regs`\n\n```text\n# no heading\n```\n\n## Detect\n\n## Detect\n\nLate\n====\n\n## X {#own}\n";
        let found: Vec<_> = anchors(text).into_iter().collect();
        assert_eq!(found, ["detect", "detect-1", "firmware-using-lwp-regs", "late", "own"]);
    }

    #[test]
    fn chapters_are_those_of_the_summary() {
        let found: Vec<_> = linked("# Summary\n\n- [A](a.md)\n  - [B](b/README.md)\n").into_iter().collect();
        assert_eq!(found, ["a.md", "b/README.md"]);
    }
}
