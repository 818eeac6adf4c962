//! The objects in a line of a retire log.

use std::fmt;

use lwp_model::retire::{IntKind, Interruption, Io, OpMode, Rep};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use super::retire_log_value::{Address, Object, Port, Ports, Source, StoreSize};
use super::{Branch, BranchKind, Load, Store};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BranchKeys {
    kind: Kind,
    taken: Option<bool>,
    pub(super) next: Option<Address>,
    predicted: Option<bool>,
}

impl BranchKeys {
    pub(super) fn branch(&self) -> Result<Branch, &'static str> {
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
pub(super) struct LoadKeys {
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
    pub(super) fn load(&self) -> Load {
        Load {
            addr: self.addr.as_ref().map(|address| address.0),
            size: self.size,
            miss: self.miss,
            latency: self.latency,
            source: self.source.0,
            before_miss: 0,
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoreKeys {
    addr: Address,
    size: StoreSize,
}

impl StoreKeys {
    pub(super) fn store(&self) -> Store {
        Store { addr: self.addr.0, size: self.size.0 }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IoKeys {
    port: Port,
    size: Ports,
    write: bool,
}

impl IoKeys {
    pub(super) fn io(&self) -> Io {
        Io { valid: true, write: self.write, port: self.port.0, size: self.size.0 }
    }
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum ModeName {
    #[serde(rename = "real")]
    Real,
    #[serde(rename = "v86")]
    Virtual8086,
    #[serde(rename = "protected")]
    Protected,
    #[serde(rename = "compatibility")]
    Compatibility,
    #[serde(rename = "64")]
    Long64,
}

impl From<ModeName> for OpMode {
    fn from(mode: ModeName) -> Self {
        match mode {
            ModeName::Real => Self::Real,
            ModeName::Virtual8086 => Self::Virtual8086,
            ModeName::Protected => Self::Protected,
            ModeName::Compatibility => Self::Compatibility,
            ModeName::Long64 => Self::Long64,
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RepName {
    First,
    More,
    Last,
}

impl From<RepName> for Rep {
    fn from(rep: RepName) -> Self {
        match rep {
            RepName::First => Self::First,
            RepName::More => Self::Further,
            RepName::Last => Self::Last,
        }
    }
}

/// The interruptions delivered before the instruction: `null`, an object, or a list of them.
#[derive(Default)]
pub(super) struct Interruptions(Vec<InterruptionKeys>);

impl Interruptions {
    /// Whether the first interruption does not give its source.
    pub(super) fn lacks_from(&self) -> bool {
        self.0.first().is_some_and(|first| first.from.is_none())
    }

    /// Appends the interruptions; the last leads to `ip`.
    pub(super) fn put(&self, ip: u64, into: &mut Vec<Interruption>) {
        let from = |keys: &InterruptionKeys| keys.from.as_ref().map_or(0, |address| address.0);
        for (at, keys) in self.0.iter().enumerate() {
            let to = self.0.get(at + 1).map_or(ip, from);
            into.push(Interruption { valid: true, kind: keys.kind.into(), vector: keys.vector, from: from(keys), to });
        }
    }
}

impl<'de> Deserialize<'de> for Interruptions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InterruptionsVisitor;

        impl<'de> Visitor<'de> for InterruptionsVisitor {
            type Value = Interruptions;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object in braces, or a list of them")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Interruptions, E> {
                Ok(Interruptions::default())
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Interruptions, A::Error> {
                let one = InterruptionKeys::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Interruptions(vec![one]))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Interruptions, A::Error> {
                let mut all = Vec::new();
                while let Some(Object(one)) = list.next_element::<Object<InterruptionKeys>>()? {
                    if !all.is_empty() && one.from.is_none() {
                        return Err(de::Error::custom(
                            "expected `from` in an interruption behind another one, found none",
                        ));
                    }
                    all.push(one);
                }
                Ok(Interruptions(all))
            }
        }

        deserializer.deserialize_any(InterruptionsVisitor)
    }
}

/// One interruption with a valid vector.
#[derive(Deserialize)]
#[serde(try_from = "RawInterruption")]
struct InterruptionKeys {
    kind: InterruptionName,
    vector: u8,
    from: Option<Address>,
}

/// One interruption as it is in the line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInterruption {
    kind: InterruptionName,
    vector: Option<u8>,
    from: Option<Address>,
}

impl TryFrom<RawInterruption> for InterruptionKeys {
    type Error = String;

    fn try_from(raw: RawInterruption) -> Result<Self, String> {
        let RawInterruption { kind, vector, from } = raw;
        let fixed = kind.vector();
        let vector = match (vector, fixed) {
            (Some(vector), None) => vector,
            (None, Some(fixed)) => fixed,
            (Some(vector), Some(fixed)) if vector == fixed => vector,
            (Some(vector), Some(fixed)) => return Err(format!("expected vector {fixed} or none, found {vector}")),
            (None, None) => return Err("expected `vector` in an interrupt or exception, found none".to_owned()),
        };
        Ok(Self { kind, vector, from })
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum InterruptionName {
    Interrupt,
    Exception,
    Nmi,
    Smi,
    Rsm,
}

impl InterruptionName {
    /// Returns the vector of a kind that has only one.
    fn vector(self) -> Option<u8> {
        match self {
            Self::Interrupt | Self::Exception => None,
            Self::Nmi => Some(2),
            Self::Smi | Self::Rsm => Some(0),
        }
    }
}

impl From<InterruptionName> for IntKind {
    fn from(kind: InterruptionName) -> Self {
        match kind {
            InterruptionName::Interrupt => Self::Interrupt,
            InterruptionName::Exception => Self::Exception,
            InterruptionName::Nmi => Self::Nmi,
            InterruptionName::Smi => Self::Smi,
            InterruptionName::Rsm => Self::Rsm,
        }
    }
}
