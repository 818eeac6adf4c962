//! Reading and joining tokens.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::iter::Peekable;

/// What does not fit the syntax, and where.
pub(crate) struct Error {
    span: Span,
    text: String,
}

impl Error {
    pub(crate) fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    pub(crate) fn into_compile_error(self) -> TokenStream {
        let text = TokenTree::from(Literal::string(&self.text));
        let call: [TokenTree; 3] = [
            Ident::new("compile_error", self.span).into(),
            Punct::new('!', Spacing::Alone).into(),
            Group::new(Delimiter::Brace, text.into()).into(),
        ];
        call.into_iter()
            .map(|mut token| {
                token.set_span(self.span);
                token
            })
            .collect()
    }
}

/// A reader of tokens.
pub(crate) struct Reader(Peekable<<TokenStream as IntoIterator>::IntoIter>);

impl Reader {
    pub(crate) fn new(stream: TokenStream) -> Self {
        Self(stream.into_iter().peekable())
    }

    pub(crate) fn is_empty(&mut self) -> bool {
        self.0.peek().is_none()
    }

    pub(crate) fn punct(&mut self, wanted: char) -> bool {
        self.0.next_if(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)).is_some()
    }

    pub(crate) fn group(&mut self, wanted: Delimiter) -> Option<Group> {
        match self.0.next_if(|token| matches!(token, TokenTree::Group(group) if group.delimiter() == wanted)) {
            Some(TokenTree::Group(group)) => Some(group),
            _ => None,
        }
    }

    pub(crate) fn ident(&mut self) -> Result<Ident, Error> {
        match self.0.next() {
            Some(TokenTree::Ident(ident)) => Ok(ident),
            Some(other) => Err(Error::new(other.span(), "a name was expected here")),
            None => Err(Error::new(Span::call_site(), "a name was expected at the end")),
        }
    }

    /// Everything up to the next comma, which is taken away.
    pub(crate) fn to_comma(&mut self) -> TokenStream {
        let mut tokens = Vec::new();
        while !self.is_empty() && !self.punct(',') {
            tokens.extend(self.0.next());
        }
        tokens.into_iter().collect()
    }

    /// The attributes that stand here, without `#` and brackets.
    pub(crate) fn attributes(&mut self) -> Result<Vec<TokenStream>, Error> {
        let mut attributes = Vec::new();
        while self.punct('#') {
            let group = self.group(Delimiter::Bracket);
            attributes.push(group.ok_or_else(|| Error::new(Span::call_site(), "`#` without brackets"))?.stream());
        }
        Ok(attributes)
    }

    /// `pub`, `pub(crate)` or nothing; from a macro it comes in a group without delimiters.
    pub(crate) fn visibility(&mut self) -> TokenStream {
        if let Some(group) = self.group(Delimiter::None) {
            return group.stream();
        }
        let mut tokens = Vec::new();
        tokens.extend(self.0.next_if(|token| matches!(token, TokenTree::Ident(ident) if ident.to_string() == "pub")));
        if !tokens.is_empty() {
            tokens.extend(self.group(Delimiter::Parenthesis).map(TokenTree::from));
        }
        tokens.into_iter().collect()
    }
}

/// `code` as tokens. A name `__x_0`, `__x_1` and so on stands for one of `parts`; names of `spans` get their place in the source.
pub(crate) fn quote(code: &str, parts: &[TokenStream], spans: &[&Ident]) -> TokenStream {
    let stream = code.parse().expect("the code of the macro is Rust");
    fill(stream, parts, spans)
}

fn fill(stream: TokenStream, parts: &[TokenStream], spans: &[&Ident]) -> TokenStream {
    let mut filled = TokenStream::new();
    for token in stream {
        match token {
            TokenTree::Ident(mut ident) => {
                let text = ident.to_string();
                if let Some(part) = text.strip_prefix("__x_").and_then(|number| number.parse::<usize>().ok()) {
                    filled.extend(parts[part].clone());
                    continue;
                }
                let field = text.strip_prefix("with_").or(text.strip_prefix("set_")).unwrap_or(&text);
                if let Some(named) = spans.iter().find(|named| named.to_string() == field) {
                    ident.set_span(named.span());
                }
                filled.extend([TokenTree::from(ident)]);
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), fill(group.stream(), parts, spans));
                inner.set_span(group.span());
                filled.extend([TokenTree::from(inner)]);
            }
            other => filled.extend([other]),
        }
    }
    filled
}
