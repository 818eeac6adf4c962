//! Tests and modules of a syntax tree.

use super::{Module, TestFn, cfg};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Item, ItemFn, ItemMod, Lit, Meta};

pub(crate) struct Walk {
    pub inside: Vec<String>,
    pub off: Option<String>,
    pub tests: Vec<TestFn>,
    pub modules: Vec<Module>,
}

impl Walk {
    pub(crate) fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(function) => self.function(function),
                Item::Mod(module) => self.module(module),
                Item::Macro(call) if call.mac.path.segments.last().is_some_and(|name| name.ident == "proptest") => {
                    let off = self.off.clone().or_else(|| cfg::off(&call.attrs));
                    self.drawn(call.mac.tokens.clone(), off.as_ref());
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, function: &ItemFn) {
        if is_test(&function.attrs) {
            let lines = (function.span().start().line, function.block.brace_token.span.close().end().line);
            self.test(function.sig.ident.to_string(), &function.attrs, lines, self.off.clone());
        }
    }

    fn test(&mut self, name: String, attributes: &[Attribute], lines: (usize, usize), off: Option<String>) {
        let off = off.or_else(|| cfg::off(attributes)).or_else(|| cfg::skipped(attributes));
        let path = self.inside.iter().cloned().chain([name]).collect();
        self.tests.push(TestFn { path, first_line: lines.0, last_line: lines.1, off });
    }

    fn module(&mut self, module: &ItemMod) {
        let off = self.off.clone().or_else(|| cfg::off(&module.attrs));
        let name = module.ident.to_string();
        let Some((_, items)) = &module.content else {
            let file = module.attrs.iter().find_map(path);
            self.modules.push(Module { inside: self.inside.clone(), name, file, off });
            return;
        };
        let before = std::mem::replace(&mut self.off, off);
        self.inside.push(name);
        self.items(items);
        self.inside.pop();
        self.off = before;
    }

    /// The functions with `#[test]` of a `proptest!`: `fn name(argument in strategy, ...) { ... }`.
    fn drawn(&mut self, tokens: TokenStream, off: Option<&String>) {
        let mut tokens = tokens.into_iter().peekable();
        let mut attributes = TokenStream::new();
        let mut first = 0;
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    if attributes.is_empty() {
                        first = punct.span().start().line;
                    }
                    if let Some(TokenTree::Group(group)) = tokens.next_if(|next| matches!(next, TokenTree::Group(_))) {
                        attributes.extend([TokenTree::Punct(punct), TokenTree::Group(group)]);
                    }
                }
                TokenTree::Ident(keyword) if keyword == "fn" => {
                    let Some(TokenTree::Ident(name)) = tokens.next() else { continue };
                    let body = tokens.by_ref().find_map(|token| match token {
                        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
                        _ => None,
                    });
                    let last = body.map_or(first, |body| body.span_close().end().line);
                    let parsed = Attribute::parse_outer.parse2(std::mem::take(&mut attributes)).unwrap_or_default();
                    if is_test(&parsed) {
                        self.test(name.to_string(), &parsed, (first, last), off.cloned());
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("test"))
}

/// The text of `#[path = "..."]`.
fn path(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
