//! Where comments are: wherever the compiler's lexer finds no token, or one that stands for documentation.

use proc_macro2::{TokenStream, TokenTree};
use std::ops::Range;

/// The comments of `source`, in their order; neighbours without code between them may come as one.
pub(crate) fn ranges(source: &str, tokens: &TokenStream) -> Vec<Range<usize>> {
    let mut leaves = Vec::new();
    collect(tokens.clone(), &mut leaves);
    let (mut found, mut end) = (Vec::new(), 0);
    let the_end = source.len()..source.len();
    for leaf in leaves.into_iter().chain(std::iter::once(the_end)) {
        if leaf.start < end {
            // The further tokens that a comment of documentation stands for.
            continue;
        }
        gap(source, end..leaf.start, &mut found);
        if source[leaf.clone()].starts_with("//") || source[leaf.clone()].starts_with("/*") {
            found.push(leaf.clone());
        }
        end = leaf.end;
    }
    found
}

fn gap(source: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let text = &source[range.clone()];
    let start = range.start + text.len() - text.trim_start().len();
    if !text.trim().is_empty() {
        found.push(start..start + text.trim().len());
    }
}

fn collect(tokens: TokenStream, leaves: &mut Vec<Range<usize>>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                leaves.push(group.span_open().byte_range());
                collect(group.stream(), leaves);
                leaves.push(group.span_close().byte_range());
            }
            other => leaves.push(other.span().byte_range()),
        }
    }
}
