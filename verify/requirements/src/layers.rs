//! A source in two layers: its comments and its code, each with the other blanked, so that offsets and lines stay.

use std::ops::Range;

#[derive(Debug)]
pub(crate) struct Layers {
    /// The comments without their markers; every byte of code is a `;`, so that nothing reads across it.
    pub comments: String,
    /// The code; every byte of a comment is a space.
    pub code: String,
    /// For each line whether it holds a part of a comment.
    commented: Vec<bool>,
    /// For each line whether it holds code.
    coded: Vec<bool>,
    /// For each line whether it is of the documentation of the file or module around it.
    inner: Vec<bool>,
    /// For each line whether it holds a test or an assertion; in a comment it is none.
    dead: Vec<bool>,
}

impl Layers {
    /// `ranges` are those of the comments, in their order.
    pub(crate) fn new(source: &str, ranges: &[Range<usize>]) -> Layers {
        let (mut comments, mut code) = (Vec::with_capacity(source.len()), Vec::with_capacity(source.len()));
        let mut end = 0;
        for range in ranges.iter().chain([&(source.len()..source.len())]) {
            let before = &source.as_bytes()[end..range.start];
            code.extend(before);
            comments.extend(before.iter().map(|&byte| if byte.is_ascii_whitespace() { byte } else { b';' }));
            let comment = &source[range.clone()];
            code.extend(blank(comment));
            comments.extend(without_markers(comment));
            end = range.end;
        }
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let (comments, code) = (text(comments), text(code));
        let (mut commented, mut inner) = (vec![false], vec![false]);
        let mut at = 0;
        let mut dead = vec![false];
        for (number, line) in source.split('\n').enumerate() {
            let range = at..at + line.len();
            at += line.len() + 1;
            commented.push(ranges.iter().any(|comment| comment.start < range.end && range.start < comment.end));
            inner.push(commented[number + 1] && line.trim_start().starts_with("//!"));
            dead.push(["#[test]", "assert property"].iter().any(|code| line.contains(code)));
        }
        let coded = [false].into_iter().chain(code.split('\n').map(|line| !line.trim().is_empty())).collect();
        Layers { comments, code, commented, coded, inner, dead }
    }

    /// The first line of the comment that stands directly above `line`, or `line`. What was said about a test that is
    /// commented out is not said about the next one.
    pub(crate) fn lead(&self, line: usize) -> usize {
        let alone = |line: usize| {
            let at = |lines: &[bool]| lines.get(line).copied().unwrap_or(false);
            at(&self.commented) && !at(&self.coded) && !at(&self.inner) && !at(&self.dead)
        };
        let mut first = line;
        while first > 1 && alone(first - 1) {
            first -= 1;
        }
        first
    }

    /// Takes a string out of the code.
    pub(crate) fn blank_code(&mut self, range: Range<usize>) {
        let spaces: String =
            self.code[range.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        self.code.replace_range(range, &spaces);
    }

    pub(crate) fn is_inner_doc(&self, line: usize) -> bool {
        self.inner.get(line).copied().unwrap_or(false)
    }
}

fn blank(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().map(|byte| if byte == b'\n' { b'\n' } else { b' ' })
}

/// The comment with spaces for `//`, `///`, `//!`, `/*` and `*` at the beginning of its lines.
fn without_markers(comment: &str) -> impl Iterator<Item = u8> {
    comment.split_inclusive('\n').flat_map(|line| {
        let text = line.trim_start_matches(|c: char| c.is_ascii_whitespace() || "/!*".contains(c));
        // The newline of an empty line was trimmed with the rest.
        let (marker, text) = line.split_at(line.len() - text.len());
        blank(marker).chain(text.bytes())
    })
}

/// Line of a byte, from 1.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}
