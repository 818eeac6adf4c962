//! The struct as it was written.

use crate::tokens::{Error, Reader};
use proc_macro::{Delimiter, Ident, TokenStream};

/// A register.
pub(crate) struct Item {
    /// The path of `lwp-regs`.
    pub(crate) krate: TokenStream,
    /// The integer.
    pub(crate) repr: Ident,
    /// Whether the feature `defmt` is to be asked.
    pub(crate) defmt: bool,
    /// What stands before the struct.
    pub(crate) attributes: Vec<TokenStream>,
    pub(crate) visibility: TokenStream,
    pub(crate) name: Ident,
    /// Lowest bit first, reserved ones included.
    pub(crate) fields: Vec<Field>,
}

/// Some bits of a register.
pub(crate) struct Field {
    /// Documentation.
    pub(crate) docs: Vec<TokenStream>,
    /// Further attributes.
    pub(crate) attributes: Vec<TokenStream>,
    pub(crate) visibility: TokenStream,
    pub(crate) name: Ident,
    pub(crate) of: TokenStream,
    pub(crate) offset: usize,
    pub(crate) bits: usize,
    /// The functions that `from = …` and `into = …` name.
    pub(crate) from: Option<TokenStream>,
    pub(crate) into: Option<TokenStream>,
    /// The value that `new` has.
    pub(crate) default: Option<TokenStream>,
}

impl Field {
    /// The width of the field's type, if it is an integer.
    pub(crate) fn integer(&self) -> Option<usize> {
        width_of(&self.of.to_string())
    }

    pub(crate) fn is_bool(&self) -> bool {
        self.of.to_string() == "bool"
    }

    pub(crate) fn is_reserved(&self) -> bool {
        self.name.to_string().starts_with('_')
    }
}

fn width_of(integer: &str) -> Option<usize> {
    integer.strip_prefix('u')?.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32 | 64))
}

impl Item {
    pub(crate) fn parse(argument: TokenStream, item: TokenStream) -> Result<Self, Error> {
        let mut argument = Reader::new(argument);
        let krate = argument.group(Delimiter::Parenthesis).map(|group| group.stream()).unwrap_or_default();
        let repr = argument.ident()?;
        let defmt = argument.punct(',');
        let mut reader = Reader::new(item);
        let attributes = reader.attributes()?;
        let visibility = reader.visibility();
        reader.ident()?; // struct
        let name = reader.ident()?;
        let body =
            reader.group(Delimiter::Brace).ok_or_else(|| Error::new(name.span(), "a register has named fields"))?;
        let mut body = Reader::new(body.stream());
        let (mut fields, mut offset) = (Vec::new(), 0);
        while !body.is_empty() {
            let field = field(&mut body, offset)?;
            offset += field.bits;
            fields.push(field);
        }
        let width =
            width_of(&repr.to_string()).ok_or_else(|| Error::new(repr.span(), "an unsigned integer was expected"))?;
        if offset != width {
            let text =
                format!("the fields have {offset} bits, the register has {width}; `__` stands for reserved bits");
            return Err(Error::new(name.span(), text));
        }
        Ok(Self { krate, repr, defmt, attributes, visibility, name, fields })
    }
}

fn field(body: &mut Reader, offset: usize) -> Result<Field, Error> {
    let (mut docs, mut attributes, mut bits) = (Vec::new(), Vec::new(), None);
    for attribute in body.attributes()? {
        let mut reader = Reader::new(attribute.clone());
        match reader.ident()?.to_string().as_str() {
            "doc" if reader.punct('=') => docs.push(attribute),
            "bits" => bits = reader.group(Delimiter::Parenthesis),
            "inline" => {}
            _ => attributes.push(attribute),
        }
    }
    let visibility = body.visibility();
    let name = body.ident()?;
    if !body.punct(':') {
        return Err(Error::new(name.span(), "a field has a type"));
    }
    let of = body.to_comma();
    let mut field =
        Field { docs, attributes, visibility, name, of, offset, bits: 0, from: None, into: None, default: None };
    if field.is_bool() {
        field.bits = 1;
    } else {
        field.bits = field.integer().unwrap_or(0);
    }
    if let Some(group) = bits {
        let mut reader = Reader::new(group.stream());
        let width = reader.to_comma().to_string();
        field.bits = width.parse().map_err(|_| Error::new(group.span(), "`bits` begins with the width"))?;
        while !reader.is_empty() {
            let option = reader.ident()?;
            reader.punct('=');
            let value = reader.to_comma();
            match option.to_string().as_str() {
                "from" => field.from = Some(value),
                "into" => field.into = Some(value),
                "default" => field.default = Some(value),
                _ => return Err(Error::new(option.span(), "`from`, `into` or `default` was expected")),
            }
        }
    }
    let span = field.name.span();
    if field.bits == 0 || field.bits > 64 {
        return Err(Error::new(span, "the field needs its width: `#[bits(n)]`"));
    }
    let narrow = field.integer().is_some_and(|width| width != field.bits) && field.into.is_none();
    if narrow && !field.is_reserved() {
        return Err(Error::new(span, "the field is narrower than its integer; it takes a type of `lwp_regs::bits`"));
    }
    Ok(field)
}
