//! Names of items, for `item:` names.

use super::cfg;
use std::collections::BTreeSet;
use syn::{Fields, ImplItem, Item, ItemImpl, TraitItem, Type};

/// The paths of the items that are compiled, relative to the file.
pub(crate) fn names(items: &[Item]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(items, "", &mut found);
    found
}

fn collect(items: &[Item], prefix: &str, found: &mut BTreeSet<String>) {
    for item in items {
        let (attributes, name) = match item {
            Item::Const(item) => (&item.attrs, item.ident.to_string()),
            Item::Enum(item) => (&item.attrs, item.ident.to_string()),
            Item::Fn(item) => (&item.attrs, item.sig.ident.to_string()),
            Item::Mod(item) => (&item.attrs, item.ident.to_string()),
            Item::Static(item) => (&item.attrs, item.ident.to_string()),
            Item::Struct(item) => (&item.attrs, item.ident.to_string()),
            Item::Trait(item) => (&item.attrs, item.ident.to_string()),
            Item::Type(item) => (&item.attrs, item.ident.to_string()),
            Item::Union(item) => (&item.attrs, item.ident.to_string()),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref().map(ToString::to_string).unwrap_or_default()),
            Item::Impl(item) => (&item.attrs, type_name(item).unwrap_or_default()),
            _ => continue,
        };
        if name.is_empty() || cfg::off(attributes).is_some() {
            continue;
        }
        let path = format!("{prefix}{name}");
        members(item, &path, found);
        if !matches!(item, Item::Impl(_)) {
            found.insert(path);
        }
    }
}

fn members(item: &Item, path: &str, found: &mut BTreeSet<String>) {
    let mut add = |name: &dyn ToString| {
        found.insert(format!("{path}::{}", name.to_string()));
    };
    match item {
        Item::Enum(item) => item.variants.iter().for_each(|variant| add(&variant.ident)),
        Item::Struct(item) => {
            if let Fields::Named(fields) = &item.fields {
                fields.named.iter().filter_map(|field| field.ident.as_ref()).for_each(|name| add(name));
            }
        }
        Item::Trait(item) => {
            for member in &item.items {
                match member {
                    TraitItem::Const(member) => add(&member.ident),
                    TraitItem::Fn(member) => add(&member.sig.ident),
                    TraitItem::Type(member) => add(&member.ident),
                    _ => {}
                }
            }
        }
        Item::Impl(item) => {
            for member in &item.items {
                match member {
                    ImplItem::Const(member) => add(&member.ident),
                    ImplItem::Fn(member) => add(&member.sig.ident),
                    ImplItem::Type(member) => add(&member.ident),
                    _ => {}
                }
            }
        }
        Item::Mod(item) => {
            if let Some((_, items)) = &item.content {
                collect(items, &format!("{path}::"), found);
            }
        }
        _ => {}
    }
}

fn type_name(item: &ItemImpl) -> Option<String> {
    match &*item.self_ty {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}
