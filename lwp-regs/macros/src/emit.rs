//! The code of a register.

use crate::item::{Field, Item};
use crate::tokens::quote;
use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};

fn attributes<'a>(all: impl IntoIterator<Item = &'a TokenStream>) -> TokenStream {
    let attribute = |tokens: &TokenStream| {
        let hash = TokenTree::from(Punct::new('#', Spacing::Alone));
        [hash, Group::new(Delimiter::Bracket, tokens.clone()).into()]
    };
    all.into_iter().flat_map(attribute).collect()
}

fn capitals(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_uppercase()
}

pub(crate) fn register(item: &Item) -> TokenStream {
    let (name, repr) = (&item.name, &item.repr);
    let named: Vec<_> = item.fields.iter().filter(|field| !field.is_reserved()).collect();
    let spans: Vec<_> = named.iter().map(|field| &field.name).chain([name, repr]).collect();
    let table: String = named
        .iter()
        .map(|field| {
            let capitals = capitals(&field.name);
            format!(
                "__x_2::layout::FieldInfo {{ name: \"{capitals}\", offset: {}, bits: {} }},",
                field.offset, field.bits
            )
        })
        .collect();
    let debug: String = named.iter().map(|field| format!(".field(\"{0}\", &self.{0}())", field.name)).collect();
    let mut parts = vec![attributes(&item.attributes), item.visibility.clone(), item.krate.clone()];
    let (mut ones, mut withs) = (String::new(), String::new());
    for field in &item.fields {
        let Some(value) = &field.default else { continue };
        if field.is_reserved() {
            ones += &format!(" | (__x_{} as {repr}) << {}", parts.len(), field.offset);
        } else {
            withs += &format!(".with_{}(__x_{})", field.name, parts.len());
        }
        parts.push(value.clone());
    }
    let mut code = quote(
        &format!(
            "__x_0 #[derive(Clone, Copy)] #[repr(transparent)] __x_1 struct {name}({repr});
            impl {name} {{
                /// Returns a register whose fields are 0, or what the manual has as their default.
                #[inline] #[must_use] __x_1 const fn new() -> Self {{ Self(0{ones}){withs} }}
                /// Returns the register with this content.
                #[inline] #[must_use] __x_1 const fn from_bits(bits: {repr}) -> Self {{ Self(bits) }}
                /// Returns the content of the register.
                #[inline] #[must_use] __x_1 const fn into_bits(self) -> {repr} {{ self.0 }}
                /// The fields of the layout, lowest bit first.
                #[doc(hidden)] __x_1 const FIELDS: &'static [__x_2::layout::FieldInfo] = &[{table}];
            }}
            impl ::core::default::Default for {name} {{
                #[inline] fn default() -> Self {{ Self::new() }}
            }}
            impl ::core::convert::From<{repr}> for {name} {{
                #[inline] fn from(bits: {repr}) -> Self {{ Self(bits) }}
            }}
            impl ::core::convert::From<{name}> for {repr} {{
                #[inline] fn from(register: {name}) -> Self {{ register.0 }}
            }}
            impl ::core::fmt::Debug for {name} {{
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{
                    f.debug_struct(\"{name}\"){debug}.finish()
                }}
            }}"
        ),
        &parts,
        &spans,
    );
    if item.defmt {
        code.extend(quote(&defmt(item, &named), &[], &spans));
    }
    for field in named {
        code.extend(accessors(item, field));
    }
    code
}

fn defmt(item: &Item, named: &[&Field]) -> String {
    let format = |field: &&Field| match field.integer() {
        None if !field.is_bool() => format!("{}: {{:?}}", field.name),
        _ => format!("{}: {{={}}}", field.name, field.of),
    };
    let formats = named.iter().map(format).collect::<Vec<_>>().join(", ");
    let values: String = named.iter().map(|field| format!("self.{}(),", field.name)).collect();
    format!(
        "#[cfg(feature = \"defmt\")]
        impl ::defmt::Format for {name} {{
            fn format(&self, f: ::defmt::Formatter<'_>) {{ ::defmt::write!(f, \"{name} {{{{ {formats} }}}} \", {values}) }}
        }}",
        name = item.name
    )
}

fn accessors(item: &Item, field: &Field) -> TokenStream {
    let (register, repr, name) = (&item.name, &item.repr, &field.name);
    let (offset, last) = (field.offset, field.offset + field.bits - 1);
    let place = if field.bits == 1 { format!("Bit {offset}.") } else { format!("Bits {last}:{offset}.") };
    let mask = u64::MAX >> (64 - field.bits);
    let raw = format!("((self.0 >> {offset}) & {mask:#x})");
    let get = match (&field.from, field.integer()) {
        (Some(_), _) => format!("__x_4({raw} as _)"),
        (None, Some(_)) => format!("{raw} as __x_3"),
        (None, None) if field.is_bool() => format!("{raw} != 0"),
        (None, None) => format!("__x_3::from_bits({raw} as _)"),
    };
    let bits = match (&field.into, field.integer()) {
        (Some(_), _) => format!("__x_5(value) as {repr}"),
        (None, None) if !field.is_bool() => format!("__x_3::into_bits(value) as {repr}"),
        _ => format!("value as {repr}"),
    };
    let (capitals, bits_wide) = (capitals(name), field.bits);
    let parts = [
        attributes(&field.docs),
        attributes(&field.attributes),
        field.visibility.clone(),
        field.of.clone(),
        field.from.clone().unwrap_or_default(),
        field.into.clone().unwrap_or_default(),
    ];
    quote(
        &format!(
            "#[allow(clippy::unnecessary_cast, clippy::cast_lossless, clippy::identity_op)]
            impl {register} {{
                #[allow(dead_code)] const {capitals}_OFFSET: usize = {offset};
                #[allow(dead_code)] const {capitals}_BITS: usize = {bits_wide};
                __x_0 #[doc = \"\\n\\n{place}\"] __x_1
                #[inline] #[must_use] __x_2 const fn {name}(self) -> __x_3 {{ {get} }}
                #[doc = \"Returns a copy whose field [`{name}`](Self::{name}) is `value`.\"] __x_1
                #[inline] #[must_use] __x_2 const fn with_{name}(self, value: __x_3) -> Self {{
                    Self(self.0 & !({mask:#x} << {offset}) | ((({bits}) & {mask:#x}) << {offset}))
                }}
                #[doc = \"Sets the field [`{name}`](Self::{name}) to `value`.\"] __x_1
                #[inline] __x_2 const fn set_{name}(&mut self, value: __x_3) {{
                    *self = self.with_{name}(value);
                }}
            }}"
        ),
        &parts,
        &[name, register],
    )
}
