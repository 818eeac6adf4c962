//! What `shown_by` holds: names of the form `kind:where`.

use crate::trace::EvidenceKind;
use std::fmt;

/// A name that a person wrote; whether it exists is another question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    pub kind: EvidenceKind,
    /// A file, or the name of a module for `rtl:`.
    pub place: String,
    /// What in the file; empty for `rtl:`.
    pub inside: String,
}

impl Name {
    /// `text` without white space, or what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Name, String> {
        let (kind, rest) = text.split_once(':').ok_or_else(|| format!("`{text}` has no kind"))?;
        let (kind, separator) = match kind {
            "test" => (EvidenceKind::Test, "::"),
            "sva" => (EvidenceKind::Assertion, "::"),
            "item" => (EvidenceKind::Item, "::"),
            "doc" => (EvidenceKind::Chapter, "#"),
            "rtl" => (EvidenceKind::Module, ""),
            other => return Err(format!("`{text}`: the kind `{other}` is unknown")),
        };
        let (place, inside) = if separator.is_empty() {
            (rest, "")
        } else {
            rest.split_once(separator).ok_or_else(|| format!("`{text}` lacks `{separator}` and a name after it"))?
        };
        if place.is_empty() || (inside.is_empty() && !separator.is_empty()) {
            return Err(format!("`{text}` is incomplete"));
        }
        Ok(Name { kind, place: place.to_owned(), inside: inside.to_owned() })
    }
}

/// The forms that [`Name::parse`] takes.
pub(crate) const FORMS: &str = "the forms are test:FILE::NAME, sva:FILE::LABEL, item:FILE::PATH, rtl:MODULE and \
                                doc:CHAPTER.md#ANCHOR, separated by spaces";

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = match self.kind {
            EvidenceKind::Chapter => "#",
            EvidenceKind::Module => "",
            _ => "::",
        };
        write!(f, "{}:{}{separator}{}", self.kind.word(), self.place, self.inside)
    }
}
