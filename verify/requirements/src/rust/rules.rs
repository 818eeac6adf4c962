//! Where a file of properties can fail: `ensure!`, the assertions of the language, and `return Err`.

use super::Rule;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

const MACROS: [&str; 7] =
    ["ensure", "assert", "assert_eq", "assert_ne", "prop_assert", "prop_assert_eq", "prop_assert_ne"];

/// The rules, and the functions that hold one (the line of their `fn` alone).
pub(crate) fn find(tokens: &TokenStream) -> Vec<Rule> {
    let mut rules = Vec::new();
    collect(tokens.clone(), "", &mut rules);
    rules
}

fn collect(tokens: TokenStream, around: &str, rules: &mut Vec<Rule>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at..] {
            [TokenTree::Ident(word), TokenTree::Ident(name), rest @ ..] if word == "fn" => {
                let brace = |token: &TokenTree| match token {
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.clone()),
                    _ => None,
                };
                let Some((length, body)) = rest.iter().enumerate().find_map(|(at, token)| Some((at, brace(token)?)))
                else {
                    return;
                };
                let before = rules.len();
                collect(body.stream(), &name.to_string(), rules);
                if rules.len() > before {
                    rules.push(rule(&name.to_string(), word.span().start().line, name.span().end().line));
                }
                at += 2 + length;
            }
            [TokenTree::Ident(word), TokenTree::Punct(bang), TokenTree::Group(group), ..]
                if bang.as_char() == '!' && MACROS.iter().any(|name| word == name) =>
            {
                rules.push(rule(around, word.span().start().line, end(group)));
            }
            [TokenTree::Ident(word), TokenTree::Ident(error), TokenTree::Group(group), ..]
                if word == "return" && error == "Err" =>
            {
                rules.push(rule(around, word.span().start().line, end(group)));
            }
            [TokenTree::Ident(word), TokenTree::Punct(bang), TokenTree::Ident(_), ..]
                if word == "macro_rules" && bang.as_char() == '!' =>
            {
                at += 3;
            }
            [TokenTree::Group(group), ..] => collect(group.stream(), around, rules),
            _ => {}
        }
        at += 1;
    }
}

fn rule(around: &str, first_line: usize, last_line: usize) -> Rule {
    Rule { function: around.to_owned(), first_line, last_line }
}

fn end(group: &Group) -> usize {
    group.span_close().end().line
}
