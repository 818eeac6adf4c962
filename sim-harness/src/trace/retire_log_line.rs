//! One line of a retire log.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use serde_json::error::Category;

use super::{Branch, BranchKind, Load, Record};

/// Help for a line that is not in the format.
const FORMAT_HELP: &str = "a line looks like {\"ip\":\"0x401000\",\"cpl\":3,\"branch\":{\"kind\":\"jcc\",\"taken\":true,\
                           \"next\":\"0x401020\"},\"loads\":[{\"addr\":\"0x7ff0\",\"miss\":true,\"latency\":200,\"source\":3}]}; \
                           only `ip` is required";

/// What is wrong with a line.
#[derive(Debug)]
pub(super) struct Fault {
    /// Column in bytes, from 1.
    pub(super) column: usize,
    /// What was expected and what was found.
    pub(super) what: String,
    /// What to do.
    pub(super) help: &'static str,
    /// Whether the line is right as far as it goes, but stops too early.
    pub(super) breaks_off: bool,
}

/// Parses one line into `into`.
pub(super) fn parse(text: &[u8], into: &mut Record) -> Result<(), Fault> {
    let Object(line) = serde_json::from_slice::<Object<Line>>(text).map_err(|error| from_json(text, &error))?;
    let retired = &mut into.retired;
    retired.reset(line.ip.0);
    retired.cpl = line.cpl.0;
    retired.smm = line.smm;
    retired.loads.extend(line.loads.iter().map(|Object(keys)| keys.load()));
    into.next_unknown = false;
    if let Some(Object(keys)) = line.branch {
        into.next_unknown = keys.next.is_none();
        retired.branch = Some(keys.branch().map_err(|what| beside(text, "\"branch\"", what))?);
    }
    Ok(())
}

/// Turns the parser's message into a fault of this line.
fn from_json(text: &[u8], error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    // The parser appends its own line and column, which are those inside the line.
    let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let what = match error.classify() {
        Category::Syntax | Category::Eof => {
            let at = text.get(error.column().saturating_sub(1)).filter(|byte| !byte.is_ascii_whitespace());
            let found =
                at.map_or_else(|| "the end of the line".to_owned(), |&byte| format!("`{}`", byte.escape_ascii()));
            format!("this is not JSON: {what}, found {found}")
        }
        Category::Data | Category::Io => what.to_owned(),
    };
    Fault { column: error.column().max(1), what, help: FORMAT_HELP, breaks_off: error.is_eof() }
}

/// A fault of the value behind a key.
fn beside(text: &[u8], key: &str, what: &str) -> Fault {
    let position = text.windows(key.len()).position(|window| window == key.as_bytes());
    Fault { column: position.unwrap_or(0) + 1, what: what.to_owned(), help: FORMAT_HELP, breaks_off: false }
}

/// A JSON object. Left to itself, serde takes an array of the values as well.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object in braces")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    ip: Address,
    #[serde(default)]
    cpl: Cpl,
    #[serde(default)]
    smm: bool,
    #[serde(default)]
    branch: Option<Object<BranchKeys>>,
    #[serde(default)]
    loads: Vec<Object<LoadKeys>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BranchKeys {
    kind: Kind,
    taken: Option<bool>,
    next: Option<Address>,
    predicted: Option<bool>,
}

impl BranchKeys {
    fn branch(&self) -> Result<Branch, &'static str> {
        let kind = self.kind.into();
        let taken = match (self.taken, kind) {
            (Some(false), BranchKind::Jcc | BranchKind::System) => false,
            (Some(false), _) => return Err("expected `taken` to be true in an unconditional branch, found false"),
            (Some(true), _) => true,
            (None, BranchKind::Jcc) => return Err("expected `taken` in a branch of kind `jcc`, found none"),
            (None, _) => true,
        };
        // The look-ahead replaces an address that is not given.
        let next = self.next.as_ref().map_or(0, |address| address.0);
        Ok(Branch { kind, taken, next, predicted: self.predicted })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoadKeys {
    addr: Option<Address>,
    #[serde(default)]
    size: u16,
    #[serde(default)]
    miss: bool,
    #[serde(default)]
    latency: u32,
    #[serde(default)]
    source: Source,
}

impl LoadKeys {
    fn load(&self) -> Load {
        Load {
            addr: self.addr.as_ref().map(|address| address.0),
            size: self.size,
            miss: self.miss,
            latency: self.latency,
            source: self.source.0,
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Jmp,
    Jcc,
    JmpInd,
    Call,
    CallInd,
    Ret,
    FarJmp,
    FarCall,
    FarRet,
    System,
}

impl From<Kind> for BranchKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Jmp => Self::Jmp,
            Kind::Jcc => Self::Jcc,
            Kind::JmpInd => Self::JmpInd,
            Kind::Call => Self::Call,
            Kind::CallInd => Self::CallInd,
            Kind::Ret => Self::Ret,
            Kind::FarJmp => Self::FarJmp,
            Kind::FarCall => Self::FarCall,
            Kind::FarRet => Self::FarRet,
            Kind::System => Self::System,
        }
    }
}

/// A linear address: `"0x..."`, or an unsigned number.
struct Address(u64);

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AddressVisitor;

        impl Visitor<'_> for AddressVisitor {
            type Value = Address;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an address: a string of up to 16 hexadecimal digits after `0x`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Address, E> {
                let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
                // from_str_radix would take a sign.
                let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
                let value = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
                value.map(Address).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Address, E> {
                Ok(Address(value))
            }
        }

        deserializer.deserialize_any(AddressVisitor)
    }
}

/// A number from 0 to a limit, with a message that says so.
fn small<'de, D: Deserializer<'de>>(deserializer: D, limit: u8, expected: &'static str) -> Result<u8, D::Error> {
    struct SmallVisitor(u8, &'static str);

    impl Visitor<'_> for SmallVisitor {
        type Value = u8;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(self.1)
        }

        fn visit_u64<E: de::Error>(self, value: u64) -> Result<u8, E> {
            let small = u8::try_from(value).ok().filter(|small| *small <= self.0);
            small.ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(value), &self))
        }
    }

    deserializer.deserialize_u64(SmallVisitor(limit, expected))
}

/// A privilege level.
struct Cpl(u8);

impl Default for Cpl {
    /// User mode.
    fn default() -> Self {
        Self(3)
    }
}

impl<'de> Deserialize<'de> for Cpl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        small(deserializer, 3, "a privilege level from 0 to 3").map(Self)
    }
}

/// A source of data.
#[derive(Default)]
struct Source(u8);

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        small(deserializer, 7, "a data source from 0 to 7").map(Self)
    }
}
