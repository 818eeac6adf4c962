//! Whether attributes leave something out of a test build.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

/// Why what has these attributes is not compiled into every test build, if so.
pub(crate) fn off(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            let holds = list.parse_args::<Meta>().ok().and_then(|predicate| holds(&predicate));
            (holds != Some(true)).then(|| "`#[cfg]` may leave it out".to_owned())
        }
        _ => None,
    })
}

/// Why a test with these attributes does not run, if so.
pub(crate) fn skipped(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let path = attribute.path();
        if path.is_ident("ignore") {
            Some("it has `#[ignore]`".to_owned())
        } else if path.is_ident("cfg_attr") {
            Some("`#[cfg_attr]` may switch it off".to_owned())
        } else {
            None
        }
    })
}

/// In a test build: `None` if it depends on anything else.
fn holds(predicate: &Meta) -> Option<bool> {
    match predicate {
        Meta::Path(path) => path.is_ident("test").then_some(true),
        Meta::List(list) => {
            let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
            let mut parts = parts.iter().map(holds);
            if list.path.is_ident("not") {
                parts.next()?.map(|holds| !holds)
            } else if list.path.is_ident("all") {
                combine(parts, false)
            } else {
                combine(parts, true)
            }
        }
        Meta::NameValue(_) => None,
    }
}

/// `decisive` if a part is; else unknown if a part is; else the contrary.
fn combine(parts: impl Iterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let parts: Vec<_> = parts.collect();
    if parts.contains(&Some(decisive)) {
        Some(decisive)
    } else if parts.contains(&None) {
        None
    } else {
        Some(!decisive)
    }
}
